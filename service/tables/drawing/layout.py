"""The table laid out for one viewer, from the API's response alone and without knowing the game.

`lay_out` sorts a game (Game in openapi.yaml) into sections: the middle of the table, then each seat; the viewer's own
seat comes last, next to the choices. `draw_sections` and `draw_html` write the sections as text and as HTML.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.kernel import Area, Json
from service.core.words.words import Phrases
from service.tables.drawing.pictures import Mark, Note, Track, notes_of, seat_mark, tracks
from service.tables.drawing.shapes import Place, places_of
from service.tables.views.people_names import name_of

DOMINO = re.compile(r"([0-9]+)-([0-9]+)")
MOST_UNCOUNTED = 3
"""The most cards that people see at a glance, without counting."""
LANES = "lanes"
"""The kind of area in which zones of different seats face each other."""
VACANT = "vacant"
"""The mark of an empty place."""


class Face(NamedTuple):
    """A card, tile or place as it lies: its code (None: face down, or empty) and its marks."""

    code: str | None
    marks: tuple[str, ...] = ()

    @property
    def vacant(self) -> bool:
        """Whether there is no card here."""
        return VACANT in self.marks

    @property
    def ends(self) -> tuple[str, str] | None:
        """The two ends of a domino, the higher end first."""
        match = DOMINO.fullmatch(self.code or "")
        return (match[1], match[2]) if match else None

    @property
    def suit(self) -> str | None:
        """The suit of a card, such as `h` of `3h`."""
        return self.code[1] if self.code and re.fullmatch("[A2-9TJQK][shdc]", self.code) else None


FACE_DOWN = Face(None)


class ZoneLayout(NamedTuple):
    """A zone: its name, kind, facts and number of cards, and the cards if the viewer sees them (otherwise None).

    For a set that is being collected, `places` are the places of its cards.
    """

    name: str
    kind: str
    size: int
    faces: tuple[Face, ...] | None
    notes: tuple[Note, ...]
    places: tuple[Place, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether the number of cards is shown: the cards are visible, not numbered, and too many to count at a
        glance.
        """
        return self.faces is not None and self.size > MOST_UNCOUNTED and self.kind != "ladder"

    @property
    def missing(self) -> list[str]:
        """The empty places of a set, each with the missing rank, or "" if that is unknown."""
        return [place.missing for place in self.places if place.card is None]

    @property
    def tiles(self) -> list[tuple[str, str]]:
        """The two ends of each domino of a line, as they lie end to end; empty for other zones."""
        faces = self.faces if self.faces and self.kind == "line" else ()
        ends = [face.ends for face in faces if face.ends]
        return end_to_end(ends) if len(ends) == len(faces) else []

    @property
    def runs(self) -> Iterator[tuple[Face, int]]:
        """The cards side by side, each with a number: single cards with 1, consecutive face-down cards as one with
        their number.
        """
        for face, run in itertools.groupby(self.faces or ()):
            length = len(list(run))
            yield from [(face, length)] if face == FACE_DOWN else [(face, 1)] * length


class Lanes(NamedTuple):
    """Zones that face each other: the names of the lanes, and for each seat its name and its zone in each lane."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ZoneLayout, ...]], ...]


class Section(NamedTuple):
    """The middle of the table, or one seat with its mark: a heading, the seat's state, lanes, tracks, zones, facts."""

    heading: str
    tags: tuple[str, ...]
    zones: tuple[ZoneLayout, ...]
    notes: tuple[Note, ...]
    lanes: Lanes | None = None
    tracks: tuple[Track, ...] = ()
    mark: Mark | None = None

    @property
    def has_content(self) -> bool:
        """Whether there is anything below the heading."""
        return bool(self.zones or self.notes or self.tags or self.lanes or self.tracks)


class Layout(NamedTuple):
    """A table for one viewer: the question (or the phase), the line about others who have to act, and the sections in
    order.
    """

    prompt: str
    waiting: str
    sections: tuple[Section, ...]


def lay_out(game: Json, words: Phrases, areas: Iterable[Area] = ()) -> Layout:
    """The layout of a game that has started.

    `game` is the API's response to the viewer, `areas` are those of the layout of its ruleset.
    """
    view, waiting = game["view"], waiting_line(game, words)
    idle = any(seat["you"] and not seat["waiting"] for seat in game["seats"])
    # the question may say the same, or tell people who may act too what to do
    is_said = view["prompt_words"] == waiting or (waiting and idle)
    prompt = view["phase_words"] if is_said else view["prompt_words"]
    return Layout(prompt, waiting, sections(game, words, tuple(areas)))


def facing(areas: Iterable[Area]) -> frozenset[str]:
    """The names of the zones that face each other."""
    return frozenset(name for area in areas if area.kind == LANES for name in area.zones)


def waiting_line(game: Json, words: Phrases) -> str:
    """The line about the people for whom the game waits, except the viewer; empty if it waits for nobody else."""
    others = (seat for seat in game["seats"] if seat["waiting"] and not seat["you"])
    names = [words.called(_name_in_text(seat, words)) for seat in others]
    return words.say("page.turn.waiting", {"names": words.listed(names)}) if names else ""


def _name_in_text(seat: Json, words: Phrases) -> str:
    """The name of the player in a seat, in a sentence."""
    program = seat["program"] or {}
    is_house = program.get("level") is not None
    return name_of(seat["name"], bool(program), words, is_house=is_house)


def sections(game: Json, words: Phrases, areas: tuple[Area, ...]) -> tuple[Section, ...]:
    """The middle, the other seats clockwise from the viewer's, and the viewer's own seat."""
    faced = facing(areas)
    seats, me = game["seats"], game["seat"]
    start = 0 if me is None else me + 1
    clockwise = [*seats[start:], *seats[:start]]
    between = lanes(game["view"], clockwise, faced, areas, words)
    centre = middle(game["view"], words, between, areas)
    found = [centre, *(seat_section(game, seat, words, areas) for seat in clockwise)]
    return tuple(each for each in found if each.has_content)


def lanes(
    view: Json, seats: list[Json], faced: frozenset[str], areas: tuple[Area, ...], words: Phrases
) -> Lanes | None:
    """The zones of these names, by seat and lane; the last seat is the nearest. None if there are no such zones."""
    zones = [zone for zone in view["zones"] if zone["name"] in faced]
    if not zones:
        return None
    zones.sort(key=lambda zone: zone["index"])
    names = {zone["index"]: zone["words"] for zone in zones}
    of_seats = (
        (seat["name"], [zone for zone in zones if zone["seat"] == seat["seat"]]) for seat in seats
    )
    rows = ((name, zone_layouts(view, own, areas, words)) for name, own in of_seats if own)
    return Lanes(tuple(names.values()), tuple(rows))


def middle(view: Json, words: Phrases, between: Lanes | None, areas: tuple[Area, ...]) -> Section:
    """The section of everything that belongs to no seat, or lies between seats; the zones of one place are side by
    side.
    """
    zones = [zone for zone in view["zones"] if "seat" not in zone]
    zones.sort(key=lambda zone: zone.get("index", -1))
    facts = [fact for fact in view["facts"] if seat_of_fact(view, fact) is None]
    notes = notes_of(facts, [fact["words"] for fact in facts], view, areas, words)
    heading, lying = words.say("draw.middle"), zone_layouts(view, zones, areas, words)
    return Section(heading, (), lying, notes, between, tracks(view, areas, words))


def seat_section(game: Json, seat: Json, words: Phrases, areas: tuple[Area, ...]) -> Section:
    """The section of everything that belongs to a seat, and its state."""
    view, number, faced = game["view"], seat["seat"], facing(areas)
    own = (zone for zone in view["zones"] if zone.get("seat") == number)
    zones = [zone for zone in own if zone["name"] not in faced]
    facts = [fact for fact in view["facts"] if seat_of_fact(view, fact) == number]
    notes = notes_of(facts, [*map(short_words, facts)], view, areas, words)
    lying, mark = zone_layouts(view, zones, areas, words), seat_mark(number)
    return Section(seat["name"], seat_tags(view, seat, words), lying, notes, mark=mark)


def seat_tags(view: Json, seat: Json, words: Phrases) -> tuple[str, ...]:
    """The state of a seat: held by a program or the viewer, has to act, has made its sealed choice."""
    states = {
        "page.seat.you": seat["you"],
        "page.seat.waiting": seat["waiting"],
        "page.seat.committed": seat["seat"] in view["committed"],
    }
    program = [seat["program"]["words"]] if seat["program"] else []
    return (*program, *(words.say(key) for key, applies in states.items() if applies))


def zone_layouts(
    view: Json, zones: list[Json], areas: tuple[Area, ...], words: Phrases
) -> tuple[ZoneLayout, ...]:
    """The zones with something to show. Facts about a place go to its last zone."""
    shown = [zone for zone in zones if is_shown(zone)]
    last = {place_of(zone): zone for zone in shown}
    laid = list[ZoneLayout]()
    for zone in shown:
        cards, place, facts = zone.get("cards"), place_of(zone), list[Json]()
        if "index" in zone and last[place] is zone:
            facts = [fact for fact in view["facts"] if subject_of(fact) == place]
        notes = notes_of(facts, [*map(short_words, facts)], view, areas, words)
        faces = None if cards is None else tuple(map(face_of, cards))
        codes = None if faces is None else [face.code for face in faces]
        of_set = tuple(places_of(zone, codes, areas))
        laid.append(ZoneLayout(zone["words"], zone["kind"], zone["count"], faces, notes, of_set))
    return tuple(laid)


def face_of(card: str | Json | None) -> Face:
    """The face of a card in a view."""
    if isinstance(card, dict):
        return Face(card.get("card"), tuple(card["is"]))
    return Face(card)


def is_shown(zone: Json) -> bool:
    """Whether a zone is drawn. An empty row is left out, unless it is one of several."""
    always = zone["kind"] in {"hand", "pile"} or "index" in zone
    return always or bool(zone["count"] or zone.get("cards"))


def place_of(zone: Json) -> tuple[int | None, int | None]:
    """The owner of a zone, and its index among zones of the same name."""
    return zone.get("seat"), zone.get("index")


def subject_of(fact: Json) -> tuple[int | None, int | None]:
    """The owner of the zone that a fact is about, and that zone's index."""
    return fact.get("of"), fact.get("index")


def seat_of_fact(view: Json, fact: Json) -> int | None:
    """The seat whose section shows a fact; None means the middle, and -1 no section, because the fact is shown next to
    a zone.
    """
    shown = {place_of(zone) for zone in view["zones"] if is_shown(zone)}
    if "index" in fact and subject_of(fact) in shown:
        return -1
    if "of" in fact:
        return int(fact["of"])
    return fact["seat"] if "short" in fact and "seat" in fact and "index" not in fact else None


def short_words(fact: Json) -> str:
    """The words of a fact for the place next to its subject."""
    return str(fact.get("short", fact["words"]))


def end_to_end(tiles: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The tiles of a line, each turned so that touching ends match. In `tiles`, the higher end of each comes first."""
    laid: list[tuple[str, str]] = []
    for number, (high, low) in enumerate(tiles):
        turn_first = len(tiles) > 1 and low not in tiles[1]
        turned = laid[-1][1] != high if number else turn_first
        laid.append((low, high) if turned else (high, low))
    return laid


def accessible_name(face: Face, words: Phrases) -> str:
    """The text for screen readers: "three of hearts", "face-down card", "empty place", with the marks."""
    if face.vacant:
        return words.say(f"page.mark.{VACANT}")
    marks = [words.say(f"page.mark.{mark}") for mark in face.marks]
    return words.say("page.comma").join([card_name(face, words), *marks])


def card_name(face: Face, words: Phrases) -> str:
    """The name of a card without its marks."""
    if face.code is None:
        return words.say("page.card.unseen")
    if face.ends:
        return words.say("page.card.domino", {"high": face.ends[0], "low": face.ends[1]})
    if face.suit is None:
        return words.say("page.card.joker")
    rank = words.get(f"page.rank.{face.code[0]}") or face.code[0]
    return words.say("page.card.name", {"rank": rank, "suit": words.say(f"page.suit.{face.suit}")})
