"""The analysis of the reader's decisions in a finished game, without scripts: asking for it, waiting for it, and
reading it.

The turning points come first. Each decision has its own page, with the table as the reader saw it then, and with the
cards that the others held.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.words.words import Phrases
from service.tables.play.analyses import analyses
from service.tables.views import analysis_view, history_view, score_view
from service.web.api.games import analysis
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.limits.rate_limits import limited
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms.analysis_schemas import AnalysisQuery, PlainAnalysis
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_analysis")


@bp.get("/games/<game:game_id>/analysis")
@limited("deals")
@signed_in_by_cookie
@parse_query(AnalysisQuery)
def get_plain_analysis(query: Json, game_id: str) -> Response:
    """Show the analysis, its progress, or one decision.

    Raises NotSignedIn, NotFound, NotSeated, NotOver, UnreadableLog.
    """
    reader_id, game = caller_id(), PlainGame(game_id)
    found = analyses.find(game.services.now(), game.table, reader_id)
    shown = analysis_view.shown(game.services, game.answer, found)
    rows = [_row(game.words, each) for each in shown["decisions"]]
    place = {row["number"]: n for n, row in enumerate(rows)}
    if "decision" in query:
        if query["decision"] not in place:
            raise NotFound
        return _decision(game, rows, place[query["decision"]])
    turning = [rows[place[number]] for number in shown["turning_points"]]
    return game.page("analysis.html", shown=shown, rows=rows, turning=turning)


@bp.post("/games/<game:game_id>/analysis")
@limited("analyses")
@signed_in_by_cookie
@parse_form(PlainAnalysis)
def ask_for_plain_analysis(body: Json, game_id: str) -> Response:
    """Ask for the analysis. Raises whatever `analysis.ask` raises."""
    analysis.ask(game_id, body["depth"])
    return see(f"/plain/games/{game_id}/analysis")


def _row(words: Phrases, decision: Json) -> Json:
    """A decision in words, with its choices; the house player's choice comes first."""
    choices = [
        {
            "words": each["words"],
            "played": each["played"],
            "worth": words.say("page.analysis.worth", _percents(each, "value")),
        }
        for each in decision["choices"]
    ]
    cost = _percents(decision, "cost")
    return {
        "number": decision["number"],
        "choices": choices,
        "played": next(each for each in choices if each["played"]),
        "cost": words.say("page.analysis.points", cost),
        "said": words.say(_said(decision), cost),
    }


def _percents(found: Json, name: str) -> Json:
    """The value of this name and its margin of error, in whole percent."""
    percent, margin = analysis_view.percent, analysis_view.margin
    return {name: percent(found[name]), "margin": margin(found["error"])}


def _said(decision: Json) -> str:
    """The key of the message that compares the reader's choice with the house player's."""
    if decision["choices"][0]["played"]:
        return "page.analysis.same"
    return "page.analysis.cost" if analysis_view.is_sure(decision) else "page.analysis.unsure"


def _decision(game: PlainGame, rows: list[Json], place: int) -> Response:
    """The page of a decision: what was chosen, what else was possible, the table then, and the cards that the others
    held.
    """
    number = rows[place]["number"] - 1
    seen, lay = (
        history_view.past_table(game.services, game.answer, number, everything=everything)["view"]
        for everything in (False, True)
    )
    others = [zone for zone in score_view.unseen(lay, seen) if zone.get("seat") is not None]
    return game.page(
        "analysis_decision.html",
        row=rows[place],
        place=place + 1,
        rows=rows,
        then=game.drawing_then(seen),
        held=game.drawing_of(others) if others else None,
    )
