"""Shapes for facts about a table: a set that is being collected, the cards of a bid, progress towards a total.

The layout of the ruleset declares them, and the page draws the same from it (web/cards/areas/). Emails cannot show
vector graphics, so places, bars and cards are made of text and table cells here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.kernel import Area, Json
from service.core.words.words import Phrases

RANKS = "23456789TJQKA"
"""The ranks from the lowest up, for sequences that go down; an ace is also the lowest rank."""
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
ANY_SUIT = "♤"
"""The sign for an unspecified suit that all cards of a bid share."""
STEPS = 20
"""The number of steps in a bar, of five per cent each."""
BEYOND = 2
"""How far (in steps) a bar continues beyond the desired maximum, so that an excess is visible."""


class Part(NamedTuple):
    """A part of a bar: its meaning ("held", "goal", "excess" or "free"; "reached" if progress has come so far), and
    its length.
    """

    kind: str
    reached: bool
    steps: int


class Meter(NamedTuple):
    """Progress as a bar and in words. The words are empty if the total is not known."""

    parts: tuple[Part, ...]
    words: str


class BidCard(NamedTuple):
    """A card of a bid, of which only the rank or only the suit may be known."""

    sign: str
    suit: str


class Bid(NamedTuple):
    """A bid in words, with its cards."""

    words: str
    cards: tuple[BidCard, ...]


class Place(NamedTuple):
    """A place of a set: the position of its card among the cards, or the missing rank (empty if unknown)."""

    card: int | None
    missing: str


def places_of(zone: Json, codes: list[str | None] | None, areas: Iterable[Area]) -> list[Place]:
    """The places of a set that is collected in a zone, with any further cards last; empty for other zones."""
    ranks = next(
        (each.ranks for each in areas if each.kind == "set" and zone["name"] in each.zones), ()
    )
    if not ranks:
        return []
    if codes is None:
        lacking = max(0, len(ranks) - zone["count"])
        return [Place(n, "") for n in range(zone["count"])] + [Place(None, "")] * lacking
    found = [_first(codes, alike) for alike in ranks]
    others = [Place(n, "") for n in range(len(codes)) if n not in found]
    shown = [
        Place(n, "" if n is not None else _ranks(alike))
        for n, alike in zip(found, ranks, strict=True)
    ]
    return shown + others


def _first(codes: list[str | None], alike: str) -> int | None:
    return next((n for n, code in enumerate(codes) if code and code[0] in alike), None)


def _ranks(alike: str) -> str:
    """The ranks that share one place, in words: "J–K"."""
    return f"{_index(alike[0])}\u2013{_index(alike[-1])}" if len(alike) > 1 else _index(alike)


def bid_of(fact: Json, view: Json, areas: Iterable[Area], words: Phrases) -> Bid | None:
    """The bid of the seat that a fact names, if the fact says who has made it; otherwise None."""
    for area in areas:
        if area.kind == "bid" and area.facts["by"] == fact["name"]:
            asked = view["prompt"] or {}
            kind, rank, suit = (asked.get(area.facts[part]) for part in ("kind", "rank", "suit"))
            if isinstance(kind, str) and kind in area.sets:
                said = words.say_most_specific(f"value.{area.facts['kind']}.{kind}", asked)
                return Bid(said, tuple(_bid_cards(area.sets[kind], rank, suit)))
    return None


def _bid_cards(signs: str, rank: str | None, suit: str | None) -> Iterator[BidCard]:
    """The cards for these signs.

    `R`: the rank named; `<`: the next lower one; `s`: the suit of the first; `x`: any other.
    """
    known = suit or ""
    for n, sign in enumerate(signs):
        index = ""
        if sign == "R":
            index = _index(rank)
        elif sign == "<" and rank and rank in RANKS:
            index = _index(RANKS[RANKS.index(rank) - n])
        of_suit = SUIT_SIGNS.get(known, ANY_SUIT if sign == "s" else "") if sign in "Rs" else ""
        yield BidCard(index + of_suit or "\u00a0", known if of_suit and known else "")


def _index(rank: str | None) -> str:
    return {"T": "10", "joker": "✉"}.get(rank or "", rank or "")


def meter_of(fact: Json, view: Json, areas: Iterable[Area], words: Phrases) -> Meter | None:
    """The progress of a fact towards its total, if its area says what the total is; otherwise None."""
    for area in areas:
        if area.facts.get("total") == fact["name"]:
            if area.kind == "load":
                return _load(fact, view, area, words)
            if "least" in area.numbers:
                return _sale(fact, area, words)
    return None


def _load(fact: Json, view: Json, area: Area, words: Phrases) -> Meter:
    """How much of a capacity is used, as far as the viewer sees the capacity."""
    own = [
        zone
        for zone in view["zones"]
        if zone["name"] == area.own and zone.get("seat") == fact["of"]
    ]
    codes = [_code(card) for zone in own for card in zone.get("cards") or ()]
    held = next((area.numbers[code[0]] for code in codes if code and code[0] in area.numbers), None)
    stored = [
        zone
        for zone in view["zones"]
        if zone.get("seat") == fact["of"] and zone["name"] in area.zones
    ]
    more = sum(area.numbers.get(zone["name"], 0) * zone["count"] for zone in stored)
    value, most = fact["value"], (held or max(area.numbers.values())) + more
    said = words.say("draw.meter.of", {"value": value, "most": most}) if held else ""
    lengths = [("held", min(value, most)), ("excess", value - most), ("free", most - value)]
    return Meter(_parts(lengths, reached=value), said)


def _sale(fact: Json, area: Area, words: Phrases) -> Meter:
    """How far a row is from being ready for sale."""
    least, most, value = area.numbers["least"], area.numbers["most"], fact["value"]
    said = words.say("draw.meter.between", {"least": least, "most": most})
    lengths = [("free", least - 1), ("goal", most - least + 1), ("excess", BEYOND)]
    return Meter(_parts(lengths, reached=min(value, most + BEYOND)), said)


def _parts(lengths: list[tuple[str, int]], reached: int) -> tuple[Part, ...]:
    """The parts of a bar; the part in which `reached` lies is divided there."""
    whole = sum(max(0, length) for _, length in lengths)
    parts, begun = list[Part](), 0
    for kind, length in lengths:
        full = max(0, min(length, reached - begun))
        for is_reached, cells in ((True, full), (False, length - full)):
            if cells > 0:
                parts.append(Part(kind, is_reached, max(1, round(cells * STEPS / whole))))
        begun += max(0, length)
    return tuple(parts)


def _code(card: str | Json | None) -> str | None:
    return card.get("card") if isinstance(card, dict) else card
