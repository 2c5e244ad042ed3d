"""How well house players play: the same deals with the seats rotated, against random players and a plain search.

    python -m benchmarks strength [SLUG …] [--games 40] [--seconds 1] [--against random flat] [--results FILE]

plays in parallel, shows how far it is, goes on where it was stopped (every game is a line of the results), and writes
the table to docs/house-players.md. One seat searches, all others are of the other kind; a win that is shared by
several seats counts in parts.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import rules
from rules.kernel import Json, Random, Ruleset, State
from rules.players.memory import Memory
from rules.players.search import LONGEST, Effort, rewards, search

PAGE = Path("docs/house-players.md")
RESULTS = Path("build/strength.jsonl")
PLAYOUTS = 200
"""Random games that the plain search plays a decision."""
Z = 1.96
"""For intervals of 95 %."""
TARGETS = {"random": {2: 0.9, 3: 0.8}, "flat": {2: 0.6, 3: 0.45}}
LEAST = {"random": 0.7, "flat": 0.37}
"""The win shares to reach with two and three seats, and with more."""
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
    seconds: float

    @property
    def key(self) -> str:
        return " ".join(map(str, (*self.pairing, self.deal, self.seat, self.seconds)))


Player = Callable[[State, Memory, int], Json]
"""Chooses for a seat; only the player whose seat it is looks at what it remembers."""


def main(arguments: list[str]) -> int:
    """Play what is missing, then write the page; 1 if a target is missed."""
    wish = _wish(arguments)
    games = list(_games(wish))
    known = _known(wish.results)
    missing = [game for game in games if game.key not in known]
    wish.results.parent.mkdir(parents=True, exist_ok=True)
    with (
        wish.results.open("a", encoding="utf-8") as results,
        multiprocessing.Pool(wish.jobs) as pool,
    ):
        for done, (key, won) in enumerate(pool.imap_unordered(_played, missing), 1):
            known[key] = won
            results.write(json.dumps({"game": key, "won": won}) + "\n")
            results.flush()
            _show(done, len(missing))
    rows = [
        _row(pairing, games, known) for pairing in dict.fromkeys(each.pairing for each in games)
    ]
    command = " ".join(["python -m benchmarks strength", *arguments])
    wish.page.write_text(_page(rows, command, wish.seconds), "utf-8")
    print(_table(rows))
    return not all(row.kept for row in rows)


def _wish(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength")
    parser.add_argument("slugs", nargs="*", metavar="SLUG", default=[])
    parser.add_argument("--games", type=int, default=40, help="of each pairing, in whole rotations")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU for a decision")
    parser.add_argument("--against", nargs="+", choices=[*TARGETS], default=[*TARGETS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    return parser.parse_args(arguments)


def _games(wish: argparse.Namespace) -> Iterator[Game]:
    for slug in wish.slugs or rules.slugs():
        for players in rules.load(slug).players:
            for against in wish.against:
                for deal in range(math.ceil(wish.games / players)):
                    for seat in range(players):
                        yield Game(Pairing(slug, players, against), deal, seat, wish.seconds)


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
    other = {"random": at_random, "flat": flat}[against]
    memory = Memory(ruleset, game.seat)
    state = ruleset.initial(players, ruleset.lengths(players)[0].options)
    for _ in range(ENDLESS):
        memory.see(ruleset.blind(state, game.seat))
        turn = ruleset.turn(state)
        if turn.over:
            break
        if turn.chance:
            outcome = chance.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = turn.waiting[0]
            if seat == game.seat:
                action = thought(ruleset, state, memory, seat, game.seconds, rng)
            else:
                action = other(ruleset, state, seat, rng)
            event = {"kind": "action", "seat": seat, "action": action}
        state = ruleset.act(state, event)
    result = ruleset.result(state)
    winners = result.winners if result else ()
    return game.key, (game.seat in winners) / max(1, len(winners))


def thought(
    ruleset: Ruleset, state: State, memory: Memory, seat: int, seconds: float, rng: Random
) -> Json:
    """By the search of the house players, for so long."""
    began = time.process_time()
    effort = Effort(10**9, lambda: time.process_time() - began > seconds)
    return search(ruleset, memory.worlds(ruleset.blind(state, seat)), seat, effort, rng)


def at_random(ruleset: Ruleset, state: State, seat: int, rng: Random) -> Json:
    """Any legal action."""
    return rng.choice(ruleset.legal(state, seat))


def flat(ruleset: Ruleset, state: State, seat: int, rng: Random) -> Json:
    """By UCB over random games in worlds that fit what the seat sees, without a tree."""
    blind = ruleset.blind(state, seat)
    legal = ruleset.legal(blind, seat)
    tried, won = [0] * len(legal), [0.0] * len(legal)
    for playout in range(1, PLAYOUTS + 1):
        world = ruleset.world(blind, seat, rng)
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

    def cells(self) -> tuple[str, ...]:
        slug, players, against = self.pairing
        interval = f"{self.low:.0%} to {self.high:.0%}"
        target = f"{self.target:.0%}" + ("" if self.kept else ", missed")
        return slug, str(players), against, str(self.games), f"{self.share:.0%}", interval, target


def _row(pairing: Pairing, games: Iterable[Game], known: dict[str, float]) -> Row:
    won = [known[game.key] for game in games if game.pairing == pairing]
    target = TARGETS[pairing.against].get(pairing.players, LEAST[pairing.against])
    share = sum(won) / len(won)
    return Row(pairing, len(won), share, *wilson(share, len(won)), target)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval of Wilson (1927) for a share of so many games."""
    centre = share + Z**2 / (2 * games)
    half = Z * math.sqrt(share * (1 - share) / games + Z**2 / (4 * games**2))
    scale = 1 + Z**2 / games
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


HEAD = ("ruleset", "seats", "against", "games", "won", "95 %", "to reach")


def _table(rows: Iterable[Row]) -> str:
    cells = [HEAD, ("---",) * len(HEAD), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(each)} |" for each in cells)


def _page(rows: Iterable[Row], command: str, seconds: float) -> str:
    return f"""# How well house players play

`{command}`: one seat searches for {seconds:g} s of CPU a decision, all others choose at random or by a plain search
(`flat`: UCB over {PLAYOUTS} random games a decision). The same deals with the seats rotated; a shared win counts in
parts.

{_table(rows)}
"""


def _show(done: int, many: int) -> None:
    width = 40
    bar = "#" * (done * width // many)
    end = "\n" if done == many else ""
    print(f"\r[{bar:{width}}] {done}/{many}", end=end, file=sys.stderr, flush=True)
