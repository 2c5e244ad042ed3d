"""The members of each kind of event (docs/record.md), which are checked when an event is appended or read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Literal, NotRequired, TypedDict, get_args, get_origin, get_type_hints

from rules.kernel import Json

FORMAT = 3
"""The format of new logs, stated in their `start`. Logs of formats 1 and 2 are still read and continued."""

MOST_NONCES = 64
"""The largest number of nonces that a game can have."""

By = Literal["seat", "house", "timeout"]
HandoverReason = Literal["resigned", "timeouts", "returned", "substitute", "left"]
CloseReason = Literal["resigned", "agreed", "abandoned", "removed"]
VoidReason = Literal["free", "agreed"]


class Logged(TypedDict, total=False):
    """The members that every event in the log has besides its own; they are added when it is appended."""

    number: int
    """The number of the event: 1, 2, …"""
    salt: str
    """The salt: 16 random bytes in hex, secret until the end, so that a digest reveals nothing about a hidden card."""
    at: str
    """The hour in which the event was logged; from format 3 on."""


class Nonce(TypedDict):
    """The contribution of one player's client to the shuffles."""

    tenure: str
    nonce: str | None
    """The nonce; None only in games whose log has format 2 or earlier."""


class Start(Logged):
    """Event 1: the game, its seats, and the sources of the shuffles."""

    kind: Literal["start"]
    format: NotRequired[int]
    """The format of the log; it is stated from format 2 on."""
    game: str
    ruleset: str
    version: int
    players: int
    options: Json
    seating: Literal["order", "random"]
    sat: list[str]
    """The ids of tenures in the order in which their people sat down."""
    seats: list[str]
    """The ids of tenures, by seat."""
    house: NotRequired[list[bool]]
    """Whether a house player holds each seat; from format 3 on."""
    nonces: list[Nonce] | list[str | None]
    """The nonces. Up to format 2, a list with one nonce, or None, for everybody in `sat`."""
    commitment: str
    deal: NotRequired[str]
    """The name that replaces the id of the game in its shuffles in a try at a daily deal: `daily-2026-11-29`."""


class Chance(Logged):
    """The outcome of a shuffle."""

    kind: Literal["chance"]
    name: str
    outcome: list[str]


class Action(Logged):
    """One decision of one seat."""

    kind: Literal["action"]
    seat: int
    action: Json
    by: By


# No class can name such a member, since `from` is a keyword.
FromTenure = TypedDict("FromTenure", {"from": str})
FromVersion = TypedDict("FromVersion", {"from": int})


class Clock(Logged):
    """The end of an outside clock that the rules asked for."""

    kind: Literal["clock"]
    name: str


class Handover(Logged, FromTenure):
    """A change of a seat's holder: `from` and `to` are tenure ids, `house` is whether a house player sits there now."""

    kind: Literal["handover"]
    seat: int
    to: str
    house: bool
    why: HandoverReason


class Pause(Logged):
    """A stop of the table's clocks."""

    kind: Literal["pause"]


class Resume(Logged):
    """The restart of the table's clocks."""

    kind: Literal["resume"]


class Extend(Logged):
    """More time that the table gives a seat."""

    kind: Literal["extend"]
    seat: int
    seconds: int


class Void(Logged):
    """A take-back of the action in event `event` by `seat`: freely if it is its own, or with the table's consent."""

    kind: Literal["void"]
    seat: int
    event: int
    why: VoidReason


class Version(Logged, FromVersion):
    """A change to version `to` of the ruleset for the rest of the game; that version allows the whole log so far."""

    kind: Literal["version"]
    to: int


class Close(Logged):
    """An end of the game outside the rules; `seat` is the seat that resigned."""

    kind: Literal["close"]
    why: CloseReason
    winners: list[int]
    seat: int | None


Event = (
    Start | Chance | Action | Clock | Handover | Pause | Resume | Extend | Void | Version | Close
)

KINDS: Mapping[str, type] = {
    get_args(get_type_hints(event)["kind"])[0]: event for event in get_args(Event)
}
"""The TypedDict of each kind of event."""

FOR_RULES = {
    "chance": ("kind", "name", "outcome"),
    "action": ("kind", "seat", "action"),
    "clock": ("kind", "name"),
}
"""The kinds of events that the rules see, with the members that they see."""


Undone = Mapping[int, int]
"""The numbers of the events that were taken back, each with the number of its `void`."""


def undone_in(logged: Iterable[Json]) -> Undone:
    """The events that were taken back by these events, each with the number of its `void`; they may be earlier than all
    of these.
    """
    return {each["event"]: each["number"] for each in logged if each["kind"] == "void"}


class MalformedEvent(ValueError):
    """Raised for an event of an unknown kind, or without exactly the members of its kind."""


def chance(name: str, outcome: list[str]) -> Chance:
    """The event of a shuffle's outcome."""
    return {"kind": "chance", "name": name, "outcome": outcome}


def action(seat: int, taken: Json, by: By) -> Action:
    """The event of the action that `seat` has taken."""
    return {"kind": "action", "seat": seat, "action": taken, "by": by}


def clock(name: str) -> Clock:
    """The event of an outside clock that has run out."""
    return {"kind": "clock", "name": name}


def handover(seat: int, old: str, new: str, why: HandoverReason, *, house: bool) -> Handover:
    """The event of a seat that passes from one tenure to another."""
    return {"kind": "handover", "seat": seat, "from": old, "to": new, "house": house, "why": why}


def pause() -> Pause:
    """The event that stops the table's clocks."""
    return {"kind": "pause"}


def resume() -> Resume:
    """The event that starts the table's clocks again."""
    return {"kind": "resume"}


def extend(seat: int, seconds: int) -> Extend:
    """The event that gives `seat` more time."""
    return {"kind": "extend", "seat": seat, "seconds": seconds}


def void(seat: int, event: int, why: VoidReason) -> Void:
    """The event of `seat` taking an action back, or agreeing that later actions are undone with it."""
    return {"kind": "void", "seat": seat, "event": event, "why": why}


def version(old: int, new: int) -> Version:
    """The event of a change to another version of the rules for the rest of the game."""
    return {"kind": "version", "from": old, "to": new}


def close(why: CloseReason, winners: list[int], seat: int | None) -> Close:
    """The event of the game's end outside the rules."""
    return {"kind": "close", "why": why, "winners": winners, "seat": seat}


def parsed(body: str) -> Event:
    """The event that a stored text holds. Raises MalformedEvent if it holds none."""
    return checked(json.loads(body))


def checked(event: Mapping[str, object]) -> Event:
    """The same event, checked to have exactly the members of its kind, each of its type.

    Raises MalformedEvent if it has not.
    """
    kind = event.get("kind")
    members = _MEMBERS.get(kind) if isinstance(kind, str) else None
    if members is None:
        raise MalformedEvent(f"there are no events of kind {kind!r}")
    required, checks = members
    if not required <= event.keys() <= checks.keys():
        raise MalformedEvent(f"wrong members in an event of kind {kind!r}")
    wrong = [name for name, value in event.items() if not checks[name](value)]
    if wrong:
        raise MalformedEvent(f"wrong {wrong[0]!r} in an event of kind {kind!r}")
    return event  # type: ignore[return-value]  # just checked, which mypy cannot know


def members(kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """The required and the optional members of this kind of event, without the members that every event has."""
    required, checks = _MEMBERS[kind]
    common = {"kind", *Logged.__annotations__}
    return required - common, frozenset(checks) - required - common


def for_rules(event: Event) -> Json | None:
    """The part of an event that the rules see: exactly the members of its kind; None for the service's own kinds."""
    members = FOR_RULES.get(event["kind"])
    return {name: event[name] for name in members} if members else None  # type: ignore[literal-required]


Fits = Callable[[object], bool]


def _fits(hint: object) -> Fits:
    """A function that tells whether a JSON value has the type of this hint."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _fits(arguments[0])
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in arguments
    if origin is UnionType:
        alternatives = [_fits(each) for each in arguments]
        return lambda value: any(fits(value) for fits in alternatives)
    if origin is list:
        fits_item = _fits(arguments[0])
        return lambda value: isinstance(value, list) and all(map(fits_item, value))
    if hint is int:
        return lambda value: type(value) is int
    if hint is Nonce:
        members = {name: _fits(each) for name, each in get_type_hints(Nonce).items()}
        return lambda value: (
            isinstance(value, dict)
            and value.keys() == members.keys()
            and all(fits(value[name]) for name, fits in members.items())
        )
    plain = {str: str, bool: bool, NoneType: NoneType}.get(hint, dict)  # type: ignore[call-overload]
    return lambda value: isinstance(value, plain)


def _members(event: type) -> tuple[frozenset[str], dict[str, Fits]]:
    """The required members of an event, and a check for the value of each member."""
    hints = get_type_hints(event, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    required = frozenset(hints) - optional - Logged.__annotations__.keys()
    return required, {name: _fits(hint) for name, hint in hints.items()}


_MEMBERS = {kind: _members(event) for kind, event in KINDS.items()}
