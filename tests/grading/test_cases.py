"""What people hand in, and what goes wrong: the cases of groups A to E, each under its name."""

import io
import json
import os
import resource
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest
from grading_tools import COURSE, LAB, QUICK, RIGHT, SEED, data, graded, notebook, points, statuses

from ffnbook.exercises import catalog
from ffnbook.exercises.say import what
from ffnbook.grading import reading
from ffnbook.grading.collect import collect
from ffnbook.grading.grade import grade
from ffnbook.grading.reports.words import fault_text, notes
from ffnbook.grading.sandbox import Sandbox

ALL = {"relu": "pass", "double": "pass", "count": "pass", "pick": "pass"}
ANSWERS = tuple(RIGHT.values())


def full(result):
    assert statuses(result) == ALL, result
    return True


# A. Submission file


def test_A01_kernel_name_of_another_machine(sandbox):
    made = notebook(*ANSWERS, metadata={"kernelspec": {"name": "python388jvsc74a57bd0abc"}})
    assert full(graded(sandbox, content=data(made)))


def test_A03_notebook_as_colab_saves_it(sandbox):
    made = notebook(*ANSWERS, metadata={"colab": {"provenance": []}, "accelerator": "GPU", "kernelspec": {"name": "python3"}})
    for cell in made["cells"]:
        cell["metadata"] = {"outputId": "abc", "colab": {"base_uri": "x"}}
        del cell["id"]
    assert full(graded(sandbox, content=data(made | {"nbformat_minor": 0})))


def test_A05_cell_ids_mixed_with_an_older_minor_version(sandbox):
    made = notebook(*ANSWERS)
    assert full(graded(sandbox, content=data(made | {"nbformat_minor": 4})))
    for cell in made["cells"]:
        del cell["id"]
    assert full(graded(sandbox, content=data(made)))


def test_A07_web_page_named_ipynb(sandbox):
    for page in (b"<!DOCTYPE html><html>", b"\xef\xbb\xbf\n <HTML lang='es'>", b'<?xml version="1.0"?><html/>'):
        result = graded(sandbox, content=page, name="ejercicio_1.ipynb")
        assert result.status == "unreadable" and result.graded == []
        assert "página web" in fault_text(result, "es") and "download button" in fault_text(result, "en")


def test_A09_notebook_of_version_3(sandbox, tmp_path):
    cells = [{"cell_type": "code", "input": source, "outputs": [], "language": "python"} for source in ANSWERS]
    content = json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}).encode()
    path = tmp_path / "old.ipynb"
    path.write_bytes(content)
    assert full(graded(sandbox, content=next(collect([path])).bytes()))
    assert path.read_bytes() == content


def test_A11_names_with_spaces_and_brackets(tmp_path):
    names = ["ejercicio_1 (1).ipynb", "tarea [final].ipynb", "mi  tarea.ipynb", "año_ñandú.ipynb"]
    for name in names:
        (tmp_path / name).write_bytes(data(notebook(*ANSWERS)))
    assert sorted(source.name for source in collect([tmp_path])) == sorted(names)


def test_of_files_with_one_name_the_folder_says_whose_each_is(tmp_path):
    files = [tmp_path / name / "tarea.ipynb" for name in ("ana", "bo", "cy")]
    for file in files:
        file.parent.mkdir()
        file.write_bytes(data(notebook(*ANSWERS, f"# {file}")))
    named = ["ana/tarea.ipynb", "bo/tarea.ipynb", "cy/tarea.ipynb"]
    assert [source.name for source in collect(files)] == [source.name for source in collect([tmp_path])] == named
    assert [source.name for source in collect([*(file.parent for file in files), files[0]])] == ["tarea.ipynb", *named[1:]]
    assert [source.name for source in collect([files[0], files[0]])] == ["tarea.ipynb"]


@pytest.mark.parametrize("zipped", [False, True])
def test_A14_stray_files_beside_the_submission(tmp_path, zipped):
    folder = tmp_path / "ana"
    for name in (".ipynb_checkpoints/x-checkpoint.ipynb", "__MACOSX/._x.ipynb", "desktop.ini", "x.ipynb", "sub/.DS_Store", "~$x.ipynb"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data(notebook(*ANSWERS)))
    where = folder
    if zipped:
        where = tmp_path / "ana.zip"
        with zipfile.ZipFile(where, "w") as archive:
            for path in folder.rglob("*"):
                archive.write(path, path.relative_to(folder))
    assert [source.name.removeprefix("ana.zip/") for source in collect([where])] == ["x.ipynb"]


def test_zips_in_zips_and_damaged_ones(sandbox, tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("tarea.ipynb", data(notebook(*ANSWERS)))
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ana.zip", inner.getvalue())
        archive.writestr("bo.zip", b"PK\x03\x04 not a zip")
        archive.writestr("../../evil.ipynb", data(notebook(*ANSWERS)))
    (tmp_path / "cut.zip").write_bytes(inner.getvalue()[:40])
    (tmp_path / "empty.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    found = {source.name: source.bytes() for source in collect([tmp_path])}
    assert full(graded(sandbox, content=found["class.zip/ana.zip/tarea.ipynb"]))
    assert found["class.zip/bo.zip"].facts["why"] == found["cut.zip"].facts["why"] == "zip"
    assert found["empty.zip"].facts["why"] == "nothing"
    assert isinstance(found["class.zip/../../evil.ipynb"], bytes) and not (tmp_path.parent / "evil.ipynb").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_a_zip_holds_twice_is_two_submissions(sandbox, tmp_path):
    inner = io.BytesIO()
    for file in (inner, tmp_path / "class.zip"):
        with zipfile.ZipFile(file, "w") as archive:
            for cells in (ANSWERS, ("x = 1",)):
                archive.writestr("tarea.ipynb", data(notebook(*cells)))
            if file is not inner:
                archive.writestr("ana.zip", inner.getvalue())
    found = {source.name: source.bytes() for source in collect([tmp_path])}
    for name in ("class.zip/tarea.ipynb", "class.zip/ana.zip/tarea.ipynb"):
        assert full(graded(sandbox, content=found[name])) and found[f"{name} #2"] == data(notebook("x = 1"))


def test_each_zip_in_a_zip_that_cannot_be_read_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("ana.zip", "bo.zip"):
            archive.writestr(name, b"PK\x03\x04 not a zip")
        archive.writestr("cy.zip", b"PK\x05\x06" + bytes(18))
    found = {source.name: source.bytes().facts["why"] for source in collect([tmp_path])}
    assert found == {"class.zip/ana.zip": "zip", "class.zip/bo.zip": "zip", "class.zip/cy.zip": "nothing"}


def test_a_zip_that_lies_about_its_size(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.ipynb", bytes(reading.MAX_BYTES + 1))
    fault = next(collect([tmp_path])).bytes()
    assert fault.facts["why"] == "too_big"


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "empty"), (b" \n\0\0", "empty"), (b'{"cells": [', "not_json"), (b"[1, 2]", "not_notebook"), (b'{"a": 1}', "not_notebook"),
     (b"\xff\xfe\x00", "encoding"), (b"\x81abc", "encoding"), (b"[" * 200_000, "not_json"), (b'{"cells": 3}', "not_notebook"),
     (b'{"cells": []}', "no_exercises"), (b"PK\x03\x04", "not_json"), (b'{"cells": [{"cell_type": "code", "source": 7}, 3, null]}', "no_exercises")],
)  # fmt: skip
def test_what_cannot_be_read_says_why_in_both_languages(sandbox, content, why):
    result = grade("x.ipynb", content, LAB, sandbox, seed=SEED)
    assert (result.status, result.facts["why"]) == ("unreadable", why)
    assert fault_text(result, "es") != fault_text(result, "en")


def test_other_line_ends_byte_order_marks_and_encodings(sandbox):
    text = data(notebook(*ANSWERS)).decode()
    for content in (text.replace("\\n", "\\r\\n").encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        assert full(graded(sandbox, content=content))
    script = "\n\n".join(ANSWERS)
    for content in (script.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + script.encode()):
        assert full(graded(sandbox, content=content, name="x.py"))


def test_a_py_file_with_a_fault_costs_that_part(sandbox):
    parts = [f"# %%\n#| exercise: {name}\n{source}" for name, source in RIGHT.items() if name != "double"]
    content = "\n".join([*parts, "# %%\ndef double(x)\n    return 2 * x\n"]).encode()
    assert statuses(graded(sandbox, content=content, name="x.py")) == ALL | {"double": "syntax"}


# B. Submission structure


def test_B01_cell_copied_with_its_id(sandbox):
    made = notebook(*ANSWERS)
    made["cells"].append(dict(made["cells"][0]))
    result = graded(sandbox, content=data(made))
    assert full(result) and len(notes(result, "es")) == 1


def test_B01_cell_cut_in_two(sandbox):
    head, tail = "def relu(x):\n    y = np.maximum(x, 0)", "    return y"
    result = graded(sandbox, head, tail, *(RIGHT[name] for name in RIGHT if name != "relu"))
    assert full(result) and notes(result, "en") == ["A function was cut into two cells; it was read as one."]


def test_B03_answer_cell_turned_into_text(sandbox):
    cells = [("markdown", RIGHT["relu"]), ("raw", "#| exercise: count\n" + RIGHT["count"]), RIGHT["double"], RIGHT["pick"]]
    result = graded(sandbox, ("markdown", "# relu is an activation"), *cells)
    assert full(result) and len(notes(result, "es")) == 1


def test_B05_submission_of_an_older_version(sandbox):
    about = {"version": "0.0.1", "lang": "es", "learner": "Ana", "exercises": ["old-relu", "gone"]}
    made = notebook("#| exercise: old-relu\n" + RIGHT["relu"], "#| exercise: gone\nx = 1", metadata={"ffnbook": about})
    result = graded(sandbox, content=data(made), chapters=())
    assert statuses(result)["relu"] == "pass" and result.version == "0.0.1" and result.lang == "es"
    said = " ".join(notes(result, "es"))
    assert "versión 0.0.1" in said and "gone" in said


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_B07_starter_left_alone_and_answered_elsewhere(sandbox, order):
    cells = ["#| exercise: relu\ndef relu(x):\n    # tu código aquí\n    ...", RIGHT["relu"]]
    assert statuses(graded(sandbox, *(cells[i] for i in order)))["relu"] == "pass"


@pytest.mark.parametrize("body", ["...", "pass", "'''doc'''", "raise NotImplementedError", "raise NotImplementedError('todo')"])
def test_B07_an_empty_answer_is_unanswered_not_wrong(sandbox, body):
    result = graded(sandbox, f"def relu(x):\n    {body}", "n_params = ...", "who = None")
    assert statuses(result) == {"relu": "unanswered", "double": "missing", "count": "unanswered", "pick": "unanswered"}


def test_B09_needed_variable_deleted(sandbox):
    result = graded(sandbox, "def relu(x):\n    return factor * np.maximum(x, 0)", "double = factor * 2")
    verdict = result.graded[[g.exercise for g in result.graded].index("relu")].verdicts[0]
    assert verdict.status == "raised" and "«factor»" in what(verdict, "es") and "Reiniciar y ejecutar todo" in what(verdict, "es")
    verdict = result.graded[[g.exercise for g in result.graded].index("double")].verdicts[0]
    assert verdict.status == "missing" and "“factor”" in what(verdict, "en")


# C. Submission execution


def test_C01_endless_loop_costs_its_exercise_only(sandbox):
    start = time.monotonic()
    result = graded(sandbox, RIGHT["relu"], RIGHT["count"], "#| exercise: double\nwhile True: pass\n", RIGHT["pick"])
    assert time.monotonic() - start < 10
    assert statuses(result) == ALL | {"double": "missing"} or statuses(result) == ALL | {"double": "timeout"}
    result = graded(sandbox, *ANSWERS, "def double(x):\n    while True: pass\n")
    assert statuses(result) == ALL | {"double": "timeout"}


def test_C01_the_message_names_the_exercise_and_the_limit(sandbox):
    result = graded(sandbox, *ANSWERS, "while True: pass\ndouble = 3", "del double\nwhile True: pass\ndef double(x): return x")
    assert statuses(result)["relu"] == "pass"


def test_C03_input_in_a_demo_cell(sandbox):
    result = graded(sandbox, *ANSWERS, "n = int(input('n? '))")
    assert full(result) and any("input()" in note for note in notes(result, "es"))


@pytest.mark.parametrize("leave", ["exit()", "quit()", "import sys; sys.exit(0)", "import os; os._exit(0)", "raise SystemExit"])
def test_C04_leaving_in_the_middle_changes_nothing(sandbox, leave):
    half = len(ANSWERS) // 2
    assert full(graded(sandbox, *ANSWERS[:half], leave, *ANSWERS[half:], "exit()"))


def test_C06_three_hundred_megabytes_are_refused_within_limits(tmp_path):
    path = tmp_path / "x.ipynb"
    with path.open("wb") as file:
        file.write(b'{"cells": [{"cell_type": "code", "source": "", "outputs": ["')
        for _ in range(300):
            file.write(b"x" * (1 << 20))
        file.write(b'"]}]}')
    code = f"from pathlib import Path; from ffnbook.grading.collect import collect; print(next(collect([Path({str(path)!r})])).bytes().facts)"
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # noqa: E731
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, preexec_fn=limit, env=env)
    assert "'why': 'too_big', 'size_mb': 300" in done.stdout, done.stderr


def test_C06_the_advice_is_to_clear_the_outputs(sandbox):
    result = grade("x.ipynb", reading.too_big(300 << 20), LAB, sandbox)
    assert "300 MB" in fault_text(result, "es") and "Borra las salidas" in fault_text(result, "es")


def test_C08_interactive_backend_and_many_figures(sandbox):
    figures = "import matplotlib.pyplot as plt\nfor _ in range(200):\n    plt.figure()\nplt.show()"
    assert full(graded(sandbox, "%matplotlib widget", figures, *ANSWERS))


# D. Scoring


@pytest.mark.parametrize("answer", ["0.0", "np.zeros((x.shape[0], 1))", "np.zeros(0)", "np.zeros((1, *x.shape))", "x.ravel()"])
def test_D01_broadcasting_is_not_agreement(sandbox, answer):
    result = graded(sandbox, f"def relu(x):\n    return {answer}")
    assert statuses(result)["relu"] == "shape" and points(result)["relu"] == "0"


def test_D03_learners_names_are_theirs(sandbox):
    clash = "t = test = results = score = check = grader = s = ref = rng = None\nsum = 5\nlist = []\nlen = print = 0\n"
    assert full(graded(sandbox, clash, *ANSWERS, clash))


@pytest.mark.parametrize(("count", "value"), [(3, "0.1"), (6, '"1/6"'), (49, '"1/49"')])
def test_D05_points_add_up_exactly(sandbox, tmp_path, count, value):
    folder = tmp_path / "sums" / "parts"
    folder.mkdir(parents=True)
    listed = "\n".join(f"t{i} = {value}" for i in range(count))
    (folder / "exercise.toml").write_text(f'id = "parts"\nkind = "function"\nnames = ["f"]\n[points]\n{listed}\n', encoding="utf-8")
    (folder / "tests.py").write_text("\n".join(f"def t{i}(s, t):\n    t.equal(s.f(), 1)" for i in range(count)), encoding="utf-8")
    (folder / "starter.py").write_text("def f(): ...", encoding="utf-8")
    result = grade("x.py", b"def f():\n    return 1", catalog.Set(tmp_path), sandbox)
    assert result.points == result.max == count * Fraction(value.strip('"'))
    assert sum([1 / 6] * 6) != 1, "which floats would not have given"


@pytest.mark.parametrize(
    "body",
    ["np.asarray(x, np.float32) * np.float32(1)", "x.tolist()", "[float(v) for v in x.ravel()] if x.ndim == 1 else x.tolist()",
     "np.longdouble(1) * x", "np.asfortranarray(x)", "x[::-1][::-1]", "np.ma.array(x)", "x.astype('>f8')"],
)  # fmt: skip
def test_D07_any_right_kind_of_number_passes(sandbox, body):
    result = graded(sandbox, f"import numpy as np\ndef relu(x):\n    x = np.maximum(x, 0)\n    return {body}")
    assert statuses(result)["relu"] == "pass", result.graded[-1]


LUCK = """
import os, random, uuid
def double(x):
    raise ValueError(str([np.random.default_rng().random(), random.SystemRandom().random(), uuid.uuid4(), os.urandom(4), object()]))
"""


def test_D09_the_same_marks_every_time():
    told = "print(relu, object())"
    content = data(notebook(*ANSWERS, "def relu(x):\n    import random\n    return np.abs(x) + hash('a') % 2 + random.random()", LUCK, told))

    def again(_):
        with Sandbox() as own:
            return grade("x.ipynb", content, LAB, own, seed=SEED, limits=QUICK).plain()

    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(again, range(4)))
    with Sandbox() as one:
        alone = [grade("x.ipynb", content, LAB, one, seed=SEED, limits=QUICK).plain() for _ in range(10)]
    assert all(result == alone[0] for result in alone + parallel)


def test_the_seed_decides_the_private_cases(sandbox):
    """Values learnt by heart for one seed earn nothing with another."""
    import numpy as np

    from ffnbook.exercises.run import run
    from ffnbook.exercises.subject import Local

    seen = []
    exercise = LAB.find("relu")
    for seed in (1, 1, 2):
        run(exercise, Local({"relu": lambda x: seen.append(x.copy()) or np.maximum(x, 0)}), seed=seed)
    first, same, other = (x for x in seen if x.shape == (4, 3))
    assert np.array_equal(first, same) and not np.array_equal(first, other)
    assert not any(test["private"] for test in graded(sandbox, *ANSWERS, seed=None).plain()["exercises"][0]["tests"])


# E. Leaks and tampering


def test_E03_nothing_to_read_and_nowhere_to_send(sandbox, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "hush")
    secrets = ("tests.py", "solution.py", "answers.toml", "judge.py", "catalog.py")
    # what it prints is cut at a length, and an environment may hold any number of files
    spy = f"""
import os, socket
print(dict(os.environ))
print([os.path.join(d, f) for d, _, fs in os.walk("/") for f in fs if f in {secrets} and "site-packages" not in d and not d.startswith(("/usr", "/sys"))])
try:
    socket.create_connection(("127.0.0.1", 80))
except OSError as error:
    print(type(error).__name__)
"""
    result = graded(sandbox, spy, *ANSWERS)
    assert full(result) and "hush" not in result.output and "PermissionError" in result.output
    for secret in secrets:
        assert secret not in result.output


def test_E05_no_workflow_checks_out_a_fork_with_secrets():
    folder = Path(__file__).parents[2] / ".github" / "workflows"
    for path in folder.glob("*.yml"):
        assert "pull_request_target" not in path.read_text(encoding="utf-8"), path


def test_marks_without_bubblewrap_are_never_final():
    with Sandbox("limits") as bare:
        result = grade("x.ipynb", data(notebook(*ANSWERS)), LAB, bare, seed=SEED, limits=QUICK)
    assert statuses(result) == ALL and not result.final and "bubblewrap" not in result.layers


def test_public_tests_alone_are_never_final(sandbox):
    assert not graded(sandbox, *ANSWERS, seed=None).final


def test_without_nested_namespaces_each_submission_has_a_sandbox_of_its_own():
    with Sandbox() as made:
        made._shared = False
        result = grade("x.ipynb", data(notebook(*ANSWERS, "def double(x):\n    import os\n    os.abort()")), LAB, made, seed=SEED, limits=QUICK)
    assert statuses(result) == ALL | {"double": "crash"} and result.final and "namespaces" not in result.layers


def test_a_course_of_the_tests_is_in_order():
    from ffnbook.exercises.validate import problems

    assert [text for exercise in LAB for text in problems(exercise, solution_needed=False)] == []
    assert COURSE.is_dir()
