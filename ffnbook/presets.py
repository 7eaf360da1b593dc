"""The shape of a transformer, and the shapes of the models that page `width-and-parameters` counts.

A `ModelConfig` holds what a parameter count needs and nothing else: whole numbers and yes/no fields, so
`dataclasses.asdict(config)` is ready for JSON. `ffnbook.parameters` does the counting.
The values come from the papers and published configurations of each model.
"""

from dataclasses import dataclass

from ffnbook.ffn import check_sizes
from ffnbook.messages import t


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Sizes of a stack of equal blocks (decoder-only unless said otherwise)."""

    name: str
    d_model: int
    d_ff: int
    n_heads: int
    n_kv_heads: int | None = None   # None: as many as n_heads (plain multi-head attention)
    d_head: int | None = None       # None: d_model / n_heads
    n_layers: int
    vocab: int
    n_positions: int = 0            # learned position vectors; 0 for rotary or sinusoidal positions
    gated: bool = False             # three FFN matrices instead of two
    ffn_bias: bool = False
    qkv_bias: bool = False
    out_bias: bool = False          # bias of the attention's output projection
    norm_bias: bool = False         # LayerNorm with scale and shift; otherwise a scale only (RMSNorm, PaLM)
    norms_per_block: int = 2
    final_norm: bool = True
    attentions_per_block: int = 1   # 2 in a decoder that also attends to an encoder
    tied_head: bool = False         # the output layer reuses the embedding matrix
    n_experts: int = 1
    experts_per_token: int = 1

    def __post_init__(self):
        check_sizes(d_model=self.d_model, d_ff=self.d_ff, n_heads=self.n_heads, n_layers=self.n_layers,
                    attentions_per_block=self.attentions_per_block, n_experts=self.n_experts,
                    experts_per_token=self.experts_per_token)
        check_sizes(at_least=0, vocab=self.vocab, n_positions=self.n_positions, norms_per_block=self.norms_per_block)
        if self.n_kv_heads is None:
            object.__setattr__(self, "n_kv_heads", self.n_heads)
        if self.d_head is None:
            if self.d_model % self.n_heads:
                raise ValueError(t("library.heads", n_heads=self.n_heads, d_model=self.d_model))
            object.__setattr__(self, "d_head", self.d_model // self.n_heads)
        check_sizes(n_kv_heads=self.n_kv_heads, d_head=self.d_head)
        if self.n_heads % self.n_kv_heads:
            raise ValueError(t("library.kv_heads", n_kv_heads=self.n_kv_heads, n_heads=self.n_heads))
        if self.experts_per_token > self.n_experts:
            raise ValueError(t("library.experts", experts_per_token=self.experts_per_token, n_experts=self.n_experts))


def gpt(name, d_model, n_layers, n_heads, *, vocab=50257, n_positions=1024):
    """GPT-2 and GPT-3: 4 · d_model, GELU, biases everywhere, learned positions, tied head."""
    return ModelConfig(name=name, d_model=d_model, d_ff=4 * d_model, n_heads=n_heads, n_layers=n_layers, vocab=vocab,
                       n_positions=n_positions, ffn_bias=True, qkv_bias=True, out_bias=True, norm_bias=True,
                       tied_head=True)


def llama(name, d_model, n_layers, n_heads, d_ff, *, n_kv_heads=None, vocab=32000, **other):
    """The Llama family: gated FFN, no biases, RMSNorm, rotary positions, a head of its own."""
    return ModelConfig(name=name, d_model=d_model, d_ff=d_ff, n_heads=n_heads, n_kv_heads=n_kv_heads,
                       n_layers=n_layers, vocab=vocab, gated=True, **other)


def gemma(name, d_model, n_layers, n_heads, n_kv_heads, d_ff, *, d_head=256, norms_per_block=2):
    """Gemma: GeGLU, heads that need not add up to d_model, tied head. Gemma 2 has four norms per block."""
    return ModelConfig(name=name, d_model=d_model, d_ff=d_ff, n_heads=n_heads, n_kv_heads=n_kv_heads, d_head=d_head,
                       n_layers=n_layers, vocab=256000, gated=True, norms_per_block=norms_per_block, tied_head=True)


def palm(name, d_model, n_layers, n_heads):
    """PaLM: SwiGLU at 4 · d_model, one key-value head, attention and FFN side by side after one norm."""
    return ModelConfig(name=name, d_model=d_model, d_ff=4 * d_model, n_heads=n_heads, n_kv_heads=1, d_head=256,
                       n_layers=n_layers, vocab=256000, gated=True, norms_per_block=1, tied_head=True)


def transformer_base(name, *, norms_per_block, attentions_per_block):
    """One half of the 2017 translation model, with its shared vocabulary of about 37,000 tokens."""
    return ModelConfig(name=name, d_model=512, d_ff=2048, n_heads=8, n_layers=6, vocab=37000, ffn_bias=True,
                       norm_bias=True, norms_per_block=norms_per_block, final_norm=False,
                       attentions_per_block=attentions_per_block, tied_head=True)


PRESETS = {
    # The book's own small model. Its vocabulary is one entry per byte; any other choice only moves the embeddings.
    "mini-gpt": gpt("Mini-GPT", 64, 4, 4, vocab=256, n_positions=128),
    "transformer-base-encoder": transformer_base("Transformer base (enc)", norms_per_block=2, attentions_per_block=1),
    "transformer-base-decoder": transformer_base("Transformer base (dec)", norms_per_block=3, attentions_per_block=2),
    "gpt2-small": gpt("GPT-2 small", 768, 12, 12),
    "gpt2-medium": gpt("GPT-2 medium", 1024, 24, 16),
    "gpt2-large": gpt("GPT-2 large", 1280, 36, 20),
    "gpt2-xl": gpt("GPT-2 XL", 1600, 48, 25),
    "gpt3-175b": gpt("GPT-3 175B", 12288, 96, 96, n_positions=2048),
    "llama-7b": llama("LLaMA-7B", 4096, 32, 32, 11008),
    "llama-13b": llama("LLaMA-13B", 5120, 40, 40, 13824),
    "llama2-70b": llama("Llama-2 70B", 8192, 80, 64, 28672, n_kv_heads=8),
    "llama3-8b": llama("Llama-3 8B", 4096, 32, 32, 14336, n_kv_heads=8, vocab=128256),
    "llama3-70b": llama("Llama-3 70B", 8192, 80, 64, 28672, n_kv_heads=8, vocab=128256),
    "llama3.1-405b": llama("Llama-3.1 405B", 16384, 126, 128, 53248, n_kv_heads=8, vocab=128256),
    "mistral-7b": llama("Mistral 7B", 4096, 32, 32, 14336, n_kv_heads=8),
    "gemma-2b": gemma("Gemma 2B", 2048, 18, 8, 1, 16384),
    "gemma-7b": gemma("Gemma 7B", 3072, 28, 16, 16, 24576),
    "gemma2-9b": gemma("Gemma-2 9B", 3584, 42, 16, 8, 14336, norms_per_block=4),
    "gemma2-27b": gemma("Gemma-2 27B", 4608, 46, 32, 16, 36864, d_head=128, norms_per_block=4),
    "qwen2.5-7b": llama("Qwen2.5-7B", 3584, 28, 28, 18944, n_kv_heads=4, vocab=152064, qkv_bias=True),
    "palm-8b": palm("PaLM 8B", 4096, 32, 16),
    "palm-62b": palm("PaLM 62B", 8192, 64, 32),
    "palm-540b": palm("PaLM 540B", 18432, 118, 48),
    "mixtral-8x7b": llama("Mixtral 8×7B", 4096, 32, 32, 14336, n_kv_heads=8, n_experts=8, experts_per_token=2),
}
