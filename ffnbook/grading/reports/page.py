"""One page per learner, in their language.  Everything on it that they wrote is escaped."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises.catalog import Set
from ffnbook.exercises.say import points, say
from ffnbook.grading.grade import Graded, Result
from ffnbook.grading.reports.words import fault_text, notes, printable

STYLE = """
:root{color-scheme:light dark;--good:#1f7a4d;--bad:#b04008;--line:#8884}
@media (prefers-color-scheme:dark){:root{--good:#5fd39a;--bad:#ff9a5c}}
body{font:17px/1.55 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.15rem;border-top:1px solid var(--line);padding-top:1rem}
ul{list-style:none;padding:0}li{margin:.4rem 0}li p{margin:.15rem 0 .15rem 1.6rem}.of{margin-top:-.6rem;opacity:.75}
.good{color:var(--good)}.bad{color:var(--bad)}pre{white-space:pre-wrap;border:1px solid var(--line);padding:.6rem}
"""
MARKS = {"pass": '<b class="good">✓</b>', "unanswered": "<b>○</b>"}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def is_ours(path: Path) -> bool:
    """Whether a file is a page of this kind, whoever put it there."""
    with path.open("rb") as file:
        return POLICY.encode() in file.read(2000)


def write(path: Path, result: Result, exercises: Set, lang: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(result, exercises, result.lang or lang), encoding="utf-8")


def page(result: Result, exercises: Set, lang: str) -> str:
    """The whole document; needs nothing from elsewhere and runs no script."""
    title = _safe(messages.t("grading.report.title", lang, name=result.learner or result.name))
    body = [f"<h1>{title}</h1>"]
    if result.learner:  # who may have handed in several
        body.append(f'<p class="of">{_safe(messages.t("grading.report.submission", lang))}: {_safe(result.name)}</p>')
    if result.status != "graded":
        body.append(f'<p class="bad">{_safe(fault_text(result, lang))}</p>')
    else:
        total = messages.t("grading.report.total", lang, points=points(result.points, result.max, lang))
        body += [f"<p><b>{_safe(total)}</b></p>", *(_exercise(g, exercises, lang) for g in result.graded)]
    if not result.final and result.status == "graded":
        body.insert(1 + bool(result.learner), f"<p>{_safe(messages.t('grading.report.provisional', lang))}</p>")
    body += [f"<p>{_safe(note)}</p>" for note in notes(result, lang)]
    if result.output:
        body.append(f"<h2>{_safe(messages.t('grading.report.output', lang))}</h2><pre>{_safe(result.output)}</pre>")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width">{policy}<title>{title}</title>'
    return f'<!DOCTYPE html><html lang="{lang}"><head>{head}<style>{STYLE}</style></head><body><main>{"".join(body)}</main></body></html>\n'


def _exercise(graded: Graded, exercises: Set, lang: str) -> str:
    exercise = exercises.find(graded.exercise)
    heading = f"<h2>{_safe(f'{exercise.title(lang)}: {points(graded.points, graded.max, lang)}')}</h2>"
    if {verdict.status for verdict in graded.verdicts} in ({"unanswered"}, {"missing"}) and exercise.kind in ("function", "torch"):
        nothing = "".join(f"<p>{_safe(line)}</p>" for line in say(exercise, graded.verdicts[0], lang).lines())
        return f"<section>{heading}{nothing}</section>"  # to name what was not tested would teach nothing
    items, told = [], set()
    for verdict in graded.verdicts:
        said = say(exercise, verdict, lang)
        # the first fault of each kind is told in full; the same words again would teach nothing
        lines = [] if verdict.status in told and exercise.kind in ("function", "torch") else said.lines()
        told.add(verdict.status)
        status = messages.t(f"grading.status.{verdict.status}", lang)
        mark = MARKS.get(verdict.status, '<b class="bad">✗</b>')
        items.append(f"<li>{mark} {_safe(said.title)} ({_safe(status)})" + "".join(f"<p>{_safe(line)}</p>" for line in lines) + "</li>")
    return f"<section>{heading}<ul>{''.join(items)}</ul></section>"


def _safe(text: str) -> str:
    return escape(printable(text))
