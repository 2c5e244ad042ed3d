"""`python -m benchmarks ratings`: how fast ratings approach strengths, and how much luck hides of the strengths in each
game.

Seasons are simulated with fixed seeds; luck follows from games of house players that `benchmarks strength` has counted.
The results are written into docs/ratings.md and its picture.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.capacity.plots import Axis, Panel, drawn
from benchmarks.strength.results import Results, Tally
from service.core.settings.config import ROOT
from service.people.ratings.estimates import (
    HOUSE,
    MEAN,
    NEW,
    SCALE,
    SPREAD,
    Estimate,
    after_game,
)

PAGE, PICTURE = Path("docs/ratings.md"), Path("docs/pictures/ratings.svg")
COUNTED = Path("benchmarks/strength/results.jsonl")
BEGIN, END = "<!-- what benchmarks ratings has found -->\n", "<!-- until here -->\n"

LUCK = SPREAD * math.sqrt(2)
"""The scale, in points, of the luck in a game of the model."""
GAMES, NEWCOMERS, SEATS = 60, 150, (2, 4, 7)
SHOWN = (1, 3, 5, 10, 20, 30, 60)
"""The numbers of games after which the table shows how close ratings are."""
SPREAD_OF_PEOPLE = 200
"""The standard deviation, in points, of the strengths that are simulated."""


class Course(NamedTuple):
    """How far newcomers' ratings are from their strengths, and the expected distance, game by game."""

    off: list[float]
    deviation: list[float]


def course(seats: int, seed: int = 38) -> Course:
    """The course of newcomers at tables with this number of seats, with people who have long been rated."""
    who = [f"other {n}" for n in range(seats - 1)]

    def others(rng: random.Random) -> list[tuple[float, Estimate]]:
        strengths = [rng.gauss(MEAN, SPREAD_OF_PEOPLE) for _ in who]
        means = [round((each + rng.gauss(0, 50)) * SCALE) for each in strengths]
        return [
            (strength, Estimate(mean, 50 * SCALE, 100))
            for strength, mean in zip(strengths, means, strict=True)
        ]

    return _course(who, others, seed)


def against_house(seats: int = 4, seed: int = 38) -> Course:
    """The course of newcomers who play only with house players of one level, whose rating is known."""
    house = float(MEAN), Estimate(MEAN * SCALE, 15 * SCALE, 1000)
    return _course([f"{HOUSE}x:normal:1"] * (seats - 1), lambda _rng: [house] * (seats - 1), seed)


def _course(
    who: Sequence[str], others: Callable[[random.Random], list[tuple[float, Estimate]]], seed: int
) -> Course:
    rng, runs = random.Random(seed), list[list[tuple[float, float]]]()
    for _ in range(NEWCOMERS):
        strength, known, run = rng.gauss(MEAN, SPREAD_OF_PEOPLE), NEW, list[tuple[float, float]]()
        for _ in range(GAMES):
            met = others(rng)
            places = places_of([strength, *(each for each, _ in met)], rng)
            before = [known, *(estimate for _, estimate in met)]
            known = after_game(["newcomer", *who], places, before)["newcomer"]
            run.append((known.mean / SCALE - strength, known.deviation / SCALE))
        runs.append(run)
    return Course(
        [math.sqrt(statistics.fmean(run[n][0] ** 2 for run in runs)) for n in range(GAMES)],
        [statistics.fmean(run[n][1] for run in runs) for n in range(GAMES)],
    )


def places_of(strengths: Sequence[float], rng: random.Random) -> list[int]:
    """The places in a game: in the model, they follow from strengths and luck."""
    shown = [each - LUCK * math.log(-math.log(rng.random())) for each in strengths]
    return [1 + sum(other > mine for other in shown) for mine in shown]


def gap(tally: Tally) -> float:
    """The advantage, in points, of a seat that wins this often, if two equal seats would each win one game in two."""
    share = (tally.won + 0.5) / (tally.games + 1)
    return LUCK * math.log(share * (tally.pairing.players - 1) / (1 - share))


def luck() -> list[str]:
    """The lines of the table with the points between players who choose at random, search plainly, and search like
    house players.
    """
    found = dict[tuple[str, int], dict[str, Tally]]()
    for tally in Results(ROOT / COUNTED):
        if tally.effort not in {"strong", "200 iterations"}:
            continue
        at = found.setdefault((tally.pairing.slug, tally.pairing.players), {})
        against = tally.pairing.against
        if against not in at or at[against].games < tally.games:
            at[against] = tally
    rows = [
        "| ruleset | seats | above random players | above a plain search |",
        "| --- | --- | --- | --- |",
    ]
    for (slug, players), by in sorted(found.items()):
        cells = [
            f"{gap(by[each]):.0f} ({by[each].games} games)" if each in by else ""
            for each in ("random", "flat")
        ]
        if any(cells):
            rows.append(f"| {slug} | {players} | {cells[0]} | {cells[1]} |")
    return rows


def speed(courses: dict[str, Course]) -> list[str]:
    """The lines of the table with the distances between ratings and strengths after some games."""
    rows = ["| after games | " + " | ".join(courses) + " |", "| --- " * (1 + len(courses)) + "|"]
    for games in SHOWN:
        cells = [
            f"{each.off[games - 1]:.0f} (± {each.deviation[games - 1]:.0f})"
            for each in courses.values()
        ]
        rows.append(f"| {games} | " + " | ".join(cells) + " |")
    return rows


def picture(courses: dict[str, Course]) -> str:
    """The SVG of the plots."""
    across = Axis(1, GAMES, {1: "1", 20: "20", 40: "40", 60: "60 games"})
    up = Axis(0, 250, {0: "0", 100: "100", 200: "200"})
    of = {
        "Points off": {name: list(enumerate(each.off, 1)) for name, each in courses.items()},
        "Deviation": {name: list(enumerate(each.deviation, 1)) for name, each in courses.items()},
    }
    said = (
        "Ratings come near strengths within some dozens of games; docs/ratings.md has the numbers."
    )
    panels = [Panel(title, across, up, lines) for title, lines in of.items()]
    return drawn("How fast ratings come near strengths", said, panels)


def rewritten(page: str, found: Sequence[str]) -> str:
    """The page, with the results between its marks."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n".join(found) + "\n" + END + rest.partition(END)[2]


def courses() -> dict[str, Course]:
    """All courses on the page, by name."""
    return {f"{seats} seats": course(seats) for seats in SEATS} | {"house alone": against_house()}


def found(simulated: dict[str, Course]) -> list[str]:
    """The text between the marks of the page, as lines."""
    return ["", *speed(simulated), "", *luck(), ""]


def main(_arguments: list[str]) -> int:
    """Simulate, and write the page and its picture; returns 0."""
    simulated, page = courses(), ROOT / PAGE
    page.write_text(rewritten(page.read_text("utf-8"), found(simulated)), "utf-8")
    (ROOT / PICTURE).write_text(picture(simulated), "utf-8")
    return 0
