"""The code uses only what every Python from 3.11.0 on has: each Python of this machine is asked.

So what an older patch release lacks, or a newer Python no longer has, is found wherever there are two of them; where
Debian's own is the only one, all tests run on it.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import standard_library
from tests.support.changed import ROOT
from tests.support.standard_library import Use, uses

FOLDERS = ("service", "rules", "tests", "bin", "benchmarks", "examples")
NAMES = ("/usr/bin/python3", "python3", *(f"python3.{minor}" for minor in range(11, 20)))
NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"


@functools.cache
def used() -> frozenset[Use]:
    """Every use of the standard library."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return frozenset(use for path in files for use in uses(path.read_bytes()))


def runs(python: str) -> bool:
    """Whether this is a Python from 3.11 on; a name on the PATH may be a shim that only fails."""
    return (
        subprocess.run([python, "-c", NEW_ENOUGH], check=False, capture_output=True).returncode == 0
    )


def version(python: str) -> str:
    """The version of this Python."""
    command = [python, "-c", "import sys; print(sys.version)"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def minor(version: str) -> str:
    """A version without its last number."""
    return ".".join(version.split(".")[:2])


def unknown(python: str, asked: frozenset[Use]) -> set[Use]:
    """The uses among these that a Python does not know."""
    program = Path(standard_library.__file__).read_text("utf-8")
    command = [python, "-W", "ignore", "-c", program]
    told = subprocess.run(
        command, input=json.dumps([*asked]), check=True, capture_output=True, text=True
    ).stdout
    return {Use(tuple(modules), name, argument) for modules, name, argument in json.loads(told)}


@pytest.mark.of_service
def test_every_python_here_has_what_the_code_uses() -> None:
    """The class of a called method is a guess, which only a Python of the same minor version can confirm.

    A Python that several names lead to is asked once, and this one has answered already.
    """
    found = {path for name in NAMES if (path := shutil.which(name)) and runs(path)}
    others = {version(python): python for python in sorted(found)}
    others.pop(sys.version, None)
    here = unknown(sys.executable, used())
    certain = frozenset(use for use in used() if len(use.modules) == 1 and not use.argument)
    for told, python in others.items():
        asked = used() if minor(told) == minor(sys.version) else certain
        assert unknown(python, asked) - here == set(), python


@pytest.mark.parametrize(
    ("source", "use"),
    [
        (
            b"import tarfile\nfiles.extractall(to, filter='data')",
            Use(("tarfile",), "extractall", "filter"),
        ),
        (b"from itertools import batched", Use(("itertools",), "batched")),
        (b"import asyncio\nasyncio.timeout(1)", Use(("asyncio",), "timeout")),
    ],
)
def test_uses_are_read_from_the_source(source: bytes, use: Use) -> None:
    assert use in {*uses(source)}


def test_what_nobody_has_is_not_known() -> None:
    members = Use(("tarfile",), "none"), Use(("tarfile",), "extractall", "none")
    known = Use(("tarfile",), "open"), Use(("pathlib",), "read_text", "encoding")
    assert standard_library.unknown([*members, *known]) == [*members]
