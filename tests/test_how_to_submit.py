"""The page how-to-submit keeps its word: every command on it is run, and what it says of the results is so.

The commands are the same in both languages, so each is run once, in a folder of its own:

    submissions/    three that can be graded (all right; one answer wrong, one that ends its process), and a web page
    class.zip       the one that is all right, in a folder, as learning platforms pack them
    private/        one exercise with its solution
    activations.ipynb and /autograder/…    the one that is all right
    ADDRESS:8786    a scheduler on this machine, on a free port

The answers themselves, endless loops and hostile ones among them, are the business of tests/grading.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import nbformat
import pytest

import ffnbook
from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.judge import STATUSES
from ffnbook.grading import commands, github
from ffnbook.grading.bwrap import bubblewrap_fault

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
LANGS = messages.LANGUAGES
CHAPTER, NAME = "activations", "ffn-activations-ada-lovelace.ipynb"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.M | re.S)

NOT_RUN = {
    "sudo apt-get install bubblewrap": "changes the machine; CI runs it before these tests",
    "python3 tools/install.py requirements.txt": "downloads for minutes; tests/test_install.py runs the script without pip",
    "source .venv/bin/activate": "of the environment these tests run in",
    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0": "changes the machine; grade.yml runs it on GitHub",
}
# the commands of a block, by its first line → how each must end
STATUS = {
    f"git add submissions/{NAME}": [0, 0, 0],
    "ffnbook grade submissions/ --out results/": [3],
    "ffnbook grade submissions/ class.zip --out results/": [3],
    "ffnbook grade submissions/ --chapter activations --out results/": [3],
    "ffnbook grade submissions/ --seed 2027 --out first/": [3, 3, 0],
    "ffnbook check private/": [0, 3],
    "ffnbook grade activations.ipynb --also classroom50 --out graded/": [0, 0],
    "/autograder/source/.venv/bin/ffnbook grade /autograder/submission --also gradescope --out /autograder/results": [0],
}
CLUSTER = ("dask scheduler", "dask worker ", "ffnbook grade submissions/ --out results/ --dask ")


def page(lang: str) -> str:
    return (ROOT / "book" / lang / "how-to-submit.md").read_text(encoding="utf-8")


def blocks(lang: str, kind: str) -> list[list[str]]:
    return [body.splitlines() for language, body in BLOCK.findall(page(lang)) if language == kind]


BLOCKS = {block[0]: block for block in blocks("en", "sh")}


# The page


def test_the_commands_are_the_same_in_both_languages():
    assert all(blocks("es", kind) == blocks("en", kind) for kind in ("sh", "python"))


def test_every_command_is_run_or_says_why_not():
    for first, block in BLOCKS.items():
        if not first.startswith(CLUSTER) and first not in STATUS:
            assert set(block) <= set(NOT_RUN), block
        elif first in STATUS:
            assert len(block) == len(STATUS[first])
    assert set(NOT_RUN) <= {line for block in BLOCKS.values() for line in block} and set(STATUS) <= set(BLOCKS)


@pytest.mark.parametrize("lang", LANGS)
def test_the_tables_hold_every_status_and_layer(lang):
    assert tuple(messages.catalogue("pages_submit.status", lang)) == STATUSES
    assert list(messages.catalogue("pages_submit.layer", lang)) == list(messages.catalogue("grading.layer", lang))


@pytest.mark.parametrize("lang", LANGS)
def test_what_it_quotes_is_what_the_program_says(lang):
    said = json.dumps([messages.catalogue(f"grading.{part}", lang) for part in ("submit", "say")], ensure_ascii=False).lower()
    quoted = re.findall(r"^\*\*[«“](.+?)[»”]", page(lang), re.M)
    ours = [quote.rstrip("…").lower() for quote in quoted if "No module" not in quote]
    assert len(ours) == 3
    assert [quote for quote in ours if quote not in said] == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_exit_statuses_are_those_of_the_program(lang):
    sentence = next(line for line in page(lang).splitlines() if "`130`" in line)
    assert re.findall(r"`(\d+)`", sentence) == ["0", str(commands.PARTIAL), str(commands.REFUSED), "130"]


# The learner's half


@pytest.fixture(scope="module", params=LANGS)
def handed_in(request, tmp_path_factory):
    """The language, what the notebook's cells showed, and the folder, after the page's Python was run in the course's notebook."""
    from nbclient import NotebookClient

    lang, folder = request.param, tmp_path_factory.mktemp(request.param)
    notebook = nbformat.reads(learners_notebook(lang, {"gelu": solution("gelu")}), as_version=4)
    (check,), (submit,) = blocks(lang, "python")
    cells = {cell.source: cell for cell in notebook.cells}
    assert check in cells
    last = notebook.cells[-1]
    assert last.source.startswith('submit("")')
    last.source = submit
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    shown = ["".join(str(o.get("data", {}).get("text/plain", "")) for o in cell.get("outputs", [])) for cell in (cells[check], last)]
    return lang, *shown, folder


def test_check_replies_and_submit_writes_the_file_named(handed_in):
    lang, checked, submitted, folder = handed_in
    assert checked.startswith(messages.t("exercises.check.heading", lang, title=catalog.load().find("gelu").title(lang), points="").strip()[:10])
    assert [path.name for path in folder.iterdir()] == [NAME] and NAME in page(lang)
    assert submitted.splitlines()[-1].endswith(str(folder / NAME))


def test_the_file_holds_what_the_page_says_and_no_more(handed_in):
    lang, *_, folder = handed_in
    text = (folder / NAME).read_text(encoding="utf-8")
    made = nbformat.reads(text, as_version=4)
    about = made.metadata["ffnbook"]
    assert set(about) == {"learner", "lang", "version", "exercises", "made", "results"}
    assert (about["learner"], about["lang"], about["version"]) == ("Ada Lovelace", lang, ffnbook.__version__)
    assert about["results"]["gelu"]["status"] == "pass" and about["results"]["silu"]["status"] == "unanswered"
    assert "def gelu" in text and "find_spec" not in text and "check(" not in text
    assert all(cell.outputs == [] for cell in made.cells if cell.cell_type == "code")


# The teacher's half

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built from parts of Linux")


def solution(name: str) -> str:
    return (ROOT / "solutions" / CHAPTER / name / "solution.py").read_text(encoding="utf-8")


def learners_notebook(lang: str, answers: dict[str, str]) -> str:
    """The course's own notebook with these answers in their cells."""
    made = json.loads((ROOT / "exercises" / lang / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))
    for name, source in answers.items():
        (cell,) = [cell for cell in made["cells"] if "".join(cell["source"]).startswith(f"#| exercise: {name}\n")]
        cell["source"] = f"#| exercise: {name}\n{source}"
    return json.dumps(made)


@pytest.fixture
def desk(tmp_path):
    """The folder in which the commands are run."""
    right = {exercise.id: solution(exercise.id) for exercise in catalog.load().chapter(CHAPTER)}
    wrong = right | {"gelu": "def gelu(x):\n    return x", "silu": "import os\n\ndef silu(x):\n    os._exit(0)"}
    (tmp_path / "submissions").mkdir()
    good = learners_notebook("es", right)
    (tmp_path / "submissions/ada.ipynb").write_text(good, encoding="utf-8")
    (tmp_path / "submissions/blas (1).ipynb").write_text(learners_notebook("en", wrong), encoding="utf-8")
    (tmp_path / "submissions/cleo.py").write_text(right["relu"], encoding="utf-8")
    (tmp_path / "submissions/dan.ipynb").write_text("<!DOCTYPE html><html></html>", encoding="utf-8")
    (tmp_path / f"{CHAPTER}.ipynb").write_text(good, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("Ada Lovelace_1843/tarea.ipynb", good)
    shutil.copytree(ROOT / "exercises/source" / CHAPTER / "relu", tmp_path / "private/mine/relu")
    (tmp_path / "private/mine/relu/solution.py").write_text(right["relu"], encoding="utf-8")
    return tmp_path


def run(line: str, where: Path, **env: str) -> subprocess.CompletedProcess:
    command = shlex.split(line.replace("/autograder", str(where / "autograder")))
    ours = {"FFNBOOK_LANG": "en", "COLUMNS": "200", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(command, cwd=where, env=os.environ | ours | env, capture_output=True, text=True, encoding="utf-8", timeout=120)


def run_block(first: str, where: Path, **env: str) -> list[subprocess.CompletedProcess]:
    if fault := bubblewrap_fault():
        pytest.fail(f"these tests need bubblewrap (apt-get install bubblewrap): {fault}", pytrace=False)
    done = [run(line, where, **env) for line in BLOCKS[first]]
    assert [one.returncode for one in done] == STATUS[first], [one.stderr for one in done]
    return done


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


@linux
def test_a_class(desk):
    (done,) = run_block("ffnbook grade submissions/ --out results/", desk)
    layers, graded, unread = done.stdout.splitlines()
    assert "bubblewrap" in layers and "graded: 3" in graded and str(desk / "results") in graded and "read: 1" in unread
    got = rows(desk / "results")
    assert [(row["status"], row["final"]) for row in got.values()] == [("graded", "True")] * 3 + [("unreadable", "True")]
    total = sum(exercise.total for exercise in catalog.load().chapter(CHAPTER))
    ada, blas, cleo, dan = got.values()
    assert ada["points"] == ada["max"] == cleo["max"] == str(total) and ada["percent"] == "100"
    assert (blas["gelu status"], blas["silu status"], blas["swish status"]) == ("values", "crash", "pass")
    assert (cleo["relu status"], cleo["gelu status"]) == ("pass", "missing") and dan["points"] == ""
    run_block("ffnbook grade submissions/ class.zip --out results/", desk)
    assert [*got, "class.zip/Ada Lovelace_1843/tarea.ipynb"] == list(rows(desk / "results"))


def test_an_interrupted_command_ends_as_the_page_says(desk, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_grade", interrupted)
    with pytest.raises(SystemExit) as ended:
        commands.grade([desk / "submissions"], desk / "results")
    assert ended.value.code == 130


@linux
@pytest.mark.parametrize("lang", LANGS)
def test_the_results_are_those_it_lists(desk, lang):
    assert run(f"ffnbook grade {CHAPTER}.ipynb --out results/", desk).returncode == 0
    named = set(re.findall(r"^`([\w./]+)`\n: ", page(lang), re.M))
    assert named == {path.name + "/" * path.is_dir() for path in (desk / "results").iterdir()}


@linux
def test_whole_chapters(desk):
    run_block("ffnbook grade submissions/ --chapter activations --out results/", desk)
    assert len({row["max"] for row in rows(desk / "results").values() if row["status"] == "graded"}) == 1


@linux
def test_the_same_seed_gives_the_same_marks_and_work_is_taken_up_again(desk):
    run_block("ffnbook grade submissions/ --seed 2027 --out first/", desk)
    stored = {path: path.stat().st_mtime_ns for path in (desk / "first/results").iterdir()}
    lost = min(stored)
    before = lost.read_bytes()
    lost.unlink()
    run(BLOCKS["ffnbook grade submissions/ --seed 2027 --out first/"][0], desk)
    assert lost.read_bytes() == before
    assert {path: path.stat().st_mtime_ns for path in stored if path != lost} == {path: at for path, at in stored.items() if path != lost}


@linux
def test_public_tests_alone_make_no_final_mark(desk):
    assert run(f"ffnbook grade {CHAPTER}.ipynb --public --out results/", desk).returncode == 0
    assert [row["final"] for row in rows(desk / "results").values()] == ["False"]


@linux
def test_without_bubblewrap_marks_are_provisional(desk):
    (desk / "bin").mkdir()
    (desk / "bin/ffnbook").symlink_to(BIN / "ffnbook")
    done = run(f"{BIN}/ffnbook grade {CHAPTER}.ipynb --out results/", desk, PATH=str(desk / "bin"))
    assert done.returncode == 0 and messages.t("cli.grade.provisional", "en", fault="bwrap not found") in done.stdout
    assert NOT_RUN.keys() >= {"sudo apt-get install bubblewrap"} and "sudo apt-get install bubblewrap" in done.stdout
    assert [row["final"] for row in rows(desk / "results").values()] == ["False"]


@linux
def test_exercises_of_ones_own(desk):
    run_block("ffnbook check private/", desk)
    assert {row.get("relu points") for row in rows(desk / "results").values() if row["status"] == "graded"} == {"4"}
    (desk / "private/mine/relu/hints.toml").unlink()
    assert run("ffnbook check private/", desk).returncode == 1


@linux
def test_classroom50(desk):
    first = f"ffnbook grade {CHAPTER}.ipynb --also classroom50 --out graded/"
    run_block(first, desk, CLASSROOM="c", ASSIGNMENT="a")
    result = json.loads((desk / "result.json").read_text(encoding="utf-8"))
    assert (result["schema"], result["classroom"], result["assignment"]) == ("classroom50/result/v1", "c", "a")
    assert result["score"] == result["max-score"] > 0
    (desk / f"{CHAPTER}.ipynb").write_text("<html>", encoding="utf-8")
    assert [run(line, desk).returncode for line in BLOCKS[first]] == [3, 0]
    result = json.loads((desk / "result.json").read_text(encoding="utf-8"))
    assert result["score"] == 0 and "web page" in result["tests"][0]["output"]


@linux
def test_gradescope(desk):
    source, submission = desk / "autograder/source/.venv/bin", desk / "autograder/submission"
    source.mkdir(parents=True)
    (source / "ffnbook").symlink_to(BIN / "ffnbook")
    submission.mkdir()
    (desk / f"{CHAPTER}.ipynb").rename(submission / "x.ipynb")
    first = next(line for line in STATUS if line.startswith("/autograder"))
    run_block(first, desk)
    result = json.loads((desk / "autograder/results/results.json").read_text(encoding="utf-8"))
    assert result["score"] == sum(test["max_score"] for test in result["tests"]) > 0
    (submission / "y.ipynb").write_text("<html>", encoding="utf-8")
    shutil.rmtree(desk / "autograder/results")
    assert run(first, desk).returncode == 3
    assert not (desk / "autograder/results/results.json").exists()
    scores = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((desk / "autograder/results/gradescope").iterdir())]
    assert scores[0]["score"] == result["score"] and scores[1]["score"] == 0 and scores[1]["output"]


@linux
def test_a_push(desk):
    """The commands in a clone, and what the workflow would then grade.

    That GitHub runs it cannot be tested here; tests/grading/test_github.py runs its script.
    """
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    fork, clone = desk / "fork.git", desk / "clone"
    for line in (f"git init -q --bare {fork}", f"git clone -q {fork} {clone}"):
        assert run(line, desk).returncode == 0
    assert [run(line, clone, **who).returncode for line in ("git commit -q --allow-empty -m start", "git push -q -u origin HEAD")] == [0, 0]
    (clone / "submissions").mkdir()
    shutil.copy(desk / f"{CHAPTER}.ipynb", clone / "submissions" / NAME)
    run_block(f"git add submissions/{NAME}", clone, **who)
    assert github.changed("HEAD~1", clone) == [f"submissions/{NAME}"]
    assert run("git rev-parse HEAD", clone).stdout == run("git rev-parse HEAD", fork).stdout
    assert all(f"`{folder}" in page(lang) for lang in LANGS for folder in github.FOLDERS)


@linux
@pytest.mark.filterwarnings("ignore")
def test_on_a_cluster(desk):
    """All three commands for real, on one machine.  That a lost machine loses nothing: tests/grading/test_cluster.py."""
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    scheduler, worker, grade = (next(first for first in BLOCKS if first.startswith(start)) for start in CLUSTER)
    quiet = " --no-dashboard"
    lines = [f"{scheduler} --host 127.0.0.1 --port {port}{quiet}", f"{worker}{quiet}"]
    env = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    running = []
    try:
        for line in lines:
            command = shlex.split(line.replace("ADDRESS:8786", f"127.0.0.1:{port}"))
            null = subprocess.DEVNULL
            running.append(subprocess.Popen(command, cwd=desk, env=env, stdout=null, stderr=null, start_new_session=True))
        _until_open(port)
        done = run(grade.replace("ADDRESS:8786", f"127.0.0.1:{port}"), desk)
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(30)
    assert done.returncode == 3, done.stderr
    here = run("ffnbook grade submissions/ --out here/", desk)
    assert here.returncode == 3 and (desk / "here/grades.csv").read_bytes() == (desk / "results/grades.csv").read_bytes()


def _until_open(port: int, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the scheduler did not start", pytrace=False)
