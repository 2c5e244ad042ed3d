"""The page of rules of a game, for players: its own Markdown as HTML, with cards as people write them.

A heading can name the phases that its section explains: `## The trade {laying}`. They stay the same in every language.
"""

from __future__ import annotations

import html
import itertools
import re
from pathlib import Path
from urllib.parse import urlencode

import rules
from service.core.words.words import Phrases, phrases

EXAMPLE = "example"
"""Where a page of rules links to its worked turn on the table."""
_PHASES = re.compile(r"^(#+ .+?) \{([a-z -]+)\}$", flags=re.M)


def page_path(slug: str, version: int | None = None, language: str | None = None) -> str:
    """Where the page of rules is: that of the newest version, in the reader's language, unless they are given."""
    return _path(slug, version, language)


def example_path(slug: str, version: int | None = None, language: str | None = None) -> str:
    """Where the example of a page of rules is shown on the table."""
    return _path(f"{slug}/example", version, language)


def _path(place: str, version: int | None, language: str | None) -> str:
    query = {"version": version, "lang": language}
    given = urlencode({name: value for name, value in query.items() if value is not None})
    return f"/rules/{place}" + (f"?{given}" if given else "")


def sections(slug: str, language: str, version: int | None = None) -> dict[str, str]:
    """The anchor of the section that explains each phase in which something is asked."""
    found: dict[str, str] = {}
    for _, phases in _PHASES.findall(_source(slug, language, version)):
        for phase in phases.split():
            found.setdefault(phase, phases.split()[0])
    return found


def page(slug: str, language: str, version: int | None = None) -> str:
    """The page as HTML. Headings of sections that explain phases have an id, and name the phases in `data-phases`."""
    from markdown_it import MarkdownIt  # no other page needs it, nor does the worker

    source = _source(slug, language, version)
    named = _PHASES.finditer(source)
    phases = {source.count("\n", 0, each.start()): each[2] for each in named}  # by line
    words = phrases(language, slug, version)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule(
        "code_inline", lambda _, tokens, n, *__: _code(tokens[n].content, words)
    )
    label = html.escape(words.say("page.rules.table"))
    wide = f'<div class="wide" tabindex="0" role="group" aria-label="{label}"><table>\n'
    markdown.add_render_rule("table_open", lambda *_: wide)
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = markdown.parse(_PHASES.sub(r"\1", source))
    for before, token in itertools.pairwise(tokens):
        if before.type == "th_open" and not token.content:
            before.tag = tokens[tokens.index(token) + 1].tag = "td"  # it heads nothing
    for link in (each for token in tokens for each in token.children or ()):
        if link.type == "link_open" and link.attrGet("href") == EXAMPLE:
            link.attrSet("href", example_path(slug, version, language))
    for token in tokens:
        if token.type == "heading_open" and token.map and token.map[0] in phases:
            explained = phases[token.map[0]]
            token.attrSet("id", explained.split()[0])
            token.attrSet("data-phases", explained)
    made: str = markdown.renderer.render(tokens, markdown.options, {})
    return made


def _source(slug: str, language: str, version: int | None) -> str:
    return Path(rules.folder(slug, version), f"page.{language}.md").read_text(encoding="utf-8")


_CARD = re.compile(r"[A2-9TJQK]([shdc])|Jk|[0-9]+-[0-9]+")


def _code(content: str, words: Phrases) -> str:
    """Inline code; cards keep their codes for pages that draw them."""
    cards = [_CARD.fullmatch(code) for code in content.split()]
    if not all(cards):
        return f"<code>{html.escape(content)}</code>"
    drawn = []
    for card in filter(None, cards):
        suit = f" suit-{card[1]}" if card[1] else ""
        name = html.escape(words.card(card[0]))
        drawn.append(f'<span class="inline-card{suit}">{name}</span>')
    content = html.escape(content)
    return f'<span class="cards-in-text" data-cards="{content}">{" ".join(drawn)}</span>'
