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
    """A usual length of a game: the options that lead to it, and about how many decisions each player makes."""

    options: Json
    decisions: int


class Cover(NamedTuple):
    """The look of a game among others: its mood, its difficulty, and a few of its cards for a picture."""

    mood: str
    weight: str
    cards: tuple[str, ...]


class Daily(NamedTuple):
    """The game as a daily deal: one person against house players, over in a few minutes, with points to compare.

    More points have to be better. `options` are those that differ from the defaults; house players search for this
    number of `iterations` at each decision, whatever time this takes, so that the same choices always lead to the same
    game.
    """

    players: int
    options: Json
    iterations: int


class Spot(NamedTuple):
    """The thing on the table that a parameter, or a type of action, refers to: something to point at.

    `by` is the kind of value: the `index` of one of these zones, or a list of them; a `place` in the zone; the number
    of cards beneath a `gap`, in the zone whose index another parameter names; the number at an `end` of a line of
    dominoes; the `suit` of one of its cards; or the name of the `zone` itself, which for `company` is one of several
    that are numbered by the suits, s h d c, and fits the suit of the card that is played; or, for `drawn`, one of two
    cards: "drawn" is the card of the area of that kind, anything else the card of the zone whose place that would take.
    For `each` the cards of a list go to these zones, in their order; for `into` all cards of the value go to the zone,
    which need not be there yet. If every seat has such a zone, the zone of the acting seat is meant.
    """

    zone: str = ""
    by: str = "zone"


class Area(NamedTuple):
    """A part of the table with a special shape: data for drawing it, which change no rule.

    `kind` is the shape, `zones` are the names of the zones in it, in order. `facts` are names of facts by the part that
    they have in it; `own` is a zone of a seat that is shown next to them. `ranks` are those that take one another's
    place there, as in "JQK". `icon` is the picture of a token, `numbers` are the marks of a scale by name, or what
    cards count by rank; `sets` are cards by name, such as "RRxx" for two pairs. `title` is shown next to it, from the
    game's message `area.<title>`. docs/api/rulesets.yaml says what each kind is and which parts it has.
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
    """A small picture instead of a fact's words, next to the value of its member `says`, if given."""
    facts = {"of": fact, "says": says} if says else {"of": fact}
    return Area("token", facts=facts, icon=icon, title=title)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Looks:
    """The look of a game.

    `cover` is how lists of games show it; `lengths(players)` are the usual lengths, the shortest first. `when` maps an
    option that only matters beside certain values of another option to these values. `layout` says which zones and
    facts are drawn together, and in which shape; `spots` what on the table is meant by parameters, as "play.lane", and
    by types of actions: cards and seats need no spot. `aside` are types of actions that are not the usual thing to do:
    nothing invites to them, and they wait behind others. `destroys` are those that take down what was built, or give up
    for good: they have to be named, and are never meant by touching what they change. `usually` are values of
    parameters, as "play.as", that are meant if nobody says otherwise. `vocabulary` describes views and lines, as far as
    they are not declared (vocabulary.py). `moments` are lines at which the table stops until they have been seen, with
    the kind of each moment: "opened", "trick", "sale", "round" or "deal" (moments.py). Apart from those of rounds they
    say how it ended, and are read before the other lines of their event; so are `outcomes`, which come with them.
    `scored(before, event, after)` finds how scores came about in an event (score_entries.py). `begins` maps lines to
    the parts that begin with them (parts.py): the heading of such a part is above the last lines of an event that begin
    it, the heading of any other part below all. `repeats` are lines that say no more than such a heading. `orders` are
    what players can leave to be answered for them, the most useful first (standing.py). `daily` is how the game is
    played as a daily deal; None: it is not suited to that.
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
    orders: tuple[Standing, ...] = ()
    daily: Daily | None = None
