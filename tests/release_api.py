"""Stores the released contract, `python -m tests.release_api`, with which later changes are compared.

The stored document has neither texts nor examples: they may change.
"""

from __future__ import annotations

import json

from tests.contract import Json, document
from tests.support.contract_changes import stripped
from tests.support.servers.server import ROOT

FILE = ROOT / "docs/released/openapi.json"


def released() -> Json:
    """The contract of the last release."""
    found: Json = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write it again."""
    kept = {key: document()[key] for key in ("paths", "components")}
    kept["components"] = {
        key: each for key, each in kept["components"].items() if key != "examples"
    }
    FILE.parent.mkdir(exist_ok=True)
    text = json.dumps(stripped(kept), indent=1, ensure_ascii=False, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
