"""The players in the measurement of strength (house players, random ones and a plain search), and the playing of
games.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

import rules
from rules.kernel import Json, Random, Result, Ruleset, State, Worlds
from rules.players.levels import DEEP, LEVELS, TENFOLD, Level
from rules.players.memory import Memory
from rules.players.search import LONGEST, Effort, Supposed, rewards, search

LENGTH = {"2459n": -1, "abbott-auction": 1}
"""The index of the usual length that is played, for games whose shortest length would mostly be decided by luck."""
PLAYOUTS = 200
"""The number of random games that the plain search plays for a decision."""
MEASURED: Mapping[str, Level] = {**LEVELS, "deep": DEEP}
"""The levels of the measured seat, by name: those of house players, and the one of deep analyses."""
LONGER = {"normal": LEVELS["strong"].seconds / LEVELS["normal"].seconds, "strong": TENFOLD}
"""How many times as long the measured seat searches as the others, by their kind, if they are house players too.

Against `normal`, it is the factor between `strong` and `normal`; against `strong`, the one between a deep search and
`strong`.
"""
OPEN = "open"
"""An opponent mode: the measured seat is shown all cards and knows that the others play at random.

More can hardly be achieved.
"""
TOLD = "told"
"""An opponent mode: the measured seat sees only its own view, but knows that the others play at random.

No house player knows that.
"""
SHOWN = "shown"
"""An opponent mode: the measured seat is a house player among plain searches, and is shown all cards.

It sees those that will be drawn later as well.
"""
OTHERS = {OPEN: "random", TOLD: "random", SHOWN: "flat"}
"""The kind of the other players, if `against` states what the measured seat knows."""
OPEN_EXPLORATION = 0.5
"""The preference for seldom tried actions of a seat that knows how others choose; the plain search's is twice as
large.
"""
NEWCOMER = "newcomer"
"""An opponent mode: the others do not search, but draw each action by how sensible their game's policy finds it."""
UNSEARCHED = Level(math.inf, 0)
"""An effort without a search: the seat plays what its game's policy finds likeliest."""
TOGETHER = "everyone"
"""The reason for the end of a game that all players win together."""
ENDLESS = 20_000
"""The number of events after which a game counts for nobody."""


class Pairing(NamedTuple):
    """A game, the number of players, and the kind of opponents."""

    slug: str
    players: int
    against: str


class Game(NamedTuple):
    """One game of a pairing: the deal that all rotations share, and the measured seat."""

    pairing: Pairing
    deal: int
    seat: int
    level: Level


def effort_of(level: Level) -> str:
    """The effort in words: the name of a level, "none", or its limit for a decision."""
    if level == UNSEARCHED:
        return "none"
    if level.seconds == math.inf:
        return f"{level.iterations:,} iterations"
    names = (name for name, each in MEASURED.items() if each == level)
    return next(names, f"{level.seconds:g} s of CPU")


def shorter(level: Level, times: float) -> Level:
    """A level with the time and iterations of `level`, each divided by `times`."""
    return Level(level.seconds / times, math.ceil(level.iterations / times))


class Player(Protocol):
    """A player who chooses actions for a seat."""

    def see(self, state: State) -> None:
        """Take in the position after the next event; only the seat's view of it may be used."""

    def choose(self, state: State, rng: Random) -> Json:
        """A legal action of its seat."""


def played(game: Game) -> tuple[Game, float]:
    """Play a game, and return it with the part of its win that the measured seat gets."""
    slug, players, _ = game.pairing
    ruleset, rng = rules.load(slug), random.Random(f"{slug} {players} {game.deal}")
    chance = random.Random(rng.random())
    state = initial(ruleset, players)
    seats = [
        _measured(ruleset, seat, game) if seat == game.seat else other(ruleset, seat, game)
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
    """The state before the first deal, in the length that is measured."""
    length = ruleset.looks.lengths(players)[LENGTH.get(ruleset.slug, 0)]
    return ruleset.initial(players, length.options)


def part_won(result: Result, seat: int) -> float:
    """A seat's part of a win: 1 if all win together, else 1 divided among the winners, or 0."""
    if result.reason == TOGETHER:
        return 1.0
    return (seat in result.winners) / max(1, len(result.winners))


def _measured(ruleset: Ruleset, seat: int, game: Game) -> Player:
    """The player whose wins are counted."""
    if game.level == UNSEARCHED:
        return Likeliest(ruleset, seat)
    if game.pairing.against == OPEN:
        return Open(ruleset, seat, game.level)
    if game.pairing.against == TOLD:
        return Told(ruleset, seat, game.level)
    if game.pairing.against == SHOWN:
        return Shown(ruleset, seat, game.level)
    return Searching(ruleset, seat, game.level)


def other(ruleset: Ruleset, seat: int, game: Game) -> Player:
    """A player for a seat that is not the measured one, of the kind that the game's pairing names."""
    kind = OTHERS.get(game.pairing.against, game.pairing.against)
    if kind == "flat":
        return Flat(ruleset, seat)
    if kind == NEWCOMER:
        return Newcomer(ruleset, seat)
    if kind in LONGER:
        return Searching(ruleset, seat, shorter(game.level, LONGER[kind]))
    return AtRandom(ruleset, seat)


class Searching:
    """A house player, with everything that it remembers."""

    def __init__(self, ruleset: Ruleset, seat: int, level: Level) -> None:
        self._ruleset, self._seat, self.level = ruleset, seat, level
        self._memory = Memory(ruleset, seat)

    def see(self, state: State) -> None:
        """Take in the position after the next event."""
        self._blind = self._ruleset.blind(state, self._seat)
        self._memory.see(self._blind)

    def choose(self, _state: State, rng: Random) -> Json:
        """The choice of a house player with the effort of its level."""
        return self._searched(self._memory.worlds(self._blind), rng)

    def _searched(self, worlds: Supposed, rng: Random) -> Json:
        effort = self.level.effort(time.process_time)
        return search(self._ruleset, worlds, self._seat, effort, rng)


class Shown(Searching):
    """A house player that knows the true position."""

    def choose(self, state: State, rng: Random) -> Json:
        """The choice of a house player that searches from the true position."""
        return self._searched(Truth(state), rng)


class Truth(NamedTuple):
    """A source of assumed positions, which are all the true one."""

    state: State

    def draw(self, _rng: Random) -> State:
        """The true position."""
        return self.state


class AtRandom:
    """A player who chooses any legal action."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        self._ruleset, self._seat = ruleset, seat

    def see(self, state: State) -> None:
        """Do nothing: it remembers nothing."""

    def choose(self, state: State, rng: Random) -> Json:
        """A legal action; all of them are equally likely."""
        return rng.choice(self._ruleset.legal(state, self._seat))


class Likeliest(AtRandom):
    """A player who takes the action that its game's policy finds likeliest."""

    def choose(self, state: State, rng: Random) -> Json:
        """The first of the likeliest actions; a random one if the game has no policy."""
        legal = self._ruleset.legal(state, self._seat)
        policy = self._ruleset.mind.policy
        if policy is None or len(legal) == 1:
            return rng.choice(legal)
        weights = policy(self._ruleset.blind(state, self._seat), self._seat, legal)
        return legal[max(range(len(legal)), key=weights.__getitem__)]


class Newcomer(AtRandom):
    """A player who draws each action by the likelihood that its game's policy gives it."""

    def choose(self, state: State, rng: Random) -> Json:
        """An action, drawn by how sensible it is according to the seat's view."""
        return _likely(self._ruleset, self._ruleset.blind(state, self._seat), self._seat, rng)


class Flat(AtRandom):
    """A player who uses UCB over random games in worlds that fit the seat's view, without a tree."""

    def choose(self, state: State, rng: Random) -> Json:
        """The action that was tried most often."""
        ruleset, seat = self._ruleset, self._seat
        worlds = Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat)
        return _by_ucb(
            ruleset.legal(state, seat), Effort(PLAYOUTS), 1.0, partial(self._won, worlds, rng)
        )

    def _won(self, worlds: Worlds, rng: Random, action: Json) -> float:
        event = {"kind": "action", "seat": self._seat, "action": action}
        state = self._ruleset.act(worlds.draw(rng), event)
        return at_random_to_the_end(self._ruleset, state, rng)[self._seat]


class Open(AtRandom):
    """A player who is shown all cards and knows that the others play at random.

    It uses UCB over likely games, without a tree.
    """

    def __init__(self, ruleset: Ruleset, seat: int, level: Level) -> None:
        super().__init__(ruleset, seat)
        self._level = level

    def choose(self, state: State, rng: Random) -> Json:
        """The action that was tried most often."""
        legal, effort = (
            self._ruleset.legal(state, self._seat),
            self._level.effort(time.process_time),
        )
        return _by_ucb(legal, effort, OPEN_EXPLORATION, partial(self._won, state, rng))

    def _won(self, state: State, rng: Random, action: Json) -> float:
        event = {"kind": "action", "seat": self._seat, "action": action}
        state = self._ruleset.act(self._supposed(state, rng), event)
        return at_random_to_the_end(self._ruleset, state, rng, sensible=self._seat)[self._seat]

    def _supposed(self, state: State, _rng: Random) -> State:
        """The true position."""
        return state


class Told(Open):
    """A player who sees and remembers what house players do, but knows that the others play at random."""

    def __init__(self, ruleset: Ruleset, seat: int, level: Level) -> None:
        super().__init__(ruleset, seat, level)
        self._memory = Memory(ruleset, seat)

    def see(self, state: State) -> None:
        """Take in the position after the next event."""
        blind = self._ruleset.blind(state, self._seat)
        self._memory.see(blind)
        self._worlds = self._memory.worlds(blind)

    def _supposed(self, _state: State, rng: Random) -> State:
        """A position that may be the true one."""
        return self._worlds.draw(rng)


def _by_ucb(
    legal: list[Json], effort: Effort, exploration: float, won: Callable[[Json], float]
) -> Json:
    """The action tried most often, where each try goes to the one that may win most."""
    tries, sums = [0] * len(legal), [0.0] * len(legal)
    for done in range(effort.iterations if len(legal) > 1 else 0):
        if effort.enough():
            break
        bounds = [_bound(*each, done, exploration) for each in zip(tries, sums, strict=True)]
        here = bounds.index(max(bounds))
        tries[here] += 1
        sums[here] += won(legal[here])
    return legal[tries.index(max(tries))]


def _bound(tries: int, sum_: float, done: int, exploration: float) -> float:
    return sum_ / tries + exploration * math.sqrt(math.log(done) / tries) if tries else math.inf


def at_random_to_the_end(
    ruleset: Ruleset, state: State, rng: Random, sensible: int | None = None
) -> list[float]:
    """The result of each seat; one seat may play what is `sensible`. Nothing for a game that takes too long."""
    for _ in range(LONGEST):
        turn = ruleset.turn(state)
        if turn.over:
            break
        if turn.chance:
            outcome = rng.sample(turn.chance.items, len(turn.chance.items))
            event: Json = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        else:
            seat = rng.choice(turn.waiting or turn.optional)
            choose = _likely if seat == sensible else _any
            event = {"kind": "action", "seat": seat, "action": choose(ruleset, state, seat, rng)}
        state = ruleset.act(state, event)
    result = ruleset.result(state)
    return rewards(result) if result else [0.0] * state.players


def _any(ruleset: Ruleset, state: State, seat: int, rng: Random) -> Json:
    return rng.choice(ruleset.legal(state, seat))


def _likely(ruleset: Ruleset, state: State, seat: int, rng: Random) -> Json:
    """An action, drawn with a sensible player's weights (Efraimidis and Spirakis 2006)."""
    legal = ruleset.legal(state, seat)
    if ruleset.mind.policy is None or len(legal) == 1:
        return rng.choice(legal)
    weights = ruleset.mind.policy(state, seat, legal)
    drawn = [rng.random() ** (1 / weight) if weight else 0.0 for weight in weights]
    return legal[drawn.index(max(drawn))]
