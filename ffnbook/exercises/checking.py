"""``check("gelu")``: the instant answer in the learner's notebook."""

from __future__ import annotations

import sys

from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.report import Note, Report
from ffnbook.exercises.run import run
from ffnbook.exercises.say import listed
from ffnbook.exercises.subject import Local


def check(name: object = "", namespace: dict | None = None, lang: str | None = None) -> Report | Note:
    """Check the exercise ``name`` (or that of a function) with the objects of the caller (or of ``namespace``).

    Looks only at what is defined now: not at files, cells or their metadata.
    """
    lang = lang or messages.current()
    namespace = sys._getframe(1).f_globals if namespace is None else namespace
    name = name if isinstance(name, str) else getattr(name, "__name__", str(name))  # check(gelu)
    try:
        exercise = catalog.load().find(name)
    except catalog.UnknownExercise as unknown:
        return Note(_unknown(unknown, lang))
    return Report(exercise, tuple(run(exercise, Local(namespace))), lang)


def _unknown(unknown: catalog.UnknownExercise, lang: str) -> str:
    near = listed(unknown.near, lang, "or")
    every = listed((exercise.id for exercise in catalog.load()), lang)
    hint = messages.t("exercises.check.near", lang, names=near) if near else messages.t("exercises.check.all", lang, names=every)
    return messages.t("exercises.check.unknown", lang, name=unknown.name, near=hint)
