"""Rendering emails: a Jinja2 template for text and one for HTML, with the styles inlined into every element.

Many mail programs drop style sheets, but most keep the rules for dark mode; only those stay in the head.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from service.core.settings.config import ROOT
from service.core.words.words import Phrases
from service.notifications.mail_texts.message import Answers, Mail
from service.outbox.unsubscriptions import unsubscribe_headers
from service.tables.drawing.html import STYLES, suits_as_text
from service.tables.drawing.text import columns, wrap

if TYPE_CHECKING:
    from css_inline import CSSInliner

_FOLDER = ROOT / "service/notifications/mail_texts/templates"
_SHEETS = (_FOLDER / "mail.css", STYLES)
_DARK = "@media (prefers-color-scheme: dark)"


def render_mail(
    template: str,
    words: Phrases,
    to: str,
    subject: str,
    *,
    thread: str | None = None,
    unsubscribe_url: str | None = None,
    answers: Answers | None = None,
    is_key: bool = False,
    **values: object,
) -> Mail:
    """An email to this address, which can be stopped at `unsubscribe_url`; `template` shows the other words.

    `short` shows `paragraphs`, a `button` (its words and its link), the paragraphs `after` it, and `another` link. With
    `is_key`, the email says that anybody who has it can do what its recipient can, which includes writing at the table
    unless `is_seated` is false.
    """
    values |= {"subject": subject, "unsubscribe_url": unsubscribe_url}
    values |= {"answers": answers, "is_key": is_key}
    headers = unsubscribe_headers(unsubscribe_url) if unsubscribe_url else {}
    return Mail(to, subject, *render_template(template, words, **values), thread, headers, answers)


def render_template(template: str, words: Phrases, **values: object) -> tuple[str, str]:
    """An email as text and as a complete HTML document; `template` is the files' name without their extension."""
    templates, values = _environment(), {**values, "words": words, "dark": styles()[1]}
    text = templates.get_template(f"{template}.txt").render(values)
    html = templates.get_template(f"{template}.html").render(values)
    return text.strip("\n") + "\n", _inliner().inline(html)


@functools.cache
def styles() -> tuple[str, str]:
    """The styles that are inlined, and the styles for dark mode."""
    parts = [path.read_text(encoding="utf-8").partition(_DARK) for path in _SHEETS]
    return "".join(part[0] for part in parts), "".join(part[1] + part[2] for part in parts)


def paragraph(text: str, indent: str = "") -> str:
    """The text as a paragraph, wrapped; every line but the first one is indented."""
    return "\n".join(wrap(text, further=indent))


def bullets(lines: Iterable[str]) -> str:
    """The lines as a bulleted list."""
    return "\n".join(paragraph(f"- {line}", "  ") for line in lines)


def heading(text: str) -> str:
    """The text as an underlined heading, wrapped."""
    lines = list(wrap(text))
    return "\n".join([*lines, "-" * max(map(columns, lines))])


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        paragraph=paragraph, bullets=bullets, heading=heading, suits=suits_as_text
    )
    return environment


@functools.cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner as Made  # needed only for emails

    return Made(load_remote_stylesheets=False, keep_style_tags=True, extra_css=styles()[0])
