"""Tools from npm, which do not come with the requirements: found on the PATH, or where `npx` finds them."""

from __future__ import annotations

import shutil
import subprocess

import pytest


def tool(name: str) -> list[str]:
    """The words that begin a command of this tool; without it, the test is skipped and says so."""
    if found := shutil.which(name):
        return [found]
    npx = shutil.which("npx")
    command = [npx, "--no-install", "--", name] if npx else []
    asked = [*command, "--version"]
    if not npx or subprocess.run(asked, check=False, capture_output=True).returncode:
        pytest.skip(f"{name} is not installed")
    return command
