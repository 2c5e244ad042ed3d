"""The page with the results of measuring strength: win shares with their intervals, and the cost of thinking."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import rules
from benchmarks.strength.games import (
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
from rules.players.levels import LEVELS
from rules.players.search import Effort, search

Z = 1.96
"""The factor for intervals of 95 %."""
TARGETS = {"random": {2: 0.9, 3: 0.8}, "flat": {2: 0.6, 3: 0.45}}
LEAST = {"random": 0.7, "flat": 0.37}
"""The win shares to reach with two and three seats, and with more."""
AT_RANDOM = {OPEN: "is shown all cards", TOLD: "sees what its seat sees"}
"""The view of a seat that knows that the others choose at random.

Its targets are those against `random`.
"""
ENOUGH = 10
"""The games of a pairing before it can be settled."""
GAMES, DECISIONS, ITERATIONS = 40, 8, 60
"""The number of games, decisions and iterations of each from which the cost is measured."""


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
        """Whether more games would hardly change the result for the target."""
        return self.tally.games >= ENOUGH and not self.low < self.target < self.high

    @property
    def verdict(self) -> str:
        """Whether the target is reached, as far as this number of games can tell."""
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
    """The rows of the tables."""

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
    """The win share to reach; against equal players, that of chance."""
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
House players see only what their seat sees (`rules/kernel/information_sets.py`). They search: each iteration draws a
world that fits what they know and remember, and plays it along one tree of the actions that the seats could take
(`rules/players/search.py`). `policy.py` in the game's folder says what a sensible player is likely to do, and
`estimate.py` what a long match is worth between two deals. A search ends early when no other action can overtake the
one that was tried most often.

| level | at most |
| --- | --- |
"""
HEAD = ("ruleset", "seats", "against", "at most", "games", "won", "95 %", "to reach", "reached")


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
        f"| `{name}` | {each.seconds:g} s of CPU, {each.iterations:,} iterations for each decision |"
        for name, each in LEVELS.items()
    )


def lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(each)} |" for each in (head, ["---"] * len(head), *rows))


def _undecided(rows: list[Row]) -> str:
    """The questions that this number of games cannot decide."""
    open_ = [row for row in rows if row.low < row.target < row.high]
    if not open_:
        return "Every row is decided."
    return (
        f"Of these {len(rows)} rows, {len(open_)} are not decided: their intervals contain the target.\n"
        "Missing rows have no games yet. Running the command again continues both."
    )


def beyond(rows: list[Row]) -> str:
    """The targets that even a seat that knows how the others choose does not reach."""
    return "\n".join(
        f"\nIn `{slug}` with {players} seats, a player who {AT_RANDOM[against]} and knows that the others choose\n"
        f"at random wins {row.share:.0%} of {row.tally.games} games: luck with the cards and the others' choices\n"
        f"decides the rest, so {row.target:.0%} is hardly within reach."
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

`easy` plays any action that it has tried at least half as often as the one that it has tried most often.

## Strength

    python -m benchmarks strength
    python -m benchmarks strength --iterations 200
    python -m benchmarks strength blame-the-magic market-price --against open told --iterations 300
    python -m benchmarks strength blame-the-magic market-price --against open told --iterations 1000
    python -m benchmarks strength market-price --against shown

One seat searches, with the effort for each decision that the table names (200 iterations are less than `strong`
has). All others choose in one of these ways:

* `random`: at random;
* `flat`: by a plain search (UCB over {PLAYOUTS} random games for each decision, in worlds that fit what the seat
  sees);
* `normal`: like that seat, but with the share of its effort that `normal` has of `strong`'s; the target is then the
  share that chance gives;
* `{OPEN}` and `{TOLD}`: at random, and the seat knows this; with `{OPEN}` it is also shown all cards;
* `{SHOWN}`: by plain searches, and the seat is a house player that is shown all cards, even those to come.

Nobody plays like the last three on a server: they measure how much can be reached. All pairings play the same deals,
with the seats rotated, in the shortest usual length. There are two exceptions, because luck decides the short games:
2459n! is played in its longest length, because its short game may have no winner, and Auction (Abbott) up to 50 points
(in a single deal `strong` won 10 of 14 games against random players with two seats, and 23 of 40 with four).

A shared win counts in parts, unless the rules let everybody win together. The intervals are Wilson's. A target is
decided when the whole interval is on one side of it; a pairing for which that is so after {ENOUGH} games is not
continued. The wins are counted in `benchmarks/strength/results.jsonl`, by version of the house players; version 5
chooses as version 4 did, except in `oracle-land`.

{lines(HEAD, [row.cells() for row in searched])}

{_undecided(searched)}
{beyond(searched)}

## Against newcomers

    python -m benchmarks strength --level easy --against newcomer --unsearched 0

One seat plays at that level. The others are newcomers: they know what is sensible in the game and choose more sensible
actions more often, but do not look ahead.

{lines(("ruleset", "seats", "level", *result, "chance"), [list(map(str, each)) for each in easy])}

## Without a search

This is how often one seat wins against random players if it always takes the likeliest action of the game's policy,
without a search. A search begins with the same policy, and tries the less likely actions as well.

{lines(("ruleset", "seats", *result), [row.cells()[:2] + row.result() for row in unsearched])}

## Cost

The cost in µs of CPU time of a whole random game, and of an iteration of the search early in a game (a world, the way
down the tree, and the likely rest of the game or of the deal). On a busy machine it is higher.

{lines(("ruleset", "seats", "random game", "iteration"), [cost.cells() for cost in costs])}
"""
