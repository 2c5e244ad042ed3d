"""The vectors of docs/record.md with newer versions of the rules, which exist only in tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from service.core.settings.config import ROOT
from service.log.records.record_text import VerificationError
from service.log.verification.verify_record import verify
from tests.support import forgeries, record_verifier
from tests.support.cast import BOOMERANG
from tests.support.in_one_go import in_one_go
from tests.support.newer_games import offered
from tests.support.record_hashing import Refused

VECTORS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"^```json ([\w-]+)\n(.*?)^```",
        (ROOT / "docs/record.md").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
}


def why(entry: Any) -> str:
    """The name of a vector."""
    return str(entry["why"])


@pytest.fixture
def second_edition(second_editions: dict[str, rules.Found]) -> Iterator[None]:
    """Version 2 of the game in the vectors exists."""
    with offered(second_editions[BOOMERANG]):
        yield


@pytest.mark.usefixtures("second_edition")
@in_one_go("entry", VECTORS["newer-accepted"], ids=why)
def test_a_game_that_goes_on_by_a_newer_version_is_accepted(entry: Any) -> None:
    data = forgeries.forged(entry, VECTORS)
    assert verify(data)["events"] == record_verifier.verify(data)["events"]


@pytest.mark.usefixtures("second_edition")
@in_one_go("entry", VECTORS["newer-refused"], ids=why)
def test_what_a_version_does_not_allow_is_refused(entry: Any) -> None:
    refused(forgeries.forged(entry, VECTORS))


@in_one_go("entry", VECTORS["newer-accepted"], ids=why)
def test_a_version_that_this_server_does_not_have_is_refused(entry: Any) -> None:
    refused(forgeries.forged(entry, VECTORS))


def refused(data: bytes) -> None:
    """The reason for which both verifiers refuse."""
    with pytest.raises(VerificationError):
        verify(data)
    with pytest.raises(Refused):
        record_verifier.verify(data)
