"""What Python has in the reader's browser: ``ffnbook`` as a wheel, and the lock file by which Pyodide finds packages."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from pathlib import Path

import ffnbook
from ffnbook.site.live.vendor import Item

ROOT = Path(__file__).parents[3]
LEFT_OUT = ("ffnbook/site/", "ffnbook/grading/", "__pycache__")  # nothing there runs in a browser
OURS = ("**/*.py", "**/*.mjs", "**/*.css", "locale/*/*.toml")
THE_SAME_YEAR = (2020, 1, 1, 0, 0, 0)  # so that equal sources make equal wheels
OURS_NEED = ["numpy", "scipy", "matplotlib", "ipywidgets", "anywidget"]  # between all its modules: a page loads what its own import
# The kernel asks for it by name, to have it if wanted; nothing here wants it: 2.1 MB less to download.
NOT_WANTED = ("ssl",)
KERNEL = {"piplite": ["micropip"], "ipykernel": [], "pyodide-kernel": ["ipython", "comm"]}
START = ["ssl", "sqlite3", "micropip", "piplite", "ipykernel", "comm", "pyodide_kernel", "ipython"]


def write(pyodide: Path, items: list[Item], kernel_wheels: Path) -> dict:
    """Complete the folder of Pyodide; returns its lock file, every package of which lies in the folder."""
    release = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    carried = {}
    for item in items:
        if (pyodide / item.file).is_file():
            carried[item.name] = of_release(release, item) or entry(pyodide / item.file, item.name, item.version, item.imports, item.needs)
    for name, needs in KERNEL.items():
        wheel = next(kernel_wheels.glob(f"{name.replace('-', '_')}-*.whl"))
        (pyodide / wheel.name).write_bytes(wheel.read_bytes())
        carried[name] = entry(pyodide / wheel.name, name, wheel.name.split("-")[1], [name.replace("-", "_")], needs)
    for name in NOT_WANTED:
        carried[name] = entry(write_wheel(pyodide, name, "0", {}), name, "0", [], [])
    own = write_wheel(pyodide, "ffnbook", ffnbook.__version__, sources())
    carried["ffnbook"] = entry(own, "ffnbook", ffnbook.__version__, ["ffnbook"], [])
    for package in carried.values():
        package["depends"] = [d for d in package["depends"] if d.replace("_", "-") in carried]
    lock = {"info": release["info"], "packages": dict(sorted(carried.items()))}
    (pyodide / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    return lock


def of_release(lock: dict, item: Item) -> dict | None:
    """What Pyodide's own lock file says of its own file."""
    found = lock["packages"].get(item.name)
    return found if found and found["file_name"] == item.file else None


def entry(wheel: Path, name: str, version: str, imports, needs) -> dict:
    """A package as Pyodide's lock file describes one."""
    return {
        "name": name, "version": version, "file_name": wheel.name, "install_dir": "site", "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "imports": list(imports), "depends": list(needs),
        "unvendored_tests": False,
    }  # fmt: skip


def sources() -> dict[str, bytes]:
    """The files of ``ffnbook`` that a page uses, with the exercises but without their solutions."""
    files = {p.relative_to(ROOT).as_posix(): p for pattern in OURS for p in (ROOT / "ffnbook").glob(pattern)}
    course = ROOT / "exercises" / "source"
    files |= {f"ffnbook/exercises/source/{p.relative_to(course).as_posix()}": p for p in course.rglob("*")}
    return {name: p.read_bytes() for name, p in files.items() if p.is_file() and not any(part in name for part in LEFT_OUT)}


def write_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    """A pure Python wheel of ``files``; the same files give the same bytes."""
    info = f"{name}-{version}.dist-info"
    files = dict(sorted(files.items())) | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: ffnbook\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_urlsafe(data)},{len(data)}\n" for path, data in files.items()) + f"{info}/RECORD,,\n"
    target = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in {**files, f"{info}/RECORD": record.encode()}.items():
            wheel.writestr(zipfile.ZipInfo(path, THE_SAME_YEAR), data, zipfile.ZIP_DEFLATED)
    return target


def _urlsafe(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
