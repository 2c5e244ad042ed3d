"""The contract of a ruleset: what the service, tests and searches may ask of a game.

`turn` and `legal` tell what may happen, `apply` checks and plays an event, `act` plays a trusted one, `view` and
`lines` tell what a seat may know. There is no clock, no randomness and no I/O.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from rules.kernel import declarations, information_sets, moments
from rules.kernel.actions import Param, Taken, taken
from rules.kernel.declarations import PASSED, Derived, Viewer
from rules.kernel.lines import heard
from rules.kernel.looks import Looks
from rules.kernel.mind import MINDLESS, Mind
from rules.kernel.parts import Heading, Part
from rules.kernel.randomness import Random
from rules.kernel.refusals import Illegal, Invalid, why
from rules.kernel.states import State
from rules.kernel.turns import Result, Turn
from rules.kernel.values import Action, Json, Scalar, frozen, permutes, same
from rules.kernel.worlds import Worlds


class Option(NamedTuple):
    """A choice made before the game: its possible values, and its default.

    `later` means that games of this version had begun before the option was added. Their logs lack it, and they are
    played with its default.
    """

    values: tuple[Scalar, ...]
    default: Scalar
    later: bool = False


_KEYS = {
    "chance": {"kind", "name", "outcome"},
    "action": {"kind", "seat", "action"},
    "clock": {"kind", "name"},
}
"""The keys that an event of each kind needs to have, exactly these, as far as the rules see it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game, how house players think about it (mind.py), and how it is shown (looks.py).

    `start(players, options)` returns the first state. `together(players, options)` returns whether the options can be
    combined. `live(players, options)` returns whether everybody has to be online at the same time, as with an outside
    clock, and `lasts(players, options)` for how many seconds such a clock runs until its event. `transient` and
    `equivalence_class` narrow the proof (proof.py): the former has the parameters of lines whose cards lie open for a
    moment only, the latter groups unseen cards about which seats reveal something.
    """

    slug: str
    version: int
    players: tuple[int, ...]
    actions: Mapping[str, tuple[Param, ...]]
    reasons: tuple[str, ...]
    start: Callable[[int, Json], State]
    looks: Looks
    options: Callable[[int], Mapping[str, Option]] = lambda players: {}
    together: Callable[[int, Json], bool] = lambda players, options: True
    live: Callable[[int, Json], bool] = lambda players, options: False
    lasts: Callable[[int, Json], float] = lambda players, options: 0
    transient: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    # The state is Any, since each ruleset has its own table.
    equivalence_class: Callable[[Any, str], Hashable] = lambda then, card: None
    mind: Mind = MINDLESS

    def settle(self, players: object, options: object) -> Json:
        """The options with defaults filled in.

        Raises Invalid for an unsuitable number of players, an unknown option or value, or options that cannot be
        combined.
        """
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            raise Invalid(f"{self.slug} is for {self.players} players")
        known = self.options(players)
        if not isinstance(options, Mapping):
            raise Invalid(f"the options are {sorted(known)}")
        for name in options.keys() - known.keys():
            raise Invalid(f"the options are {sorted(known)}", name)
        settled = {name: _value(name, option, options) for name, option in known.items()}
        if not self.together(players, settled):
            raise Invalid("these options do not go together")
        return settled

    def filled(self, players: int, logged: Mapping[str, Any]) -> Json:
        """The options of a log, with the defaults of options that were added later."""
        known = self.options(players)
        return {name: each.default for name, each in known.items() if each.later} | dict(logged)

    def initial(self, players: int, options: Mapping[str, object]) -> State:
        """The state before any chance. Raises Invalid as `settle` does."""
        return self.start(players, self.settle(players, options)).concluded()

    def position(self, given: Json) -> State:
        """The position of an example, from its `phase` and the `fields` that differ from the start with its options.

        Raises Invalid for players or options that this ruleset does not have.
        """
        start = self.initial(given["players"], given["options"])
        if not given["fields"]:
            return start
        phase = next(each for each in self.looks.vocabulary.phases if each.phase == given["phase"])
        return start.change(phase, **{name: frozen(it) for name, it in given["fields"].items()})

    def turn(self, state: State) -> Turn:
        """The seat, shuffle or clock that the game is waiting for."""
        known = getattr(state, "_asked", None) or _asked_of(state)
        turn: Turn | None = known.get("turn")
        if turn is None:
            turn = known["turn"] = state.turn()
        return turn

    def legal(self, state: State, seat: Viewer) -> list[Json]:
        """Every legal action of the seat, in the specified order; empty for a seat that may not act, and for
        spectators.
        """
        return [*self._legal(state, seat)]

    def listed(self, state: State, seat: int, action: object) -> Json:
        """The legal action that has the same canonical JSON text as `action`.

        Raises Illegal, with the possible values, if there is none or the seat may not act.
        """
        if not self._may_act(seat, state):
            raise Illegal("seat", self._actors(state))
        legal = self._legal(state, seat)
        for member in legal:
            if same(member, action):
                return member
        raise Illegal(*why(self.actions, legal, action))

    def apply(self, state: State, event: object) -> State:
        """The state after an event that is checked first. Raises Illegal if the event cannot happen now."""
        return self.act(state, self._checked(state, event))

    def act(self, state: State, event: Mapping[str, Any]) -> State:
        """The state after a trusted event, which is not checked: for replaying our own log, and for searches."""
        state = state.silent()
        kind = event["kind"]
        if kind == "action":
            state = state.perform(event["seat"], event["action"])
        elif kind == "chance":
            state = state.on_chance(tuple(event["outcome"]))
        else:
            state = state.on_clock(event["name"])
        state = state.concluded()
        object.__setattr__(state, "_asked", {"turn": None})  # see _asked_of: it will soon be asked
        return state

    def view(self, state: State, seat: Viewer) -> Json:
        """The part of the state that this seat, or a spectator, may see."""
        return declarations.view(state.declared, state, seat, follows=_derived(state))

    def open_view(self, state: State) -> Json:
        """Everything on the table, regardless of the viewer: for finished games, whose records are open anyway."""
        widened = declarations.opened(state.declared)
        return declarations.view(state.declared, state, None, widened, follows=_derived(state))

    def lines(self, state: State, seat: Viewer) -> list[Json]:
        """The effects of the last event, in order, as far as this seat may know them."""
        return heard(state.told, seat)

    def headings(self, before: State | None, after: State) -> list[Heading]:
        """The headings of the parts that began in the event between these states; without an earlier state, at the
        start.
        """
        old, new = () if before is None else tuple(before.parts()), tuple(after.parts())
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        begun, first = list[Heading](), 0
        for depth, each in enumerate(new[same:], same):
            first = max(first, self._first_line(each, after))
            begun.append(Heading(first, depth, each))
        return begun

    def _first_line(self, part: Part, after: State) -> int:
        """The index of the first of the last adjacent lines that begin this part; the number of lines if none does."""
        begin = [self.looks.begins.get(each["line"]) == part.name for each in after.told]
        found = [n for n, each in enumerate(begin) if each and not (n and begin[n - 1])]
        return found[-1] if found else len(begin)

    def taken(self, before: State, event: Json, after: State, seat: Viewer) -> Taken:
        """The part of the event's action that this seat, or a spectator, may know (actions.py)."""
        return taken(self.actions, before, event, after, seat)

    def moment(self, before: State, event: Json, after: State) -> str | None:
        """The kind of the moment at which the table stops after an event (moments.py), the same for everybody.

        None if the table does not stop.
        """
        if event["kind"] != "action":
            return None
        known = self.taken(before, event, after, None)
        lines = [line["line"] for line in after.told]
        return moments.kind(self.actions, self.looks.moments, known, lines)

    def moment_view(
        self, before: State, event: Json, after: State, seat: Viewer, *, everything: bool = False
    ) -> Json:
        """The view of this seat, or of a spectator, at the moment of an event that has one: the cards are where they
        lay.

        With `everything`, all cards are visible, as in `open_view`.
        """
        shown = moments.shown(self.looks.moments, moments.watched(before, event))
        if everything:
            return self.open_view(shown)
        opened = self.taken(before, event, after, seat).opened
        return moments.turned_up(self.actions, self.view(shown, seat), opened)

    def question(self, state: State, seat: int) -> Json:
        """The question to the seat: its view and legal actions, without who has committed or passed.

        Facts named PASSED tell nothing but who has passed.
        """
        view = self.view(state, seat)
        kept = {**view, "facts": declarations.others(view["facts"], PASSED), "committed": None}
        return {"view": kept, "legal": self.legal(state, seat)}

    def asks_anew(self, before: State, after: State, seat: int) -> bool:
        """Whether the seat's questions in the two states differ, computed without building views if possible."""
        if before.phase != after.phase:
            return True
        if before.__class__ is not after.__class__:
            return self.question(before, seat) != self.question(after, seat)
        if not declarations.same_shown(before, after, seat, PASSED):
            return True
        old, new = _derived(before), _derived(after)
        if old.prompt != new.prompt:
            return True
        if declarations.others(old.facts, PASSED) != declarations.others(new.facts, PASSED):
            return True
        return self.legal(before, seat) != self.legal(after, seat)

    def fallback(self, state: State, seat: int) -> Json | None:
        """The action that is played for a waiting seat that is out of time; None for any other seat."""
        waiting = self._may_act(seat, state) and seat in self.turn(state).waiting
        return state.fallback(seat) if waiting else None

    def forced(self, state: State, seat: int) -> Json | None:
        """The only legal action of a seat, if everybody at the table can see that it has no other; otherwise None."""
        legal = self._legal(state, seat)
        return legal[0] if len(legal) == 1 and state.forced(seat) else None

    def result(self, state: State) -> Result | None:
        """The result of the game; None until the game is over."""
        return state.result()

    def blind(self, state: State, seat: Viewer) -> State:
        """The one state that represents all positions that the seat cannot tell from this one."""
        return information_sets.blind(self.mind.hidden, state, seat)

    def world(self, blind: State, seat: Viewer, rng: Random) -> State:
        """A random position that fits a blind state and that the rules allow."""
        return Worlds(self.mind.hidden, blind, seat).draw(rng)

    def indistinguishable(
        self, state: State, event: Json, seat: Viewer, rng: Random
    ) -> tuple[State, Json]:
        """Another state and event that the seat cannot tell from these (proof.py)."""
        from rules.kernel import proof  # for tests alone: a running server never loads it

        own_packs = self.mind.hidden.own_packs
        proven = proof.Proven(self.act, self.transient, self.equivalence_class, own_packs)
        return proof.indistinguishable(proven, state, event, seat, rng)

    def _actors(self, state: State) -> tuple[int, ...]:
        turn = self.turn(state)
        return turn.waiting + turn.optional

    def _may_act(self, seat: object, state: State) -> TypeGuard[int]:
        if seat.__class__ is not int:
            return False
        turn = self.turn(state)
        return seat in turn.waiting or seat in turn.optional

    def _legal(self, state: State, seat: Viewer) -> Sequence[Action]:
        known = getattr(state, "_asked", None) or _asked_of(state)
        turn: Turn = known.get("turn") or self.turn(state)
        if seat.__class__ is not int or not (seat in turn.waiting or seat in turn.optional):
            return []
        legal: list[Action] | None = known.get(seat)
        if legal is None:
            legal = known[seat] = state.legal(seat)
        return legal

    def _checked(self, state: State, event: object) -> Json:
        turn = self.turn(state)
        due = {"chance": turn.chance, "action": self._actors(state), "clock": turn.clock}
        kinds = [kind for kind, now in due.items() if now]
        kind = event.get("kind") if isinstance(event, dict) else None
        if not isinstance(event, dict) or not isinstance(kind, str) or kind not in kinds:
            raise Illegal("kind", kinds)
        if event.keys() != _KEYS[kind]:
            raise Illegal("kind", kinds)
        if kind == "action":
            return {**event, "action": self.listed(state, event["seat"], event["action"])}
        name = turn.chance.name if kind == "chance" and turn.chance else turn.clock
        if not same(event["name"], name):
            raise Illegal("name", [name])
        if kind == "chance" and turn.chance and not permutes(event["outcome"], turn.chance.items):
            raise Illegal("outcome", turn.chance.items)
        return event


def _asked_of(state: State) -> dict[object, Any]:
    """The cached answers about a state: its turn, what follows from its fields, and legal actions by seat."""
    known: dict[object, Any] | None = getattr(state, "_asked", None)
    if known is None:
        known = {"turn": None}
        object.__setattr__(state, "_asked", known)  # frozen, but the cache is no field
    return known


def _derived(state: State) -> Derived:
    """The prompt and the facts that follow from the fields of a state, computed once for all viewers."""
    known = _asked_of(state)
    found: Derived | None = known.get("derived")
    if found is None:
        found = known["derived"] = declarations.derived(state)
    return found


def _value(name: str, option: Option, given: Mapping[str, object]) -> Scalar:
    if name not in given:
        return option.default
    for value in option.values:
        if same(value, given[name]):
            return value
    raise Invalid(f"{name} is one of {list(option.values)}", name)
