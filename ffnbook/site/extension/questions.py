"""Exercises on a page: their statement, questions that answer without a kernel, folded solutions, what is kept.

A question is HTML that works by itself: choices open their replies, and a number's answer
is folded. With JavaScript (static/questions.mjs) numbers are checked and answers kept.
"""

from __future__ import annotations

import html
import json

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.say import score
from ffnbook.exercises.statement import Question, body, choices, explanation, questions
from ffnbook.messages import t
from ffnbook.site.extension.directives import folded
from ffnbook.site.reading.choices import shown

NOTEBOOK = "notebooks/exercises/{chapter}.ipynb"  # beside the pages: ffnbook.site.takeaway.notebooks puts it there


def setup(app):
    app.add_directive("exercise", ExerciseBox)
    app.add_directive("solution", SolutionFold)
    app.add_directive("exercise-progress", Progress)
    app.add_directive("answers-kept", Kept)


def raw(markup: str) -> nodes.raw:
    return nodes.raw("", markup, format="html")


class OfExercise(SphinxDirective):
    """What directives that name an exercise share."""

    required_arguments = 1

    @property
    def lang(self) -> str:
        return self.env.config.ffnbook_language

    def exercise(self) -> catalog.Exercise:
        try:
            found = catalog.load().find(self.arguments[0])
        except catalog.UnknownExercise:
            raise self.error(t("questions.exercise.missing", id=self.arguments[0])) from None
        for folder in filter(None, (found.folder, found.solution_folder)):
            for path in folder.glob("*.[mtp]*"):
                self.env.note_dependency(str(path))
        return found

    def words(self, text: str) -> list[nodes.Node]:
        """A short text: formulas and code in it, no paragraphs."""
        return self.parse_inline(text)[0]


class ExerciseBox(OfExercise):
    """``{exercise} ID``: kind and points, the statement, and its questions."""

    def run(self) -> list[nodes.Node]:
        exercise = self.exercise()
        asked = questions(exercise, self.lang)
        names = html.escape(json.dumps([question.name for question in asked]))
        ask = self.choice if exercise.kind == "choice" else self.number
        return [
            *script(self),
            raw(f'<div class="exercise" data-exercise="{exercise.id}" data-names="{names}">{self.meta(exercise, asked)}'),
            *self.parse_text_to_nodes(body(exercise, self.lang)),
            *(node for question in asked for node in ask(exercise, question)),
            raw("</div>"),
        ]

    def meta(self, exercise: catalog.Exercise, asked: list[Question]) -> str:
        """Kind, points, where to work; and whether it is done, which the reader says where the page cannot tell."""
        kind = messages.catalogue("questions.kind", self.lang)[exercise.kind]
        parts = [kind, t("questions.points", points=score(exercise.total, self.lang))]
        link = notebook_link(self, exercise.chapter, t("questions.notebook_link"))
        words = t("questions.exercise.done")
        tells = f"<span hidden>{words}</span>" if asked else f'<button type="button" aria-pressed="false" hidden>{words}</button>'
        return f'<p class="exercise-meta">{" · ".join(map(html.escape, parts))} · {link} <span class="exercise-done">{tells}</span></p>'

    def choice(self, exercise: catalog.Exercise, question: Question) -> list[nodes.Node]:
        """A group of choices; each opens its own reply."""
        name = f"q-{exercise.id}-{question.name}"
        group = f'<div class="question" role="group" aria-labelledby="{name}" data-name="{question.name}">'
        title = nodes.paragraph("", "", *self.words(question.title), classes=["question-title"], ids=[name])
        return [raw(group), title, *(self.one(name, question, *each) for each in choices(question, self.lang)), raw("</div>")]

    def one(self, name: str, question: Question, letter: str, text: str, reply: str) -> nodes.Node:
        right = letter == question.entry["right"]
        verdict = nodes.strong("", t(f"questions.exercise.{'right' if right else 'wrong'}"))
        summary = [nodes.inline("", "", nodes.Text(f"{letter}) "), *self.words(text))]
        answer = nodes.paragraph("", "", verdict, nodes.Text(" "), *self.words(reply))
        kind = f"choice {'right' if right else 'wrong'}"
        return folded(summary, [answer], kind, name=name, **{"data-letter": letter})

    def number(self, exercise: catalog.Exercise, question: Question) -> list[nodes.Node]:
        """A field for a number (needs JavaScript), and its answer folded (for those without)."""
        name, entry = f"q-{exercise.id}-{question.name}", question.entry
        known = html.escape(json.dumps(spec(entry, self.lang), ensure_ascii=False))
        keyboard = "decimal" if entry["value"] >= 0 else "text"  # phones' number pads lack the minus sign
        form = (
            f'<form class="question number" data-name="{question.name}" data-answer="{known}" novalidate>'
            f'<label for="{name}">{html.escape(question.title)} <code translate="no">{question.name}</code></label>'
            f'<span class="field"><input id="{name}" inputmode="{keyboard}" autocomplete="off" autocapitalize="off" spellcheck="false">'
            f'<button type="submit">{t("questions.exercise.check")}</button></span>'
            '<p class="reply" role="status"></p></form>'
        )
        summary = [nodes.Text(t("questions.exercise.answer", title=question.title))]
        answer = nodes.paragraph("", "", nodes.strong("", shown(entry, self.lang)), nodes.Text(f". {entry['right'][self.lang]}"))
        return [raw(form), folded(summary, [answer], "dropdown number-answer")]


class SolutionFold(OfExercise):
    """``{solution} ID``: the explained solution, folded; the cell after it, tagged ``solution``, is folded in too."""

    def run(self) -> list[nodes.Node]:
        text = explanation(self.exercise(), self.lang)
        return [folded([nodes.Text(t("questions.solution.title"))], self.parse_text_to_nodes(text), "dropdown solution")]


class Progress(SphinxDirective):
    """``{exercise-progress}``: where to work, and (with JavaScript) how many of this page's exercises are done."""

    def run(self) -> list[nodes.Node]:
        text = t("questions.progress.line", notebook="NOTEBOOK")
        before, _, after = text.partition("[")
        words, _, after = after.partition("](NOTEBOOK)")
        line = f"{html.escape(before)}{notebook_link(self, self.env.docname, words)}{html.escape(after)}"
        return [*script(self), raw(f'<p class="exercise-progress">{line} <span role="status"></span></p>')]


class Kept(SphinxDirective):
    """``{answers-kept}``: what this browser keeps, to save, load or erase."""

    def run(self) -> list[nodes.Node]:
        words = messages.catalogue("questions.kept")
        buttons = (
            f'<button type="button" data-do="save">{words["save"]}</button>'
            f'<button type="button" data-do="load">{words["load"]}</button>'
            f'<button type="button" data-do="clear">{words["clear"]}</button>'
            f'<input type="file" accept=".json,application/json" aria-label="{words["load"]}" hidden>'
        )
        markup = (
            f'<div class="answers-kept"><p class="question-title">{words["title"]}</p><p>{words["text"]}</p>'
            f'<p class="number-answer">{words["noscript"]}</p><p class="kept-buttons">{buttons}</p><p class="reply" role="status"></p></div>'
        )
        return [*script(self), raw(markup)]


def spec(entry: dict, lang: str) -> dict:
    """What the page's script needs to judge a number: the same table that check() uses."""
    return {
        "value": entry["value"],
        "atol": entry.get("atol", 0),
        "rtol": entry.get("rtol", 0),
        "right": entry["right"][lang],
        "hint": entry["hint"][lang],
        "mistakes": [[mistake["value"], mistake[lang]] for mistake in entry.get("mistake", [])],
    }


def notebook_link(directive: SphinxDirective, chapter: str, words: str) -> str:
    """To the chapter's exercise notebook, which downloads under a name that tells it apart."""
    href = "../" * directive.env.docname.count("/") + NOTEBOOK.format(chapter=chapter)
    file = f"{chapter}-{directive.env.config.ffnbook_language}-{t('running.actions.exercises_file')}.ipynb"
    return f'<a href="{href}" download="{file}">{html.escape(words)}</a>'


def script(directive: SphinxDirective) -> list[nodes.Node]:
    """The page's script and its texts, once."""
    if directive.env.temp_data.setdefault("ffnbook_questions", False):
        return []
    directive.env.temp_data["ffnbook_questions"] = True
    words = json.dumps(messages.catalogue("questions.script"), ensure_ascii=False).replace("<", "\\u003c")
    place = "../" * directive.env.docname.count("/") + "_static/questions.mjs"
    return [
        raw(f'<script type="application/json" id="ffn-questions">{words}</script>'),
        raw(f'<script type="module" src="{place}"></script>'),
    ]
