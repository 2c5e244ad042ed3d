"""docs/record.md as a page: what a record is, and what it means if one does not fit."""

from __future__ import annotations

import functools

from flask import Blueprint, Response
from markdown_it import MarkdownIt

from service.core.config import ROOT
from service.core.words import phrases
from service.pages.rendering import html_answer

bp = Blueprint("record_document", __name__)
LANGUAGE = "en"
"""It is written in one language, as all documents for programmers."""


@bp.get("/docs/record")
def get_record_document() -> Response:
    """The document."""
    body = document()
    title = body.partition("<h1>")[2].partition("</h1>")[0]
    return html_answer("document.html", LANGUAGE, phrases(LANGUAGE), {"title": title, "body": body})


@functools.cache
def document() -> str:
    """The document as HTML, without raw HTML in it."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    made: str = markdown.render((ROOT / "docs/record.md").read_text(encoding="utf-8"))
    return made
