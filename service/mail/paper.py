"""How letters are written: Jinja2 templates, one for text and one for HTML, and styles that go into every element.

Mail programs drop style sheets, but most keep what is said for dark screens: that alone stays in the head.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from service.config import ROOT
from service.draw_html import plain_suits
from service.draw_text import columns, wrapped
from service.words import Phrases

_FOLDER = ROOT / "service/mail/templates"
_STYLES = (_FOLDER / "letter.css", ROOT / "web/drawn.css")
_DARK = "@media (prefers-color-scheme: dark)"


def written(template: str, words: Phrases, **values: Any) -> tuple[str, str]:
    """A letter as text and as a whole HTML document; `template` is the files' name without its ending."""
    text = _environment().get_template(f"{template}.txt").render(words=words, **values)
    html = (
        _environment()
        .get_template(f"{template}.html")
        .render(words=words, dark=styles()[1], **values)
    )
    return text.strip("\n") + "\n", _inliner().inline(html)


@functools.cache
def styles() -> tuple[str, str]:
    """What is written into every element, and what stays in the head for dark screens."""
    parts = [path.read_text(encoding="utf-8").partition(_DARK) for path in _STYLES]
    return "".join(part[0] for part in parts), "".join(part[1] + part[2] for part in parts)


def paragraph(text: str, indent: str = "") -> str:
    """A sentence in lines; `indent` begins all but the first."""
    return "\n".join(wrapped(text, further=indent))


def bullets(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(paragraph(f"- {line}", "  ") for line in lines)


def heading(text: str) -> str:
    """A heading, underlined."""
    return f"{text}\n{'-' * columns(text)}"


@functools.cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(paragraph=paragraph, bullets=bullets, heading=heading, suits=plain_suits)
    return made


@functools.cache
def _inliner() -> CSSInliner:
    return CSSInliner(load_remote_stylesheets=False, keep_style_tags=True, extra_css=styles()[0])
