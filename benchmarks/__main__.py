"""`python -m benchmarks [poll move …]`: run all parts, or the named ones; exits with 1 if a target is missed.

`python -m benchmarks strength` measures how well house players play, which takes hours (strength/).
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks import strength
from benchmarks.databases import KINDS
from benchmarks.report import Measure, as_json, as_markdown, printed

ON_EACH = tuple("poll get move durable length idle house_players growth memory".split())
"""Parts that are run on each kind of database."""
LONG = ("large", "pollers")
"""Parts that are run on each kind of database, but only if they are named: they take many minutes."""
ON_ONE = ("mail", "replay", "rulesets", "size", "page")


def main() -> int:
    """Run what the command line says."""
    wish = _wish()
    measures = list(_measures(wish.parts or (*ON_EACH, *ON_ONE), wish.database or KINDS))
    print(printed(measures))
    command = " ".join(["python -m benchmarks", *sys.argv[1:]])
    if wish.markdown:
        wish.markdown.write_text(as_markdown(measures, command), "utf-8")
    if wish.json:
        wish.json.write_bytes(as_json(measures, command))
    return not all(measure.kept for measure in measures)


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=(*ON_EACH, *LONG, *ON_ONE, []), metavar="part")
    parser.add_argument("--database", action="append", choices=KINDS, help="only this kind")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="and there")
    return parser.parse_args()


def _measures(parts: Iterable[str], kinds: Iterable[str]) -> Iterator[Measure]:
    for part in parts:
        module, began = importlib.import_module(f"benchmarks.measures.{part}"), time.monotonic()
        for kind in kinds if part in {*ON_EACH, *LONG} else (None,):
            for measure in module.measures(kind) if kind else module.measures():
                found = measure._replace(database=kind)
                print(*found.cells(), sep="  ", file=sys.stderr, flush=True)
                yield found
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(strength.main(sys.argv[2:]) if sys.argv[1:2] == ["strength"] else main())
