"""What is wrong with a command as it was given is said in the language of whoever gave it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("given", "es", "en"),
    [
        ("grade . --jobs 0", "--jobs espera un número entero", "--jobs takes a whole number"),
        ("grade . --seed abc", "--seed espera un número entero", "--seed takes a whole number"),
        ("serve --port 99999", "--port espera un número entero", "--port takes a whole number"),
        ("grade . --publi", "No hay ninguna opción --publi.", "There is no option --publi."),
        ("grade . --seed", "A --seed le falta su valor", "--seed lacks its value"),
        ("check", "Falta decir con qué archivos", "Say which files"),
        ("mark .", "No hay ninguna orden mark.", "There is no command mark."),
        ("build everything", "Sobra everything.", "everything is too much."),
    ],
)
def test_a_command_nobody_can_mean_is_answered_in_the_language_of_the_system(given, es, en):
    for lang, text in (("es", es), ("en", en)):
        env = os.environ | {"FFNBOOK_LANG": lang}
        done = subprocess.run([sys.executable, "-m", "ffnbook", *given.split()], capture_output=True, encoding="utf-8", cwd=ROOT, env=env)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.startswith(text) and "--help" in done.stderr and len(done.stderr.splitlines()) == 1


def test_help_and_no_command_at_all():
    said = [subprocess.run([sys.executable, "-m", "ffnbook", *args], capture_output=True, encoding="utf-8", cwd=ROOT) for args in ((), ("--help",))]
    assert [done.returncode for done in said] == [2, 0]
    assert all("grade" in done.stdout + done.stderr for done in said)
