"""The kernel: states, turns and the contract of a ruleset; it knows no game.

A ruleset is a handful of *phases*, one frozen dataclass for each waiting situation, and procedures that lead from one
to the next. `Ruleset` answers the service, tests and search: `turn` and `legal` say what may happen, `apply` checks and
plays an event, `act` plays a trusted one, `view` and `lines` say what a seat may know. No clock, no randomness, no I/O.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform, overload

from rules import declare
from rules.declare import (
    Declaration,
    Marked,
    Place,
    Viewer,
    everyone,
    fact,
    inner,
    owner,
    sealed,
    size,
    zone,
)
from rules.refusal import why
from rules.values import Json, frozen, permutes, plain, same, text

__all__ = [
    "Chance",
    "Illegal",
    "Invalid",
    "Json",
    "Length",
    "Marked",
    "Only",
    "Option",
    "Param",
    "Place",
    "Result",
    "Ruleset",
    "Sealed",
    "State",
    "Turn",
    "Viewer",
    "everyone",
    "fact",
    "inner",
    "only",
    "owner",
    "phase",
    "plain",
    "same",
    "sealed",
    "size",
    "table",
    "text",
    "zone",
]

S = TypeVar("S", bound="State")


class Chance(NamedTuple):
    """A shuffle that is due: the service puts `items` in an order that nobody chose."""

    name: str
    items: tuple[str, ...]


class Turn(NamedTuple):
    """What can happen now: a chance, actions of waiting and optional seats, an outside clock, or nothing."""

    chance: Chance | None = None
    waiting: tuple[int, ...] = ()
    optional: tuple[int, ...] = ()
    over: bool = False
    clock: str | None = None


class Result(NamedTuple):
    """How a game ended: the winning seats, a score for each seat, and one of the ruleset's reasons."""

    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    reason: str


class Option(NamedTuple):
    """A choice made before the game: the values it can have, and the one it has if nobody says."""

    values: tuple[Any, ...]
    default: Any


class Length(NamedTuple):
    """A usual length of a game: the options that make it, and about how many decisions each player takes."""

    options: Json
    decisions: int


class Param(NamedTuple):
    """A parameter of an action; kind: card cards sequence seat number position suit rank choice flag."""

    name: str
    kind: str


class Invalid(ValueError):
    """Not a number of players or not options that this ruleset has."""


class Illegal(ValueError):
    """An event that cannot happen now; `why` is `{"wrong": what, "may": [what it may be]}`."""

    def __init__(self, wrong: str, may: Sequence[Any]) -> None:
        super().__init__(f"illegal {wrong}")
        self.why: Json = {"wrong": wrong, "may": list(may)}


class Only(NamedTuple):
    """A told value that these seats alone know; the others get a count."""

    value: Any
    seats: tuple[int, ...]


def only(value: Any, *seats: int) -> Only:
    """The one mark of redaction in what is told."""
    return Only(value, seats)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(zone, fact, inner)
)
def phase(cls: type[S]) -> type[S]:
    """Make a class of states of `cls`: frozen, by keyword, every field declared."""
    made: type[S] = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
    made.__hash__ = None  # type: ignore[assignment]  # a told line is a dict
    made.phase = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", made.__name__).lower()
    made.declared = declare.declarations(made)
    made._names = frozenset(name for name, _ in made.declared)
    made._defaults = {
        entry.name: entry.default
        for entry in dataclasses.fields(made)
        if entry.default is not dataclasses.MISSING and entry.name not in made._kept
    }
    return made


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(zone, fact, inner)
)
def table(cls: type[S]) -> type[S]:
    """Make `cls` the table of a ruleset: its fields go on from phase to phase."""
    cls._kept = ()
    made = phase(cls)
    made._kept = tuple(name for name, _ in made.declared)
    return made


@dataclasses.dataclass(frozen=True, kw_only=True)
class State:
    """The position of one game. A phase overrides what it needs; every method that goes on returns a new state."""

    phase: ClassVar[str]
    declared: ClassVar[tuple[tuple[str, Declaration], ...]]
    _kept: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[frozenset[str]]
    _defaults: ClassVar[Mapping[str, Any]]

    players: int = inner()
    told: tuple[Json, ...] = inner(default=())
    """What the last event made happen, in order."""

    def turn(self) -> Turn:
        """Who or what is waited for."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[Json]:
        """Every legal action of a seat that may act, in the specified order."""
        return []

    def fallback(self, seat: int) -> Json | None:
        """The member of `legal` that is played for a waiting seat out of time."""
        return None

    def prompt(self) -> Json:
        """What the present question turns on, the same for everybody."""
        return {}

    def facts(self) -> Sequence[Json]:
        """What follows from several fields, the same for everybody."""
        return ()

    def result(self) -> Result | None:
        """How the game ended, or None."""
        return None

    def fell(self, outcome: tuple[str, ...]) -> State:
        """Go on after the chance that `turn` named."""
        raise NotImplementedError

    def ticked(self, name: str) -> State:
        """Go on after the event of an outside clock."""
        raise NotImplementedError

    @overload
    def change(self, /, **new: Any) -> Self: ...

    @overload
    def change(self, phase: type[S], /, **new: Any) -> S: ...

    def change(self, phase: type[State] | None = None, /, **new: Any) -> State:
        """A copy with new values; in another phase with the table's fields and the phase's defaults alone.

        Raises TypeError for an unknown or a missing field, which mypy does not see.
        """
        old, cls = self.__dict__, phase or type(self)
        if phase is None:
            values = {**old, **new}
            values.pop(_MEMO, None)
        else:
            values = {name: old[name] for name in phase._kept}
            values |= phase._defaults
            values |= new
        if values.keys() != cls._names:
            raise TypeError(f"{cls.__name__}: {sorted(values.keys() ^ cls._names)}")
        state = object.__new__(cls)
        state.__dict__.update(values)
        return state

    def tell(self, line: str, /, **values: Any) -> Self:
        """A copy in which one more line has been told."""
        return self.change(told=(*self.told, {"line": line, **values}))

    def chosen(self, seat: int, action: Json) -> State:
        """Take an action that has no `do_<type>`: only a phase of sealed choice knows what to do with it."""
        raise TypeError(f"{type(self).__name__} has no {action['type']}")

    def done(self, seat: int, action: Json) -> State:
        """Play a trusted action: arrays arrive as tuples, a missing parameter by its default."""
        do = getattr(self, "do_" + action["type"].replace("-", "_"), None)
        action = frozen(action)
        if do is None:
            return self.chosen(seat, action)
        parameters = {_PYTHON.get(name, name): action[name] for name in action if name != "type"}
        return do(seat, **parameters)  # type: ignore[no-any-return]


_MEMO = "_memo"
"""Where a state remembers its turn and legal actions: outside its fields, so that no copy takes it along."""

_PYTHON = {"as": "as_", "from": "from_", "in": "in_"}
"""Parameters named like a keyword of Python."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sealed(State):
    """Simultaneous choice: each of `choosers` commits one action in secret; `reveal` goes on when all are in.

    An action with a `do_<type>` is open and played at once; any other is a choice. `legal` does not look at `choices`.
    """

    choices: tuple[Json | None, ...] = zone(sealed, default=())

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats that choose."""
        return tuple(range(self.players))

    def choice(self, seat: int) -> Json | None:
        """What `seat` has committed, or None."""
        return self.choices[seat] if self.choices else None

    def turn(self) -> Turn:
        return Turn(waiting=tuple(seat for seat in self.choosers if self.choice(seat) is None))

    def reveal(self) -> State:
        """Go on with all choices known."""
        raise NotImplementedError

    def chosen(self, seat: int, action: Json) -> State:
        choices = list(self.choices or (None,) * self.players)
        choices[seat] = action
        state = self.change(choices=tuple(choices)).tell("chosen", seat=seat)
        if all(choices[chooser] is not None for chooser in self.choosers):
            return state.reveal()
        return state


_KEYS = {
    "chance": {"kind", "name", "outcome"},
    "action": {"kind", "seat", "action"},
    "clock": {"kind", "name"},
}
"""Exactly the keys of each kind of event that the rules see."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game behind the contract that service, tests and search know.

    `start(players, options)` makes the first state. `lengths(players)` are the usual lengths, the shortest first;
    `live(players, options)` is whether everybody has to be on line at once, as with an outside clock. `when` has for an
    option that matters only beside certain values of another these values. `passing` and `alike` narrow the proof
    (rules/proof.py).
    """

    slug: str
    version: int
    players: tuple[int, ...]
    actions: Mapping[str, tuple[Param, ...]]
    reasons: tuple[str, ...]
    start: Callable[[int, Json], State]
    lengths: Callable[[int], tuple[Length, ...]]
    options: Callable[[int], Mapping[str, Option]] = lambda players: {}
    together: Callable[[int, Json], bool] = lambda players, options: True
    live: Callable[[int, Json], bool] = lambda players, options: False
    when: Mapping[str, Json] = dataclasses.field(default_factory=dict)
    passing: frozenset[str] = frozenset()
    alike: Callable[[Any, str], Any] = lambda then, card: None

    def settle(self, players: Any, options: Any) -> Json:
        """The options with defaults filled in. Raises Invalid, also for what does not go together."""
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            raise Invalid(f"{self.slug} is for {self.players} players")
        known = self.options(players)
        if not isinstance(options, Mapping) or not options.keys() <= known.keys():
            raise Invalid(f"the options are {sorted(known)}")
        settled = {name: _value(name, option, options) for name, option in known.items()}
        if not self.together(players, settled):
            raise Invalid("these options do not go together")
        return settled

    def initial(self, players: int, options: Mapping[str, Any]) -> State:
        """The state before any chance. Raises Invalid."""
        return self.start(players, self.settle(players, options))

    def turn(self, state: State) -> Turn:
        """Who or what is waited for."""
        memo = _memo(state)
        if "turn" not in memo:
            memo["turn"] = state.turn()
        return memo["turn"]  # type: ignore[no-any-return]

    def legal(self, state: State, seat: Viewer) -> list[Json]:
        """Every legal action in the specified order; [] for a seat that may not act."""
        return list(self._legal(state, seat)) if self._may_act(state, seat) else []

    def listed(self, state: State, seat: int, action: Any) -> Json:
        """The member of `legal` whose canonical JSON text `action` has. Raises Illegal."""
        if not self._may_act(state, seat):
            raise Illegal("seat", self._actors(state))
        legal = self._legal(state, seat)
        for member in legal:
            if same(member, action):
                return member
        raise Illegal(*why(self.actions, legal, action))

    def apply(self, state: State, event: Any) -> State:
        """The state after a checked event. Raises Illegal."""
        return self.act(state, self._checked(state, event))

    def act(self, state: State, event: Mapping[str, Any]) -> State:
        """The state after a trusted event: replay of our own log, and search."""
        state = state.change(told=())
        if event["kind"] == "action":
            return state.done(event["seat"], event["action"])
        if event["kind"] == "chance":
            return state.fell(tuple(event["outcome"]))
        return state.ticked(event["name"])

    def view(self, state: State, seat: Viewer) -> Json:
        """What that seat, or a spectator, may see, and nothing else."""
        return declare.view(state.declared, state, seat)

    def lines(self, state: State, seat: Viewer) -> list[Json]:
        """What the last event made happen, in order, as that seat may know it."""
        return [{key: _known(value, seat) for key, value in line.items()} for line in state.told]

    def question(self, state: State, seat: int) -> Json:
        """What the seat is asked: its view and legal actions, but for who has committed or passed.

        Facts named `passed` are those that say no more than that.
        """
        memo = _memo(state)
        if ("question", seat) not in memo:
            view = self.view(state, seat)
            facts = [fact for fact in view["facts"] if fact["name"] != "passed"]
            kept = {**view, "facts": facts, "committed": None}
            memo["question", seat] = {"view": kept, "legal": self.legal(state, seat)}
        return memo["question", seat]  # type: ignore[no-any-return]

    def fallback(self, state: State, seat: int) -> Json | None:
        """The action played for a waiting seat that ran out of time, else None."""
        waiting = self._may_act(state, seat) and seat in self.turn(state).waiting
        return state.fallback(seat) if waiting else None

    def result(self, state: State) -> Result | None:
        """None until the game is over."""
        return state.result()

    def elsewise(self, state: State, event: Json, seat: Viewer, rng: Any) -> tuple[State, Json]:
        """Another truth that the seat cannot tell from this one (rules/proof.py)."""
        from rules import proof  # for tests alone: a running server never loads it

        return proof.elsewise(self, state, event, seat, rng)

    def _actors(self, state: State) -> tuple[int, ...]:
        turn = self.turn(state)
        return turn.waiting + turn.optional

    def _may_act(self, state: State, seat: Any) -> bool:
        return isinstance(seat, int) and not isinstance(seat, bool) and seat in self._actors(state)

    def _legal(self, state: State, seat: Any) -> list[Json]:
        memo = _memo(state)
        if seat not in memo:
            memo[seat] = state.legal(seat)
        return memo[seat]  # type: ignore[no-any-return]

    def _checked(self, state: State, event: Any) -> Json:
        turn = self.turn(state)
        due = {"chance": turn.chance, "action": self._actors(state), "clock": turn.clock}
        kinds = [kind for kind, now in due.items() if now]
        kind = event.get("kind") if isinstance(event, dict) else None
        if not isinstance(kind, str) or kind not in kinds or event.keys() != _KEYS[kind]:
            raise Illegal("kind", kinds)
        if kind == "action":
            return {**event, "action": self.listed(state, event["seat"], event["action"])}
        name = turn.chance.name if kind == "chance" and turn.chance else turn.clock
        if not same(event["name"], name):
            raise Illegal("name", [name])
        if kind == "chance" and turn.chance and not permutes(event["outcome"], turn.chance.items):
            raise Illegal("outcome", turn.chance.items)
        return event  # type: ignore[no-any-return]


def _memo(state: State) -> dict[Any, Any]:
    return state.__dict__.setdefault(_MEMO, {})  # type: ignore[no-any-return]


def _value(name: str, option: Option, given: Mapping[str, Any]) -> Any:
    if name not in given:
        return option.default
    for value in option.values:
        if same(value, given[name]):
            return value
    raise Invalid(f"{name} is one of {list(option.values)}")


def _known(value: Any, seat: Viewer) -> Any:
    if not isinstance(value, Only):
        return plain(value)
    if seat is not None and seat in value.seats:
        return plain(value.value)
    return len(value.value) if isinstance(value.value, tuple | list) else 1
