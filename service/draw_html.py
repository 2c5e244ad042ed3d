"""A drawing as semantic HTML without images: headings, lists of definitions, and cards that say their names.

It carries classes alone; `web/drawn.css` says how they look: on the pages that the server makes and, inlined, in mails.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from markupsafe import Markup

from service.draw import Drawing, Face, Lot, Part, end_to_end, spoken
from service.draw_text import card_text
from service.words import Phrases

UNSEEN = Face(None)
_AS_TEXT = "\ufe0e"
"""Behind a suit: no emoji is to be made of it."""


def draw_html(drawing: Drawing, words: Phrases) -> Markup:
    """The table as a section whose headings begin at level 3."""
    made = Markup().join(part_html(part, words) for part in drawing.parts)
    return Markup('<div class="drawn" lang="{}">{}</div>').format(words.language, made)


def plain_suits(text: str) -> str:
    """`text` with every suit marked as a letter, not a picture."""
    for suit in "♠♥♦♣":
        text = text.replace(suit, suit + _AS_TEXT)
    return text


def part_html(part: Part, words: Phrases) -> Markup:
    """The middle of the table or a seat."""
    told = words.say("page.comma").join(part.tags)
    tags = Markup(' <span class="state">{}</span>').format(told) if told else ""
    heading = Markup("<h3>{}{}</h3>").format(part.heading, tags)
    lots = Markup().join(lot_html(lot, words) for lot in part.lots)
    zones = Markup('<dl class="zones">{}</dl>').format(lots) if lots else Markup()
    return Markup('<div class="part">{}{}{}</div>').format(heading, zones, notes(part.notes))


def notes(said: Iterable[str]) -> Markup:
    """What is said beside something, as a list."""
    items = Markup().join(Markup("<li>{}</li>").format(plain_suits(each)) for each in said)
    return Markup('<ul class="notes">{}</ul>').format(items) if items else Markup()


def lot_html(lot: Lot, words: Phrases) -> Markup:
    """A zone: its name and number, its cards, and what is said of it."""
    count = Markup(' <span class="count">{}</span>').format(lot.size)
    named = Markup("{}{}").format(lot.name, count if lot.counted else "")
    return Markup('<div class="{}"><dt>{}</dt> <dd>{}{}</dd></div>').format(
        "lot" if lot.faces else "lot short",
        plain_suits(named),
        cards(lot, words),
        notes(lot.notes),
    )


def cards(lot: Lot, words: Phrases) -> Markup:
    """The cards of a zone, or how many lie there unseen."""
    if not lot.faces:
        key = "draw.unseen" if lot.size else "draw.none"
        return Markup('<span class="unseen">{}</span>').format(words.say(key, {"n": lot.size}))
    if lot.kind in {"grid", "ladder"}:
        return places(lot, words)
    return items("cards", shown(lot, words))


def shown(lot: Lot, words: Phrases) -> Iterable[Markup]:
    """The cards side by side, those that are not seen counted; tiles of a line lie end to end."""
    faces = lot.faces or ()
    ends = [face.ends for face in faces if face.ends]
    if lot.kind != "line" or len(ends) < len(faces):
        runs = ((face, len(list(run))) for face, run in itertools.groupby(faces))
        return [each for face, same in runs for each in alike(face, same, words)]
    return [
        sign(face, f"{left}|{right}", kind(face), spoken(face, words))
        for face, (left, right) in zip(faces, end_to_end(ends), strict=True)
    ]


def alike(face: Face, same: int, words: Phrases) -> list[Markup]:
    """So many cards that look the same."""
    if face != UNSEEN or same == 1:
        return [card(face, words)] * same
    return [sign(face, f"?×{same}", kind(face), words.say("draw.unseen", {"n": same}))]


def places(lot: Lot, words: Phrases) -> Markup:
    """Places that are numbered as actions name them; the steps of a ladder from 1."""
    first = 1 if lot.kind == "ladder" else 0
    numbered = enumerate(lot.faces or (), first)
    return items("cards places", (place(number, face, words) for number, face in numbered))


def place(number: int, face: Face, words: Phrases) -> Markup:
    """A place with its number."""
    name = words.say("page.place", {"n": number, "card": spoken(face, words)})
    inside = Markup('<span class="number">{}</span> {}').format(number, silent(face, words))
    return Markup('<span class="place" role="img" aria-label="{}">{}</span>').format(name, inside)


def items(of: str, each: Iterable[Markup]) -> Markup:
    """A list; white space keeps its items apart where no style arrives."""
    made = Markup("").join(Markup("<li>{}</li> ").format(one) for one in each)
    return Markup('<ul class="{}">{}</ul>').format(of, made)


def card(face: Face, words: Phrases) -> Markup:
    """A card with its name for who does not see it."""
    return sign(face, card_sign(face, words), kind(face), spoken(face, words))


def sign(face: Face, text: str, of: str, name: str) -> Markup:
    """What stands for a card, with its name."""
    return Markup('<span class="{}" role="img" aria-label="{}">{}</span>').format(of, name, text)


def silent(face: Face, words: Phrases) -> Markup:
    """A card inside something that says its name."""
    return Markup('<span class="{}">{}</span>').format(kind(face), card_sign(face, words))


def kind(face: Face) -> str:
    """The classes of a card: its suit, or that it is a domino, not seen, or no card at all."""
    if face.vacant:
        return "sign vacant"
    if face.code is None:
        return "sign back"
    return "sign domino" if face.ends else f"sign suit-{face.suit or 'none'}"


def card_sign(face: Face, words: Phrases) -> str:
    """The letters of a card with its marks."""
    if face.vacant:
        return "\u2013"
    text = "?" if face.code is None else card_text(face, words).strip("[]")
    marks = words.say("page.comma").join(words.say(f"draw.mark.{mark}") for mark in face.marks)
    return plain_suits(text) + (words.say("draw.marks", {"marks": marks}) if marks else "")
