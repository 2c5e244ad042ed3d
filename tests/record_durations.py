"""Write to tests/durations.json how long the tests last took here: python -m tests.record_durations, after a whole run.

Only the order of the tests in a fresh clone depends on it, so it need not be exact, and quick tests are left out.
"""

from __future__ import annotations

import json

from tests.support.order import KEPT, RECORD

CACHE = RECORD.parents[1] / ".pytest_cache/v" / KEPT
LEAST = 0.5
"""Seconds."""


def main() -> None:
    kept = json.loads(CACHE.read_text("utf-8"))
    modules = {name.partition("::")[0] for name in kept}
    there = {module for module in modules if (RECORD.parents[1] / module).exists()}
    listed = {
        name: seconds
        for name, seconds in kept.items()
        if seconds >= LEAST and name.partition("::")[0] in there
    }
    RECORD.write_text(json.dumps(listed, indent=0, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
