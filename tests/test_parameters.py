"""Counts, FLOPs and bytes against published totals, worked tables and models rebuilt in torch."""

import json
from dataclasses import FrozenInstanceError, asdict, replace

import pytest
import torch

from ffnbook import parameters as P
from ffnbook.gating import llama_width
from ffnbook.parameters import PRESETS, ModelConfig


def without_biases(c):
    return replace(c, ffn_bias=False, qkv_bias=False, out_bias=False)


# id: matrices of attention per layer, of FFN per layer, total, FFN share of the total in percent
TABLE = {
    "gpt2-small": (2_359_296, 4_718_592, 124_439_808, 45.54),
    "gpt2-medium": (4_194_304, 8_388_608, 354_823_168, 56.77),
    "gpt2-large": (6_553_600, 13_107_200, 774_030_080, 60.99),
    "gpt2-xl": (10_240_000, 20_480_000, 1_557_611_200, 63.14),
    "gpt3-175b": (603_979_776, 1_207_959_552, 174_604_259_328, 66.42),
    "llama-7b": (67_108_864, 135_266_304, 6_738_415_616, 64.24),
    "llama-13b": (104_857_600, 212_336_640, 13_015_864_320, 65.25),
    "llama2-70b": (150_994_944, 704_643_072, 68_976_648_192, 81.73),
    "llama3-8b": (41_943_040, 176_160_768, 8_030_261_248, 70.20),
    "llama3-70b": (150_994_944, 704_643_072, 70_553_706_496, 79.90),
    "llama3.1-405b": (570_425_344, 2_617_245_696, 405_853_388_800, 81.25),
    "mistral-7b": (41_943_040, 176_160_768, 7_241_732_096, 77.84),
    "gemma-2b": (9_437_184, 100_663_296, 2_506_172_416, 72.30),
    "gemma-7b": (50_331_648, 226_492_416, 8_537_680_896, 74.28),
    "gemma2-9b": (44_040_192, 154_140_672, 9_241_705_984, 70.05),
    "gemma2-27b": (56_623_104, 509_607_936, 27_227_128_320, 86.10),
    "qwen2.5-7b": (29_360_128, 203_685_888, 7_615_616_512, 74.89),
    "palm-8b": (35_651_584, 201_326_592, 8_632_012_800, 74.63),
    "palm-62b": (138_412_032, 805_306_368, 62_495_662_080, 82.47),
    "palm-540b": (462_422_016, 4_076_863_488, 540_356_474_880, 89.03),
    "mixtral-8x7b": (41_943_040, 1_409_286_144, 46_702_792_704, 96.56),
}


@pytest.mark.parametrize("name", TABLE)
def test_published_models_to_the_unit(name):
    attention, ffn, total, percent = TABLE[name]
    c = PRESETS[name]
    assert P.attention_params(without_biases(c)) == attention
    assert P.ffn_params(without_biases(c)) == ffn
    assert P.total_params(c) == total
    assert 100 * P.ffn_share(c) == pytest.approx(percent, abs=0.005)


def test_every_preset_is_in_the_table_or_tested_by_name():
    assert set(PRESETS) == set(TABLE) | {"mini-gpt", "transformer-base-encoder", "transformer-base-decoder"}
    assert len({c.name for c in PRESETS.values()}) == len(PRESETS)


def test_totals_that_the_papers_round():
    for name, billions, step in (("palm-8b", 8.63, 0.005), ("palm-62b", 62.50, 0.005), ("palm-540b", 540.35, 0.01),
                                 ("gemma2-9b", 9.242, 0.0005), ("gemma2-27b", 27.227, 0.0005),
                                 ("mixtral-8x7b", 47, 0.5), ("gpt3-175b", 175, 0.5)):
        assert P.total_params(PRESETS[name]) / 1e9 == pytest.approx(billions, abs=step)


@pytest.mark.parametrize("name, ratio", [
    ("gpt2-small", 2.0), ("gpt3-175b", 2.0), ("llama-7b", 2.0156), ("llama-13b", 2.0250), ("llama2-70b", 4.6667),
    ("llama3-8b", 4.2), ("llama3-70b", 4.6667), ("llama3.1-405b", 4.5882), ("mistral-7b", 4.2), ("gemma-2b", 10.667),
    ("gemma-7b", 4.5), ("gemma2-9b", 3.5), ("gemma2-27b", 9.0), ("qwen2.5-7b", 6.9375), ("palm-8b", 5.65),
    ("palm-62b", 5.82), ("palm-540b", 8.8163), ("mixtral-8x7b", 33.6), ("transformer-base-encoder", 2.0),
    ("transformer-base-decoder", 1.0), ("mini-gpt", 2.0),
])
def test_ffn_to_attention_of_the_matrices(name, ratio):
    decimals = len(str(ratio).split(".")[1])
    assert round(P.ffn_per_attention(without_biases(PRESETS[name])), decimals) == ratio


def test_the_mini_gpt_layer_with_and_without_biases():
    c = PRESETS["mini-gpt"]
    bare = without_biases(c)
    assert (c.d_model, c.d_ff, c.n_heads) == (64, 256, 4)
    assert (P.attention_params(bare), P.attention_params(c)) == (16_384, 16_640)
    assert (P.ffn_params(bare), P.ffn_params(c)) == (32_768, 33_088)
    assert P.ffn_per_attention(bare) == 2
    assert P.ffn_per_attention(c) == pytest.approx(1.9885, abs=5e-5)
    assert P.ffn_params(c) / P.attention_params(bare) == pytest.approx(2.0195, abs=5e-5)
    assert P.embedding_params(replace(c, vocab=50257, n_positions=0)) == 3_216_448


@pytest.mark.parametrize("factor, params", [(2, 16_576), (4, 33_088), (8, 66_112), (16, 132_160)])
def test_the_ffn_grows_linearly_with_the_expansion_factor(factor, params):
    assert P.ffn_params(replace(PRESETS["mini-gpt"], d_ff=64 * factor)) == params


def test_biases_of_gpt2_and_qwen():
    assert [P.attention_params(PRESETS[f"gpt2-{s}"]) for s in ("small", "medium", "large", "xl")] == [
        2_362_368, 4_198_400, 6_558_720, 10_246_400]
    assert [P.ffn_params(PRESETS[f"gpt2-{s}"]) for s in ("small", "medium", "large", "xl")] == [
        4_722_432, 8_393_728, 13_113_600, 20_488_000]
    qwen = PRESETS["qwen2.5-7b"]
    assert P.attention_params(qwen) - P.attention_params(without_biases(qwen)) == 3584 + 2 * 4 * 128
    gated_with_biases = replace(qwen, ffn_bias=True)
    assert P.ffn_params(gated_with_biases) - P.ffn_params(qwen) == 2 * 18944 + 3584


def test_gpt2_closed_form():
    for name in ("mini-gpt", "gpt2-small", "gpt2-xl", "gpt3-175b"):
        c = PRESETS[name]
        d, layers = c.d_model, c.n_layers
        assert P.total_params(c) == 12 * layers * d**2 + 13 * layers * d + (c.vocab + c.n_positions) * d + 2 * d


def test_transformer_base_has_its_last_norm_inside_the_last_block():
    assert P.count(PRESETS["transformer-base-encoder"])["norms"] == 6 * 2 * 1024
    assert P.count(PRESETS["transformer-base-decoder"])["norms"] == 6 * 3 * 1024


def test_transformer_base_layers():
    encoder, decoder = PRESETS["transformer-base-encoder"], PRESETS["transformer-base-decoder"]
    assert P.attention_params(encoder) == 1_048_576 and P.attention_params(decoder) == 2_097_152
    assert P.ffn_params(encoder) == P.ffn_params(decoder) == 2_099_712
    ffn, attention = (6 * (f(without_biases(encoder)) + f(without_biases(decoder)))
                      for f in (P.ffn_params, P.attention_params))
    assert 100 * ffn / (ffn + attention) == pytest.approx(57.1, abs=0.05)
    both = P.total_params(encoder) + P.total_params(decoder) - P.embedding_params(decoder)  # one shared vocabulary
    assert both / 1e6 == pytest.approx(65, abs=2.5)  # "65M" in the paper; 37,000 is itself approximate


def test_transformer_base_stacks_in_torch():
    with torch.device("meta"):
        layers = {"transformer-base-encoder": torch.nn.TransformerEncoderLayer(512, 8, 2048),
                  "transformer-base-decoder": torch.nn.TransformerDecoderLayer(512, 8, 2048)}
    for name, layer in layers.items():
        c = replace(PRESETS[name], qkv_bias=True, out_bias=True)  # torch's attention has biases
        assert size(layer) == P.attention_params(c) + P.ffn_params(c) + P.norm_params(c)


def test_embedding_shares():
    for name, percent in (("gpt2-small", 31.65), ("llama3-8b", 13.08), ("gpt3-175b", 0.37)):
        c = PRESETS[name]
        assert 100 * P.embedding_params(c) / P.total_params(c) == pytest.approx(percent, abs=0.005)


def test_parts_add_up_to_the_total():
    for c in PRESETS.values():
        parts = P.count(c)
        assert set(parts) == {"attention", "ffn", "embeddings", "norms", "router"}
        assert sum(parts.values()) == P.total_params(c)
        assert all(type(n) is int and n >= 0 for n in parts.values())
        assert (parts["router"] > 0) == (c.n_experts > 1)


def test_mixtral_uses_a_quarter_of_its_experts():
    c = PRESETS["mixtral-8x7b"]
    assert P.ffn_params(c, active=True) == 352_321_536
    assert P.total_params(c, active=True) == 12_879_925_248
    assert 100 * P.ffn_share(c, active=True) == pytest.approx(87.53, abs=0.005)
    assert P.ffn_per_attention(c, active=True) == pytest.approx(8.4, abs=1e-12)
    assert P.router_params(c) == 4096 * 8
    dense = PRESETS["mistral-7b"]
    assert P.count(dense, active=True) == P.count(dense)


def test_gated_widths_come_from_the_llama_rule():
    for name, arguments in (("llama-7b", (256,)), ("llama-13b", (256,)), ("llama2-70b", (4096, 1.3)),
                            ("llama3-8b", (1024, 1.3)), ("llama3.1-405b", (4096, 1.2))):
        c = PRESETS[name]
        assert c.d_ff == llama_width(c.d_model, *arguments)
    llama, plain = PRESETS["llama-7b"], replace(PRESETS["llama-7b"], gated=False, d_ff=4 * 4096)
    assert (P.ffn_params(llama), P.ffn_params(plain)) == (135_266_304, 134_217_728)
    palm = PRESETS["palm-540b"]
    assert 2 * P.ffn_params(palm) == 3 * P.ffn_params(replace(palm, gated=False))


# --- rebuilt in torch, on the meta device: shapes without memory -------------------------------------------------

def size(module):
    return sum(p.numel() for p in module.parameters())


def gpt2_in_torch(c):
    d = c.d_model
    with torch.device("meta"):
        block = torch.nn.ModuleList([torch.nn.LayerNorm(d), torch.nn.MultiheadAttention(d, c.n_heads),
                                     torch.nn.LayerNorm(d), torch.nn.Linear(d, 4 * d), torch.nn.Linear(4 * d, d)])
        rest = torch.nn.ModuleList([torch.nn.Embedding(50257, d), torch.nn.Embedding(c.n_positions, d),
                                    torch.nn.LayerNorm(d)])
    return c.n_layers * size(block) + size(rest)


def llama_in_torch(c, head, *, qkv_bias=False, norms=2, tied=False):
    d, q, kv = c.d_model, c.n_heads * head, c.n_kv_heads * head
    shapes = [(d, q, qkv_bias), (d, kv, qkv_bias), (d, kv, qkv_bias), (q, d, False),
              (d, c.d_ff, False), (d, c.d_ff, False), (c.d_ff, d, False)]
    with torch.device("meta"):
        block = torch.nn.ModuleList([torch.nn.Linear(i, o, bias=b) for i, o, b in shapes]
                                    + [torch.nn.RMSNorm(d) for _ in range(norms)])
        vocabulary = torch.nn.Embedding(c.vocab, d)
    return c.n_layers * size(block) + size(vocabulary) * (1 if tied else 2) + d


@pytest.mark.parametrize("name", ["gpt2-small", "gpt2-medium", "gpt2-large", "gpt2-xl", "gpt3-175b"])
def test_gpt_rebuilt_in_torch(name):
    assert gpt2_in_torch(PRESETS[name]) == P.total_params(PRESETS[name])


@pytest.mark.parametrize("name, details", [
    ("llama-7b", {"head": 128}), ("llama3-8b", {"head": 128}), ("llama3.1-405b", {"head": 128}),
    ("qwen2.5-7b", {"head": 128, "qkv_bias": True}), ("gemma-7b", {"head": 256, "tied": True}),
    ("gemma2-27b", {"head": 128, "norms": 4, "tied": True}), ("palm-540b", {"head": 256, "norms": 1, "tied": True}),
])
def test_gated_models_rebuilt_in_torch(name, details):
    assert llama_in_torch(PRESETS[name], **details) == P.total_params(PRESETS[name])


# --- FLOPs -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name, ffn, projections, per_key, last, mean", [
    ("mini-gpt", 65_536, 32_768, 256, 128, 256),
    ("gpt2-small", 9_437_184, 4_718_592, 3_072, 1_536, 3_072),
    ("gpt2-xl", 40_960_000, 20_480_000, 6_400, 3_200, 6_400),
    ("gpt3-175b", 2_415_919_104, 1_207_959_552, 49_152, 24_576, 49_152),
    ("llama-7b", 270_532_608, 134_217_728, 16_384, 8_320, 16_640),
    ("llama3-8b", 352_321_536, 83_886_080, 16_384, 16_384, 32_768),
    ("mistral-7b", 352_321_536, 83_886_080, 16_384, 16_384, 32_768),
    ("llama2-70b", 1_409_286_144, 301_989_888, 32_768, 33_792, 67_584),
    ("palm-540b", 8_153_726_976, 924_844_032, 49_152, 147_072, 294_144),
])
def test_flops_and_where_attention_overtakes(name, ffn, projections, per_key, last, mean):
    c = PRESETS[name]
    assert (P.ffn_flops(c), P.projection_flops(c), P.score_flops(c, 1)) == (ffn, projections, per_key)
    assert (P.crossover_length(c), P.crossover_length(c, causal_mean=True)) == (last, mean)


@pytest.mark.parametrize("causal_mean", [False, True])
@pytest.mark.parametrize("c", [*PRESETS.values(), replace(PRESETS["mini-gpt"], d_head=20),
                               replace(PRESETS["mini-gpt"], d_ff=16)], ids=lambda c: f"{c.name}-{c.d_ff}-{c.d_head}")
def test_the_crossover_is_the_first_length_that_does_it(c, causal_mean):
    n = P.crossover_length(c, causal_mean=causal_mean)

    def attention(length):
        return P.projection_flops(c) + P.score_flops(c, length) / (2 if causal_mean else 1)

    assert n >= 1 and attention(n) >= P.ffn_flops(c)
    assert n == 1 or attention(n - 1) < P.ffn_flops(c)


def test_crossovers_of_plain_attention_in_units_of_d_model():
    c = PRESETS["gpt2-small"]
    d = c.d_model
    assert P.crossover_length(c) == 2 * d and P.crossover_length(c, causal_mean=True) == 4 * d
    assert P.score_flops(c, 4 * d) == P.ffn_flops(c)
    assert P.score_flops(c, 6 * d) == P.ffn_flops(c) + P.projection_flops(c)
    assert (P.ffn_flops(c), P.projection_flops(c)) == (16 * d * d, 8 * d * d)


def test_flops_are_twice_the_active_matrices():
    for c in PRESETS.values():
        bare = without_biases(c)
        assert P.projection_flops(c) == 2 * P.attention_params(bare)
        assert P.ffn_flops(c) == 2 * (P.ffn_params(bare, active=True) + P.router_params(c))


def test_llama3_at_full_context():
    c, n = PRESETS["llama3-8b"], 131_072
    assert (P.projection_flops(c) + P.score_flops(c, n)) / P.ffn_flops(c) == pytest.approx(6.33, abs=0.005)
    assert (P.projection_flops(c) + P.score_flops(c, n // 2)) / P.ffn_flops(c) == pytest.approx(3.29, abs=0.005)


def test_grouped_queries_save_projections_but_not_scores():
    c = PRESETS["llama3-8b"]
    full = replace(c, n_kv_heads=32)
    assert P.score_flops(c, 100) == P.score_flops(full, 100)
    assert P.projection_flops(c) < P.projection_flops(full)


# --- activation memory -----------------------------------------------------------------------------------------

def test_activation_memory_of_gpt2_small_and_gpt3():
    small = P.activation_bytes(PRESETS["gpt2-small"], n_tokens=1024)
    assert small["ffn"] == 14_942_208 and 12 * small["ffn"] == 179_306_496
    assert sum(small.values()) == 89_653_248
    assert P.activation_bytes(PRESETS["gpt3-175b"], n_tokens=2048)["ffn"] == 478_150_656


@pytest.mark.parametrize("name, n, batch", [("gpt2-small", 1024, 1), ("gpt3-175b", 2048, 4), ("mini-gpt", 128, 3)])
def test_activation_memory_is_sbh_times_34_plus_5as_over_h(name, n, batch):
    c = PRESETS[name]
    parts = P.activation_bytes(c, n_tokens=n, batch=batch)
    sbh = n * batch * c.d_model
    assert {k: v / sbh for k, v in parts.items()} == {
        "ffn": 19, "attention": 11, "norms": 4, "scores": 5 * c.n_heads * n / c.d_model}


@pytest.mark.parametrize("name, n", [("gpt2-small", 435), ("gpt3-175b", 870)])
def test_where_the_quadratic_part_reaches_all_the_rest(name, n):
    for length, more in ((n, False), (n + 1, True)):
        parts = P.activation_bytes(PRESETS[name], n_tokens=length)
        assert (parts.pop("scores") > sum(parts.values())) is more


def test_activation_memory_of_a_gated_ffn_without_dropout():
    c = replace(PRESETS["llama-7b"], d_model=384, n_heads=4, d_head=96, n_kv_heads=4, d_ff=1024)  # 8/3 exactly
    parts = P.activation_bytes(c, n_tokens=10, dropout=False)
    assert parts["ffn"] / (10 * 384) == pytest.approx(2 + 4 * 16 / 3, abs=1e-12)
    assert parts["attention"] == 10 * 384 * 10 and parts["scores"] == 2 * 10 * 10 * 4


# --- the configuration -----------------------------------------------------------------------------------------

def test_configurations_are_flat_json_and_frozen():
    for c in PRESETS.values():
        fields = asdict(c)
        assert ModelConfig(**json.loads(json.dumps(fields))) == c
        assert all(type(v) in (int, bool, str) for v in fields.values())
    with pytest.raises(FrozenInstanceError):
        PRESETS["mini-gpt"].d_ff = 1


def test_heads_default_to_plain_attention():
    c = ModelConfig(name="x", d_model=12, d_ff=48, n_heads=3, n_layers=1, vocab=0)
    assert (c.n_kv_heads, c.d_head) == (3, 4)
    assert P.attention_params(c) == 4 * 12**2
    assert P.count(c) == {"attention": 576, "ffn": 1152, "embeddings": 0, "norms": 36, "router": 0}


@pytest.mark.parametrize("change, message", [
    ({"d_ff": 0}, "d_ff must be a whole number, 1 or more: got 0"),
    ({"d_model": 64.0}, "d_model must be a whole number"),
    ({"vocab": -1}, "vocab must be a whole number, 0 or more: got -1"),
    ({"n_heads": 4, "n_kv_heads": 3}, "n_kv_heads must divide n_heads: got 3 and 4. Query heads"),
    ({"n_heads": 5, "d_head": None, "n_kv_heads": None}, "n_heads must divide d_model: got 5 and 64. Give d_head"),
    ({"experts_per_token": 2}, "experts_per_token must not exceed n_experts: got 2 and 1. A dense model"),
])
def test_impossible_configurations_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(PRESETS["mini-gpt"], **change)
