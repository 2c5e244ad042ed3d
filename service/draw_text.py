"""A drawing as plain text for a mail: lines of at most 78 columns, of which a Japanese letter takes two.

Cards read `3♥`, tiles `[6|3]`, a card that is not seen `[?]`, an empty place `[ ]`; marks stand behind in brackets.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from service.draw import Drawing, Face, Lot, Part, end_to_end
from service.words import Phrases

WIDTH = 78
"""Columns of a line: what every mail program shows without breaking it."""
INDENT = "  "
PER_ROW = 10
"""Places of a grid in one row, so that the last digit of their numbers is their column."""
UNSEEN, EMPTY = "[?]", "[ ]"
_CLOSING = "、。，．）」』】・：；！？ー々ょゃゅっョャュッ)]}.,:;!?"
"""What does not begin a line."""
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_PIECES = re.compile(
    rf"[「『（【]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{re.escape(_CLOSING)}]*\s*|\S\s*|\s+"
)


def draw_text(drawing: Drawing, words: Phrases) -> str:
    """The table as text, without an empty line at its end."""
    said = [each for each in (drawing.prompt or drawing.phase, drawing.waiting) if each]
    blocks = [[line for each in said for line in wrapped(each)]]
    blocks += [list(part_lines(part, words)) for part in drawing.parts]
    drawn = "\n\n".join("\n".join(block) for block in blocks)
    return "\n\n".join([drawn, *legend(drawn, words)])


def legend(drawn: str, words: Phrases) -> list[str]:
    """What the two signs mean, where they stand."""
    signs = {UNSEEN: "draw.legend.unseen", EMPTY: "draw.legend.empty"}
    said = [words.say(key, {"sign": sign}) for sign, key in signs.items() if sign in drawn]
    return ["\n".join(said)] if said else []


def part_lines(part: Part, words: Phrases) -> Iterator[str]:
    """The heading of a part, its zones and what is said of it."""
    told = words.say("page.comma").join(part.tags)
    heading = words.say("draw.heading", {"name": part.heading, "tags": told})
    yield from wrapped(heading if told else part.heading)
    for lot in part.lots:
        yield from lot_lines(lot, words)
    for note in part.notes:
        yield from wrapped(note, INDENT, INDENT)


def lot_lines(lot: Lot, words: Phrases) -> Iterator[str]:
    """A zone: its name, then its cards as they lie."""
    key = "draw.zone.count" if lot.counted else "draw.zone"
    label = words.say(key, {"zone": lot.name, "count": lot.size})
    if lot.faces and lot.kind in {"grid", "ladder"}:
        yield from wrapped(label, INDENT, INDENT * 2)
        yield from grid(lot.faces, words) if lot.kind == "grid" else ladder(lot.faces, words)
    else:
        between = "" if lot.kind == "line" else " "
        yield from joined(label, list(cards(lot, words)), between)
    for note in lot.notes:
        yield from wrapped(note, INDENT * 2, INDENT * 2)


def cards(lot: Lot, words: Phrases) -> Iterator[str]:
    """The cards of a zone side by side; those that are not seen are counted."""
    if not lot.faces:
        yield words.say("draw.unseen", {"n": lot.size}) if lot.size else words.say("draw.none")
    elif lot.kind == "line" and all(face.ends for face in lot.faces):
        ends = [face.ends for face in lot.faces if face.ends]
        yield from (f"[{left}|{right}]" for left, right in end_to_end(ends))
    else:
        for text, run in itertools.groupby(face_text(face, words) for face in lot.faces):
            same = len(list(run))
            yield from [f"{text}×{same}"] if text == UNSEEN and same > 1 else [text] * same


def grid(faces: tuple[Face, ...], words: Phrases) -> Iterator[str]:
    """Places with their numbers, in columns."""
    cells = [f"{n:>2} {face_text(face, words)}" for n, face in enumerate(faces)]
    widest = max(map(columns, cells))
    across = max(1, min(PER_ROW, (WIDTH - 4 + 2) // (widest + 2)))
    for start in range(0, len(cells), across):
        row = [cell + " " * (widest - columns(cell)) for cell in cells[start : start + across]]
        yield (INDENT * 2 + "  ".join(row)).rstrip()


def ladder(faces: tuple[Face, ...], words: Phrases) -> Iterator[str]:
    """Steps from the highest down, counted from 1."""
    for number, face in enumerate(faces, 1):
        yield f"{INDENT * 2}{number} {face_text(face, words)}"


def face_text(face: Face, words: Phrases) -> str:
    """A card as it lies: `3♥`, `[6|3]`, `K♦(turned)`."""
    if face.vacant:
        return EMPTY
    marks = words.say("page.comma").join(words.say(f"draw.mark.{mark}") for mark in face.marks)
    return card_text(face, words) + (words.say("draw.marks", {"marks": marks}) if marks else "")


def card_text(face: Face, words: Phrases) -> str:
    """A card or tile by itself."""
    if face.code is None:
        return UNSEEN
    return f"[{face.ends[0]}|{face.ends[1]}]" if face.ends else words.card(face.code)


def columns(text: str) -> int:
    """The columns that a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def joined(label: str, tokens: list[str], between: str) -> Iterator[str]:
    """A label and what follows it; no token is broken in two."""
    line = INDENT + label + ("" if label.endswith("：") else " ")
    begun = False
    for token in tokens:
        gap = between if begun else ""
        if begun and columns(line + gap + token) > WIDTH:
            yield line.rstrip()
            line, gap = INDENT * 2, ""
        line, begun = line + gap + token, True
    yield line.rstrip()


def wrapped(text: str, indent: str = "", further: str = "") -> Iterator[str]:
    """A sentence in lines, broken at spaces and between Japanese letters, never before what closes."""
    line = indent
    for piece in pieces(text):
        if line.strip() and columns((line + piece).rstrip()) > WIDTH:
            yield line.rstrip()
            line = further + piece.lstrip()
        else:
            line += piece
    yield line.rstrip()


def pieces(text: str) -> Iterable[str]:
    """What stays together in a line: a word, or a wide letter, with what opens before it and closes behind it."""
    return _PIECES.findall(text)
