"""What the library refuses is said in the reader's language, with what came and what to do."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

from ffnbook import messages
from ffnbook.activations import relu, swish
from ffnbook.ffn import check_sizes, ffn
from ffnbook.gating import llama_width, swiglu
from ffnbook.presets import ModelConfig

W1, b1, W2, b2 = np.ones((6, 4)), np.ones(6), np.ones((4, 6)), np.ones(4)
MODEL = {"name": "m", "d_model": 12, "d_ff": 48, "n_heads": 4, "n_layers": 2, "vocab": 5}
REFUSED = {
    "real_numbers": lambda: relu("abc"),
    "finite_beta": lambda: swish(1.0, np.inf),
    "whole_number": lambda: check_sizes(d_model=2.5),
    "matrix": lambda: ffn(np.ones(4), b1, b1, W2, b2),
    "shape": lambda: ffn(np.ones(4), W1, b2, W2, b2),
    "transposed": lambda: swiglu(np.ones(4), W1, W1, W1),
    "last_axis": lambda: ffn(np.ones(5), W1, b1, W2, b2),
    "multiplier": lambda: llama_width(4096, multiplier=-1),
    "heads": lambda: ModelConfig(**MODEL | {"n_heads": 5}),
    "kv_heads": lambda: ModelConfig(**MODEL, n_kv_heads=3),
    "experts": lambda: ModelConfig(**MODEL, experts_per_token=2),
}


@pytest.fixture(params=messages.LANGUAGES)
def lang(request):
    before = messages.current()
    messages.set_language(request.param)
    yield request.param
    messages.set_language(before)


def test_every_message_is_provoked_here():
    for lang in messages.LANGUAGES:
        text = (messages.LOCALE / lang / "library.toml").read_text(encoding="utf-8")
        assert set(tomllib.loads(text)) == set(REFUSED)


@pytest.mark.parametrize("key", REFUSED)
def test_a_refusal_is_said_in_the_readers_language(key, lang):
    words = messages.catalogue("library", lang)[key]
    with pytest.raises((TypeError, ValueError)) as refused:
        REFUSED[key]()
    assert re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(words)), str(refused.value))
