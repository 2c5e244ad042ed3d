"""Looks: what people are shown of a game beside its rules. Nothing here changes what can be played."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from rules.kernel.score_entries import Entry
from rules.kernel.values import Json, JsonValue
from rules.kernel.vocabulary import NOTHING_SAID, Vocabulary


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
    place there, as in "JQK". `icon` is the picture of a token, `numbers` are the marks of a scale by name, or what
    cards count by rank; `sets` are cards by what they are called, as "RRxx" for two pairs. `title` is said beside it,
    the game's message `area.<title>`. docs/api/rulesets.yaml says what each kind is and which parts it has.
    """

    kind: str
    zones: tuple[str, ...] = ()
    facts: Mapping[str, str] = types.MappingProxyType({})
    own: str = ""
    ranks: tuple[str, ...] = ()
    icon: str = ""
    numbers: Mapping[str, int] = types.MappingProxyType({})
    sets: Mapping[str, str] = types.MappingProxyType({})
    title: str = ""


def token(icon: str, fact: str, *, title: str = "", says: str = "") -> Area:
    """A small picture instead of the words of a fact, beside what the member `says` of the fact says, if it has one."""
    facts = {"of": fact, "says": says} if says else {"of": fact}
    return Area("token", facts=facts, icon=icon, title=title)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Looks:
    """How a game is shown.

    `cover` is how lists of games show it; `lengths(players)` are the usual lengths, the shortest first. `when` maps an
    option that only matters beside certain values of another option to these values. `layout` says which zones and
    facts are drawn together, and in which shape; `spots` what on the table is meant by parameters, as "play.lane", and
    by types of actions: cards and seats need no spot. `aside` are types of actions that are not the usual thing to do:
    nothing invites to them, and they wait behind others. `destroys` are those that take down what was built, or give up
    for good: they are meant only when they are named, never by touching what they change. `usually` are values of
    parameters, as "play.as", that are meant if nobody says otherwise. `vocabulary` is what views and lines say, as far
    as it is not declared (vocabulary.py). `moments` are lines at which the table stops until they were seen, and what
    kind of moment each is: "opened", "trick", "sale", "round" or "deal" (moments.py). Apart from those of
    rounds they say what it came to, and are read before the others of their event; so are `outcomes`, which come with
    them. `scored(before, event, after)` finds how scores came about in an event (score_entries.py).
    `begins` maps lines to the parts that begin with them (parts.py): the heading of such a part stands above the last
    lines of an event that begin it, that of any other part below all. `repeats` are lines that say no more than it.
    """

    cover: Cover
    lengths: Callable[[int], tuple[Length, ...]]
    when: Mapping[str, Json] = dataclasses.field(default_factory=dict)
    layout: tuple[Area, ...] = ()
    spots: Mapping[str, Spot] = dataclasses.field(default_factory=dict)
    aside: tuple[str, ...] = ()
    destroys: tuple[str, ...] = ()
    usually: Mapping[str, JsonValue] = dataclasses.field(default_factory=dict)
    vocabulary: Vocabulary = NOTHING_SAID
    moments: Mapping[str, str] = dataclasses.field(default_factory=dict)
    outcomes: tuple[str, ...] = ()
    # the states are Any: each ruleset's own table
    scored: Callable[[Any, Json, Any], Iterable[Entry]] = lambda before, event, after: ()
    begins: Mapping[str, str] = dataclasses.field(default_factory=dict)
    repeats: tuple[str, ...] = ()
