"""Verdicts in words: what was called, what came back, what differs, and a hint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ffnbook import messages
from ffnbook.exercises import answers
from ffnbook.exercises.catalog import Exercise
from ffnbook.exercises.run import Verdict
from ffnbook.numbers import num


@dataclass(frozen=True)
class Said:
    """The texts of one verdict; an empty one is not shown."""

    title: str
    what: str = ""
    call: str = ""
    result: str = ""
    hint: str = ""

    def lines(self) -> list[str]:
        return [line for line in (self.call, self.result, self.what, self.hint) if line]


def say(exercise: Exercise, verdict: Verdict, lang: str) -> Said:
    """Everything there is to say about one verdict."""
    title = test_title(exercise, verdict.test, lang)
    if verdict.status == "pass":
        return Said(title, hint=_praise(exercise, verdict, lang))
    facts, tell = verdict.facts, verdict.status not in ("unanswered", "missing", "syntax", "environment")
    call = messages.t("grading.call", lang, call=facts["call"]) if tell and "call" in facts else ""
    result = _result(exercise, facts, lang) if tell and "result" in facts else ""
    hint = _hint(exercise, verdict, lang)
    return Said(title, what(verdict, lang), call, result, messages.t("grading.hint", lang, hint=hint) if hint else "")


def _result(exercise: Exercise, facts: dict, lang: str) -> str:
    """What came back; a question's answer is one that was given, and named once."""
    if exercise.kind not in ("numeric", "choice"):
        return messages.t("grading.result", lang, result=facts["result"])
    named = "there" in facts or facts.get("why") in ("letter", "choice", "comma")
    return "" if named else messages.t("grading.answer", lang, result=facts["result"])


def test_title(exercise: Exercise, test: str, lang: str) -> str:
    """A test's name for the learner."""
    entry = exercise.answers if exercise.kind in ("numeric", "choice") else exercise.hints
    return entry.get(test, {}).get(lang, {}).get("title") or test


def what(verdict: Verdict, lang: str) -> str:
    """What is wrong, in one or two sentences."""
    facts = {key: _shown(key, value, lang) for key, value in verdict.facts.items()}
    group = messages.catalogue(f"grading.say.{verdict.status}", lang)
    text = group[facts.get("why") if facts.get("why") in group else _variant(verdict)]
    return text.format_map(_Facts(facts))


def _variant(verdict: Verdict) -> str:
    """Among the texts of a status: the one with a place, a size or a line where these are known."""
    facts = verdict.facts
    if verdict.status == "values" and "at" in facts:
        return "number" if not facts["at"] else "place" if facts.get("error") is not None else "infinite"
    if verdict.status == "nan" and not facts.get("at"):
        return "number"
    if verdict.status in ("raised", "syntax") and facts.get("line"):
        return "line"
    return "text"


def _shown(key: str, value: object, lang: str) -> object:
    if key == "error" and isinstance(value, float):
        return num(value, sig=2, lang=lang, sci=not 1e-2 <= abs(value) < 1e4)
    if key in ("count", "size") and isinstance(value, int):
        return num(value, lang=lang)
    if isinstance(value, list):  # of what is possible
        return listed(value, lang, "or")
    return num(value, lang=lang) if key in ("seconds",) else value


def listed(names: Iterable[object], lang: str, word: str = "and") -> str:
    """``a, b and c`` as the language joins them; ``word`` is ``and`` or ``or``."""
    *most, last = [str(name) for name in names] or [""]
    if not most:
        return last
    words = messages.catalogue(f"exercises.list.{word}", lang)
    # in Spanish «y» gives way before the sound of an i, and «o» before that of an o
    joint = words["other"] if re.match(words["before"], last, re.IGNORECASE) else words["word"]
    return f"{', '.join(most)} {joint} {last}"


class _Facts(dict):
    """Facts may be missing from what an older version wrote: a dash then."""

    def __missing__(self, key: str) -> str:
        return "—"


def _hint(exercise: Exercise, verdict: Verdict, lang: str) -> str:
    mistake = verdict.facts.get("mistake")
    if exercise.kind in ("numeric", "choice"):
        entry = exercise.answers.get(verdict.test, {})
        return answers.reply(exercise.kind, entry, mistake, lang) if verdict.status == "values" else ""
    slip = _slip(verdict) if verdict.status == "raised" else ""
    if slip or verdict.facts.get("why") == "exit":  # a slip of the pen, and not in what is asked
        return messages.t(f"grading.slip.{slip}", lang) if slip and "why" not in verdict.facts else ""
    own = exercise.hints.get(verdict.test, {}).get(lang, {})
    special = {**exercise.hints.get("any", {}).get(lang, {}), **own.get("when", {})}
    hint = special.get(mistake) or special.get(verdict.status)
    return hint or (own.get("hint", "") if verdict.status in ("shape", "dtype", "nan", "values", "raised") else "")


def _slip(verdict: Verdict) -> str:
    """Which slip of the pen an exception shows, if it is one that anybody makes in any exercise."""
    facts = verdict.facts
    error, text, called = facts.get("error"), str(facts.get("text", "")), str(facts.get("call", "")).split("(")[0]
    if error == "TypeError" and re.match(rf"(<lambda>|{re.escape(called)}(\.\w+)?)\(\) (takes|missing|got)", text):
        return "arguments"
    if error == "TypeError" and text.endswith("object is not callable"):
        return "callable"
    return error if error in ("NameError", "UnboundLocalError", "RecursionError") else ""


def _praise(exercise: Exercise, verdict: Verdict, lang: str) -> str:
    if exercise.kind not in ("numeric", "choice"):
        return ""
    return answers.praise(exercise.kind, exercise.answers[verdict.test], lang)


def points(got, total, lang: str) -> str:
    """Points as ``2 / 3``; exact fractions that are no decimals stay fractions."""
    return messages.t("grading.points", lang, got=score(got, lang), total=score(total, lang))


def score(value, lang: str) -> str:
    """One exact number of points: ``3``, ``0,1``, ``1/6``."""
    if value.denominator == 1:
        return num(int(value), lang=lang)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return num(float(value), lang=lang) if rest == 1 and value.denominator <= 1000 else str(value)
