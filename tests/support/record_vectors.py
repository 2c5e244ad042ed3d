"""The test vectors of docs/record.md by name, and records that our verifier has to refuse."""

from __future__ import annotations

import json
import re

import pytest

from service.core.settings.config import ROOT
from service.log.records.record_text import VerificationError
from service.log.verification.verify_record import verify

DOCUMENT = (ROOT / "docs/record.md").read_text(encoding="utf-8")
VECTORS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"^```json ([\w-]+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL
    )
}
SHUFFLES, EARLIER_SHUFFLES = VECTORS["shuffles"], VECTORS["earlier-shuffles"]
RECORD, OUTSIDE = VECTORS["record"], VECTORS["outside"]
"""The record of a game that ends by its rules, and of one with every kind of event outside the rules."""
EARLIER, EARLIER_OUTSIDE = VECTORS["earlier-record"], VECTORS["earlier-outside"]
RESIGNED, TAKEN_BACK = VECTORS["resigned"], VECTORS["taken-back"]
RECORDS = ("record", "outside", "resigned", "earlier-record", "earlier-outside", "taken-back")


def refused(data: bytes) -> None:
    """Check that our verifier refuses this record."""
    with pytest.raises(VerificationError):
        verify(data)
