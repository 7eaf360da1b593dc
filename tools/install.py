"""Set up .venv with what a requirements file names: ``python tools/install.py requirements.txt``.

On Linux, PyTorch's own CPU wheels (192 MB instead of 3 GB) where their host can be reached.
"""

from __future__ import annotations

import subprocess
import sys
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".venv"
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
SUPPORTED = ((3, 11), (3, 13))


def main(requirements: str) -> int:
    low, high = SUPPORTED
    if not low <= sys.version_info[:2] <= high:
        print(
            f"Python {sys.version.split()[0]}: the pinned packages exist for Python 3.11 to 3.13. "
            "Name one of those: make PYTHON=python3.11 book, or py -3.11 tools/install.py\n"
            f"Python {sys.version.split()[0]}: los paquetes fijados existen para Python 3.11 a 3.13. "
            "Indica uno de ellos: make PYTHON=python3.11 book, o py -3.11 tools/install.py",
            file=sys.stderr,
        )
        return 1
    python = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.is_file():
        venv.create(VENV, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    where = ["--extra-index-url", CPU_WHEELS] if sys.platform == "linux" and reachable(CPU_WHEELS) else []
    print("Installing into .venv… · Instalo en .venv…", flush=True)
    return subprocess.call([*pip, *where, "-r", requirements], cwd=ROOT) or subprocess.call([*pip, "--no-deps", "-e", "."], cwd=ROOT)


def reachable(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/torch/", timeout=5):
            return True
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "requirements.txt"))
