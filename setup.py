"""Takes the exercises along into the installed library, so that check() works without a checkout.

Everything else is in pyproject.toml.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithExercises(build_py):
    """Copies exercises/source (never solutions/) to ffnbook/exercises/source."""

    def run(self) -> None:
        super().run()
        target = Path(self.build_lib, "ffnbook", "exercises", "source")
        if not self.editable_mode:
            shutil.copytree("exercises/source", target, dirs_exist_ok=True)


setup(cmdclass={"build_py": WithExercises})
