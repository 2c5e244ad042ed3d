"""The strength of house players: the same deals with the seats rotated, against random players and a plain search.

    python -m benchmarks strength [SLUG …] [--players 2 4] [--games 40]
                                  [--against random flat normal strong open told shown newcomer]
                                  [--level deep | --seconds 1 | --iterations 200] [--unsearched 400]

plays in parallel, shows its progress, continues where it was stopped (results.jsonl counts the games of this version of
the house players), and writes the table to docs/house-players.md, even when it is interrupted. Every pairing has its
first rotation of seats before any has its second one; a pairing whose interval has left its target behind is not played
on, unless the others are house players, too: then the share itself is of interest. One seat searches, all others are
of the other kind; a win that is shared by several seats counts in parts, unless the rules let everybody win together. A
seat that is shown all cards (`open`, `shown`), or that knows how the others choose (`open`, `told`), shows how much
could still be reached; a seat that does not search, and always does what its game's policy considers most likely, shows
how much of that comes from the policy. Levels are in CPU time, so a machine that does other work too plays nearly as
well, but only a fixed number of iterations gives exactly the same games again.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import rules
from benchmarks.strength.games import (
    LONGER,
    MEASURED,
    NEWCOMER,
    OPEN,
    SHOWN,
    TOLD,
    UNSEARCHED,
    Game,
    Pairing,
    effort_of,
    played,
)
from benchmarks.strength.page import HEAD, lines, page, rows_of
from benchmarks.strength.results import Results
from rules.players.levels import LEVELS, Level

PAGE = Path("docs/house-players.md")
RESULTS = Path(__file__).with_name("results.jsonl")
USUAL = {"2459n": (3, 4, 5), "abbott-auction": (2, 3, 4), "auction-draw": (2, 3, 4)}
"""The numbers of players that are measured, for games that allow more."""


def main(arguments: list[str]) -> int:
    """Play the missing games, then write the page. Returns the exit code: 1 if a target is missed."""
    wish = _wish(arguments)
    results = Results(wish.results)
    missing = sorted(_missing(wish, results), key=lambda game: game.deal)
    with suppress(KeyboardInterrupt):
        for done, (game, won) in enumerate(_play(missing, results, wish.jobs), 1):
            results.add(game, won)
            _show(done, len(missing))
    rows = rows_of(results)
    wish.page.write_text(page(rows), "utf-8")
    print(lines(HEAD, [row.cells() for row in rows.searched]))
    return not all(row.kept for row in rows.searched)


def _play(missing: list[Game], results: Results, jobs: int) -> Iterator[tuple[Game, float]]:
    """The missing games as they are played, deal by deal, with the part of the win; leaves out settled pairings."""
    with multiprocessing.Pool(jobs) as pool:
        for _, rotation in itertools.groupby(missing, key=lambda game: game.deal):
            searched = rows_of(results).searched
            settled = {row.tally[:2] for row in searched if row.settled}
            due = [
                each for each in rotation if (each.pairing, effort_of(each.level)) not in settled
            ]
            yield from pool.imap_unordered(played, due)


def _wish(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("slugs", nargs="*", metavar="SLUG", default=[])
    parser.add_argument("--players", nargs="+", type=int, help="only with so many seats")
    parser.add_argument("--games", type=int, default=40, help="of each pairing, in whole rotations")
    parser.add_argument("--level", choices=MEASURED, default="strong", help="of the measured seat")
    parser.add_argument("--seconds", type=float, help="of CPU for a decision instead")
    parser.add_argument("--iterations", type=int, help="for a decision, however long they take")
    kinds = ["random", "flat", *LONGER, OPEN, TOLD, SHOWN, NEWCOMER]
    parser.add_argument("--against", nargs="+", choices=kinds, default=kinds[:2])
    parser.add_argument(
        "--unsearched", type=int, default=400, help="games of each table without a search"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    return parser.parse_args(arguments)


def _missing(wish: argparse.Namespace, results: Results) -> Iterator[Game]:
    level = _level(wish)
    for slug in wish.slugs or rules.slugs():
        possible = rules.load(slug).players
        for players in wish.players or USUAL.get(slug, possible):
            if players not in possible:
                continue
            yield from _rotated(
                Pairing(slug, players, "random"), wish.unsearched, UNSEARCHED, results
            )
            for against in wish.against:
                yield from _rotated(Pairing(slug, players, against), wish.games, level, results)


def _rotated(pairing: Pairing, games: int, level: Level, results: Results) -> Iterator[Game]:
    """The games that a pairing still needs to reach `games`: each deal once for every seat."""
    played_deals = results.of(pairing, effort_of(level)).deals
    for deal in range(played_deals, math.ceil(games / pairing.players)):
        for seat in range(pairing.players):
            yield Game(pairing, deal, seat, level)


def _level(wish: argparse.Namespace) -> Level:
    """The effort of the searching seat."""
    if wish.iterations:
        return Level(math.inf, wish.iterations)
    if wish.seconds:
        return Level(wish.seconds, LEVELS["strong"].iterations)
    return MEASURED[wish.level]


def _show(done: int, many: int) -> None:
    width = 40
    bar = "#" * (done * width // many)
    end = "\n" if done == many else ""
    print(f"\r[{bar:{width}}] {done}/{many}", end=end, file=sys.stderr, flush=True)
