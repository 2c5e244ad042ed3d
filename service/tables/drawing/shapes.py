"""What is told of a table in shapes: a set that is collected, the cards of a bid, how far something is from full.

The layout of the ruleset declares them, and the page draws the same of it (web/cards/areas/). A mail knows no vector
graphics: places, bars and cards are made of text and of cells here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.kernel import Area, Json
from service.core.words.words import Phrases

RANKS = "23456789TJQKA"
"""Ranks from the lowest, for what follows downwards; an ace is also the lowest."""
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
ANY_SUIT = "♤"
"""A suit that all cards of a bid share, where it is not said which."""
STEPS = 20
"""Lengths of the parts of a bar: in steps of five per cent."""
BEYOND = 2
"""How far a bar goes on behind the most that is wished, so that too much is seen."""


class Part(NamedTuple):
    """A part of a bar: what it is ("held", "goal", "excess" or "free", "reached" if up to there), and its length."""

    kind: str
    reached: bool
    steps: int


class Meter(NamedTuple):
    """How far something has come, as a bar and in words; the words are empty if it is not known how far it can go."""

    parts: tuple[Part, ...]
    words: str


class BidCard(NamedTuple):
    """A card of a bid, of which perhaps only the rank or the suit is known."""

    sign: str
    suit: str


class Bid(NamedTuple):
    """A bid in words, and what its cards look like."""

    words: str
    cards: tuple[BidCard, ...]


class Place(NamedTuple):
    """A place of a set: the number of the card that lies in it, or what is missing there (empty: that is not known)."""

    card: int | None
    missing: str


def places_of(zone: Json, codes: list[str | None] | None, areas: Iterable[Area]) -> list[Place]:
    """The places of a set that is collected in a zone, the cards besides last; empty for any other zone."""
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
    """Ranks that take one place: "J–K"."""
    return f"{_index(alike[0])}\u2013{_index(alike[-1])}" if len(alike) > 1 else _index(alike)


def bid_of(fact: Json, view: Json, areas: Iterable[Area], words: Phrases) -> Bid | None:
    """The bid of the seat that a fact names, if it is a fact about who has made it."""
    for area in areas:
        if area.kind == "bid" and area.facts["by"] == fact["name"]:
            asked = view["prompt"] or {}
            kind, rank, suit = (asked.get(area.facts[part]) for part in ("kind", "rank", "suit"))
            if isinstance(kind, str) and kind in area.sets:
                said = words.say_most_specific(f"value.{area.facts['kind']}.{kind}", asked)
                return Bid(said, tuple(_bid_cards(area.sets[kind], rank, suit)))
    return None


def _bid_cards(signs: str, rank: str | None, suit: str | None) -> Iterator[BidCard]:
    """`R`: the rank named; `<`: the next lower one; `s`: the suit of the first; `x`: any other."""
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
    """How far it is to what a fact counts up to, if its area says how far that is."""
    for area in areas:
        if area.facts.get("total") == fact["name"]:
            if area.kind == "load":
                return _load(fact, view, area, words)
            if "least" in area.numbers:
                return _sale(fact, area, words)
    return None


def _load(fact: Json, view: Json, area: Area, words: Phrases) -> Meter:
    """How much of what can be held is stored, as far as what it is stored in is seen."""
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
    """How far a row is from what it can be sold for."""
    least, most, value = area.numbers["least"], area.numbers["most"], fact["value"]
    said = words.say("draw.meter.between", {"least": least, "most": most})
    lengths = [("free", least - 1), ("goal", most - least + 1), ("excess", BEYOND)]
    return Meter(_parts(lengths, reached=min(value, most + BEYOND)), said)


def _parts(lengths: list[tuple[str, int]], reached: int) -> tuple[Part, ...]:
    """The parts of a bar, each divided where it is reached."""
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
