"""Vocabulary: every zone, fact, prompt and line of a game, with its members and who sees it.

It is derived from the declarations of fields and of actions. A game's `Vocabulary` adds what only the game's code
knows: the contents of `facts`, `prompt` and `tell`, and possible values. Views are not made from the vocabulary, which
only describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.kernel.actions import Param, Types, value_schema
from rules.kernel.declarations import (
    PASSED,
    Choices,
    Fact,
    Who,
    Zone,
    everyone,
    owner,
    owner_until_over,
    sealed,
    size,
)
from rules.kernel.states import State
from rules.kernel.values import Json, JsonValue

EVERYBODY, OWNER, NOBODY, SEALED, RULE = "everybody", "owner", "nobody", "sealed", "rule"
"""The audiences of something. RULE means that the audience depends on more, which the game's words explain."""


class Member(NamedTuple):
    """A member of a zone, fact, prompt or line. Its kind is card, seat, number, position, suit, rank, choice or flag.

    `values` are all its possible values, or those of an item of its list. `optional` means that it is not always there.
    `seen` says who is told the member of a line: everybody, only the line's seat (OWNER), or the seats that the rules
    name (RULE). All others are told only the number of its items.
    """

    name: str
    kind: str
    values: Sequence[JsonValue] = ()
    many: bool = False
    optional: bool = False
    seen: str = EVERYBODY


OF = Member("of", "seat")
SEAT = Member("seat", "seat")
SEATS = Member("seats", "seat", many=True)
CARD = Member("card", "card")
CARDS = Member("cards", "card", many=True)
SUIT = Member("suit", "suit")


def number(name: str = "value", values: Sequence[JsonValue] = ()) -> Member:
    """A member that is a whole number, from a range if one is given."""
    return Member(name, "number", values)


def one_of_these(name: str, *values: JsonValue) -> Member:
    """A member that has one of these values."""
    return Member(name, "choice", values)


def flag(name: str = "value") -> Member:
    """A member that is either true or missing."""
    return Member(name, "flag")


def optional(member: Member) -> Member:
    """The same member, marked as not always there."""
    return member._replace(optional=True)


def secret(member: Member) -> Member:
    """The same member, marked as told only to the seat of the line."""
    return member._replace(seen=OWNER)


Members = tuple[Member, ...]
Phase = type[State]


class Vocabulary(NamedTuple):
    """A game's description of its views and lines, beyond its declarations.

    `phases` are all phases, in the order of a game. `indexes` and `values` have the possible indexes and values of
    declared zones and facts, if these are not just any number. `marks` has, by zone, the marks that its cards can have.
    `choices` has, by phase, the types of actions that are sealed. `facts` and `prompts` describe what these methods of
    a class return: a phase has the facts of all its classes, and the prompt of the nearest class. `lines` describes
    every line.
    """

    phases: tuple[Phase, ...] = ()
    indexes: Mapping[str, Sequence[JsonValue]] = {}
    values: Mapping[str, Members] = {}
    marks: Mapping[str, tuple[str, ...]] = {}
    choices: Mapping[Phase, tuple[str, ...]] = {}
    facts: Mapping[Phase, Mapping[str, Members]] = {}
    prompts: Mapping[Phase, Members] = {}
    lines: Mapping[str, Members] = {}


NOTHING_SAID = Vocabulary()


class Seen(NamedTuple):
    """An audience, and the phases in which it sees something."""

    by: str
    phases: tuple[str, ...]


class Entry(NamedTuple):
    """A zone or a fact: its members, its audience in each phase, how a zone is laid out, and the marks of its cards."""

    members: Members
    seen: tuple[Seen, ...]
    kinds: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class _Found(NamedTuple):
    """A zone or a fact as it was found in one phase, with its members there."""

    phase: str
    members: Members
    by: str
    kind: str | None = None


def zones(vocabulary: Vocabulary) -> dict[str, Entry]:
    """Every zone, by name."""
    found = dict[str, list[_Found]]()
    for phase in vocabulary.phases:
        for _, each in phase.declared:
            if isinstance(each, Zone):
                members = tuple(_place(vocabulary, each.name, each.per))
                by = audience(each.who, phase.phase)
                found.setdefault(each.name, []).append(_Found(phase.phase, members, by, each.kind))
    return {name: _entry(each, vocabulary.marks.get(name, ())) for name, each in found.items()}


def facts(vocabulary: Vocabulary, actions: Types) -> dict[str, Entry]:
    """Every fact, by name: declared facts, sealed choices, and facts that phases compute."""
    found = dict[str, list[_Found]]()
    for phase in vocabulary.phases:
        for name, each in _facts_of(vocabulary, actions, phase):
            found.setdefault(name, []).append(each)
    return {name: _entry(each, (PASSED,) if name == PASSED else ()) for name, each in found.items()}


def prompts(vocabulary: Vocabulary) -> dict[str, Members]:
    """The members of the prompt of every phase, by the name of the phase."""
    return {
        phase.phase: next(
            (vocabulary.prompts[each] for each in phase.__mro__ if each in vocabulary.prompts), ()
        )
        for phase in vocabulary.phases
    }


def lines(vocabulary: Vocabulary) -> dict[str, Members]:
    """The members of every line, by the name of the line."""
    chosen = {"chosen": (SEAT,)} if vocabulary.choices else {}
    return {**chosen, **vocabulary.lines}


def member_schema(member: Member, players: Iterable[int]) -> Json:
    """The JSON Schema (Draft 2020-12) of a member, at tables for any of these numbers of players, for those who may see
    it.
    """
    schema = value_schema(member.kind, member.values, max(players))
    return {"type": "array", "items": schema} if member.many else schema


def audience(who: Who, phase: str) -> str:
    """The audience, in a phase, of a field that declares this `who`."""
    if who is owner_until_over:
        return EVERYBODY if phase == "over" else OWNER
    return _AUDIENCES.get(who, RULE)


_AUDIENCES: Mapping[Who, str] = {everyone: EVERYBODY, owner: OWNER, size: NOBODY, sealed: SEALED}


def _facts_of(vocabulary: Vocabulary, actions: Types, phase: Phase) -> Iterator[tuple[str, _Found]]:
    for _, each in phase.declared:
        if isinstance(each, Fact):
            members = (*_place(vocabulary, each.name, each.per), _value(vocabulary, each))
            yield each.name, _Found(phase.phase, members, audience(each.who, phase.phase))
        elif isinstance(each, Choices):
            for kind in vocabulary.choices[phase]:
                members = (OF, *map(_parameter, actions[kind]))
                yield kind, _Found(phase.phase, members, audience(each.who, phase.phase))
    for cls in reversed(phase.__mro__):
        for name, members in vocabulary.facts.get(cls, {}).items():
            yield name, _Found(phase.phase, members, EVERYBODY)


def _place(vocabulary: Vocabulary, name: str, per: str | None) -> Iterator[Member]:
    """The members that name the owner and the number of a zone or fact, if it has them."""
    nesting = (per or "").split()
    if "seat" in nesting:
        yield OF
    if "index" in nesting:
        yield number("index", vocabulary.indexes[name])


def _value(vocabulary: Vocabulary, each: Fact) -> Member:
    """The member for the value of a declared fact."""
    said = [member for member in vocabulary.values.get(each.name, ()) if member.name == each.key]
    if said:
        return said[0]
    if each.name == PASSED:
        return flag(each.key)
    return {"seat": SEAT, "card": CARD, "cards": CARDS, "suit": SUIT}.get(each.key) or number(
        each.key
    )


def _parameter(each: Param) -> Member:
    """The member for a parameter of an action that was chosen."""
    kind = "card" if each.kind in {"cards", "sequence"} else each.kind
    return Member(each.name, kind, each.values, many=each.size is not None, optional=each.optional)


def _entry(found: list[_Found], marks: tuple[str, ...]) -> Entry:
    """The entry for what was found in several phases; a member that some of them lack is optional."""
    members: dict[str, Member] = {}
    for each in found:
        members |= {member.name: member for member in each.members}
    everywhere = {
        name
        for name in members
        if all(name in {member.name for member in each.members} for each in found)
    }
    seen: dict[str, list[str]] = {}
    for each in found:
        phases = seen.setdefault(each.by, [])
        phases += [] if each.phase in phases else [each.phase]
    return Entry(
        tuple(each if each.name in everywhere else optional(each) for each in members.values()),
        tuple(Seen(by, tuple(phases)) for by, phases in seen.items()),
        tuple(dict.fromkeys(each.kind for each in found if each.kind)),
        marks,
    )
