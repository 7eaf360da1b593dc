"""Calling the learner's code: the same way in the notebook and inside the sandbox.

The grader also loads this file inside the sandbox, so it imports NumPy and ``values`` only.
"""

from __future__ import annotations

import dis
import traceback
import warnings

import numpy as np

from ffnbook.exercises import values

MAX_WARNINGS = 5


def call(function, args: list, kwargs: dict) -> tuple[object, list, list]:
    """Call with plain values: the result, the warnings given, the indices of arguments changed."""
    sent = [values.to_learner(arg) for arg in args]
    named = {key: values.to_learner(value) for key, value in kwargs.items()}
    before = [arg.copy() if isinstance(arg, np.ndarray) else None for arg in args]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*sent, **named)
    said = [[w.category.__name__, str(w.message)[:200]] for w in caught[:MAX_WARNINGS]]
    return result, said, [i for i, old in enumerate(before) if old is not None and not _same(old, sent[i])]


def _same(before: np.ndarray, after: object) -> bool:
    after = np.asarray(after.detach() if values.is_tensor(after) else after)
    return before.shape == after.shape and np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")


def is_stub(function: object) -> bool:
    """Whether a function does nothing at all: ``pass``, ``...`` or only a docstring (or is ``...`` itself)."""
    if function is None or function is Ellipsis:
        return True
    code = getattr(function, "__code__", None)
    if code is None or code.co_names:
        return False
    operations = [op for op in dis.get_instructions(code) if op.opname not in ("RESUME", "NOP", "CACHE")]
    trivial = all(op.opname in ("LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "POP_TOP") for op in operations)
    return trivial and all(op.argval in (None, Ellipsis) for op in operations if "CONST" in op.opname)


def explain(error: BaseException, files: tuple[str, ...] = ()) -> tuple[str, dict]:
    """The status an exception stands for, and the facts of it.

    The line given is the last one in the learner's own code, or in ``files`` if named.
    """
    if isinstance(error, NotImplementedError) and _says_so_itself(error):
        return "unanswered", {}
    if isinstance(error, MemoryError) or (type(error) is RuntimeError and "allocate memory" in _text(error)):  # torch's
        return "memory", {"why": "allocation"}
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return "raised", {"why": "exit", "error": type(error).__name__, "bases": []}
    facts = {"error": type(error).__name__[:80], "text": _text(error), "line": _line(error)}
    facts["bases"] = [base.__name__[:80] for base in type(error).__mro__[:10]]
    if isinstance(error, NameError) and getattr(error, "name", None):
        facts["needs"] = str(error.name)[:80]
    return ("environment" if isinstance(error, ModuleNotFoundError) else "raised"), facts


def _says_so_itself(error: BaseException) -> bool:
    """Whether it is the answer's own ``raise``: torch's functions use the same for types they do not know."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None:
        return True
    code = place.tb_frame.f_code
    return code.co_code[place.tb_lasti] == dis.opmap["RAISE_VARARGS"] and "-packages" not in code.co_filename


def _text(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except BaseException:  # an exception whose __str__ raises
        return ""


def _line(error: BaseException) -> int | None:
    try:
        frames = traceback.extract_tb(error.__traceback__)
    except BaseException:
        return None
    own = [f.lineno for f in frames if not f.filename.endswith((".py", ">")) or "<cell" in f.filename or "ipykernel" in f.filename]
    return own[-1] if own else None
