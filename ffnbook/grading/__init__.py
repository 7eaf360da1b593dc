"""Marks that can be trusted, and the learner's ``submit``.

>>> from ffnbook.grading import submit
>>> submit("Ada Lovelace")
"""

__all__ = ["submit"]


def __getattr__(name: str):
    """``submit`` is loaded when asked for: the grader's own parts do not need it."""
    if name == "submit":
        from ffnbook.grading.submitting import submit

        return submit
    raise AttributeError(name)
