"""A table as semantic HTML without images: headings, definition lists, and cards with accessible names.

Elements have classes only: `drawn_table.css` styles them, on the server's own pages and, inlined, in mails.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup

from service.core.words.words import Phrases
from service.tables.drawing.layout import (
    Face,
    Lanes,
    Layout,
    Section,
    ZoneLayout,
    accessible_name,
    end_to_end,
)
from service.tables.drawing.text import card_text, marks_text

STYLES = Path(__file__).with_name("drawn_table.css")
"""The styles of what is drawn here."""
UNSEEN = Face(None)
_TEXT_STYLE = "\ufe0e"
"""After a suit, so that it is not shown as an emoji."""


def draw_html(layout: Layout, words: Phrases) -> Markup:
    """The table; its headings begin at level 3."""
    sections = Markup().join(section_html(section, words) for section in layout.sections)
    return Markup('<div class="drawn" lang="{}">{}</div>').format(words.language, sections)


def suits_as_text(text: str) -> str:
    """`text` with its suits marked to be shown as text, not as emojis."""
    for suit in "♠♥♦♣":
        text = text.replace(suit, suit + _TEXT_STYLE)
    return text


def section_html(section: Section, words: Phrases) -> Markup:
    """The middle of the table or a seat."""
    state = words.say("page.comma").join(section.tags)
    tags = Markup(' <span class="state">{}</span>').format(state) if state else ""
    heading = Markup("<h3>{}{}</h3>").format(section.heading, tags)
    items = Markup().join(zone_html(zone, words) for zone in section.zones)
    zones = Markup('<dl class="zones">{}</dl>').format(items) if items else Markup()
    between = lanes_html(section.lanes, words) if section.lanes else Markup()
    return Markup('<div class="part">{}{}{}{}</div>').format(
        heading, between, zones, notes_html(section.notes)
    )


def lanes_html(lanes: Lanes, words: Phrases) -> Markup:
    """A table with a column for each lane; the last seat is the nearest, so its name stands below its zones."""
    heads = Markup().join(
        Markup('<th scope="col">{}</th>').format(suits_as_text(name)) for name in lanes.names
    )
    wide, sides = len(lanes.names), list[Markup]()
    name = Markup('<tr><th class="seat" scope="rowgroup" colspan="{}">{}</th></tr>')
    for number, (seat, zones) in enumerate(lanes.rows, 1):
        side = [name.format(wide, seat), lane_row(zones, words)]
        near = number > 1 and number == len(lanes.rows)
        sides += [Markup('<tbody class="{}">').format("near" if near else "far")]
        sides += [*(reversed(side) if near else side), Markup("</tbody>")]
    return Markup('<table class="lanes"><thead><tr>{}</tr></thead>{}</table>').format(
        heads, Markup().join(sides)
    )


def lane_row(zones: Iterable[ZoneLayout], words: Phrases) -> Markup:
    """What one seat has in each lane."""
    cell = Markup("<td>{}{}</td>")
    cells = (cell.format(cards_html(zone, words), notes_html(zone.notes)) for zone in zones)
    return Markup("<tr>{}</tr>").format(Markup().join(cells))


def notes_html(notes: Iterable[str]) -> Markup:
    """Facts as a list; nothing if there are none."""
    items = Markup().join(Markup("<li>{}</li>").format(suits_as_text(note)) for note in notes)
    return Markup('<ul class="notes">{}</ul>').format(items) if items else Markup()


def zone_html(zone: ZoneLayout, words: Phrases) -> Markup:
    """A zone: its name and number of cards, its cards, and its facts."""
    count = Markup(' <span class="count">{}</span>').format(zone.size)
    name = Markup("{}{}").format(zone.name, count if zone.counted else "")
    return Markup('<div class="{}"><dt>{}</dt> <dd>{}{}</dd></div>').format(
        "lot" if zone.faces else "lot short",
        suits_as_text(name),
        cards_html(zone, words),
        notes_html(zone.notes),
    )


def cards_html(zone: ZoneLayout, words: Phrases) -> Markup:
    """The cards of a zone; only their number if the viewer does not see them."""
    if not zone.faces:
        key = "draw.unseen" if zone.size else "draw.none"
        return Markup('<span class="unseen">{}</span>').format(words.say(key, {"n": zone.size}))
    if zone.kind in {"grid", "ladder"}:  # numbered as actions name them
        places = enumerate(zone.faces, 1 if zone.kind == "ladder" else 0)
        return list_html("cards places", (place_html(n, face, words) for n, face in places))
    return list_html("cards", row_items(zone, words))


def row_items(zone: ZoneLayout, words: Phrases) -> Iterable[Markup]:
    """The cards side by side, with runs of face-down cards counted; the tiles of a line lie end to end."""
    faces = zone.faces or ()
    ends = [face.ends for face in faces if face.ends]
    if zone.kind != "line" or len(ends) < len(faces):
        runs = ((face, len(list(run))) for face, run in itertools.groupby(faces))
        return [item for face, length in runs for item in run_items(face, length, words)]
    return [
        sign_html(classes_of(face), accessible_name(face, words), f"{left}|{right}")
        for face, (left, right) in zip(faces, end_to_end(ends), strict=True)
    ]


def run_items(face: Face, length: int, words: Phrases) -> list[Markup]:
    """A run of cards that look the same."""
    if face != UNSEEN or length == 1:
        return [card_html(face, words)] * length
    name = words.say("draw.unseen", {"n": length})
    return [sign_html(classes_of(face), name, f"?×{length}")]


def place_html(number: int, face: Face, words: Phrases) -> Markup:
    """A place with its number."""
    name = words.say("page.place", {"n": number, "card": accessible_name(face, words)})
    card = Markup('<span class="{}">{}</span>').format(classes_of(face), sign_of(face, words))
    content = Markup('<span class="number">{}</span> {}').format(number, card)
    return sign_html("place", name, content)


def list_html(classes: str, items: Iterable[Markup]) -> Markup:
    """A list; the spaces keep its items apart where no style is applied."""
    content = Markup("").join(Markup("<li>{}</li> ").format(item) for item in items)
    return Markup('<ul class="{}">{}</ul>').format(classes, content)


def card_html(face: Face, words: Phrases) -> Markup:
    """A card with its accessible name."""
    return sign_html(classes_of(face), accessible_name(face, words), sign_of(face, words))


def sign_html(classes: str, name: str, content: str) -> Markup:
    """What stands for a card, with its accessible name."""
    return Markup('<span class="{}" role="img" aria-label="{}">{}</span>').format(
        classes, name, content
    )


def classes_of(face: Face) -> str:
    """The classes of a card: its suit, or that it is a domino, face down, or no card at all."""
    if face.vacant:
        return "sign vacant"
    if face.code is None:
        return "sign back"
    return "sign domino" if face.ends else f"sign suit-{face.suit or 'none'}"


def sign_of(face: Face, words: Phrases) -> str:
    """A card as text, with its marks."""
    if face.vacant:
        return "\u2013"
    text = "?" if face.code is None else card_text(face, words).strip("[]")
    return suits_as_text(text) + marks_text(face, words)
