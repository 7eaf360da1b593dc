"""Plain values, as they cross between a learner's code and the tests.

Only JSON and raw arrays cross, never pickle.  ``encode`` turns a value into a JSON tree
plus a list of arrays; ``decode`` turns them back.  A NumPy array stays one, whatever
subclass it was; a torch tensor arrives as a :class:`Tensor`, an ``np.matrix`` as a
:class:`Matrix`.  Everything else, generators and arrays of objects among it, stays
where it is and crosses as an :class:`Opaque` handle that can be called.

The grader also loads this file inside the sandbox, so it imports NumPy and nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice

import numpy as np

MAX_DEPTH = 16
MAX_ITEMS = 100_000
MAX_BYTES = 16 << 20
MAX_TEXT = 10_000
SHOWN = 6  # elements of a collection that a description lists
KINDS = "biufc"  # bool, int, unsigned, float, complex
TAGS = ("$a", "$l", "$d", "$c", "$i", "$n", "$e", "$o", "$h", "$big")


class Tensor(np.ndarray):
    """A NumPy array that is a torch tensor on the learner's side."""


class Matrix(np.ndarray):
    """A NumPy array that is an ``np.matrix`` on the learner's side: good where it has the shape, told where it has not."""


@dataclass(frozen=True)
class Opaque:
    """A value that is neither number, text, array nor a collection of these."""

    type_name: str
    handle: int | None = None


@dataclass(frozen=True)
class TooBig:
    """A value beyond the limits; ``size`` counts bytes or items."""

    size: int


class BadTree(ValueError):
    """The tree does not follow the rules above."""


def encode(value: object, arrays: list, keep=None, depth: int = 0) -> object:
    """The JSON tree of ``value``; its arrays are appended to ``arrays``.

    ``keep`` stores a value that cannot cross and returns its handle.
    """
    if value is None or value is True or value is False:
        return value
    if value is Ellipsis:
        return {"$e": 1}
    if isinstance(value, str):  # NumPy's kind of text too
        text = str.__str__(value)
        return text if len(text) <= MAX_TEXT else {"$big": len(text)}
    if isinstance(value, np.ndarray | np.generic) or is_tensor(value):
        return _encode_array(value, arrays, keep)
    if isinstance(value, int):
        whole = int.__pos__(value)
        return whole if abs(whole) < 2**53 else {"$i": hex(whole)} if whole.bit_length() < 4096 else {"$big": whole.bit_length()}
    if isinstance(value, float):
        return _encode_float(float.__pos__(value))
    if isinstance(value, complex):
        return {"$c": [_encode_float(value.real), _encode_float(value.imag)]}
    if isinstance(value, list | tuple | dict):
        return _encode_collection(value, arrays, keep, depth)
    if isinstance(value, Opaque):
        return {"$h": value.handle}
    return {"$o": type(value).__name__[:80], "$h": keep(value) if keep else None}


def hollow(shape: tuple[int, ...]) -> bool:
    """Whether an array without elements has rows enough that listing them fills the memory."""
    return 0 in shape and math.prod(size or 1 for size in shape) > MAX_ITEMS


def is_tensor(value: object) -> bool:
    """Whether ``value`` is a torch tensor, without importing torch."""
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach") and hasattr(value, "numpy")


def _encode_float(value: float) -> object:
    return value if math.isfinite(value) else {"$n": str(value)}


def _encode_array(value: object, arrays: list, keep) -> object:
    tag, original = {}, value
    if is_tensor(value):
        name, value = str(value.dtype).removeprefix("torch."), value.detach().cpu()
        value = np.asarray(value.float() if name == "bfloat16" else value)
        tag = {"t": name}
    elif isinstance(value, Tensor):
        tag = {"t": value.dtype.name}
    elif isinstance(value, np.matrix | Matrix):
        tag = {"m": 1}
    elif np.ma.is_masked(value):  # what its mask hides is no answer
        return {"$o": "MaskedArray", "$h": keep(original) if keep else None}
    scalar = isinstance(value, np.generic)
    array = np.array(value, order="C", subok=False) if not isinstance(value, np.ndarray) else np.ndarray.view(value, np.ndarray)
    if array.dtype.kind not in KINDS:
        return {"$o": f"ndarray[{array.dtype.name[:40]}]", "$h": keep(original) if keep else None}
    if array.dtype.itemsize > 8 and array.dtype.kind == "f":
        array = array.astype(np.float64)
    if array.nbytes > MAX_BYTES or array.ndim > 16 or hollow(array.shape):
        return {"$big": array.nbytes}
    arrays.append(np.array(array, order="C", subok=False))  # a copy: what crosses is not shared
    return {"$a": len(arrays) - 1, **tag, **({"s": 1} if scalar else {})}


def _encode_collection(value, arrays: list, keep, depth: int) -> object:
    size = len(value)
    if size > MAX_ITEMS or depth >= MAX_DEPTH:
        return {"$big": size}
    if isinstance(value, dict) and not all(map(_is_key, dict.keys(value))):
        return {"$o": "dict", "$h": keep(value) if keep else None}
    if isinstance(value, dict):
        pairs = [[encode(k, arrays, keep, depth + 1), encode(v, arrays, keep, depth + 1)] for k, v in dict.items(value)]
        return {"$d": pairs}
    kind = "tuple" if isinstance(value, tuple) else "list"
    return {"$l": [encode(item, arrays, keep, depth + 1) for item in value], "k": kind}


def decode(tree: object, arrays: list, depth: int = 0) -> object:
    """The value of ``tree``; raises :class:`BadTree` for anything unexpected."""
    if tree is None or isinstance(tree, bool | int | float | str):
        return tree
    if not isinstance(tree, dict) or depth > MAX_DEPTH + 1:
        raise BadTree("not a value")
    tag = next((name for name in TAGS if name in tree), None)
    if tag is None:
        raise BadTree("unknown tag")
    try:
        return _DECODERS[tag](tree, arrays, depth)
    except BadTree:
        raise
    except Exception as error:  # whatever shape the tree has, it is the sender's fault
        raise BadTree(str(error)[:200]) from None


def _decode_array(tree: dict, arrays: list, depth: int) -> object:
    index = tree["$a"]
    if type(index) is not int or not 0 <= index < len(arrays):
        raise BadTree("no such array")
    array, arrays[index] = arrays[index], None
    if array is None:  # one array named a million times would be a million arrays here
        raise BadTree("an array used twice")
    if tree.get("t"):
        array = array.view(Tensor)
    elif tree.get("m"):
        array = array.view(Matrix)
    return array[()] if tree.get("s") and array.ndim == 0 else array


def _decode_list(tree: dict, arrays: list, depth: int) -> object:
    items = [decode(item, arrays, depth + 1) for item in tree["$l"]]
    return tuple(items) if tree.get("k") == "tuple" else items


def _decode_dict(tree: dict, arrays: list, depth: int) -> object:
    return {_key(decode(key, arrays, depth + 1)): decode(value, arrays, depth + 1) for key, value in tree["$d"]}


def _key(value: object) -> object:
    if not _is_key(value):
        raise BadTree("not a key")
    return value


def _is_key(value: object) -> bool:
    """Whether a dict's key is of a kind whose hashes nobody can make collide, as those of large numbers and tuples do."""
    return value is None or isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 2**53)


def _decode_handle(tree: dict, arrays: list, depth: int) -> object:
    handle = tree.get("$h")
    if handle is not None and type(handle) is not int:
        raise BadTree("a handle is a whole number")
    return Opaque(str(tree.get("$o", ""))[:80], handle)


_DECODERS = {
    "$a": _decode_array,
    "$l": _decode_list,
    "$d": _decode_dict,
    "$c": lambda tree, arrays, depth: complex(*[decode(part, arrays, depth + 1) for part in tree["$c"]]),
    "$i": lambda tree, arrays, depth: int(str(tree["$i"])[:2000], 16),
    "$n": lambda tree, arrays, depth: float({"nan": "nan", "inf": "inf", "-inf": "-inf"}[tree["$n"]]),
    "$e": lambda tree, arrays, depth: Ellipsis,
    "$o": _decode_handle,
    "$h": _decode_handle,
    "$big": lambda tree, arrays, depth: TooBig(int(tree["$big"])),
}


def to_learner(value: object) -> object:
    """A received value as the learner's code expects it: tensors become torch's."""
    if isinstance(value, Tensor):
        import torch

        return torch.from_numpy(np.array(value, subok=False))
    if isinstance(value, list | tuple):
        return type(value)(to_learner(item) for item in value)
    if isinstance(value, dict):
        return {key: to_learner(item) for key, item in value.items()}
    return value


def describe(value: object) -> str:
    """A short, code-like text of ``value``, the same in every language; it never takes long."""
    if isinstance(value, np.ndarray) and max(value.size, *value.shape, 0) > SHOWN:
        name = "tensor" if isinstance(value, Tensor) else "matrix" if isinstance(value, Matrix) else "array"
        return f"{name}(shape={value.shape}, dtype={value.dtype.name})"
    if isinstance(value, np.ndarray):
        name = "torch.tensor" if isinstance(value, Tensor) else "np.matrix" if isinstance(value, Matrix) else "np.array"
        dtype = "" if value.dtype in (np.float64, np.int64, np.bool_) else f", dtype={value.dtype.name}"
        return f"{name}({_numbers(value.tolist())}{dtype})"
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({_numbers(value.item())})"
    if isinstance(value, Opaque):
        return f"<{value.type_name}>"
    if isinstance(value, TooBig):
        return "<…>"
    if isinstance(value, float):
        return _numbers(value)
    if isinstance(value, list | tuple):
        inside = ", ".join([*map(describe, value[:SHOWN]), *(["…"] if len(value) > SHOWN else [])])
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        pairs = [f"{describe(key)}: {describe(item)}" for key, item in islice(value.items(), SHOWN)]
        return "{" + ", ".join([*pairs, *(["…"] if len(value) > SHOWN else [])]) + "}"
    return _cut(repr(value))


def _numbers(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_numbers(item) for item in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cut(text: str, limit: int = 120) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
