"""States: the position of one game, as a frozen dataclass for each situation in which the game waits for something.

A game declares its common fields once, in a class marked `table` from which every phase inherits; a phase adds the
fields that only it needs.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform, overload

from rules.kernel import declarations
from rules.kernel.declarations import Declaration, fact, inner, sealed, zone
from rules.kernel.parts import Part
from rules.kernel.turns import Result, Turn, all_seats, waits_for
from rules.kernel.values import Action, Json, frozen

S = TypeVar("S", bound="State")


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(zone, fact, inner)
)
def phase(cls: type[S]) -> type[S]:
    """Make `cls` a phase, and return it: a frozen dataclass with keyword-only fields, each of them declared.

    Raises TypeError for a field without a declaration.
    """
    made: type[S] = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
    made.__hash__ = None  # type: ignore[assignment]  # told lines are dicts, which have no hash
    made.phase = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", made.__name__).lower()
    made.declared = declarations.declarations(made)
    made._left = _LeftBehind(made._kept)
    made._names = frozenset(name for name, _ in made.declared)
    made._defaults = {
        entry.name: entry.default
        for entry in dataclasses.fields(made)
        if entry.default is not dataclasses.MISSING and entry.name not in made._kept
    }
    made._required = made._names.difference(made._kept, made._defaults)
    return made


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(zone, fact, inner)
)
def table(cls: type[S]) -> type[S]:
    """Make `cls` the table of a ruleset, and return it: its fields are carried over from phase to phase."""
    cls._kept = ()
    made = phase(cls)
    made._kept = tuple(name for name, _ in made.declared)
    return made


class Watched(list[Json]):
    """The lines of an event, with the state that told each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[State] = []


@dataclasses.dataclass(frozen=True, kw_only=True)
class State:
    """The position of one game. A phase overrides the methods that it needs; each method that plays returns a new
    state.
    """

    __slots__ = ("__dict__", "_asked")
    # The answers about a state are kept outside its fields, so that no copy inherits them.

    phase: ClassVar[str]
    declared: ClassVar[tuple[tuple[str, Declaration], ...]]
    _kept: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[frozenset[str]]
    _left: ClassVar[Mapping[type[State], frozenset[str]]]
    _defaults: ClassVar[dict[str, object]]
    _required: ClassVar[frozenset[str]]

    players: int = inner()
    told: tuple[Json, ...] = inner(default=())
    """The lines that the last event told, in order."""

    def turn(self) -> Turn:
        """The seat, shuffle or clock that the game is waiting for."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[Action]:
        """Every legal action of a seat that may act, in the specified order."""
        return []

    def fallback(self, seat: int) -> Json | None:
        """The member of `legal` that is played for a waiting seat that is out of time; None if there is none."""
        return None

    def forced(self, seat: int) -> bool:
        """Whether everybody at the table can see that a seat that may act has only one legal action, and which one.

        Only what spectators see may decide this: playing the action for a seat must not reveal anything about its hand.
        """
        return False

    def beside(self, seat: int, action: Json) -> Json:
        """The things besides its values that the words of a legal action name, such as neighbours, as its seat sees
        them.
        """
        return {}

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """The reason why no legal action of this type has these values (obstacles.py).

        `why` is the name of the reason's message, and the other members are named in it. None if there is nothing to
        add to the list of legal actions.
        """
        return None

    def prompt(self) -> Json:
        """The facts on which the present question depends, the same for everybody."""
        return {}

    def facts(self) -> Sequence[Json]:
        """The facts that follow from several fields, the same for everybody."""
        return ()

    def parts(self) -> Sequence[Part]:
        """The present parts of the game, each before the parts inside it, the same for everybody."""
        return ()

    def result(self) -> Result | None:
        """The result; None while the game is going on."""
        return None

    def on_chance(self, outcome: tuple[str, ...]) -> State:
        """The state after the chance that `turn` named."""
        raise NotImplementedError

    def on_clock(self, name: str) -> State:
        """The state after the event of an outside clock."""
        raise NotImplementedError

    # `new` is Any because mypy cannot relate the values to the fields of the phase.
    @overload
    def change(self, /, **new: Any) -> Self: ...

    @overload
    def change(self, phase: type[S], /, **new: Any) -> S: ...

    def change(self, phase: type[State] | None = None, /, **new: Any) -> State:
        """A copy with new values. In another phase, it keeps only the table's fields and gets that phase's defaults.

        Raises TypeError for an unknown or a missing field, which mypy does not detect.
        """
        fields = self.__dict__
        if phase is None:
            cls, values = self.__class__, fields | new
            known = len(values) == len(fields)
        elif phase is self.__class__:  # nothing has to be left behind when a phase begins again
            cls, values = phase, fields | phase._defaults | new
            known = len(values) == len(fields) and new.keys() >= cls._required
        else:
            cls, values = phase, fields.copy()
            for name in cls._left[self.__class__]:
                del values[name]
            values.update(cls._defaults)
            values.update(new)
            known = len(values) == len(cls._names) and cls._names.issuperset(new)
        if not known:
            raise TypeError(f"{cls.__name__}: {sorted(values.keys() ^ cls._names)}")
        state = _new(cls)
        _set(state, "__dict__", values)
        return state

    def tell(self, line: str, /, *, shown_by: State | None = None, **values: object) -> Self:
        """Add a line to those that the present event tells (`silent`), and return the state itself.

        The line is told by the state of the table at that moment: a trick is won while its cards still lie there. If
        the rules first put away the cards of the line, `shown_by` is the earlier state of the event in which they still
        lay there.
        """
        told = self.__dict__["told"]
        told.append({"line": line, **values})
        if told.__class__ is Watched:
            told.states.append(shown_by or self)
        return self

    def silent(self, told: list[Json] | None = None) -> Self:
        """A copy on which to play an event, with an empty list of lines, or with the list `told`.

        All states up to the end of the event share one list, since copying the table for each line would take as long
        as everything else. So code that tries something out and drops it must not tell anything.
        """
        state = _new(self.__class__)
        fields = self.__dict__.copy()
        fields["told"] = [] if told is None else told
        _set(state, "__dict__", fields)
        return state

    def concluded(self) -> Self:
        """The state itself at the end of an event; its lines can no longer change."""
        fields = self.__dict__
        fields["told"] = tuple(fields["told"])
        return self

    def commit(self, seat: int, action: Json) -> State:
        """The state after a seat has committed an action without a `do_<type>`.

        Raises TypeError, since only a phase of sealed choices can handle such an action.
        """
        raise TypeError(f"{type(self).__name__} has no {action['type']}")

    def opens(self, event: Json, after: State) -> Sequence[Json | None]:
        """The sealed choices of this state, by seat (None: no choice), that the event leading to `after` opened to
        everybody.

        It is empty if the event opened none.
        """
        return ()

    def perform(self, seat: int, action: Json) -> State:
        """The state after a trusted action.

        Its arrays are passed on as tuples; missing parameters take their defaults.
        """
        do = _method(self.__class__, action["type"])  # type: ignore[arg-type]  # mypy takes the class for one of its states
        if do is None:
            return self.commit(seat, frozen(action))
        if len(action) == 1:
            return do(self, seat)
        parameters = {}
        for name, value in action.items():
            if name != "type":
                kind = value.__class__
                whole = kind is str or kind is int
                parameters[_KEYWORDS.get(name, name)] = value if whole else frozen(value)
        return do(self, seat, **parameters)


_new, _set = object.__new__, object.__setattr__
"""Functions for copies, which skip `__init__`, since their fields come from a state and `change` checks its arguments.

A new dict of fields is assigned as a whole: copying it would take 8 % of the instructions of random play.
"""


class _LeftBehind(dict[type[State], frozenset[str]]):
    """The names of the fields that a state loses when it leaves a phase, by that phase's class."""

    def __init__(self, kept: tuple[str, ...]) -> None:
        self._kept = kept

    def __missing__(self, old: type[State]) -> frozenset[str]:
        left = self[old] = old._names.difference(self._kept)
        return left


@functools.lru_cache(maxsize=1024)
def _method(phase: type[State], action: str) -> Callable[..., State] | None:
    """The method of a phase that plays actions of this type; None if it has none."""
    return getattr(phase, "do_" + action.replace("-", "_"), None)


_KEYWORDS = {"as": "as_", "from": "from_", "in": "in_"}
"""The Python names of parameters whose names are keywords of Python."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sealed(State):
    """Simultaneous choice: each of `choosers` commits one action in secret; `reveal` continues when all have done so.

    An action with a `do_<type>` is open and played at once; any other is a choice. `legal` must not look at `choices`.
    """

    choices: tuple[Json | None, ...] = zone(sealed, default=())

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats that choose; all seats unless a phase overrides this."""
        return all_seats(self.players)

    def choice(self, seat: int) -> Json | None:
        """The action that `seat` has committed; None if it has not committed any."""
        return self.choices[seat] if self.choices else None

    def turn(self) -> Turn:
        choices = self.choices
        if not choices:
            return waits_for(self.choosers)
        return waits_for(tuple([seat for seat in self.choosers if choices[seat] is None]))

    def reveal(self) -> State:
        """The state after all choices are known."""
        raise NotImplementedError

    def opens(self, event: Json, after: State) -> Sequence[Json | None]:
        """All choices, by seat (None: no choice), if the event was the last of them; otherwise empty.

        A phase that opens choices differently overrides this.
        """
        if _method(self.__class__, event["action"]["type"]):  # type: ignore[arg-type]  # as in perform
            return ()
        kept = getattr(after, "choices", ())
        choices = list(self.choices or (None,) * self.players)
        choices[event["seat"]] = event["action"]
        all_in = all(choices[chooser] is not None for chooser in self.choosers)
        return choices if all_in and not any(kept) else ()

    def commit(self, seat: int, action: Json) -> State:
        choices = list(self.choices or (None,) * self.players)
        choices[seat] = action
        state = self.change(choices=tuple(choices)).tell("chosen", seat=seat)
        for chooser in self.choosers:
            if choices[chooser] is None:
                return state
        return state.reveal()


def is_open(state: State, action: Mapping[str, Any]) -> bool:
    """Whether an action is played at once, so that everybody sees it, and is not a sealed choice."""
    return hasattr(state, "do_" + action["type"].replace("-", "_"))
