"""Programs that only some tests need: a browser, web servers, Node."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRED = "TEGAMI_REQUIRE_PROGRAMS"
"""The environment variable that makes failures of tests that would be skipped, if it is 1; `.ci/run` sets it."""


def are_required() -> bool:
    """Whether a missing program is a failure."""
    return os.environ.get(REQUIRED) == "1"


def do_without(missing: str) -> None:
    """Skip this test, or fail it where all programs are required; `missing` says what it needs."""
    if are_required():
        pytest.fail(missing)
    pytest.skip(missing)


def program(name: str) -> str:
    """The path of a program; the test cannot run without it."""
    found = shutil.which(name)
    if not found:
        do_without(f"{name} is not installed")
    return str(found)
