"""A table as plain text for an email: lines of at most 78 columns, two of them for a full-width character.

Cards read `3♥`, tiles `[6|3]`, a face-down card `[?]`, an empty place `[ ]`; marks follow in brackets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from service.core.words.words import Phrases
from service.tables.drawing.layout import Face, Layout, Section, ZoneLayout
from service.tables.drawing.pictures import Note

WIDTH = 78
"""The columns of a line, so few that every mail program shows it without wrapping."""
INDENT = "  "
PER_ROW = 10
"""The places of a grid in a row, so that the last digit of a place's number is its column."""
UNSEEN, EMPTY = "[?]", "[ ]"
_CLOSING = "、。，．）」』】・：；！？ー々ょゃゅっョャュッ)]}.,:;!?"
"""The characters that cannot begin a line."""
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_UNITS = re.compile(rf"[「『（【]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{re.escape(_CLOSING)}]*\s*|\S\s*|\s+")
"""Words and full-width characters, each with the brackets and punctuation that belong to it."""


def draw_sections(layout: Layout, words: Phrases) -> str:
    """The table as text, without the reader's question and without a final line break."""
    blocks = (section_lines(section, words) for section in layout.sections)
    text = "\n\n".join("\n".join(block) for block in blocks)
    signs = {UNSEEN: "draw.legend.unseen", EMPTY: "draw.legend.empty"}
    legend = [words.say(key, {"sign": sign}) for sign, key in signs.items() if sign in text]
    return "\n\n".join([text, "\n".join(legend)] if legend else [text])


def section_lines(section: Section, words: Phrases) -> Iterator[str]:
    """The heading of a section, its zones and its facts."""
    tags = words.say("page.comma").join(section.tags)
    heading = words.say("draw.heading", {"name": section.heading, "tags": tags})
    yield from wrap(heading if tags else section.heading)
    if section.lanes:  # lane by lane: zones that face each other are one below the other
        for number, name in enumerate(section.lanes.names):
            yield from wrap(name, INDENT, INDENT)
            for seat, zones in section.lanes.rows:
                yield from zone_lines(zones[number]._replace(name=seat), words, INDENT * 2)
    for zone in section.zones:
        yield from zone_lines(zone, words)
    for note in section.notes:
        yield from wrap(note_text(note, words), INDENT, INDENT)


def zone_lines(zone: ZoneLayout, words: Phrases, indent: str = INDENT) -> Iterator[str]:
    """The lines of a zone: its name, then its cards, then its facts."""
    key = "draw.zone.count" if zone.counted else "draw.zone"
    label = words.say(key, {"zone": zone.name, "count": zone.size})
    if zone.faces and zone.kind in {"grid", "ladder"}:
        yield from wrap(label, indent, indent + INDENT)
        if zone.kind == "grid":
            yield from grid_lines(zone.faces, words)
        else:  # the steps of a ladder, numbered from 1, the highest first
            for number, face in enumerate(zone.faces, 1):
                yield f"{INDENT * 2}{number} {face_text(face, words)}"
    else:
        separator = "" if zone.kind == "line" else " "
        first, *others = [card + separator for card in card_texts(zone, words)]
        begun = label + ("" if label.endswith("：") else " ") + first
        yield from wrap_units([begun, *others], indent, indent + INDENT)
    for told in (missing_words(zone, words), *(note_text(note, words) for note in zone.notes)):
        if told:
            yield from wrap(told, indent + INDENT, indent + INDENT)


def missing_words(zone: ZoneLayout, words: Phrases) -> str:
    """The missing cards of a set in words, or only their number if no more is known; empty if it is complete or not a
    set.
    """
    if not zone.missing:
        return ""
    ranks = words.say("page.comma").join(each for each in zone.missing if each)
    return words.say("draw.missing", {"what": ranks or len(zone.missing)})


def note_text(note: Note, words: Phrases) -> str:
    """A fact in words, with its progress if it counts up to a total."""
    if note.meter is None or not note.meter.words:
        return note.words
    return words.say("draw.meter", {"words": note.words, "meter": note.meter.words})


def card_texts(zone: ZoneLayout, words: Phrases) -> list[str]:
    """The cards of a zone side by side."""
    if not zone.faces:
        return [words.say("draw.unseen" if zone.size else "draw.none", {"n": zone.size})]
    tiles = [f"[{left}|{right}]" for left, right in zone.tiles]
    runs = ((face_text(face, words), length) for face, length in zone.runs)
    return tiles or [f"{text}×{length}" if length > 1 else text for text, length in runs]


def grid_lines(faces: tuple[Face, ...], words: Phrases) -> Iterator[str]:
    """The lines of a grid: places with their numbers, in columns."""
    cells = [f"{n:>2} {face_text(face, words)}" for n, face in enumerate(faces)]
    widest = max(map(columns, cells))
    across = max(1, min(PER_ROW, (WIDTH - 4 + 2) // (widest + 2)))
    for start in range(0, len(cells), across):
        row = [cell + " " * (widest - columns(cell)) for cell in cells[start : start + across]]
        yield (INDENT * 2 + "  ".join(row)).rstrip()


def face_text(face: Face, words: Phrases) -> str:
    """A card as it lies, with its marks: `3♥`, `[6|3]`, `K♦(turned)`."""
    if face.vacant:
        return EMPTY
    return card_text(face, words) + marks_text(face, words)


def marks_text(face: Face, words: Phrases) -> str:
    """The marks of a card in brackets; empty if it has none."""
    marks = words.say("page.comma").join(words.say(f"draw.mark.{mark}") for mark in face.marks)
    return words.say("draw.marks", {"marks": marks}) if marks else ""


def card_text(face: Face, words: Phrases) -> str:
    """A card or tile without its marks."""
    if face.code is None:
        return UNSEEN
    return f"[{face.ends[0]}|{face.ends[1]}]" if face.ends else words.card(face.code)


def columns(text: str) -> int:
    """The number of columns that a text takes; a full-width character takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def wrap(text: str, indent: str = "", further: str = "") -> Iterator[str]:
    """The lines of a sentence, broken at spaces and between full-width characters, but never before a closing
    character.

    `indent` begins the first line, `further` the other lines.
    """
    return wrap_units(_UNITS.findall(text), indent, further)


def wrap_units(units: Iterable[str], indent: str, further: str) -> Iterator[str]:
    """The lines of a text that can be broken only between these units."""
    line = indent
    for unit in units:
        if line.strip() and columns((line + unit).rstrip()) > WIDTH:
            yield line.rstrip()
            line = further + unit.lstrip()
        else:
            line += unit
    yield line.rstrip()
