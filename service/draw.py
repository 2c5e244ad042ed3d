"""The table drawn for one viewer, without knowing a game: from what the API tells and from nothing else.

`drawing` sorts a game (the Game of openapi.yaml) into parts: the middle of the table, then seat by seat, the viewer's
own last, next to the choices. `draw_text` and `draw_html` write that down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rules.kernel import Json
from service.words import Phrases

DOMINO = re.compile(r"([0-9]+)-([0-9]+)")
FEW = 3
"""Cards that one does not count."""
VACANT = "vacant"
"""The mark of a place that holds nothing."""


class Face(NamedTuple):
    """A card, tile or place as it lies: its code (None: not seen, or nothing there) and its marks."""

    code: str | None
    marks: tuple[str, ...] = ()

    @property
    def vacant(self) -> bool:
        """Whether there is no card here."""
        return VACANT in self.marks

    @property
    def ends(self) -> tuple[str, str] | None:
        """The two ends of a domino, high end first."""
        found = DOMINO.fullmatch(self.code or "")
        return (found[1], found[2]) if found else None

    @property
    def suit(self) -> str | None:
        """`h` of `3h`."""
        return self.code[1] if self.code and re.fullmatch("[A2-9TJQK][shdc]", self.code) else None


class Lot(NamedTuple):
    """A zone: its name, kind and number of cards, the cards if they lie open (else None), and what is said of it."""

    name: str
    kind: str
    size: int
    faces: tuple[Face, ...] | None
    notes: tuple[str, ...]

    @property
    def counted(self) -> bool:
        """Whether its number is told: its cards lie open, are more than one sees at a glance, and not numbered."""
        return self.faces is not None and self.size > FEW and self.kind != "ladder"


class Part(NamedTuple):
    """The middle, or what lies before a seat: a heading, how it stands, the zones, and what is said of it."""

    heading: str
    tags: tuple[str, ...]
    lots: tuple[Lot, ...]
    notes: tuple[str, ...]


class Drawing(NamedTuple):
    """A table for one viewer: what is asked, who is waited for, and the parts in reading order."""

    phase: str
    prompt: str
    waiting: str
    parts: tuple[Part, ...]


def drawing(game: Json, words: Phrases) -> Drawing:
    """`game` as the API tells it to one viewer, which has started, in parts."""
    view = game["view"]
    prompt = view["prompt_words"] if view["prompt_words"] != view["phase_words"] else ""
    return Drawing(view["phase_words"], prompt, waited_for(game, words), parts(game, words))


def waited_for(game: Json, words: Phrases) -> str:
    """Who the game waits for besides the viewer."""
    names = [seat["name"] for seat in game["seats"] if seat["waiting"] and not seat["you"]]
    return words.say("page.turn.waiting", {"names": listed(names, words)}) if names else ""


def listed(names: list[str], words: Phrases) -> str:
    """Names as one says them: "Aki, Ben and Cho"."""
    first = words.say("page.comma").join(names[:-1])
    return words.say("list.and").join(filter(None, [first, *names[-1:]]))


def parts(game: Json, words: Phrases) -> tuple[Part, ...]:
    """The middle, the others in order of the seats from the viewer on, and the viewer."""
    seats, me = game["seats"], game["seat"]
    start = 0 if me is None else me + 1
    around = [*seats[start:], *seats[:start]]
    found = [middle(game["view"], words), *(before(game, seat, words) for seat in around)]
    return tuple(part for part in found if part.lots or part.notes or part.tags)


def middle(view: Json, words: Phrases) -> Part:
    """What belongs to no seat: zones that are alike beside each other, and what is said of the whole."""
    zones = [zone for zone in view["zones"] if "seat" not in zone]
    zones.sort(key=lambda zone: zone.get("index", -1))
    said = tuple(fact["words"] for fact in view["facts"] if whose(view, fact) is None)
    return Part(words.say("draw.middle"), (), lots(view, zones), said)


def before(game: Json, seat: Json, words: Phrases) -> Part:
    """What lies before a seat, and how it stands."""
    view, number = game["view"], seat["seat"]
    zones = [zone for zone in view["zones"] if zone.get("seat") == number]
    said = tuple(brief(fact) for fact in view["facts"] if whose(view, fact) == number)
    return Part(seat["name"], tags(view, seat, words), lots(view, zones), said)


def tags(view: Json, seat: Json, words: Phrases) -> tuple[str, ...]:
    """What a seat does now: it is the viewer's, it is waited for, it has chosen in secret."""
    holds = {
        "page.seat.you": seat["you"],
        "page.seat.waiting": seat["waiting"],
        "page.seat.committed": seat["seat"] in view["committed"],
    }
    return tuple(words.say(key) for key, true in holds.items() if true)


def lots(view: Json, zones: list[Json]) -> tuple[Lot, ...]:
    """The zones that show anything, with what is said of places beside the last zone of each place."""
    last = {place(zone): zone for zone in zones if drawn(zone)}
    return tuple(
        lot(zone, beside(view, zone) if last[place(zone)] is zone else ())
        for zone in zones
        if drawn(zone)
    )


def lot(zone: Json, notes: Iterable[str]) -> Lot:
    """A zone as it is drawn."""
    cards = zone.get("cards")
    faces = None if cards is None else tuple(map(face, cards))
    return Lot(zone["words"], zone["kind"], zone["count"], faces, tuple(notes))


def face(card: str | Json | None) -> Face:
    """A card as a view has it."""
    if isinstance(card, dict):
        return Face(card.get("card"), tuple(card["is"]))
    return Face(card)


def drawn(zone: Json) -> bool:
    """Whether a zone shows anything: an empty row is left out, unless it is one of several."""
    kept = zone["kind"] in {"hand", "pile"} or "index" in zone
    return kept or bool(zone["count"] or zone.get("cards"))


def place(zone: Json) -> tuple[int | None, int | None]:
    """Whose a zone is, and which of several."""
    return zone.get("seat"), zone.get("index")


def about(fact: Json) -> tuple[int | None, int | None]:
    """Whose zone a fact is about, and which of several."""
    return fact.get("of"), fact.get("index")


def beside(view: Json, zone: Json) -> list[str]:
    """What is said of the place where a zone lies."""
    if "index" not in zone:
        return []
    return [brief(fact) for fact in view["facts"] if about(fact) == place(zone)]


def whose(view: Json, fact: Json) -> int | None:
    """The seat beside which a fact stands; None for the middle, -1 for one that stands beside a place."""
    shown = {place(zone) for zone in view["zones"] if drawn(zone)}
    if "index" in fact and about(fact) in shown:
        return -1
    if "of" in fact:
        return int(fact["of"])
    return fact["seat"] if "short" in fact and "seat" in fact and "index" not in fact else None


def brief(fact: Json) -> str:
    """A fact as it reads beside what it is about."""
    return str(fact.get("short", fact["words"]))


def end_to_end(tiles: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Tiles of a line, each turned so that what touches is alike; given high end first."""
    laid: list[tuple[str, str]] = []
    for number, (high, low) in enumerate(tiles):
        first = len(tiles) > 1 and low not in tiles[1]
        turned = laid[-1][1] != high if number else first
        laid.append((low, high) if turned else (high, low))
    return laid


def spoken(face: Face, words: Phrases) -> str:
    """A card by its name: "three of hearts", "face-down card", "empty place"."""
    marks = [words.say(f"page.mark.{mark}") for mark in face.marks]
    if face.vacant:
        return words.say(f"page.mark.{VACANT}")
    return words.say("page.comma").join([named(face, words), *marks])


def named(face: Face, words: Phrases) -> str:
    """The name of a card, however it lies."""
    if face.code is None:
        return words.say("page.card.unseen")
    if face.ends:
        return words.say("page.card.domino", {"high": face.ends[0], "low": face.ends[1]})
    if face.suit is None:
        return words.say("page.card.joker")
    rank = words.get(f"page.rank.{face.code[0]}") or face.code[0]
    return words.say("page.card.name", {"rank": rank, "suit": words.say(f"page.suit.{face.suit}")})
