"""The page with the results of measuring strength: win shares with their intervals, and the cost of thinking."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import rules
from benchmarks.strength.games import (
    LONGER,
    NEWCOMER,
    OPEN,
    OTHERS,
    PLAYOUTS,
    SHOWN,
    TOLD,
    UNSEARCHED,
    Pairing,
    at_random_to_the_end,
    effort_of,
    initial,
)
from benchmarks.strength.results import Tally
from rules.kernel import Json, Worlds
from rules.players.levels import DEEP, LEVELS, TENFOLD
from rules.players.search import Effort, search

Z = 1.96
"""The factor for intervals of 95 %."""
TARGETS = {"random": {2: 0.9, 3: 0.8}, "flat": {2: 0.6, 3: 0.45}}
LEAST = {"random": 0.7, "flat": 0.37}
"""The win shares to reach with two or three seats, and with more seats."""
AT_RANDOM = {OPEN: "is shown all cards", TOLD: "sees only what its seat sees"}
"""What the measured seat sees, if it knows that the others choose at random.

The targets are those against `random`.
"""
ENOUGH = 10
"""The number of games of a pairing before it can be settled."""
GAMES, DECISIONS, ITERATIONS = 40, 8, 60
"""The cost is measured in this number of games, decisions of each game, and iterations for each decision."""


class Row(NamedTuple):
    """The win share of a pairing with an effort, its interval, and its target."""

    tally: Tally
    share: float
    low: float
    high: float
    target: float

    @property
    def kept(self) -> bool:
        return self.share >= self.target

    @property
    def settled(self) -> bool:
        """Whether more games would hardly change the result about the target, and nothing else is of interest."""
        if self.tally.pairing.against in LONGER:
            return False
        return self.tally.games >= ENOUGH and not self.low < self.target < self.high

    @property
    def verdict(self) -> str:
        """Whether the target is reached, as far as so many games can tell."""
        if self.low < self.target < self.high:
            return "too few games"
        return "yes" if self.kept else "no"

    def cells(self) -> tuple[str, ...]:
        (slug, players, against), effort = self.tally[:2]
        return (
            slug,
            str(players),
            against,
            effort,
            *self.result(),
            f"{self.target:.0%}",
            self.verdict,
        )

    def result(self) -> tuple[str, ...]:
        """The number of games, the win share, and its interval."""
        return str(self.tally.games), f"{self.share:.0%}", f"{self.low:.0%} to {self.high:.0%}"


class Rows(NamedTuple):
    """The rows of the page's tables: one list for each table."""

    searched: list[Row]
    newcomers: list[Row]
    unsearched: list[Row]


def rows_of(tallies: Iterable[Tally]) -> Rows:
    """A row for each pairing and effort."""
    rows = Rows([], [], [])
    for tally in tallies:
        if tally.effort == effort_of(UNSEARCHED):
            rows.unsearched.append(_row(tally))
        elif tally.pairing.against == NEWCOMER:
            rows.newcomers.append(_row(tally))
        else:
            rows.searched.append(_row(tally))
    return rows


def _row(tally: Tally) -> Row:
    share = tally.won / tally.games
    return Row(tally, share, *wilson(share, tally.games), _target(tally.pairing))


def _target(pairing: Pairing) -> float:
    """The win share to reach; if no target is set, the share of equal players."""
    _, players, against = pairing
    against = OTHERS.get(against, against)
    if against not in TARGETS:
        return 1 / players
    return TARGETS[against].get(players, LEAST[against])


def wilson(share: float, games: int) -> tuple[float, float]:
    """Wilson's (1927) interval for a share of a number of games."""
    centre = share + Z**2 / (2 * games)
    half = Z * math.sqrt(share * (1 - share) / games + Z**2 / (4 * games**2))
    scale = 1 + Z**2 / games
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


ABOUT = """\
House players see only what their seats see (`rules/kernel/information_sets.py`). To choose an action, they search
(`rules/players/search.py`). Each iteration of a search draws a world that fits what the player knows and remembers, and
plays it down a tree that all iterations share. The branches of the tree are the actions that the seats could take.
`policy.py` in the game's folder says how likely a sensible player is to take each action. Some games have an
`estimate.py`, which predicts who will win a long match from the points after a deal. A search ends early when no other
action can overtake the one that was tried most often.

| level | limit for each decision |
| --- | --- |
"""
HEAD = ("ruleset", "seats", "against", "effort", "games", "won", "95 %", "target", "reached")


class Cost(NamedTuple):
    """The cost of thinking in a game, in µs of CPU time on the measuring machine."""

    slug: str
    players: int
    random: float
    """The cost of a random game from start to end."""
    iteration: float
    """The cost of an iteration of the search, averaged over the first decisions of a game."""

    def cells(self) -> tuple[str, ...]:
        return self.slug, str(self.players), f"{self.random:,.0f}", f"{self.iteration:,.0f}"


def _cost(slug: str, players: int) -> Cost:
    ruleset, rng = rules.load(slug), random.Random(slug)
    state = initial(ruleset, players)
    began = time.process_time()
    for _ in range(GAMES):
        at_random_to_the_end(ruleset, state, rng)
    played = time.process_time() - began
    searched, decisions = 0.0, 0
    while decisions < DECISIONS and not (turn := ruleset.turn(state)).over:
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            action = rng.choice(ruleset.legal(state, seat))
            event = {"kind": "action", "seat": seat, "action": action}
            if len(ruleset.legal(state, seat)) > 1:
                worlds, began = (
                    Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat),
                    time.process_time(),
                )
                search(ruleset, worlds, seat, Effort(ITERATIONS), rng)
                searched, decisions = searched + time.process_time() - began, decisions + 1
        state = ruleset.act(state, event)
    return Cost(slug, players, 1e6 * played / GAMES, 1e6 * searched / (decisions * ITERATIONS))


def _levels() -> str:
    return "\n".join(
        f"| `{name}` | {each.seconds:g} s of CPU time, {each.iterations:,} iterations |"
        for name, each in LEVELS.items()
    )


def lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(each)} |" for each in (head, ["---"] * len(head), *rows))


def _undecided(rows: list[Row]) -> str:
    """The text about the rows for which too few games were played to tell whether the target is reached."""
    open_ = [row for row in rows if row.low < row.target < row.high]
    if not open_:
        return "Every row is decided."
    return (
        f"Of these {len(rows)} rows, {len(open_)} are undecided: their intervals contain the target.\n"
        "Pairings without a row have not been played yet. Run the command again to play more games of both kinds."
    )


def beyond(rows: list[Row]) -> str:
    """The text about the targets that even a seat that knows how the others choose does not reach."""
    return "\n".join(
        f"\nIn `{slug}` with {players} seats, a player (effort: {row.tally.effort}) who {AT_RANDOM[against]}\n"
        f"and knows that the others choose at random wins {row.share:.0%} of {row.tally.games} games. Luck with the\n"
        f"cards and the others' choices decides the rest, so {row.target:.0%} is hardly within reach."
        for row in rows
        for slug, players, against in [row.tally.pairing]
        if against in AT_RANDOM and row.verdict == "no"
    )


def page(rows: Rows) -> str:
    searched, newcomers, unsearched = rows
    tables = (row.tally.pairing[:2] for row in (*unsearched, *searched))
    costs = [_cost(slug, players) for slug, players in dict.fromkeys(tables)]
    result = ("games", "won", "95 %")
    easy = [
        (*row.tally.pairing[:2], row.tally.effort, *row.result(), f"{row.target:.0%}")
        for row in newcomers
    ]
    return f"""# How well house players play

{ABOUT}{_levels()}

`easy` may choose any action that it has tried at least half as often as the one that it has tried most often.

The level above `strong` is the deep search, which is {TENFOLD} times as long ({DEEP.seconds:g} s of CPU time,
{DEEP.iterations:,} iterations). Nobody plays at this level, since nobody would wait that long. Deep analyses and the
check of puzzles use it: they make {TENFOLD} times as many iterations as usual analyses, and as the house players in the
puzzle's game.

## Strength

    python -m benchmarks strength
    python -m benchmarks strength --iterations 200
    python -m benchmarks strength auction-draw joretsu --against strong --iterations 600
    python -m benchmarks strength blame-the-magic market-price --against open told --iterations 300
    python -m benchmarks strength blame-the-magic market-price --against open told --iterations 1000
    python -m benchmarks strength market-price --against shown

In each game, one seat searches, with the effort that the table names for each decision (200 iterations are fewer than
`strong` makes). All other seats choose in one of these ways:

* `random`: They choose at random.
* `flat`: They make a plain search (UCB over {PLAYOUTS} random games for each decision, in worlds that fit what the
  seat sees).
* `normal` and `strong`: They are house players too, but search for only a fifth, or a tenth, as long as the measured
  seat. This is the proportion of `normal` to `strong`, and of `strong` to a deep search. The target is the share that
  chance gives.
* `{OPEN}` and `{TOLD}`: They choose at random, and the measured seat knows this. With `{OPEN}`, it is also shown all
  cards.
* `{SHOWN}`: They make plain searches, and the measured seat is a house player that is shown all cards, even those to
  come.

Nobody plays in the last three ways on a server: these measure how much can be reached.

All pairings play the same deals, and the seats rotate. The games have their shortest usual length, with two exceptions,
because luck decides the short games. 2459n! is played in its longest length, because its short game may have no winner.
Auction (Abbott) is played to 50 points: in a single deal, `strong` won 10 of 14 games against random players with two
seats, and 23 of 40 with four.

A shared win is divided among the winners, unless the rules let everybody win together. The intervals are Wilson's. A
target is decided when the whole interval is on one side of it. A pairing whose target is decided after {ENOUGH} games
is not continued, except against `normal` and `strong`, where the share itself is of interest.
`benchmarks/strength/results.jsonl` counts the wins for each version of the house players. Version 5 chooses as version
4 did, except in `oracle-land`.

{lines(HEAD, [row.cells() for row in searched])}

{_undecided(searched)}
{beyond(searched)}

## Against newcomers

    python -m benchmarks strength --level easy --against newcomer --unsearched 0

One seat plays at the level that the table names. The others are newcomers: they know which actions are sensible and
choose the more sensible ones more often, but do not look ahead.

{lines(("ruleset", "seats", "level", *result, "chance"), [list(map(str, each)) for each in easy])}

## Without a search

This table shows how often one seat wins against random players if it does not search, but always takes the action that
the game's policy considers likeliest. A search begins with the same policy, but also tries the less likely actions.

{lines(("ruleset", "seats", *result), [row.cells()[:2] + row.result() for row in unsearched])}

## Cost

The table gives the cost of a whole random game, and of one iteration of a search early in a game. An iteration draws a
world, goes down the tree, and plays the likely rest of the game or of the deal. Both costs are in µs of CPU time, and
higher on a busy machine.

{lines(("ruleset", "seats", "random game", "iteration"), [cost.cells() for cost in costs])}
"""
