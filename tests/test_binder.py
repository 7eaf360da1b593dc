"""Binder: what repo2docker makes of .binder/, and a machine like Binder's on which a browser runs the linked notebooks."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import binder_packages
import pytest
from chromium import chromium, soon

from ffnbook.messages import LANGUAGES
from ffnbook.site.build import ROOT
from ffnbook.site.extension import actions
from ffnbook.site.reading import anchors
from ffnbook.site.takeaway import notebooks

BINDER = ROOT / ".binder"
BASE = "/user/someone-repo-x7f/"  # Binder serves each reader below an address of their own
WIDGET_PAGE = "activations"
ERRORS = """() => jupyterapp.shell.currentWidget.content.widgets.flatMap(c => c.model.type === 'code' ? c.model.outputs.toJSON() : [])
  .filter(o => o.output_type === 'error').map(o => `${o.ename}: ${o.evalue}`)"""


def pins(path: Path) -> dict[str, str]:
    return {n.lower(): v for n, v in re.findall(r"(?m)^([\w.-]+)==(\S+)", path.read_text(encoding="utf-8"))}


def test_binder_installs_the_versions_of_the_constraints():
    wanted, ours = pins(ROOT / "constraints.txt"), pins(BINDER / "requirements.txt")
    assert {"torch", "numpy", "scipy", "matplotlib", "ipywidgets", "anywidget"} <= set(ours)
    assert {name: version.removesuffix("+cpu") for name, version in ours.items()} == {name: wanted[name] for name in ours}
    unpinned = [line for line in (BINDER / "requirements.txt").read_text(encoding="utf-8").split("\n") if line and line[0] not in "#-"]
    assert len(unpinned) == len(ours), "pin every package"


def test_binder_takes_the_cpu_build_of_torch():
    assert pins(BINDER / "requirements.txt")["torch"].endswith("+cpu")
    assert "--extra-index-url https://download.pytorch.org/whl/cpu" in (BINDER / "requirements.txt").read_text(encoding="utf-8")


def test_repo2docker_takes_the_right_python_and_files():
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-2000:]
    assert "python=3.11" in said
    for line in ('install --no-cache-dir -r ".binder/requirements.txt"', "RUN ./.binder/postBuild", 'R2D_ENTRYPOINT="${REPO_DIR}/.binder/start"'):
        assert line in said


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """(checkout, environment): a copy of the repository in which postBuild has run, as on Binder."""
    home = tmp_path_factory.mktemp("binder")
    checkout = home / "checkout"
    left_out = shutil.ignore_patterns(".venv", "_build", ".git", "__pycache__", ".pytest_cache", ".hypothesis", "*.egg-info")
    shutil.copytree(ROOT, checkout, ignore=left_out)
    environment = clean_python(home)
    done = subprocess.run(["bash", ".binder/postBuild"], cwd=checkout, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return checkout, environment


def clean_python(home: Path) -> dict[str, str]:
    """What processes see on a machine with .binder/requirements.txt and what repo2docker itself brings."""
    brought = ["jupyterlab", "ipykernel", *binder_packages.named(BINDER / "requirements.txt")]
    programs = binder_packages.make(home / "python", binder_packages.closure(brought))
    share = Path(sys.prefix, "share", "jupyter")  # JupyterLab's own files, and those of the widgets' extensions
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": f"{programs}:/usr/bin:/bin",
        "JUPYTER_PATH": str(share),
        "JUPYTERLAB_DIR": str(share / "lab"),
        "GITHUB_REPOSITORY": "someone/repo",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_postbuild_writes_every_linked_notebook_and_leaves_no_solution(machine, lang, monkeypatch):
    checkout, _ = machine
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/repo")
    book = anchors.book(ROOT, lang)
    for page in notebooks.with_cells(book):
        found = actions.actions(book, page.name)
        for link in filter(None, (found["binder"], found["binder_exercises"])):
            assert urlsplit(link).path == "/v2/gh/someone/repo/HEAD"
            assert (checkout / opened_path(link)).is_file(), link
    assert not (checkout / "solutions").exists()


def opened_path(link: str) -> str:
    return parse_qs(urlsplit(link).query)["urlpath"][0].removeprefix("lab/tree/")


@pytest.fixture(scope="module")
def lab(machine):
    """The address of a JupyterLab started as Binder starts it."""
    checkout, environment = machine
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--port={port}", f"--ServerApp.base_url={BASE}", "--IdentityProvider.token=t", "--LabApp.expose_app_in_browser=True"]
    command = ["bash", ".binder/start", "python", "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", *options]
    log = (checkout / "lab.log").open("w")
    running = subprocess.Popen(command, cwd=checkout, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}{BASE}"
    until(lambda: urllib.request.urlopen(f"{address}api/status?token=t", timeout=2), (checkout / "lab.log"))
    yield address
    running.terminate()
    running.wait(20)
    log.close()


def until(asked, log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            return asked().close()
        except OSError:
            assert time.monotonic() < end, log.read_text(encoding="utf-8")[-2000:]
            time.sleep(0.3)


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def notebook(lab, browser, monkeypatch):
    """Opens what a Binder link names, as a notebook with a live kernel."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/repo")
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    context.set_default_timeout(60_000)

    def opened(link: str):
        page = context.new_page()
        page.goto(f"{lab}{parse_qs(urlsplit(link).query)['urlpath'][0]}?token=t&reset")  # nothing restored: on Binder every reader's machine is new
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
        return page

    yield opened
    context.close()


def run_all(page) -> None:
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells').then(() => { window.ran = true }) }")
    page.wait_for_function("() => window.ran", timeout=120_000)
    assert page.evaluate(ERRORS) == []


def ask_python(page, code: str) -> str:
    """Run ``code`` in the notebook's kernel; what it printed."""
    return page.evaluate(
        """async (code) => {
          const done = jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code }), said = [];
          done.onIOPub = (m) => said.push(m.content.text ?? m.content.evalue ?? "");
          await done.done; return said.join("");
        }""",
        code,
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_linked_page_runs_and_its_widget_speaks_with_python(notebook, lang, monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/repo")
    page = notebook(actions.binder(lang, WIDGET_PAGE))
    run_all(page)
    assert page.evaluate("() => jupyterapp.shell.currentWidget.content.widgets[0].model.sharedModel.getSource()").startswith("# ")
    read = (
        "from ipywidgets.widgets.widget import _instances as w\n"
        "print([m.x for m in w.values() if type(m).__name__ == 'ActivationExplorer'][-1])"
    )
    before = ask_python(page, read)
    slider = page.locator(".jp-OutputArea input[type=range]").first
    slider.scroll_into_view_if_needed()
    slider.press("ArrowRight")
    soon(page, lambda: float(ask_python(page, read)) > float(before), True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_linked_exercise_runs(notebook, lang):
    found = notebooks.exercises(anchors.book(ROOT, lang))
    assert found, f"no exercise notebooks in exercises/{lang}: run ffnbook notebooks"
    page = notebook(actions.binder(lang, f"exercises/{found[0].stem}"))
    run_all(page)
