"""Pictures of facts about a table: tokens, bars of suits and tracks, as declared in the layout of its ruleset.

The page draws the same from the same layout (web/cards/areas/). Here, pictures are characters that every font has,
shown next to their words, because an email has room for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.common.cards import SUITS
from rules.kernel import Area, Json
from service.core.words.words import Phrases
from service.tables.drawing.shapes import BidCard, Meter, bid_of, meter_of

SEAT_MARKS = "●■▲✚★◎⧗☾▮▼"
"""The marks of the seats in order, as similar to those of the page as characters allow."""
ICONS: Mapping[str, str] = {
    "joker": "✉",
    "blessing": "✉",
    "marker": "⚑",
    "flag": "⚑",
    "crown": "♛",
    "feather": "❧",
    "chip": "◉",
    "chips": "◉◉◉",
    "coin": "◎",
    "score": "✪",
    "pile": "▤",
    "influence": "◉",
    "bid": "☝",
    "out": "⊘",
    "lead": "▶",
    "won": "✔",
    "lost": "▽",
    "tie": "=",
    "draw": "✥",
    "drew": "✥",
    "missed": "✗",
    "stood": "❙❙",
    "holds": "▯",
    "dealer": "▤",
    "trump": "✹",
    "load": "▣",
    "pips": "⚅",
}
"""The characters for the icons of tokens."""
MOST_TALL = 9
"""The greatest height of a bar, however many cards there are."""


class Bar(NamedTuple):
    """The number of cards of a suit, with a sign if it is to be the most or the least."""

    suit: str
    cards: int
    sign: str

    @property
    def height(self) -> int:
        """The height in steps, at most MOST_TALL."""
        return min(self.cards, MOST_TALL)


class Note(NamedTuple):
    """A fact in words, with its sign, its bars and its progress towards a total, if it has them.

    A note can also be a bid in words, with its cards.
    """

    words: str
    sign: str = ""
    bars: tuple[Bar, ...] = ()
    meter: Meter | None = None
    cards: tuple[BidCard, ...] = ()


class Mark(NamedTuple):
    """Something on a track: the sign of a seat, in that seat's colour, or of a suit."""

    sign: str
    style: str


class Step(NamedTuple):
    """A number of a track, the marks there, and whether the number is as desired ("enough") or too much ("over")."""

    number: int
    marks: tuple[Mark, ...]
    kind: str


class Track(NamedTuple):
    """A scale with a mark for each seat or each suit at its number, and words about it.

    It ends at the highest mark. Numbers above a limit share a single step, which is marked as too much and has no
    number of its own; the words give the number.
    """

    title: str
    words: str
    steps: tuple[Step, ...]


def seat_mark(seat: int) -> Mark:
    """The mark of a seat."""
    return Mark(SEAT_MARKS[seat], f"of-seat-{seat}")


def notes_of(
    facts: list[Json], said: list[str], view: Json, areas: tuple[Area, ...], words: Phrases
) -> tuple[Note, ...]:
    """These facts of a view in words, with their pictures. A bid follows the fact that says who made it."""
    signs = {
        area.facts["of"]: ICONS[area.icon]
        for area in areas
        if area.kind == "token" and area.icon in ICONS
    }
    counted = {area.facts["counts"]: area for area in areas if area.kind == "suits"}
    wished = {
        area.facts[part]: sign
        for area in counted.values()
        for part, sign in (("most", ICONS["crown"]), ("least", ICONS["feather"]))
    }
    notes = list[Note]()
    for fact, told in zip(facts, said, strict=True):
        name = fact["name"]
        bars = tuple(bars_of(fact, facts, counted[name])) if name in counted else ()
        meter, bid = meter_of(fact, view, areas, words), bid_of(fact, view, areas, words)
        notes.append(Note(told, (signs | wished).get(name, ""), bars, meter))
        notes += [Note(bid.words, ICONS["bid"], cards=bid.cards)] if bid else []
    return tuple(notes)


def bars_of(counts: Json, facts: list[Json], area: Area) -> Iterator[Bar]:
    """A bar for each suit, with a sign above it if it is to be the most or the least."""
    for suit in SUITS:
        signs = [
            sign
            for part, sign in (("most", ICONS["crown"]), ("least", ICONS["feather"]))
            for fact in facts
            if fact["name"] == area.facts[part] and any(card[1] == suit for card in fact["cards"])
        ]
        yield Bar(suit, counts[suit], "".join(signs))


def tracks(view: Json, areas: Iterable[Area], words: Phrases) -> tuple[Track, ...]:
    """The tracks of the table that have something on them."""
    found = (_track(view, area, words) for area in areas if area.kind == "track")
    return tuple(each for each in found if each)


def _track(view: Json, area: Area, words: Phrases) -> Track | None:
    values = [fact for fact in view["facts"] if fact["name"] == area.facts["value"]]
    limits = [fact for fact in view["facts"] if fact["name"] == area.facts.get("limit")]
    declared = limits[0]["value"] if limits else area.numbers.get("to")
    if not values or declared is None:
        return None
    told = [fact["value"] for fact in values]
    least, most = min(area.numbers["from"], *told), declared if limits else max(declared, *told)
    numbers = range(least, most + (2 if limits else 1))
    placed = [(min(fact["value"], numbers[-1]), _mark(fact)) for fact in values]
    steps = (
        Step(
            number,
            tuple(mark for at, mark in placed if at == number),
            "over" if number > most else _enough(number, area),
        )
        for number in numbers
    )
    return Track(
        words.say(f"area.{area.title}"),
        " ".join(fact["words"] for fact in (*values, *limits)),
        tuple(steps),
    )


def _enough(number: int, area: Area) -> str:
    return "enough" if number >= area.numbers.get("enough", number + 1) else ""


def _mark(fact: Json) -> Mark:
    """The mark of the seat or, without one, of the suit to which a number belongs."""
    if "of" in fact:
        return seat_mark(fact["of"])
    suit = SUITS[fact["index"]]
    return Mark("♠♥♦♣"[SUITS.index(suit)], f"suit-{suit}")
