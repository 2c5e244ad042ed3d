"""Finds puzzles of a ruleset, and keeps them in its folder: `python -m rules.players.puzzles SLUG --games 4`.

Each game follows from its number, so the same numbers always lead to the same puzzles. Games whose numbers the
collection already has are skipped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import rules
from rules.kernel import Ruleset
from rules.kernel.puzzles import EMPTY, FILE, Collection, Puzzle, in_order, read, written
from rules.players.appraisal import VERSION
from rules.players.puzzles.finding import puzzles

SEARCHED = 60
"""The number of iterations of a `strong` house player at each decision; it is fixed, so that games follow from their
numbers.
"""
WANTED = 12
"""The number of puzzles after which no further game is played."""
MOST_SIZES = 2
"""The number of table sizes for which games are played, beginning with the smallest: larger tables take longer."""


def main() -> None:
    """Play games, and store the puzzles of each as soon as they are found."""
    given = _arguments()
    ruleset = rules.load(given.slug)
    folder = rules.folder(given.slug)
    kept = [] if given.anew else [*_kept(ruleset, folder).puzzles]
    for number in range(given.first, given.first + given.games):
        usual = ruleset.players[:MOST_SIZES]
        players = usual[number % len(usual)]
        seed = f"{given.slug} {ruleset.version}, players {VERSION}, game {number}"
        if any(each.course.seed == seed for each in kept):
            continue
        for found in puzzles(ruleset, seed, players, given.iterations):
            kept.append(found)
            sys.stdout.write(f"{seed}, event {found.number}: {found.difficulty}\n")
            sys.stdout.flush()
            _store(ruleset, folder, kept)
        if len(kept) >= given.wanted:
            break


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slug", choices=rules.slugs())
    parser.add_argument("--first", type=int, default=1, help="the number of the first game")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=SEARCHED, help="for each decision")
    parser.add_argument("--wanted", type=int, default=WANTED, help="the puzzles that are enough")
    parser.add_argument("--anew", action="store_true", help="leave out the present collection")
    return parser.parse_args()


def _kept(ruleset: Ruleset, folder: str) -> Collection:
    found = read(folder)
    return found if (found.version, found.thinker) == (ruleset.version, VERSION) else EMPTY


def _store(ruleset: Ruleset, folder: str, kept: list[Puzzle]) -> None:
    collection = Collection(ruleset.version, VERSION, tuple(in_order(kept)))
    Path(folder, FILE).write_text(written(collection), encoding="utf-8")


if __name__ == "__main__":
    main()
