"""A game's rules page for players: its own Markdown as HTML, with cards as people write them.

A heading can name the phases that its section explains: `## The trade {laying}`. The names are the same in every
language.

The engine plays the page's worked turn, from `page.turn.json`. All its cards are face up, because the page describes
all of them.
"""

from __future__ import annotations

import html
import itertools
import json
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import rules
from rules.kernel import Json, Ruleset, State
from service.core.words.words import Phrases, Reader, phrases
from service.tables.views.game_view import worded_view

EXAMPLE = "example"
"""The target of a rules page's link to its worked turn."""
_PHASES = re.compile(r"^(#+ .+?) \{([a-z -]+)\}$", flags=re.M)


def page_path(slug: str, version: int | None = None, language: str | None = None) -> str:
    """The address of the rules page, by default of the newest version and in the reader's language."""
    query = {"version": version, "lang": language}
    given = urlencode({name: value for name, value in query.items() if value is not None})
    return f"/rules/{slug}" + (f"?{given}" if given else "")


def example_path(slug: str, version: int | None = None, language: str | None = None) -> str:
    """The address of a rules page's worked turn on the table."""
    return page_path(f"{slug}/example", version, language)


def sections(slug: str, language: str, version: int | None = None) -> dict[str, str]:
    """For each phase in which a seat has a question, the anchor of the section that explains it."""
    found: dict[str, str] = {}
    for _, phases in _PHASES.findall(_source(slug, language, version)):
        for phase in phases.split():
            found.setdefault(phase, phases.split()[0])
    return found


def page(slug: str, language: str, version: int | None = None) -> str:
    """The page as HTML. Headings of sections that explain phases have an id, and name the phases in `data-phases`."""
    from markdown_it import MarkdownIt  # no other page needs it, and the worker does not either

    source = _source(slug, language, version)
    named = _PHASES.finditer(source)
    phases = {source.count("\n", 0, each.start()): each[2] for each in named}  # the phases by line
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


class ExampleStep(NamedTuple):
    """A table of the example, with what led to it: who did what, and the lines."""

    game: Json
    """The position, in the form of an API response, as far as drawing the table needs it."""
    done: str | None
    lines: list[str]


def example_names(players: int, words: Phrases) -> list[str]:
    """The names at tables that are only for viewing, by seat."""
    return [words.say(f"example.name.{number}") for number in range(players)]


def example_steps(slug: str, language: str, version: int | None = None) -> list[ExampleStep]:
    """The tables of the example, in order."""
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    told = json.loads(Path(rules.folder(slug, version), "page.turn.json").read_text("utf-8"))
    reader = Reader(example_names(told["players"], words))
    state = ruleset.position(told)
    found = [_step(ruleset, state, None, words, reader)]
    for event in told["events"]:
        done = _done(state, event, words, reader)
        state = ruleset.apply(state, event)
        step = _step(ruleset, state, done, words, reader)
        dealt = event["kind"] == "chance" and len(found) == 1
        # the first table is the first one with a question
        found = [step] if dealt else [*found, step]
    return found


def _step(
    ruleset: Ruleset, state: State, done: str | None, words: Phrases, reader: Reader
) -> ExampleStep:
    waiting = ruleset.turn(state).waiting
    seats = [
        {
            "seat": number,
            "name": name,
            "you": False,
            "program": None,
            "waiting": number in waiting,
        }
        for number, name in enumerate(reader.names)
    ]
    public = ruleset.view(state, None)["facts"]  # what a seat alone is told begins with "You"
    view = worded_view({**ruleset.open_view(state), "facts": public}, words, reader)
    lines = [
        words.say_most_specific(f"line.{line['line']}", line, reader)
        for line in ruleset.lines(state, None)
    ]
    return ExampleStep({"view": view, "seats": seats, "seat": None}, done, lines)


def _done(before: State, event: Json, words: Phrases, reader: Reader) -> str | None:
    """The words for who did what; None for a shuffle, which nobody does."""
    if event["kind"] != "action":
        return None
    action = {**event["action"], **before.beside(event["seat"], event["action"])}
    did = words.say_most_specific(f"action.{action['type']}", action, reader)
    who = words.called(reader.names[event["seat"]])
    return words.say("example.done", {"who": who, "action": did})
