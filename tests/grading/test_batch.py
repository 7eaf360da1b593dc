"""A batch: resumable, never stopped by one file, its reports right, its exit status honest."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as tree
from multiprocessing import parent_process
from pathlib import Path

import pytest
from grading_tools import COURSE, LAB, RIGHT, SEED, data, notebook
from typer.testing import CliRunner

from ffnbook.grading import batch, commands
from ffnbook.grading import sandbox as sandbox_module
from ffnbook.grading.batch import Settings
from ffnbook.grading.collect import Source, collect

ROOT = Path(__file__).parents[2]
ANSWERS = tuple(RIGHT.values())
ENV = os.environ | {"FFNBOOK_LANG": "en", "COLUMNS": "200"}


def ffnbook(*args, env=ENV, **options):
    command = [sys.executable, "-m", "ffnbook", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, timeout=120, **options)


def rows(out: Path) -> list[dict]:
    with (out / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    for number in (1, 3, 5):
        (folder / f"{number}.ipynb").write_bytes(data(notebook(*ANSWERS)))
    (folder / "2.ipynb").write_bytes(data(notebook(*ANSWERS))[:200])
    (folder / "4.ipynb").write_bytes(data(notebook(*ANSWERS, "def relu(x):\n    while True: pass")))
    return folder


@pytest.fixture(scope="module")
def batch_of_five(five, tmp_path_factory):
    """Graded once: the command, what it said, and where its results are."""
    out = tmp_path_factory.mktemp("batch") / "out"
    args = ("grade", five, "--out", out, "--exercises", COURSE, "--also", "gradescope", "--also", "classroom50", "--lang", "es")
    return args, ffnbook(*args, "--jobs", 2), out


def test_C11_one_bad_submission_stops_nothing(batch_of_five):
    _, done, out = batch_of_five
    assert done.returncode == commands.PARTIAL, done.stderr
    got = {row["submission"]: row for row in rows(out)}
    assert [got[f"{n}.ipynb"]["points"] for n in (1, 3, 5)] == ["6.5"] * 3
    assert got["2.ipynb"]["status"] == "unreadable" and got["2.ipynb"]["points"] == ""
    assert got["4.ipynb"]["relu status"] == "timeout" and got["4.ipynb"]["points"] == "2.5"
    assert "No se pudieron leer: 1" in done.stdout and "bubblewrap" in done.stdout


def test_a_repaired_grader_marks_again(monkeypatch, tmp_path, five):
    """A mark given by code that has changed since is no longer what the command would give."""
    source, settings = next(collect([five])), Settings(tmp_path)
    before = settings.key(source)
    shutil.copytree(batch.PACKAGE, tmp_path / "ffnbook", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(batch, "PACKAGE", tmp_path / "ffnbook")
    batch.grader.cache_clear()
    assert settings.key(source) == before
    with (tmp_path / "ffnbook/exercises/judge.py").open("a", encoding="utf-8") as file:
        file.write("# repaired\n")
    batch.grader.cache_clear()
    assert settings.key(source) != before
    monkeypatch.undo()
    batch.grader.cache_clear()


def test_reports_of_all_kinds(batch_of_five):
    out = batch_of_five[2]
    listed = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    assert [entry["status"] for entry in listed] == ["graded", "unreadable", "graded", "graded", "graded"]
    assert {entry["points"] for entry in listed} == {"13/2", "5/2", "0"}
    suites = tree.parse(out / "junit.xml").getroot()
    assert len(suites) == 5 and sum(len(case.findall("failure")) for case in suites.iter("testcase")) == 4
    pages = {path.name[0]: path.read_text(encoding="utf-8") for path in (out / "learners").glob("*.html")}
    assert 'lang="es"' in pages["4"] and "tiempo agotado" in pages["4"] and "cortado o dañado" in pages["2"]
    scope = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((out / "gradescope").glob("*.json"))]
    assert sorted(entry["score"] for entry in scope) == [0, 2.5, 6.5, 6.5, 6.5]
    for path in (out / "classroom50").glob("*.json"):
        entry = json.loads(path.read_text(encoding="utf-8"))
        assert entry["schema"] == "classroom50/result/v1" and type(entry["score"]) is type(entry["max-score"]) is int
        assert entry["score"] == sum(test["score"] for test in entry["tests"])
        assert entry["max-score"] in (39, 1) and all(isinstance(test["passed"], bool) for test in entry["tests"])
    assert "| 6,5 de 6,5 |" in (out / "summary.md").read_text(encoding="utf-8")


def test_a_single_submission_writes_the_files_other_systems_look_for(tmp_path):
    path = tmp_path / "x.ipynb"
    about = {"learner": "Ana <b>", "lang": "es"}
    path.write_bytes(data(notebook(*ANSWERS, metadata={"ffnbook": about})))
    summary = tmp_path / "step.md"
    env = ENV | {"GITHUB_STEP_SUMMARY": str(summary), "CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/1"}
    out = tmp_path / "out"
    done = ffnbook("grade", path, "--out", out, "--exercises", COURSE, "--also", "gradescope", "--also", "classroom50", env=env)
    assert done.returncode == 0
    assert json.loads((out / "results.json").read_text(encoding="utf-8"))["score"] == 6.5
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert (result["score"], result["max-score"], result["classroom"], result["submission"]) == (39, 39, "c", "submit/1")
    text = summary.read_text(encoding="utf-8")
    assert "6,5 de 6,5" in text and "<b>" not in text


def test_the_same_batch_again_grades_nothing_and_says_the_same(batch_of_five):
    args, _, out = batch_of_five
    first = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in (out / "results").iterdir()}
    table = (out / "grades.csv").read_bytes()
    ffnbook(*args, "--jobs", 1)
    assert {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in (out / "results").iterdir()} == first
    assert (out / "grades.csv").read_bytes() == table
    ffnbook(*args, "--seed", 9)
    assert len(list((out / "results").iterdir())) == 2 * len(first)
    assert len(rows(out)) == 5


def pages(out: Path) -> set[str]:
    return {f"learners/{path.name}" for path in (out / "learners").iterdir()}


def test_each_row_has_one_current_page_and_names_it(tmp_path):
    """Handed in again under the same name, marked provisionally and then finally, in folders whose names look alike on disk."""
    folder, out = tmp_path / "class", tmp_path / "out"
    systems = ("--also", "gradescope", "--also", "classroom50")
    for name in ("María José/x.ipynb", "María_José/x.ipynb", "Ana.ipynb", "ana.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data(notebook(RIGHT["relu"], f"# {name}")))
    grade = lambda *args: ffnbook("grade", folder, "--exercises", COURSE, "--out", out, *systems, *args)  # noqa: E731
    grade("--public")
    assert len(rows(out)) == 4 and {row["page"] for row in rows(out)} == pages(out) and len({name.lower() for name in pages(out)}) == 4
    before, stored = pages(out), {path.name for path in (out / "results").iterdir()}
    (folder / "ana.ipynb").write_bytes(data(notebook(*ANSWERS)))
    grade()
    assert {row["page"] for row in rows(out)} == pages(out) == before, "a learner's page keeps its name"
    assert stored < {path.name for path in (out / "results").iterdir()}, "no result is lost"
    assert len(list((out / "gradescope").iterdir())) == len(list((out / "classroom50").iterdir())) == 4
    (last,) = [row for row in rows(out) if row["submission"] == "ana.ipynb"]
    assert "6.5 of 6.5" in (out / last["page"]).read_text(encoding="utf-8")
    assert [entry["page"] for entry in json.loads((out / "grades.json").read_text(encoding="utf-8"))] == [row["page"] for row in rows(out)]


def test_what_an_earlier_batch_left_does_not_pass_for_current(five, tmp_path):
    out = tmp_path / "out"
    (out / "learners").mkdir(parents=True)
    (out / "learners/notes.html").write_text("<p>the teacher's own</p>", encoding="utf-8")
    both = ("--exercises", COURSE, "--out", out, "--also", "gradescope", "--also", "classroom50")
    ffnbook("grade", five, *both)
    ffnbook("grade", five / "1.ipynb", *both)
    assert pages(out) == {"learners/1.ipynb.html", "learners/notes.html"} and rows(out)[0]["page"] == "learners/1.ipynb.html"
    assert (out / "results.json").is_file() and not (out / "gradescope").exists() and not (out / "classroom50").exists()
    ffnbook("grade", five, *both[:4])
    assert len(pages(out)) == 6 and not (out / "results.json").exists() and not (out / "result.json").exists()


@pytest.mark.parametrize("after", [0.0, 1.2])
def test_a_batch_killed_at_any_moment_goes_on(tmp_path, after):
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    for number in range(24):
        (folder / f"{number:02}.ipynb").write_bytes(data(notebook(*ANSWERS, f"x = {number}")))
    command = [sys.executable, "-m", "ffnbook", "grade", folder, "--out", out, "--exercises", COURSE, "--jobs", "2"]
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list((out / "results").glob("[!.]*.json")):
        time.sleep(0.02)
    time.sleep(after)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = {path.name: path.stat().st_mtime_ns for path in (out / "results").glob("[!.]*.json")}
    assert before
    for path in (out / "results").glob("[!.]*.json"):
        json.loads(path.read_text(encoding="utf-8"))
    assert ffnbook("grade", folder, "--out", out, "--exercises", COURSE).returncode == 0
    now = {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    assert len(now) == 24 and before.items() <= now.items()
    assert [row["points"] for row in rows(out)] == ["6.5"] * 24


class Deadly(Source):
    """A file that takes the whole process that reads it with it."""

    def bytes(self):
        return os._exit(1) if parent_process() else b"deadly"


def test_a_file_that_kills_its_reader_costs_itself(five, tmp_path):
    settings = Settings(tmp_path / "out", COURSE, SEED)
    sources = [Deadly(s.name, s.path) if s.name == "3.ipynb" else s for s in collect([five])]
    names = batch.run(iter(sources), settings, 2)
    status = {result.name: (result.status, result.facts.get("why")) for result in batch.results(settings, names)}
    assert status["3.ipynb"] == ("unreadable", "killed")
    assert status["1.ipynb"][0] == status["5.ipynb"][0] == status["4.ipynb"][0] == "graded"


def test_where_the_sandbox_does_not_start_nothing_is_stored_as_a_mark(five, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox_module.Sandbox, "child", no_child)
    settings = Settings(tmp_path / "out", COURSE, SEED)
    with pytest.raises(batch.NotGraded, match="no room"):
        batch.one(next(collect([five])), settings)
    assert not settings.folder.exists()
    monkeypatch.undo()
    assert batch.one(next(collect([five])), settings)


def no_child(*_):
    raise sandbox_module.NoSandbox("no room")


@pytest.mark.parametrize(
    ("args", "says"),
    [(["no-such-folder"], "no existe"), (["tests/grading/hostile/expected.toml"], "No se pudieron leer: 1"), (["."], None),
     (["README.md", "--exercises", "docs-that-are-not"], None)],
)  # fmt: skip
def test_a_request_that_makes_no_sense_gets_a_sentence(args, says, tmp_path):
    if says is None:
        args, says = [str(tmp_path), "--exercises", str(tmp_path)], "No hay ejercicios en"
    done = ffnbook("grade", *args, "--out", tmp_path / "out", "--lang", "es")
    assert done.returncode != 0 and says.lower() in (done.stdout + done.stderr).lower() and "Traceback" not in done.stderr


def test_an_unknown_chapter_or_an_empty_folder_gets_a_sentence(tmp_path):
    done = ffnbook("grade", tmp_path, "--exercises", COURSE, "--chapter", "nope", "--out", tmp_path / "out")
    assert done.returncode == commands.REFUSED and "lab" in done.stderr
    done = ffnbook("grade", tmp_path, "--exercises", COURSE, "--out", tmp_path / "out")
    assert done.returncode == commands.REFUSED and "no submission" in done.stderr


def test_a_set_without_solutions_is_not_graded_as_if_it_had_them(tmp_path):
    folder = tmp_path / "set" / "lab" / "relu"
    folder.mkdir(parents=True)
    for path in (COURSE / "lab" / "relu").iterdir():
        if path.name != "solution.py":
            (folder / path.name).write_bytes(path.read_bytes())
    answer = tmp_path / "x.py"
    answer.write_text(RIGHT["relu"], encoding="utf-8")
    done = ffnbook("grade", answer, "--exercises", tmp_path / "set", "--out", tmp_path / "out")
    assert done.returncode == commands.REFUSED and "solution.py" in done.stderr
    done = ffnbook("grade", answer, "--exercises", tmp_path / "set", "--out", tmp_path / "out", "--public")
    assert done.returncode == 0 and rows(tmp_path / "out")[0]["final"] == "False"


def test_marks_are_provisional_without_bubblewrap(tmp_path):
    """On a machine without bwrap: it still grades, says so, and calls nothing final."""
    (tmp_path / "x.py").write_text("\n\n".join(ANSWERS), encoding="utf-8")
    env = ENV | {"PATH": str(Path(sys.executable).parent)}
    done = ffnbook("grade", tmp_path / "x.py", "--exercises", COURSE, "--out", tmp_path / "out", env=env)
    assert done.returncode == 0 and "provisional" in done.stdout and "apt-get install bubblewrap" in done.stdout
    assert rows(tmp_path / "out")[0]["final"] == "False"
    assert "not final" in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")


def test_check_shows_what_a_learner_would_see(tmp_path):
    (tmp_path / "x.py").write_text(RIGHT["relu"].replace("relu", "gelu"), encoding="utf-8")
    done = ffnbook("check", tmp_path / "x.py", "--lang", "es")
    assert done.returncode == 1 and "Pista:" in done.stdout
    (tmp_path / "y.ipynb").write_text("<html>", encoding="utf-8")
    done = ffnbook("check", tmp_path / "y.ipynb", "--lang", "es")
    assert done.returncode == 1 and "página web" in done.stdout


def test_check_tells_what_is_missing_in_a_set(tmp_path):
    assert ffnbook("check", COURSE).returncode == 0
    folder = tmp_path / "ch" / "thing"
    folder.mkdir(parents=True)
    (folder / "exercise.toml").write_text('id = "thing"\nkind = "function"\nnames = ["f"]\n[points]\na = 1\n', encoding="utf-8")
    done = ffnbook("check", tmp_path)
    assert done.returncode == 1 and "text.es.md is missing" in done.stdout


def test_nothing_is_left_running_when_a_process_that_graded_ends(five, tmp_path):
    """Neither the socket to the sandbox nor the sandbox itself."""
    code = (
        "from pathlib import Path; from ffnbook.grading import batch; from ffnbook.grading.collect import collect; "
        f"settings = batch.Settings(Path({str(tmp_path / 'out')!r}), Path({str(COURSE)!r})); "
        f"batch.one(next(collect([Path({str(five)!r})])), settings); print(batch.kept('best')._zygotes != {{}})"
    )
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.stdout.strip() == "True" and "ResourceWarning" not in done.stderr, done.stderr


def test_help_names_the_commands():
    import typer

    app = typer.Typer()
    commands.register(app)
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout
    assert "grade" in shown and "check" in shown


def test_the_progress_of_a_batch_is_shown(five, tmp_path):
    seen: list[str] = []
    names = batch.run(iter(list(collect([five]))), Settings(tmp_path / "out", COURSE, SEED), 2, seen.append)
    assert sorted(seen) == sorted(names) and len(names) == 5
    assert [LAB.find(g.exercise).id for g in next(batch.results(Settings(tmp_path / "out", COURSE), names)).graded]


def test_half_characters_stop_nothing(tmp_path):
    """JSON and Linux file names may hold what is no text; every report can still be written."""
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    half = "\ud800"
    about = {"learner": f"Ana {half}", "exercises": [f"x{half}"], "version": half, "lang": ["es"]}
    cells = ["print('\\ud800')", "def relu(x):\n    raise ValueError('\\ud800')", f"x = '{half}'"]
    (folder / "half.ipynb").write_bytes(data(notebook(*ANSWERS, *cells, metadata={"ffnbook": about})))
    (folder / os.fsdecode(b"a\xf1o.ipynb")).write_bytes(data(notebook(*ANSWERS)))
    (folder / ("𠀀" * 55 + ".ipynb")).write_bytes(data(notebook(*ANSWERS)))
    done = ffnbook("grade", folder, "--out", out, "--exercises", COURSE, "--also", "gradescope")
    assert done.returncode == 0, done.stderr
    assert sorted(row["points"] for row in rows(out)) == ["2.5", "6.5", "6.5"]
    assert len(list((out / "learners").iterdir())) == 3


def test_a_fault_of_the_grader_itself_costs_one_submission(five, tmp_path, monkeypatch):
    def stumble(name, *args, **kwargs):
        raise RecursionError("too deep")

    monkeypatch.setattr(batch, "grade", stumble)
    settings = Settings(tmp_path / "out", COURSE, SEED)
    result = next(batch.results(settings, [batch.one(next(collect([five])), settings)]))
    assert (result.status, result.facts["why"]) == ("unreadable", "killed") and "too deep" in result.facts["text"]


class Broken:
    """A pool whose process died before the next submission was handed to it."""

    def submit(self, *_):
        raise batch.BrokenProcessPool("terminated abruptly")


def test_a_pool_that_broke_a_moment_ago_loses_nothing(five):
    future = batch._submit(Broken(), next(collect([five])), Settings(five, COURSE))
    assert isinstance(future.exception(), batch.BrokenProcessPool)


def running(folder: Path) -> list[int]:
    """The processes that work for this clone on what is in ``folder``: none of anybody else's."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            found += [int(entry.name)] if f"MARK={folder}".encode() in (entry / "environ").read_bytes().split(b"\0") else []
        except OSError:
            pass
    return found


def test_nothing_is_left_running_when_the_grader_alone_is_killed(tmp_path):
    """Not its group, as a terminal would: the out-of-memory killer and `kill -9` take one process."""
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    for number in range(24):
        (folder / f"{number:02}.ipynb").write_bytes(data(notebook(*ANSWERS, f"x = {number}")))
    command = [sys.executable, "-m", "ffnbook", "grade", str(folder), "--out", str(out), "--exercises", str(COURSE), "--jobs", "2"]
    env = ENV | {"MARK": str(tmp_path), "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list((out / "results").glob("[!.]*.json")):
        time.sleep(0.02)
    assert len(running(tmp_path)) > 1
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and running(tmp_path):
        time.sleep(0.1)
    assert running(tmp_path) == []
    assert len(list(tmp_path.glob("ffnbook-inside-*"))) <= 1, "the killed one's own, which nobody can take away for it"


def test_half_a_result_is_graded_again(five, tmp_path):
    """A power cut may leave a file with nothing, or half of it, under the right name."""
    settings = Settings(tmp_path / "out", COURSE, SEED)
    source = next(collect([five]))
    path = settings.folder / batch.one(source, settings)
    whole = path.read_bytes()
    for half in (b"", whole[:40], b"[]", b'{"exercises": [3]}', b"{}"):
        path.write_bytes(half)
        batch.one(source, settings)
        assert path.read_bytes() == whole


@pytest.mark.parametrize("blocks", ["out", "out/results", "out/grades.csv", "out/learners"])
def test_where_nothing_can_be_written_a_sentence_says_so(five, tmp_path, blocks):
    way = tmp_path / blocks
    way.parent.mkdir(exist_ok=True)
    way.mkdir() if way.suffix else way.write_text("in the way", encoding="utf-8")
    done = ffnbook("grade", five / "1.ipynb", "--exercises", COURSE, "--out", tmp_path / "out")
    assert done.returncode == commands.REFUSED and "cannot be written in" in done.stderr and "Traceback" not in done.stderr, done


def test_no_room_leaves_no_half_result(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(batch.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        batch.store(batch.Result("x"), tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_the_machine_is_no_fault_of_the_file(five, tmp_path, monkeypatch):
    def no_process(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(batch, "grade", no_process)
    settings = Settings(tmp_path / "out", COURSE, SEED)
    with pytest.raises(batch.NotGraded, match="temporarily unavailable"):
        batch.one(next(collect([five])), settings)
    assert not settings.folder.exists()


def test_results_beside_the_submissions_are_no_submissions(five, tmp_path):
    """`ffnbook grade .`, twice: what the first time wrote is nobody's file of another kind."""
    (tmp_path / "a.ipynb").write_bytes((five / "1.ipynb").read_bytes())
    (tmp_path / "results").mkdir()
    (tmp_path / "results/essay.docx").write_bytes(b"x")
    args = ("grade", tmp_path, "--exercises", COURSE, "--also", "classroom50", "--out")
    for out in (tmp_path / "results", tmp_path):
        ffnbook(*args, out)
        said = ffnbook(*args, out).stdout
        named = [line for line in said.splitlines() if line.startswith("  ")]
        assert len(named) == 1 if out != tmp_path else any("essay" in line for line in named), said
        assert any(line.startswith("  results/essay.docx") for line in named)


def test_any_whole_number_is_a_seed(five, tmp_path):
    got = {}
    for seed in (-5, 5, 2**70):
        settings = Settings(tmp_path / "out", COURSE, seed)
        got[seed] = next(batch.results(settings, [batch.one(next(collect([five])), settings)]))
    assert {str(result.points) for result in got.values()} == {"13/2"}


def test_check_of_several_files_says_whose_each_report_is(five, tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("ana.py", "bo.py"):
        (folder / name).write_text(RIGHT["relu"].replace("relu", "gelu"), encoding="utf-8")
    done = ffnbook("check", folder)
    assert [line for line in done.stdout.splitlines() if line.endswith(".py")] == ["ana.py", "bo.py"]
    assert "ana.py" not in ffnbook("check", folder / "ana.py").stdout


@pytest.mark.parametrize("command", ["grade", "check"])
def test_exercises_that_are_not_there_get_a_sentence(five, tmp_path, command):
    done = ffnbook(command, five, "--lang", "es", env=ENV | {"FFNBOOK_EXERCISES": str(tmp_path / "nowhere")})
    assert done.returncode == commands.REFUSED and "nowhere: no está" in done.stderr and "Traceback" not in done.stderr, done
