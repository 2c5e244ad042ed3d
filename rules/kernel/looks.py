"""Looks: how people are shown a game, besides its rules. Nothing here changes the legal actions."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from rules.kernel.score_entries import Entry
from rules.kernel.standing import Standing
from rules.kernel.values import Json, JsonValue
from rules.kernel.vocabulary import NOTHING_SAID, Vocabulary


class Length(NamedTuple):
    """A usual length of a game: the options that lead to it, and the approximate number of decisions of each player."""

    options: Json
    decisions: int


class Cover(NamedTuple):
    """The picture of a game in lists: its mood, its difficulty, and a few of its cards."""

    mood: str
    weight: str
    cards: tuple[str, ...]


class Daily(NamedTuple):
    """The game as a daily deal: one person against house players, over in a few minutes, with scores to compare.

    A higher score has to be better. `options` are the ones that differ from the defaults. House players search for
    `iterations` at each decision, however long that takes, so that the same choices always lead to the same game.
    """

    players: int
    options: Json
    iterations: int


class Spot(NamedTuple):
    """The thing on the table that a parameter, or a type of action, refers to, so that people can point at it.

    `by` tells what a parameter's value means: the `index` of one of these zones, or a list of them; a `place` in the
    zone; the number of cards beneath a `gap`, in the zone whose index another parameter names; the number at an `end`
    of a line of dominoes; the `suit` of one of its cards; or the `zone` itself, by its name. With `company`, the value
    names one of several zones that are numbered by the suits, s h d c; it fits the suit of the card that is played.
    With `drawn`, it names one of two cards: "drawn" is the card of the area of that kind, and anything else is the card
    of the zone whose place the drawn card would take. With `each`, the cards of a list go to these zones, in their
    order. With `into`, all cards of the value go to the zone, which may not be there yet. If every seat has such a
    zone, the zone of the acting seat is meant.
    """

    zone: str = ""
    by: str = "zone"


class Area(NamedTuple):
    """A part of the table with a special shape: data for drawing it, which change no rule.

    `kind` is the shape, and `zones` are the names of the zones in it, in order. `facts` are names of facts, by their
    role in the area; `own` is a zone of a seat that is shown next to them. `ranks` are the ranks that can take one
    another's place there, such as "JQK". `icon` is the picture of a token. `numbers` are the marks of a scale by name,
    or the value of cards by rank. `sets` are cards by name, such as "RRxx" for two pairs. `title` is shown next to the
    area, from the game's message `area.<title>`. docs/api/rulesets.yaml describes each kind and its parts.
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
    """An area with a small picture in place of a fact's words, next to the value of its member `says`, if given."""
    facts = {"of": fact, "says": says} if says else {"of": fact}
    return Area("token", facts=facts, icon=icon, title=title)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Looks:
    """The look of a game.

    `cover` is its picture in lists of games; `lengths(players)` are its usual lengths, the shortest first. `when` maps
    an option that only matters together with certain values of another option to these values. `layout` says which
    zones and facts are drawn together, and in which shape. `spots` tells which things on the table are meant by
    parameters, such as "play.lane", and by types of actions; cards and seats need no spot.

    `aside` are unusual types of actions: nothing invites people to them, and they come after others. `destroys` are
    types that take down what was built, or give up for good: they have to be chosen by name, and touching what they
    change never means them. `usually` are default values of parameters, such as "play.as".

    `vocabulary` describes the views and lines that are not declared (vocabulary.py). `moments` are lines at which the
    table stops until they have been seen, with the kind of each moment: "opened", "trick", "sale", "round" or "deal"
    (moments.py). Apart from the lines of rounds, they say how something ended, and are read before the other lines of
    their event; so are `outcomes`, which come with them. `scored(before, event, after)` finds the origin of the scores
    of an event (score_entries.py).

    `begins` maps lines to the parts that begin with them (parts.py). The heading of such a part is above the last lines
    of an event that begin it; the heading of any other part is below all lines. `repeats` are lines that say no more
    than such a heading. `orders` are the standing orders that players can leave, the most useful first (standing.py).
    `daily` is how the game is played as a daily deal; None if it is not suited to that.
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
    # The states are Any, since each ruleset has its own table.
    scored: Callable[[Any, Json, Any], Iterable[Entry]] = lambda before, event, after: ()
    begins: Mapping[str, str] = dataclasses.field(default_factory=dict)
    repeats: tuple[str, ...] = ()
    orders: tuple[Standing, ...] = ()
    daily: Daily | None = None
