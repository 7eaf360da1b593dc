"""From a fresh clone on any machine: Python's versions, pins, line ends, encodings, and nothing of ours left in the files."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from ffnbook.site.reading.pages import read

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("install", ROOT / "tools/install.py")
install = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(install)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def git(*arguments: str, where: Path = ROOT) -> str:
    return subprocess.run(["git", "-C", str(where), *arguments], check=True, capture_output=True, encoding="utf-8").stdout


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    return [name for name in git("ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]


# Python


def run_install(monkeypatch, version: tuple[int, ...], tmp_path: Path, reachable: bool = True) -> tuple[int, list[list[str]]]:
    """What tools/install.py answers under ``version`` of Python, and the commands it would have run."""
    ran: list[list[str]] = []
    with monkeypatch.context() as patch:
        patch.setattr(install, "VENV", tmp_path / ".venv")
        patch.setattr(install, "reachable", lambda url: reachable)
        patch.setattr(install.venv, "create", lambda path, **options: ran.append(["venv", str(path)]))
        patch.setattr(install.subprocess, "call", lambda command, **options: ran.append(command) or 0)
        patch.setattr(install.sys, "platform", "linux")
        patch.setattr(install.sys, "version_info", version)
        status = install.main("requirements-dev.txt")
    return status, ran


@pytest.mark.parametrize("version", [(3, 10, 14), (3, 14, 0), (2, 7, 18)])
def test_other_pythons_are_turned_away_in_both_languages(monkeypatch, capsys, tmp_path, version):
    assert run_install(monkeypatch, version, tmp_path) == (1, [])
    said = capsys.readouterr().err
    assert "the pinned packages exist for Python 3.11 to 3.13. Name one of those" in said
    assert "los paquetes fijados existen para Python 3.11 a 3.13. Indica uno de ellos" in said


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 4), (3, 13, 9)])
def test_supported_pythons_install_the_pinned_set(monkeypatch, tmp_path, version):
    status, (made, packages, ours) = run_install(monkeypatch, version, tmp_path)
    assert status == 0
    assert made[0] == "venv"
    assert packages[-2:] == ["-r", "requirements-dev.txt"] and install.CPU_WHEELS in packages
    assert ours[-3:] == ["--no-deps", "-e", "."]


def test_without_pytorchs_host_the_usual_one_serves(monkeypatch, tmp_path):
    _, (_, packages, _) = run_install(monkeypatch, (3, 11, 7), tmp_path, reachable=False)
    assert install.CPU_WHEELS not in packages


@pytest.mark.parametrize("name", ["README.md", "LEEME.md"])
def test_readme_names_the_pythons_that_do(name):
    (major, low), (_, high) = install.SUPPORTED
    assert all(f"{major}.{minor}" in text(name) for minor in range(low, high + 1))
    assert f"{major}.{high + 1}" not in text(name)


def test_pyproject_agrees_with_the_installer():
    asked = SpecifierSet(tomllib.loads(text("pyproject.toml"))["project"]["requires-python"])
    (major, low), _ = install.SUPPORTED
    assert f"{major}.{low}.0" in asked and f"{major}.{low - 1}.9" not in asked


# Versions


def pins() -> dict[str, str]:
    lines = [line for line in text("constraints.txt").splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)] == []
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_every_requirement_is_pinned():
    wanted = [line for name in ("requirements.txt", "requirements-dev.txt") for line in text(name).splitlines()]
    names = {canonicalize_name(Requirement(line).name) for line in wanted if line and line[0] not in "#-"}
    assert names - pins().keys() == set()


def test_the_requirements_use_the_pins():
    assert "-c constraints.txt" in text("requirements.txt").splitlines()
    assert "-r requirements.txt" in text("requirements-dev.txt").splitlines()


def test_what_is_pinned_pulls_in_nothing_unpinned():
    loose = set()
    for name in pins():
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for need in map(Requirement, needs):
            if need.marker is None or need.marker.evaluate({"extra": "", "platform_system": "Linux"}):
                loose |= {canonicalize_name(need.name)} - pins().keys()
    # PyTorch's CPU wheels need none of the GPU's packages.
    assert {name for name in loose if not re.match(r"nvidia-|cuda-|triton$", name)} - {"setuptools", "wheel"} == set()


def test_every_pin_exists_for_every_supported_python():
    (major, low), (_, high) = install.SUPPORTED
    oldest = {minor: f"{major}.{minor}.0" for minor in range(low, high + 1)}
    refused = {}
    for name in pins():
        try:
            asked = importlib.metadata.metadata(name).get("Requires-Python")
        except importlib.metadata.PackageNotFoundError:
            continue
        if asked and not all(version in SpecifierSet(asked) for version in oldest.values()):
            refused[name] = asked
    assert refused == {}, "pin a version that every supported Python can install"


# Line ends


def test_line_ends_stay_ours_where_git_would_change_them(tracked, tmp_path):
    git("clone", "-q", "--depth=1", "--config", "core.autocrlf=true", ROOT.as_uri(), str(tmp_path / "clone"))
    clone = tmp_path / "clone"
    assert git("status", "--porcelain", where=clone) == ""
    changed = [p.relative_to(clone).as_posix() for p in clone.rglob("*") if p.is_file() and ".git" not in p.parts and is_text(p) and b"\r\n" in p.read_bytes()]
    assert changed == []


def test_no_tracked_file_has_windows_line_ends(tracked):
    assert [name for name in tracked if is_text(ROOT / name) and b"\r\n" in (ROOT / name).read_bytes()] == []


def is_text(path: Path) -> bool:
    return b"\0" not in path.read_bytes()[:8000]


def test_ci_script_runs(tracked):
    assert git("ls-files", "-s", ".ci/run").startswith("100755")
    assert subprocess.run(["bash", "-n", str(ROOT / ".ci/run")]).returncode == 0


# What a file may name

ALLOWED_INDEX = "https://download.pytorch.org/whl/cpu"
FORBIDDEN = {
    "a package registry": r"pypi\.org|pythonhosted|registry\.(npmjs|yarnpkg)|npmmirror|crates\.io|jfrog|artifactory|nexus/repository",
    "a package index": r"--(extra-)?index-url[= ]+(?!https://download\.pytorch\.org/whl/cpu\b)\S*//|--find-links[= ]+\S*/",
    "a path of one machine": r"(?<![\w.])/(work|root|home/\w+|Users/\w+|opt/\w+|mnt/\w+)/|\b[A-Z]:\\Users",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(tracked, what):
    named = []
    for name in tracked:
        if is_text(ROOT / name) and name != "tests/test_install.py":
            lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
            named += [f"{name}:{n}: {found[0]}" for n, line in enumerate(lines, 1) if (found := re.search(FORBIDDEN[what], line))]
    assert named == [], f"{what} is named"


@pytest.mark.parametrize(("what", "line"), [
    ("a package registry", "pip install -i https://pythonhosted/pi x"),
    ("a package index", "pip install --extra-index-url https://elsewhere.example/whl x"),
    ("a path of one machine", 'ROOT = Path("/home/ana/book")'),
])  # fmt: skip
def test_the_search_for_names_can_fail(what, line):
    assert re.search(FORBIDDEN[what], line)
    assert not re.search(FORBIDDEN[what], f"--extra-index-url {ALLOWED_INDEX} and the folder home/")


# Encodings: Windows would choose another


def unencoded(source: str) -> list[int]:
    """Lines that read or write text, in files or from processes, without naming its encoding."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if lacks_encoding(call)]


def lacks_encoding(call: ast.Call) -> bool:
    named = {k.arg: k.value for k in call.keywords}
    if "encoding" in named or None in named:
        return False
    if (flag := named.get("text") or named.get("universal_newlines")) and isinstance(flag, ast.Constant) and flag.value is True:
        return True
    if isinstance(call.func, ast.Name) and call.func.id == "open":
        mode = call.args[1] if len(call.args) > 1 else named.get("mode", ast.Constant("r"))
        return not (isinstance(mode, ast.Constant) and "b" in mode.value) and len(call.args) < 4
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method in ("read_text", "write_text") and len(call.args) <= (method == "write_text")


@pytest.mark.parametrize("source", [
    'open("a")', 'open("a", "w")', 'Path("a").read_text()', 'p.write_text("x")', "run(c, text=True)", "Popen(c, universal_newlines=True)",
])  # fmt: skip
def test_the_search_for_encodings_can_fail(source):
    assert unencoded(source) == [1]


@pytest.mark.parametrize("source", [
    'open("a", "rb")', 'open("a", encoding="utf-8")', 'p.read_text("utf-8")', 'p.write_text("x", "utf-8")', 'run(c, text=True, encoding="utf-8")', "p.read_bytes()",
])  # fmt: skip
def test_the_search_for_encodings_lets_pass(source):
    assert unencoded(source) == []


def test_every_module_names_its_encodings():
    folders = ("ffnbook", "exercises", "solutions", "tools")
    learners = {"wrong", "__pycache__"}  # wrong on purpose
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if not learners & set(path.parts)]
    named = [f"{p.relative_to(ROOT)}:{line}" for p in paths for line in unencoded(p.read_text(encoding="utf-8"))]
    assert named == [], "\n".join(named)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_lesson_names_its_encodings(lang):
    named = []
    for path in sorted((ROOT / "book" / lang).rglob("*.md")):
        for cell in read(path, ROOT, path.stem, lang).cells:
            named += [f"{path.name}:{cell.line + line - 1}" for line in unencoded(cell.source)]
    assert named == []
