"""The puzzles of a game without scripts, and one of them with the form that answers it."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.words.words import Phrases, phrases
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.play.puzzles import answers, puzzles
from service.tables.play.puzzles.puzzles import Posed
from service.tables.views.puzzles import puzzle_view
from service.web.api.puzzles import answered, not_among_these
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.caller import caller
from service.web.http.caller.context import preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.puzzle_schemas import SHOW, PlainPuzzleAnswer
from service.web.plain.plain_pages import plain_blueprint, plain_page

bp: Blueprint = plain_blueprint("plain_puzzles")


@bp.get("/puzzles/<slug>", endpoint="get_plain_puzzles")
def get_plain_puzzles(slug: str) -> Response:
    """List the puzzles of a game, with the reader's progress. Raises NotFound."""
    known_version(slug, None)
    reader, found = caller(), puzzles.of_ruleset(slug)
    states = answers.states(reader and reader.id, [each.id for each in found])
    entries = [puzzle_view.entry(each, states[each.id]) for each in found]
    words = phrases(preferred_language(), slug)
    solved = sum(each["state"] == answers.SOLVED for each in entries)
    return plain_page("puzzles.html", words, slug=slug, puzzles=entries, solved=solved)


@bp.get("/puzzles/<slug>/<puzzle:puzzle_id>", endpoint="get_plain_puzzle")
def get_plain_puzzle(slug: str, puzzle_id: str) -> Response:
    """Show a puzzle as its seat sees it. Raises NotFound."""
    return _shown(_found(slug, puzzle_id), None)


@bp.post("/puzzles/<slug>/<puzzle:puzzle_id>")
@limited("puzzles")
@parse_form(PlainPuzzleAnswer)
def answer_plain_puzzle(body: Json, slug: str, puzzle_id: str) -> Response:
    """Show what the chosen action is worth, or which one is best. Raises NotFound, WrongForm, InvalidBody."""
    posed, reader = _found(slug, puzzle_id), caller()
    action = None if body["choice"] == SHOW else _chosen(posed, int(body["choice"]))
    return _shown(posed, answered(posed, reader and reader.id, action))


def _found(slug: str, puzzle_id: str) -> Posed:
    posed = puzzles.find(puzzle_id)
    if posed.ruleset.slug != slug:
        raise NotFound
    return posed


def _chosen(posed: Posed, place: int) -> Json:
    legal = posed.legal
    if place >= len(legal):
        raise not_among_these()
    return legal[place]


def _shown(posed: Posed, verdict: Json | None) -> Response:
    language = preferred_language()
    words = phrases(language, posed.ruleset.slug)
    ids = [each.id for each in puzzles.of_ruleset(posed.ruleset.slug)]
    after = ids.index(posed.puzzle.id) + 1
    shown = puzzle_view.shown(posed, answers.NEW, language)
    return plain_page(
        "puzzle.html",
        words,
        puzzle=shown,
        table=_table(shown, words),
        verdict=verdict,
        following=ids[after] if after < len(ids) else None,
    )


def _table(shown: Json, words: Phrases) -> str:
    """The table as HTML."""
    seat = shown["seat"]
    seats = [
        {"seat": n, "name": name, "you": n == seat, "program": None, "waiting": n == seat}
        for n, name in enumerate(shown["names"])
    ]
    game = {"view": shown["view"], "seats": seats, "seat": seat}
    looks = rules.load(shown["ruleset"]["slug"]).looks
    return draw_html(lay_out(game, words, looks.layout), words)
