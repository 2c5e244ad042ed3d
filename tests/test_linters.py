"""Redocly and Spectral find nothing in openapi.yaml with the rules that they recommend.

They run with --thorough, if they are installed (npm: @redocly/cli, @stoplight/spectral-cli).
"""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import contract
from tests.support.npm_tools import tool

pytestmark = pytest.mark.thorough

FOLDER = contract.PATH.parent / "tests"


def ran(name: str, *words: str) -> str:
    """What a tool prints about the document."""
    command = [*tool(name), *words, str(contract.PATH)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def test_redocly_finds_nothing():
    told = ran("redocly", "lint", "--config", str(FOLDER / "redocly.yaml"), "--format", "json")
    found = json.loads(told[told.index("{") :])
    assert found["problems"] == []


def test_spectral_finds_nothing():
    told = ran("spectral", "lint", "--ruleset", str(FOLDER / "spectral.yaml"), "--format", "json")
    assert json.loads(told[: told.rindex("]") + 1]) == []
