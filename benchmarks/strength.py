"""How well house players play: the same deals with the seats rotated, against random players and a plain search.

    python -m benchmarks strength [SLUG …] [--players 2 4] [--games 40] [--against random flat normal]
                                  [--seconds 1 | --iterations 200]

plays in parallel, shows how far it is, goes on where it was stopped (every game is a line of the results), and writes
the table to docs/house-players.md, also when it is interrupted. Every pairing has its first rotation of seats before
any has its second one; a pairing whose interval has left its target behind is not played on. One seat searches, all
others are of the other kind; a win that is shared by several seats counts in parts, unless the rules let everybody win
together. On a machine that does other work too, only a fixed number of iterations gives what can be compared.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

import rules
from rules.kernel import Json, Random, Result, Ruleset, State, Worlds
from rules.players.house import LEVELS, Level
from rules.players.memory import Memory
from rules.players.search import LONGEST, Effort, rewards, search

PAGE = Path("docs/house-players.md")
RESULTS = Path("build/strength.jsonl")
USUAL = {
    "2459n": (4,),
    "abbott-auction": (2, 4),
    "auction-draw": (2, 4),
    "blame-the-magic": (4,),
    "joretsu": (3,),
    "market-price": (4,),
    "oracle-land": (3,),
    "yours-truly-bozu-mekuri": (3,),
}
"""How many usually play, of games for several numbers of players."""
PLAYOUTS = 200
"""Random games that the plain search plays a decision."""
Z = 1.96
"""For intervals of 95 %."""
TARGETS = {"random": {2: 0.9, 3: 0.8}, "flat": {2: 0.6, 3: 0.45}}
LEAST = {"random": 0.7, "flat": 0.37}
"""The win shares to reach with two and three seats, and with more."""
PART = LEVELS["normal"].seconds / LEVELS["strong"].seconds
"""Of the effort of the seat that searches: what seats of `normal` have."""
TOGETHER = "everyone"
"""The reason of a game that all win as one."""
ENOUGH = 10
"""Games of a pairing before which it is not settled."""
GAMES, DECISIONS, ITERATIONS = 40, 8, 60
"""From how many games, decisions and iterations of each the cost is measured."""
ENDLESS = 20_000
"""Events after which a game counts for nobody."""


class Pairing(NamedTuple):
    """What is played, by how many, and against whom."""

    slug: str
    players: int
    against: str


class Game(NamedTuple):
    """One game of a pairing: the deal that all rotations share, and the seat that searches."""

    pairing: Pairing
    deal: int
    seat: int
    level: Level

    @property
    def key(self) -> str:
        return " ".join(map(str, (*self.pairing, self.deal, self.seat, *self.level)))


class Player(Protocol):
    """Chooses for a seat what is played in a position."""

    def see(self, state: State) -> None:
        """The position after the next event; only what the seat sees of it may be looked at."""

    def choose(self, state: State, rng: Random) -> Json:
        """One of the legal actions of its seat."""


def main(arguments: list[str]) -> int:
    """Play what is missing, then write the page; 1 if a target is missed."""
    wish = _wish(arguments)
    games = sorted(_games(wish), key=lambda game: game.deal)
    known = _known(wish.results)
    missing = [game for game in games if game.key not in known]
    wish.results.parent.mkdir(parents=True, exist_ok=True)
    with suppress(KeyboardInterrupt), wish.results.open("a", encoding="utf-8") as results:
        for done, (key, won) in enumerate(_play(missing, games, known, wish.jobs), 1):
            known[key] = won
            results.write(json.dumps({"game": key, "won": won}) + "\n")
            results.flush()
            _show(done, len(missing))
    rows = _rows(games, known)
    command = " ".join(["python -m benchmarks strength", *arguments])
    wish.page.write_text(_page(rows, command, _level(wish)), "utf-8")
    print(_lines(HEAD, [row.cells() for row in rows]))
    return not all(row.kept for row in rows)


def _play(
    missing: list[Game], games: list[Game], known: dict[str, float], jobs: int
) -> Iterator[tuple[str, float]]:
    """Games and what was won of them: rotation by rotation, without pairings that are settled."""
    with multiprocessing.Pool(jobs) as pool:
        for _, rotation in itertools.groupby(missing, key=lambda game: game.deal):
            settled = {row.pairing for row in _rows(games, known) if row.settled}
            yield from pool.imap_unordered(
                _played, [game for game in rotation if game.pairing not in settled]
            )


def _wish(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("slugs", nargs="*", metavar="SLUG", default=[])
    parser.add_argument("--players", nargs="+", type=int, help="only with so many seats")
    parser.add_argument("--games", type=int, default=40, help="of each pairing, in whole rotations")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU for a decision")
    parser.add_argument("--iterations", type=int, help="for a decision, however long they take")
    kinds = [*TARGETS, "normal"]
    parser.add_argument("--against", nargs="+", choices=kinds, default=[*TARGETS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    return parser.parse_args(arguments)


def _games(wish: argparse.Namespace) -> Iterator[Game]:
    level = _level(wish)
    for slug in wish.slugs or rules.slugs():
        possible = rules.load(slug).players
        for players in wish.players or USUAL.get(slug, possible):
            if players not in possible:
                continue
            for against in wish.against:
                for deal in range(math.ceil(wish.games / players)):
                    for seat in range(players):
                        yield Game(Pairing(slug, players, against), deal, seat, level)


def _level(wish: argparse.Namespace) -> Level:
    """The effort of the seat that searches."""
    if wish.iterations:
        return Level(math.inf, wish.iterations)
    return Level(wish.seconds, LEVELS["strong"].iterations)


def _known(path: Path) -> dict[str, float]:
    """What was played before."""
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text("utf-8").splitlines())
    return {line["game"]: line["won"] for line in lines}


def _played(game: Game) -> tuple[str, float]:
    """The part of the win that goes to the seat that searches."""
    slug, players, against = game.pairing
    ruleset, rng = rules.load(slug), random.Random(f"{slug} {players} {game.deal}")
    chance = random.Random(rng.random())
    state = ruleset.initial(players, ruleset.lengths(players)[0].options)
    seats = [
        _player(ruleset, seat, None if seat == game.seat else against, game.level)
        for seat in range(players)
    ]
    for _ in range(ENDLESS):
        for player in seats:
            player.see(state)
        turn = ruleset.turn(state)
        if turn.over:
            break
        if turn.chance:
            outcome = chance.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            event = {"kind": "action", "seat": seat, "action": seats[seat].choose(state, rng)}
        state = ruleset.act(state, event)
    result = ruleset.result(state)
    return game.key, part_won(result, game.seat) if result else 0.0


def part_won(result: Result, seat: int) -> float:
    """The part of a win that is a seat's."""
    if result.reason == TOGETHER:
        return 1.0
    return (seat in result.winners) / max(1, len(result.winners))


def _player(ruleset: Ruleset, seat: int, kind: str | None, level: Level) -> Player:
    """Who plays a seat: a house player of this level, or one of another kind."""
    if kind == "random":
        return AtRandom(ruleset, seat)
    if kind == "flat":
        return Flat(ruleset, seat)
    if kind == "normal":
        level = Level(level.seconds * PART, math.ceil(level.iterations * PART))
    return Searching(ruleset, seat, level)


class Searching:
    """A house player, with all that it remembers."""

    def __init__(self, ruleset: Ruleset, seat: int, level: Level) -> None:
        self._ruleset, self._seat, self._level = ruleset, seat, level
        self._memory = Memory(ruleset, seat)

    def see(self, state: State) -> None:
        """The position after the next event."""
        self._blind = self._ruleset.blind(state, self._seat)
        self._memory.see(self._blind)

    def choose(self, _state: State, rng: Random) -> Json:
        """As the house players do, with the effort of its level."""
        effort = self._level.effort(time.process_time)
        return search(self._ruleset, self._memory.worlds(self._blind), self._seat, effort, rng)


class AtRandom:
    """Any legal action."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        self._ruleset, self._seat = ruleset, seat

    def see(self, state: State) -> None:
        """It remembers nothing."""

    def choose(self, state: State, rng: Random) -> Json:
        """Each with the same chance."""
        return rng.choice(self._ruleset.legal(state, self._seat))


class Flat(AtRandom):
    """By UCB over random games in worlds that fit what the seat sees, without a tree."""

    def choose(self, state: State, rng: Random) -> Json:
        """The action that was tried most often."""
        ruleset, seat = self._ruleset, self._seat
        legal = ruleset.legal(state, seat)
        if len(legal) == 1:
            return legal[0]
        worlds = Worlds(ruleset, ruleset.blind(state, seat), seat)
        tried, won = [0] * len(legal), [0.0] * len(legal)
        for playout in range(1, PLAYOUTS + 1):
            world = worlds.draw(rng)
            here = max(range(len(legal)), key=partial(_bound, tried, won, playout))
            event = {"kind": "action", "seat": seat, "action": legal[here]}
            tried[here] += 1
            won[here] += _at_random_to_the_end(ruleset, ruleset.act(world, event), rng)[seat]
        return legal[max(range(len(legal)), key=tried.__getitem__)]


def _bound(tried: list[int], won: list[float], playouts: int, action: int) -> float:
    if not tried[action]:
        return math.inf
    return won[action] / tried[action] + math.sqrt(math.log(playouts) / tried[action])


def _at_random_to_the_end(ruleset: Ruleset, state: State, rng: Random) -> list[float]:
    """What each seat gets; nothing for a game that takes too long."""
    for _ in range(LONGEST):
        turn = ruleset.turn(state)
        if turn.over:
            break
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = rng.choice(turn.waiting or turn.optional)
            event = {
                "kind": "action",
                "seat": seat,
                "action": rng.choice(ruleset.legal(state, seat)),
            }
        state = ruleset.act(state, event)
    result = ruleset.result(state)
    return rewards(result) if result else [0.0] * state.players


class Row(NamedTuple):
    """The win share of a pairing, its interval, and what is to be reached."""

    pairing: Pairing
    games: int
    share: float
    low: float
    high: float
    target: float

    @property
    def kept(self) -> bool:
        return self.share >= self.target

    @property
    def settled(self) -> bool:
        """Whether more games would hardly change what is known of the target."""
        return self.games >= ENOUGH and not self.low < self.target < self.high

    @property
    def verdict(self) -> str:
        """Whether the target is reached, as far as so many games can say."""
        if self.low < self.target < self.high:
            return "too few games"
        return "yes" if self.kept else "no"

    def cells(self) -> tuple[str, ...]:
        slug, players, against = self.pairing
        interval = f"{self.low:.0%} to {self.high:.0%}"
        games, share, target = str(self.games), f"{self.share:.0%}", f"{self.target:.0%}"
        return slug, str(players), against, games, share, interval, target, self.verdict


def _rows(games: Iterable[Game], known: dict[str, float]) -> list[Row]:
    """A row for each pairing of which a game was played."""
    won: dict[Pairing, list[float]] = {}
    for game in games:
        won.setdefault(game.pairing, []).extend([known[game.key]] if game.key in known else [])
    return [_row(pairing, shares) for pairing, shares in sorted(won.items()) if shares]


def _row(pairing: Pairing, won: list[float]) -> Row:
    target = _target(pairing)
    share = sum(won) / len(won)
    return Row(pairing, len(won), share, *wilson(share, len(won)), target)


def _target(pairing: Pairing) -> float:
    """The win share to reach: against its like, that of chance."""
    _, players, against = pairing
    if against not in TARGETS:
        return 1 / players
    return TARGETS[against].get(players, LEAST[against])


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval of Wilson (1927) for a share of so many games."""
    centre = share + Z**2 / (2 * games)
    half = Z * math.sqrt(share * (1 - share) / games + Z**2 / (4 * games**2))
    scale = 1 + Z**2 / games
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


ABOUT = """House players see what their seat sees, and no more (`rules/kernel/information_sets.py`). They search: each
iteration draws a world that fits what they know and remember, and plays it down one tree of what the seats could do
(`rules/players/search.py`). What a sensible player is likely to do comes from the game's folder where random play says
little (`policy.py`: 2459n!, Auction, Auction Draw, Caravan, Market Price), and `estimate.py` says what a long match is
worth between two deals. A search ends early when no other action can overtake the most tried one.

| level | at most |
| --- | --- |
"""
HEAD = ("ruleset", "seats", "against", "games", "won", "95 %", "to reach", "reached")


class Cost(NamedTuple):
    """What thinking costs in a game, in µs of CPU on the machine of the measurement."""

    slug: str
    players: int
    random: float
    """A game played at random from the start to the end."""
    iteration: float
    """An iteration of the search, on the average of the first decisions of a game."""

    def cells(self) -> tuple[str, ...]:
        return self.slug, str(self.players), f"{self.random:,.0f}", f"{self.iteration:,.0f}"


def _cost(slug: str, players: int) -> Cost:
    ruleset, rng = rules.load(slug), random.Random(slug)
    state = ruleset.initial(players, ruleset.lengths(players)[0].options)
    began = time.process_time()
    for _ in range(GAMES):
        _at_random_to_the_end(ruleset, state, rng)
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
                    Worlds(ruleset, ruleset.blind(state, seat), seat),
                    time.process_time(),
                )
                search(ruleset, worlds, seat, Effort(ITERATIONS), rng)
                searched, decisions = searched + time.process_time() - began, decisions + 1
        state = ruleset.act(state, event)
    return Cost(slug, players, 1e6 * played / GAMES, 1e6 * searched / (decisions * ITERATIONS))


def _levels() -> str:
    return "\n".join(
        f"| `{name}` | {each.seconds:g} s of CPU, {each.iterations:,} iterations a decision |"
        for name, each in LEVELS.items()
    )


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(each)} |" for each in (head, ["---"] * len(head), *rows))


def _page(rows: list[Row], command: str, level: Level) -> str:
    limit = (
        f"{level.iterations:,} iterations"
        if level.seconds == math.inf
        else f"{level.seconds:g} s of CPU"
    )
    costs = [
        _cost(slug, players) for slug, players in dict.fromkeys(row.pairing[:2] for row in rows)
    ]
    return f"""# How well house players play

{ABOUT}{_levels()}

## Strength

    {command}

One seat searches with at most {limit} a decision; all others choose at random (`random`), by a plain search (`flat`:
UCB over {PLAYOUTS} random games a decision, in worlds that fit what the seat sees), or like that seat with the part of
its effort that `normal` has of `strong`'s (`normal`). The same deals with
the seats rotated, in the shortest usual length; a shared win counts in parts, unless the rules let everybody win
together. The intervals are Wilson's. A target is reached or not where the whole interval is on one side of it; a row
that says so after {ENOUGH} games is not played on.

{_lines(HEAD, [row.cells() for row in rows])}

## Cost

In µs of CPU: a whole game at random, and an iteration of the search early in a game (a world, the way down the tree,
and the likely rest of the game or of the deal).

{_lines(("ruleset", "seats", "random game", "iteration"), [cost.cells() for cost in costs])}
"""


def _show(done: int, many: int) -> None:
    width = 40
    bar = "#" * (done * width // many)
    end = "\n" if done == many else ""
    print(f"\r[{bar:{width}}] {done}/{many}", end=end, file=sys.stderr, flush=True)
