"""The book's own directives and roles."""

import pytest

from ffnbook.site.extension.directives import split_choices, written


@pytest.mark.parametrize(
    ("text", "es", "en"),
    [
        ("33088", "33\u202f088", "33,088"),
        ("2048", "2048", "2,048"),
        ("0.0201 %", "0,0201\u00a0%", "0.0201%"),
        ("1.5–1.8 %", "1,5–1,8\u00a0%", "1.5–1.8%"),
        ("-0.17", "−0,17", "−0.17"),
        ("GPT-2", "GPT-2", "GPT-2"),
        ("512→2048", "512→2048", "512→2,048"),
    ],
)
def test_a_given_number_is_written_as_each_language_does(text, es, en):
    assert (written(text, "es"), written(text, "en")) == (es, en)


def test_a_prediction_is_a_question_and_choices_each_with_its_reply():
    lines = ["How many?", "", "- ( ) one", "  : no,", "    not one", "- (x) two,", "  or so", "  : yes"]
    question, choices = split_choices(lines)
    assert "\n".join(question).strip() == "How many?"
    assert choices == [(False, ["one"], ["no,", "not one"]), (True, ["two,", "or so"], ["yes"])]
