"""What a transformer costs: parameters, FLOPs and stored activations, part by part (page `width-and-parameters`).

Everything is whole-number arithmetic on a `ModelConfig`. Functions that say *per layer* count one block;
`count` and `total_params` count the model. "Active" means the weights one token passes through: it
differs from the total only in a mixture of experts.

One multiply-add is two FLOPs (Kaplan et al. 2020). Stored activations follow Korthikanti et al. 2022.
"""

from ffnbook.presets import PRESETS, ModelConfig

__all__ = [
    "PRESETS", "ModelConfig", "attention_params", "ffn_params", "router_params", "norm_params", "embedding_params",
    "count", "total_params", "ffn_share", "ffn_per_attention", "ffn_flops", "projection_flops", "score_flops",
    "crossover_length", "activation_bytes",
]


def attention_params(c):
    """Q, K, V and O of one layer. Query heads set the size of Q and O, key-value heads that of K and V."""
    q, kv = c.n_heads * c.d_head, c.n_kv_heads * c.d_head
    weights = 2 * c.d_model * q + 2 * c.d_model * kv
    biases = c.qkv_bias * (q + 2 * kv) + c.out_bias * c.d_model
    return c.attentions_per_block * (weights + biases)


def expert_params(c):
    """One feed-forward network: two matrices, three if gated, and the biases."""
    inward = 2 if c.gated else 1  # matrices from d_model to d_ff
    return (inward + 1) * c.d_model * c.d_ff + c.ffn_bias * (inward * c.d_ff + c.d_model)


def ffn_params(c, *, active=False):
    """The FFN of one layer: all its experts, or with `active` those one token uses. A dense model has one."""
    return (c.experts_per_token if active else c.n_experts) * expert_params(c)


def router_params(c):
    """The matrix of one layer that scores the experts; nothing to choose, no router."""
    return c.d_model * c.n_experts if c.n_experts > 1 else 0


def norm_size(c):
    """One normalization: a scale per feature, and a shift if it has biases."""
    return (2 if c.norm_bias else 1) * c.d_model


def norm_params(c):
    """The normalizations of one layer."""
    return c.norms_per_block * norm_size(c)


def embedding_params(c):
    """Token vectors, learned position vectors, and the output head unless it reuses the token vectors."""
    return (c.vocab * (1 if c.tied_head else 2) + c.n_positions) * c.d_model


def count(c, *, active=False):
    """Parameters of the whole model by part."""
    return {
        "attention": c.n_layers * attention_params(c),
        "ffn": c.n_layers * ffn_params(c, active=active),
        "embeddings": embedding_params(c),
        "norms": c.n_layers * norm_params(c) + c.final_norm * norm_size(c),
        "router": c.n_layers * router_params(c),
    }


def total_params(c, *, active=False):
    """Parameters of the whole model."""
    return sum(count(c, active=active).values())


def ffn_share(c, *, active=False):
    """The fraction of all parameters that sits in the FFNs."""
    return count(c, active=active)["ffn"] / total_params(c, active=active)


def ffn_per_attention(c, *, active=False):
    """FFN parameters for each attention parameter, in one layer: the famous 2."""
    return ffn_params(c, active=active) / attention_params(c)


def ffn_flops(c):
    """Forward FLOPs of the FFN matrices, per token and layer (the router included; the activation is negligible)."""
    matrices = 3 if c.gated else 2
    return 2 * (c.experts_per_token * matrices * c.d_model * c.d_ff + router_params(c))


def projection_flops(c):
    """Forward FLOPs of Q, K, V and O, per token and layer."""
    return 4 * c.attentions_per_block * c.d_model * (c.n_heads + c.n_kv_heads) * c.d_head


def score_flops(c, n_keys):
    """Forward FLOPs of scores and weighted sum for a token that sees `n_keys`, per layer. GQA saves nothing here."""
    return 4 * c.attentions_per_block * n_keys * c.n_heads * c.d_head


def crossover_length(c, *, causal_mean=False):
    """First length at which attention (projections, scores, sum) costs as much as the FFN.

    For the last token of the sequence, which sees all n; with `causal_mean`, for the average token,
    which sees about half of them (n/2, as Kaplan et al. count).
    """
    spare = (ffn_flops(c) - projection_flops(c)) * (2 if causal_mean else 1)
    return max(1, -(-spare // score_flops(c, 1)))  # −(−a // b) rounds a / b up


def activation_bytes(c, *, n_tokens, batch=1, dropout=True):
    """Bytes one layer keeps for the backward pass, by part: 16-bit values, 1-byte dropout masks, nothing recomputed.

    For attention and FFN one after the other. A plain FFN keeps its input, the activation's input and output,
    and the mask; a gated one keeps both branches, the activated gate and the product. "scores" is the part
    that grows with the square of `n_tokens`.
    """
    tokens, q, kv = n_tokens * batch, c.n_heads * c.d_head, c.n_kv_heads * c.d_head
    mask = c.d_model if dropout else 0
    hidden = (4 if c.gated else 2) * c.experts_per_token * c.d_ff
    return {
        "ffn": tokens * (2 * c.d_model + 2 * hidden + mask),
        "attention": c.attentions_per_block * tokens * (2 * c.d_model + 4 * q + 4 * kv + mask),
        "scores": c.attentions_per_block * tokens * n_tokens * c.n_heads * (5 if dropout else 2),
        "norms": c.norms_per_block * tokens * 2 * c.d_model,
    }
