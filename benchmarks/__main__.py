"""`python -m benchmarks [poll move …]`: runs all parts, or the named ones; exits with 1 if a target is missed.

With `--json FILE` the results are stored, and replace those of the same parts in that file; `--markdown FILE` makes a
table of all stored results.

`python -m benchmarks strength` measures how well house players play, which takes hours (strength/); `python -m
benchmarks capacity` measures how many players one machine, and each further one, can carry (capacity/); `python -m
benchmarks ratings` simulates how fast ratings approach strengths (ratings.py).
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks import capacity, ratings, strength
from benchmarks.databases import KINDS
from benchmarks.report import Measure, printed
from benchmarks.results import Row, as_json, as_markdown, kept, merged, this_run

ON_EACH = tuple("durable move get poll live length idle house_players growth memory".split())
"""The parts that are run on each kind of database."""
LONG = ("large", "tables", "rated", "pollers", "daily", "analyses")
"""The parts that are run on each kind of database, but only if named: they take many minutes."""
ON_ONE = ("rulesets", "mail", "replay", "size", "page", "partitions")
PARTS = (*ON_EACH, *LONG, *ON_ONE)
"""All parts in the order of the stored results.

The most important parts run first, because each result is stored as soon as it is there.
"""


def main() -> int:
    """Run the parts that the command line names; returns 1 if a target is missed, otherwise 0."""
    wish = _wish()
    kinds = [f"--database {kind}" for kind in wish.database or ()]
    run = this_run(" ".join(["python -m benchmarks", *wish.parts, *kinds]))
    measures, rows = list[Measure](), kept(wish.json) if wish.json else []
    for part, found in _measured(wish.parts or (*ON_EACH, *ON_ONE), wish.database or KINDS):
        measures += found
        rows = merged(rows, [Row(part, measure, run) for measure in found], PARTS)
        _keep(wish, rows)
    print(printed(measures))
    return not all(measure.kept for measure in measures)


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=(*PARTS, []), metavar="part")
    parser.add_argument("--database", action="append", choices=KINDS, help="only this kind")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="and as a table there")
    return parser.parse_args()


def _measured(parts: Iterable[str], kinds: Iterable[str]) -> Iterator[tuple[str, list[Measure]]]:
    """The results of each part, on each kind of database if it is run on both."""
    for part in parts:
        module = importlib.import_module(f"benchmarks.measures.{part}")
        for kind in kinds if part in {*ON_EACH, *LONG} else (None,):
            began, found = time.monotonic(), list[Measure]()
            for measure in module.measures(kind) if kind else module.measures():
                found.append(measure._replace(database=kind or measure.database))
                print(*found[-1].cells(), sep="  ", file=sys.stderr, flush=True)
            print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr)
            yield part, found


def _keep(wish: argparse.Namespace, rows: list[Row]) -> None:
    """Write the files named in the command line."""
    if wish.json:
        wish.json.write_bytes(as_json(rows))
    if wish.markdown:
        wish.markdown.write_text(as_markdown(rows), "utf-8")


PAGES = {"strength": strength.main, "capacity": capacity.main, "ratings": ratings.main}
"""The measurements for pages in docs/, by name; each has a command line of its own."""


def _run(arguments: list[str]) -> int:
    of_page = PAGES.get(arguments[0]) if arguments else None
    return of_page(arguments[1:]) if of_page else main()


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1:]))
