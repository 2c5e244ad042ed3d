"""`python -m benchmarks [poll move …]`: run all parts, or the named ones; exits with 1 if a target is missed."""

from __future__ import annotations

import importlib
import sys
import time

from benchmarks.report import printed

PARTS = ("poll", "move", "house_players", "mail", "length", "replay", "rulesets", "size", "growth")


def main(parts: list[str]) -> int:
    measures = []
    for part in parts or PARTS:
        began = time.monotonic()
        measures += importlib.import_module(f"benchmarks.measures.{part}").measures()
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(printed(measures))
    return not all(measure.kept for measure in measures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
