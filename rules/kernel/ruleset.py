"""The contract of a ruleset: what the service, tests and searches may ask of a game.

`turn` and `legal` say what may happen, `apply` checks and plays an event, `act` plays a trusted one, `view` and `lines`
say what a seat may know. No clock, no randomness, no I/O.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from rules.kernel import declarations, information_sets
from rules.kernel.actions import Param, Taken, taken
from rules.kernel.declarations import PASSED, Derived, Viewer
from rules.kernel.information_sets import Hidden
from rules.kernel.randomness import Random
from rules.kernel.refusals import Illegal, Invalid, why
from rules.kernel.score_entries import Entry
from rules.kernel.states import Only, Result, State, Turn
from rules.kernel.values import Action, Json, JsonValue, Scalar, frozen, permutes, plain, same
from rules.kernel.vocabulary import NOTHING_SAID, Vocabulary


class Option(NamedTuple):
    """A choice made before the game: the values it can have, and its default."""

    values: tuple[Scalar, ...]
    default: Scalar


class Length(NamedTuple):
    """A usual length of a game: the options that lead to it, and about how many decisions each player makes."""

    options: Json
    decisions: int


class Cover(NamedTuple):
    """How a game is shown among others: its mood, how hard it is to learn, and a few of its cards for a picture."""

    mood: str
    weight: str
    cards: tuple[str, ...]


class Spot(NamedTuple):
    """What on the table is meant by a parameter, or by a type of action: something that can be pointed at there.

    `by` says what the value is: the `index` of one of these zones, or a list of them; a `place` in the zone; the number
    of cards beneath a `gap`, in the zone whose index another parameter names; the number at an `end` of a line of
    dominoes; the `suit` of one of its cards; or the name of the `zone` itself, which for `company` is one of several
    that are numbered by the suits, s h d c, and fits the suit of the card that is played; or, for `drawn`, one of two
    cards: "drawn" is the card of the area of that kind, anything else the card of the zone whose place that would take.
    For `each` the cards of a list go to these zones, in their order; for `into` all cards of the value go to the zone,
    which need not be there yet.
    Where seats have a zone each, it is that of the seat itself.
    """

    zone: str = ""
    by: str = "zone"


class Area(NamedTuple):
    """A part of the table that is drawn in a shape of its own: data for whoever draws it, which changes no rule.

    `kind` is the shape, `zones` are the names of the zones in it, in order. `facts` are names of facts by the part that
    they have in it; `own` is a zone of a seat that is shown beside them. `ranks` are those that take one another's
    place there, as in "JQK". docs/api/rulesets.yaml says what each kind is and which parts it has.
    """

    kind: str
    zones: tuple[str, ...] = ()
    facts: Mapping[str, str] = types.MappingProxyType({})
    own: str = ""
    ranks: tuple[str, ...] = ()


_KEYS = {
    "chance": {"kind", "name", "outcome"},
    "action": {"kind", "seat", "action"},
    "clock": {"kind", "name"},
}
"""The exact keys of each kind of event that the rules see."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game.

    `start(players, options)` makes the first state. `lengths(players)` are the usual lengths, the shortest first.
    `cover` is how lists of games show it.
    `together(players, options)` tells whether options can be combined, `live(players, options)` whether everybody has
    to be online at the same time, as with an outside clock. `when` maps an option that only matters beside certain
    values of another option to these values. `transient`, `equivalence_class` and `own_packs` narrow the proof
    (proof.py): parameters of lines whose cards lie open for a moment only; unseen cards that seats reveal something
    about; and whether each seat has a pack of its own, whose cards stay at its places. `hidden` says what unseen cards
    have to be together (information_sets.py). `estimate(state)`, where games are long, is what
    the game is worth to each seat at a shuffle, from 0 to 1. `policy(state, seat, legal)` is how likely a sensible
    player with that seat's knowledge is to play each legal action: weights, 0 for what is absurd; if others are
    `unforeseen`, a search supposes that they do anything at all instead. `spots` says what on the table is meant by
    parameters, as "play.lane", and by types of actions; cards and seats need no spot. `layout` says which zones and
    facts are drawn together, and in which shape. `scored(before, event, after)`
    finds how scores came about in an event (score_entries.py). `vocabulary` is what views and lines say, as far as it
    is not declared (vocabulary.py).
    """

    slug: str
    version: int
    players: tuple[int, ...]
    actions: Mapping[str, tuple[Param, ...]]
    reasons: tuple[str, ...]
    start: Callable[[int, Json], State]
    lengths: Callable[[int], tuple[Length, ...]]
    cover: Cover
    options: Callable[[int], Mapping[str, Option]] = lambda players: {}
    together: Callable[[int, Json], bool] = lambda players, options: True
    live: Callable[[int, Json], bool] = lambda players, options: False
    when: Mapping[str, Json] = dataclasses.field(default_factory=dict)
    transient: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    # the state is Any: each ruleset's own table
    equivalence_class: Callable[[Any, str], Hashable] = lambda then, card: None
    own_packs: bool = False
    spots: Mapping[str, Spot] = dataclasses.field(default_factory=dict)
    layout: tuple[Area, ...] = ()
    vocabulary: Vocabulary = NOTHING_SAID
    hidden: Hidden = information_sets.NOTHING
    estimate: Callable[[Any], Sequence[float]] | None = None
    policy: Callable[[Any, int, list[Json]], Sequence[float]] | None = None
    unforeseen: bool = False
    scored: Callable[[Any, Json, Any], Iterable[Entry]] = lambda before, event, after: ()

    def settle(self, players: object, options: object) -> Json:
        """The options with defaults filled in. Raises Invalid, also for options that cannot be combined."""
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

    def initial(self, players: int, options: Mapping[str, object]) -> State:
        """The state before any chance. Raises Invalid."""
        return self.start(players, self.settle(players, options)).concluded()

    def position(self, given: Json) -> State:
        """A position for an example: its `phase`, and those `fields` that differ from the start with these options."""
        start = self.initial(given["players"], given["options"])
        if not given["fields"]:
            return start
        phase = next(each for each in self.vocabulary.phases if each.phase == given["phase"])
        return start.change(phase, **{name: frozen(it) for name, it in given["fields"].items()})

    def turn(self, state: State) -> Turn:
        """Who or what the game is waiting for."""
        known = getattr(state, "_asked", None) or _asked_of(state)
        turn: Turn | None = known.get("turn")
        if turn is None:
            turn = known["turn"] = state.turn()
        return turn

    def legal(self, state: State, seat: Viewer) -> list[Json]:
        """Every legal action in the specified order; [] for a seat that may not act."""
        return [*self._legal(state, seat)]

    def listed(self, state: State, seat: int, action: object) -> Json:
        """The member of `legal` that has the same canonical JSON text as `action`. Raises Illegal."""
        if not self._may_act(seat, state):
            raise Illegal("seat", self._actors(state))
        legal = self._legal(state, seat)
        for member in legal:
            if same(member, action):
                return member
        raise Illegal(*why(self.actions, legal, action))

    def apply(self, state: State, event: object) -> State:
        """The state after a checked event. Raises Illegal."""
        return self.act(state, self._checked(state, event))

    def act(self, state: State, event: Mapping[str, Any]) -> State:
        """The state after a trusted event: for replaying our own log, and for searches."""
        state = state.silent()
        kind = event["kind"]
        if kind == "action":
            state = state.perform(event["seat"], event["action"])
        elif kind == "chance":
            state = state.on_chance(tuple(event["outcome"]))
        else:
            state = state.on_clock(event["name"])
        state = state.concluded()
        object.__setattr__(state, "_asked", {"turn": None})  # it will be asked: see _asked_of
        return state

    def view(self, state: State, seat: Viewer) -> Json:
        """What that seat, or a spectator, may see, and nothing else."""
        return declarations.view(state.declared, state, seat, follows=_derived(state))

    def open_view(self, state: State) -> Json:
        """All that lies on the table, whoever may see it: for games that are over, whose record is open anyway."""
        widened = declarations.opened(state.declared)
        return declarations.view(state.declared, state, None, widened, follows=_derived(state))

    def lines(self, state: State, seat: Viewer) -> list[Json]:
        """What the last event made happen, in order, as that seat may know it."""
        return [{key: _known(value, seat) for key, value in line.items()} for line in state.told]

    def taken(self, before: State, event: Json, after: State, seat: Viewer) -> Taken:
        """What that seat, or a spectator, may know of the action that led from one state to the other (actions.py)."""
        return taken(self.actions, before, event, after, seat)

    def question(self, state: State, seat: int) -> Json:
        """What the seat is asked: its view and legal actions, apart from who has committed or passed.

        Facts named PASSED say no more than that.
        """
        view = self.view(state, seat)
        kept = {**view, "facts": declarations.others(view["facts"], PASSED), "committed": None}
        return {"view": kept, "legal": self.legal(state, seat)}

    def asks_anew(self, before: State, after: State, seat: int) -> bool:
        """Whether the two questions of the seat differ, as `question` has them, found out without building views."""
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
        """The action played for a waiting seat that ran out of time; None for any other seat."""
        waiting = self._may_act(seat, state) and seat in self.turn(state).waiting
        return state.fallback(seat) if waiting else None

    def result(self, state: State) -> Result | None:
        """None until the game is over."""
        return state.result()

    def blind(self, state: State, seat: Viewer) -> State:
        """The one representative of all positions that the seat cannot tell from this one."""
        return information_sets.blind(self, state, seat)

    def world(self, blind: State, seat: Viewer, rng: Random) -> State:
        """A position that fits a blind state and that the rules allow."""
        return information_sets.Worlds(self, blind, seat).draw(rng)

    def indistinguishable(
        self, state: State, event: Json, seat: Viewer, rng: Random
    ) -> tuple[State, Json]:
        """Another world that the seat cannot tell from this one (proof.py)."""
        from rules.kernel import proof  # for tests alone: a running server never loads it

        return proof.indistinguishable(self, state, event, seat, rng)

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
    """What was already asked about a state: its turn, what follows from its fields, legal actions by seat."""
    known: dict[object, Any] | None = getattr(state, "_asked", None)
    if known is None:
        known = {"turn": None}
        object.__setattr__(state, "_asked", known)  # frozen, but this is none of its fields
    return known


def _derived(state: State) -> Derived:
    """What follows from the fields of a state: worked out once, however many viewers there are."""
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


def _known(value: object, seat: Viewer) -> JsonValue:
    if not isinstance(value, Only):
        return plain(value)
    if seat is not None and seat in value.seats:
        return plain(value.value)
    return len(value.value) if isinstance(value.value, tuple | list) else 1
