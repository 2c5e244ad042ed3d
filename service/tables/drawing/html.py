"""A table as HTML, drawn by `drawn_table.html` and styled by `drawn_table.css`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from service.core.words.words import Phrases
from service.tables.drawing.layout import Face, Layout, accessible_name
from service.tables.drawing.text import card_text, marks_text, missing_words, note_text

STYLES = Path(__file__).with_name("drawn_table.css")
"""The style sheet for drawn tables."""
TEXT_STYLE = "\ufe0e"
"""The variation selector after a suit, so that it is not shown as an emoji."""


def draw_html(layout: Layout, words: Phrases) -> Markup:
    """The table; its headings begin at level 3."""
    return _macros(words)["table"](layout)


def card_html(face: Face, words: Phrases) -> Markup:
    """A card as HTML, with its accessible name."""
    return _macros(words)["card"](face)


def suits_as_text(text: str) -> str:
    """`text`, with its suits marked to be shown as text and not as emojis."""
    for suit in "♠♥♦♣":
        text = text.replace(suit, suit + TEXT_STYLE)
    return text


def sign_of(face: Face, words: Phrases) -> str:
    """A card as text, with its marks."""
    if face.vacant:
        return "\u2013"
    text = "?" if face.code is None else card_text(face, words).strip("[]")
    return suits_as_text(text) + marks_text(face, words)


def _macros(words: Phrases) -> dict[str, Callable[..., Markup]]:
    """The functions for the template, which use these words."""
    return vars(_template().make_module({"words": words}))


@functools.cache
def _template() -> Template:
    folder = FileSystemLoader(STYLES.parent)
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined)
    environment.filters["suits"] = suits_as_text
    environment.globals.update(
        accessible_name=accessible_name,
        sign_of=sign_of,
        missing_words=missing_words,
        note_text=note_text,
    )
    return environment.get_template("drawn_table.html")
