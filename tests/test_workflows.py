"""The workflow files: two linters, and rules of our own that hold for every one of them, each tried on a broken copy."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github/workflows").glob("*.y*ml"))
BOOK = ROOT / ".github/workflows/book.yml"
PINNED = re.compile(r"uses: (\./\S+|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*)")
TO_DEPLOY = {"pages": "write", "id-token": "write"}
TO_PUSH = {"contents": "write", "actions": "read"}
each = pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)


def read(text: str) -> dict:
    """Everything as text, so that ``on`` stays a word."""
    return yaml.load(text, yaml.BaseLoader)


def steps(job: dict, action: str) -> list[dict]:
    return [s for s in job["steps"] if s.get("uses", "").startswith(f"actions/{action}@")]


def deploys(job: dict) -> bool:
    return bool(steps(job, "deploy-pages"))


def pushes(job: dict) -> bool:
    """Whether the job pushes a branch, with git and the runner's own tools alone: it uses no action and runs none of our code."""
    return any("git push" in s.get("run", "") for s in job["steps"]) and not any("uses" in s for s in job["steps"])


def faults(text: str) -> list[str]:
    """What breaks one of our rules in a workflow."""
    flow = read(text)
    found = [f"not pinned: {line.strip()}" for line in text.splitlines() if re.search(r"\buses:", line) and not PINNED.search(line)]
    if flow.get("permissions") != {}:
        found.append("top-level permissions must be {}")
    if {"pull_request_target", "workflow_run"} & set(flow["on"]):
        found.append("runs other people's code with our rights")
    if "secrets." in text:
        found.append("uses a secret")
    if "concurrency" not in flow:
        found.append("no concurrency group")
    return found + [f"{name}: {fault}" for name, job in flow["jobs"].items() for fault in job_faults(name, job, flow)]


def job_faults(name: str, job: dict, flow: dict) -> list[str]:
    found = []
    allowed = TO_DEPLOY if deploys(job) else TO_PUSH if pushes(job) else {"contents": "read"}
    if not (job.get("permissions", {"everything": "write"}).items() <= allowed.items()):
        found.append(f"permissions beyond {allowed}")
    if not 0 < int(job.get("timeout-minutes", 0)) <= 60:
        found.append("no timeout-minutes up to 60")
    if any(s.get("with", {}).get("persist-credentials") != "false" for s in steps(job, "checkout")):
        found.append("checkout keeps credentials")
    return found + (publish_faults(job, flow) if deploys(job) or pushes(job) else [])


def publish_faults(job: dict, flow: dict) -> list[str]:
    found = []
    condition = job.get("if", "")
    if "github.ref == 'refs/heads/main'" not in condition or "github.event_name != 'pull_request'" not in condition or "||" in condition:
        found.append("deploys not only from main")
    if set(job.get("needs", [])) != {name for name, other in flow["jobs"].items() if not (deploys(other) or pushes(other))}:
        found.append("deploys before all is green")
    if deploys(job) and job.get("environment", {}).get("name") != "github-pages":
        found.append("deploys without the environment github-pages")
    return found


@each
def test_our_rules(path):
    assert faults(path.read_text(encoding="utf-8")) == []


BREAK = {
    "not pinned": ("actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2", "actions/checkout@v6"),
    "not pinned: uses: actions/deploy-pages": ("cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0", "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128"),
    "top-level permissions": ("permissions: {}\n", "permissions: read-all\n"),
    "other people's code": ("  pull_request:\n", "  pull_request_target:\n"),
    "uses a secret": ("make test", "make test TOKEN=${{ secrets.TOKEN }}"),
    "no concurrency": ("\nconcurrency:\n", "\nenv:\n"),
    "permissions beyond": ("contents: read", "contents: write"),
    "permissions beyond {'pages'": ("pages: write", "contents: write"),
    "notebooks: permissions beyond": (
        "    steps:\n      - name: Push",
        "    steps:\n      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2\n      - name: Push",
    ),
    "no timeout": ("    timeout-minutes: 40\n", ""),
    "keeps credentials": ("persist-credentials: false", "persist-credentials: true"),
    "not only from main": ("if: github.ref == 'refs/heads/main' && github.event_name != 'pull_request'\n    needs", "needs"),
    "before all is green": ("needs: [site, other-python, windows]", "needs: [site, windows]"),
    "environment github-pages": ("name: github-pages", "name: production"),
}


@pytest.mark.parametrize("expected", BREAK)
def test_our_rules_can_fail(expected):
    text, (good, bad) = BOOK.read_text(encoding="utf-8"), BREAK[expected]
    assert good in text, "the break no longer applies"
    assert any(expected in fault for fault in faults(text.replace(good, bad)))


def lint(tool: str, *arguments: object) -> subprocess.CompletedProcess:
    program = shutil.which(tool, path=str(Path(sys.executable).parent))
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8")


def zizmor(path: Path) -> subprocess.CompletedProcess:
    return lint("zizmor", "--offline", "--no-progress", "--persona=pedantic", path)


def schema(*paths: Path, name: str = "github-workflows") -> subprocess.CompletedProcess:
    return lint("check-jsonschema", "--builtin-schema", f"vendor.{name}", *paths)


def test_zizmor():
    done = zizmor(ROOT / ".github")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("paths", "name"), [
    (FILES, "github-workflows"), ([ROOT / ".github/dependabot.yml"], "dependabot"), ([ROOT / "CITATION.cff"], "citation-file-format"),
])  # fmt: skip
def test_schema(paths, name):
    done = schema(*paths, name=name)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("linter", "good", "bad", "says"), [
    (zizmor, "run: make test", "run: echo ${{ github.event.pull_request.title }}", "template-injection"),
    (zizmor, "  pull_request:\n", "  pull_request_target:\n", "dangerous-triggers"),
    (schema, "runs-on: ubuntu-24.04", "run-on: ubuntu-24.04", "runs-on"),
])  # fmt: skip
def test_linters_can_fail(tmp_path, linter, good, bad, says):
    broken = tmp_path / ".github/workflows/book.yml"
    broken.parent.mkdir(parents=True)
    broken.write_text(BOOK.read_text(encoding="utf-8").replace(good, bad), encoding="utf-8")
    done = linter(broken)
    assert done.returncode != 0
    assert says in done.stdout


@each
def test_what_a_step_runs_exists(path):
    runs = "\n".join(s.get("run", "") for job in read(path.read_text(encoding="utf-8"))["jobs"].values() for s in job["steps"])
    targets = re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"\bmake ([\w./-]+)", runs)) <= set(targets)
    assert [p for p in re.findall(r"\b(?:tools|tests)/[\w/]+\.py\b", runs) if not (ROOT / p).is_file()] == []


def test_book_runs_on_every_push_and_pull_request():
    triggers = read(BOOK.read_text(encoding="utf-8"))["on"]
    assert triggers["push"] == triggers["pull_request"] == ""  # no filter


def test_cache_is_keyed_by_all_that_matters():
    site = read(BOOK.read_text(encoding="utf-8"))["jobs"]["site"]
    kept, vendored = (s["with"] for s in steps(site, "cache"))
    assert "hashFiles('ffnbook/site/live/vendor.toml')" in vendored["key"] and (ROOT / "ffnbook/site/live/vendor.toml").is_file()
    for part in ("runner.os", "python-version", "constraints.txt", "requirements.txt", "book/**", "ffnbook/**", "exercises/**", "solutions/**"):
        assert part in kept["key"]
    for start in kept["restore-keys"].splitlines():
        assert kept["key"].startswith(start)
        assert "constraints.txt" in start
    assert all("constraints.txt" in s["with"]["cache-dependency-path"] for s in steps(site, "setup-python"))


def test_the_site_is_kept_whole_and_the_report_when_it_fails():
    site = read(BOOK.read_text(encoding="utf-8"))["jobs"]["site"]
    kept = [s for s in steps(site, "upload-artifact") + steps(site, "upload-pages-artifact") if s["with"]["path"] == "_build/site"]
    assert [s["with"]["include-hidden-files"] for s in kept] == ["true", "true"]  # .nojekyll
    (report,) = (s for s in steps(site, "upload-artifact") if "reports" in s["with"]["path"])
    assert report["if"] == "failure()"


def test_the_weekly_job_only_reports():
    weekly = read((ROOT / ".github/workflows/weekly.yml").read_text(encoding="utf-8"))
    assert set(weekly["on"]) == {"schedule", "workflow_dispatch"}
    assert not [s for job in weekly["jobs"].values() for s in steps(job, "deploy-pages") + steps(job, "upload-pages-artifact")]
