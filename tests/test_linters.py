"""Redocly and Spectral find nothing in the documents of the contract with their recommended rules.

They run with --thorough, if they are installed (npm: @redocly/cli, @stoplight/spectral-cli).
"""

from __future__ import annotations

import json
import subprocess

import pytest

from bin import bundle
from tests import contract
from tests.support.npm_tools import tool

pytestmark = pytest.mark.thorough

FOLDER = contract.PATH.parent / "tests"


every_document = pytest.mark.parametrize("document", bundle.documents())


def ran(name: str, document: str, *words: str) -> str:
    """The output of a tool about a document."""
    command = [*tool(name), *words, str(bundle.ROOT / document)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


@every_document
def test_redocly_finds_nothing(document):
    told = ran(
        "redocly", document, "lint", "--config", str(FOLDER / "redocly.yaml"), "--format", "json"
    )
    found = json.loads(told[told.index("{") :])
    assert found["problems"] == []


@every_document
def test_spectral_finds_nothing(document):
    told = ran(
        "spectral", document, "lint", "--ruleset", str(FOLDER / "spectral.yaml"), "--format", "json"
    )
    assert json.loads(told[: told.rindex("]") + 1]) == []
