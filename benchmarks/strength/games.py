"""Who plays in the measurement of strength: house players, random ones and a plain search; and how a game is played."""

from __future__ import annotations

import math
import random
import time
from functools import partial
from typing import NamedTuple, Protocol

import rules
from rules.kernel import Json, Random, Result, Ruleset, State, Worlds
from rules.players.house import LEVELS, Level
from rules.players.memory import Memory
from rules.players.search import LONGEST, rewards, search

WHOLE = {"2459n"}
"""Games that are played in their longest usual length: luck decides the shortest one."""
PLAYOUTS = 200
"""Random games that the plain search plays a decision."""
PART = LEVELS["normal"].seconds / LEVELS["strong"].seconds
"""Of the effort of the seat that searches: what seats of `normal` have."""
OPEN = "open"
"""Who is against this plays against random players, but is shown all cards: more can hardly be reached by searching."""
UNSEARCHED = Level(math.inf, 0)
"""The seat does what its game's policy thinks likeliest, without a search."""
TOGETHER = "everyone"
"""The reason of a game that all win as one."""
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


def effort_of(level: Level) -> str:
    """In words: at most so much for a decision."""
    if level == UNSEARCHED:
        return "none"
    if level.seconds == math.inf:
        return f"{level.iterations:,} iterations"
    return f"{level.seconds:g} s of CPU"


class Player(Protocol):
    """Chooses for a seat what is played in a position."""

    def see(self, state: State) -> None:
        """The position after the next event; only what the seat sees of it may be looked at."""

    def choose(self, state: State, rng: Random) -> Json:
        """One of the legal actions of its seat."""


def played(game: Game) -> tuple[Game, float]:
    """A game, and the part of its win that goes to the seat that searches."""
    slug, players, _ = game.pairing
    ruleset, rng = rules.load(slug), random.Random(f"{slug} {players} {game.deal}")
    chance = random.Random(rng.random())
    state = initial(ruleset, players)
    seats = [
        _measured(ruleset, seat, game) if seat == game.seat else _other(ruleset, seat, game)
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
    return game, part_won(result, game.seat) if result else 0.0


def initial(ruleset: Ruleset, players: int) -> State:
    """The state before the first deal."""
    length = ruleset.lengths(players)[-1 if ruleset.slug in WHOLE else 0]
    return ruleset.initial(players, length.options)


def part_won(result: Result, seat: int) -> float:
    """The part of a win that is a seat's."""
    if result.reason == TOGETHER:
        return 1.0
    return (seat in result.winners) / max(1, len(result.winners))


def _measured(ruleset: Ruleset, seat: int, game: Game) -> Player:
    """The seat whose wins are counted."""
    if game.level == UNSEARCHED:
        return Likeliest(ruleset, seat)
    if game.pairing.against == OPEN:
        return Shown(ruleset, seat, game.level)
    return Searching(ruleset, seat, game.level)


def _other(ruleset: Ruleset, seat: int, game: Game) -> Player:
    """The others."""
    if game.pairing.against == "flat":
        return Flat(ruleset, seat)
    if game.pairing.against == "normal":
        seconds, iterations = game.level
        return Searching(ruleset, seat, Level(seconds * PART, math.ceil(iterations * PART)))
    return AtRandom(ruleset, seat)


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


class Shown(Searching):
    """One that is shown all cards, but not what others choose in secret at the same time."""

    def choose(self, state: State, rng: Random) -> Json:
        """By a search in the true position alone."""
        effort = self._level.effort(time.process_time)
        return search(self._ruleset, _Truth(state), self._seat, effort, rng)


class _Truth:
    """The only world that there is."""

    def __init__(self, state: State) -> None:
        self._state = state

    def draw(self, _rng: Random) -> State:
        """The true position."""
        return self._state


class AtRandom:
    """Any legal action."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        self._ruleset, self._seat = ruleset, seat

    def see(self, state: State) -> None:
        """It remembers nothing."""

    def choose(self, state: State, rng: Random) -> Json:
        """Each with the same chance."""
        return rng.choice(self._ruleset.legal(state, self._seat))


class Likeliest(AtRandom):
    """What a sensible player is most likely to do."""

    def choose(self, state: State, rng: Random) -> Json:
        """The first of the likeliest actions."""
        legal = self._ruleset.legal(state, self._seat)
        policy = self._ruleset.policy
        if policy is None or len(legal) == 1:
            return rng.choice(legal)
        weights = policy(self._ruleset.blind(state, self._seat), self._seat, legal)
        return legal[max(range(len(legal)), key=weights.__getitem__)]


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
            won[here] += at_random_to_the_end(ruleset, ruleset.act(world, event), rng)[seat]
        return legal[max(range(len(legal)), key=tried.__getitem__)]


def _bound(tried: list[int], won: list[float], playouts: int, action: int) -> float:
    if not tried[action]:
        return math.inf
    return won[action] / tried[action] + math.sqrt(math.log(playouts) / tried[action])


def at_random_to_the_end(ruleset: Ruleset, state: State, rng: Random) -> list[float]:
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
