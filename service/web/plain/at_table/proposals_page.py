"""Proposals and resigning, without scripts."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import InvalidBody
from service.core.runtime.units import DAY, SECOND
from service.core.words.words import YOU
from service.tables.play import leaving, proposals
from service.tables.views import proposals_view
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.at_table.table_page import table_answer
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import AboutTable, PlainResignation
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_proposals")


@bp.get("/games/<game:game_id>/proposals")
def get_plain_proposals(game_id: str) -> Response:
    """Show the proposals of a table, the newest first, and the kinds that the reader can make.

    Raises NotFound.
    """
    game = PlainGame(game_id)
    answer = game.answer
    found, viewer = proposals.listed(game.table), answer.viewer.player_id
    shown = proposals_view.worded(game.table, found, game.words, answer.reader, viewer)
    for each in shown:
        each["names"] = [
            game.words.called(YOU if seat == answer.seat else answer.names[seat])
            for seat in each["missing"]
        ]
    return game.page("proposals.html", proposals=shown[::-1], kinds=possible_kinds(game))


def possible_kinds(game: PlainGame) -> list[str]:
    """The kinds of proposals that the reader can make now."""
    is_lesson = game.table.game.alone is not None
    if game.answer.seat is None or game.table.game.status != "running" or is_lesson:
        return []
    paused = game.table.game.paused_at is not None
    extend = ["extend"] if game.table.game.pace is not None else []
    return ["resume" if paused else "pause", *extend, "draw", "abandon"]


@bp.post("/games/<game:game_id>/proposals")
@limited("proposals")
@signed_in_by_cookie
@parse_form(AboutTable)
def propose_plainly(body: Json, game_id: str) -> Response:
    """Propose something, vote, or withdraw a proposal. Raises whatever the use cases raise."""
    visible_table(game_id)
    services, player_id = current_services(), caller_id()
    if body["do"] == "propose":
        proposals.propose(services, game_id, player_id, wish_of(body))
    if body["do"] == "vote":
        agrees = body["agrees"] == "yes"
        proposals.vote(services, game_id, body["proposal"], player_id, agrees)
    if body["do"] == "withdraw":
        proposals.withdraw(services, game_id, body["proposal"], player_id)
    return see(f"/plain/games/{game_id}/proposals")


def wish_of(body: Json) -> Json:
    """The proposal in the form in which the API takes it."""
    kind = body["kind"]
    if kind in {"draw", "abandon"}:
        return {"kind": "close", "outcome": kind}
    if kind == "resume":
        return {"kind": kind}
    if kind == "takeback":
        return {"kind": kind, "event": body["event"]}
    seconds = body["days"] * DAY // SECOND
    return {"kind": kind, "seconds": min(seconds, MOST[kind])}


MOST = {"pause": proposals.LONGEST_PAUSE, "extend": proposals.LONGEST_EXTENSION}
"""The longest time that can be proposed, in seconds, by the kind of proposal."""


@bp.get("/games/<game:game_id>/resignation")
def get_plain_resignation(game_id: str) -> Response:
    """Ask whether to give up the seat or, if the game is over, show the result.

    Raises NotFound, NotSeated.
    """
    game = PlainGame(game_id)
    game.table.seated(caller_id())
    if game.table.game.is_over:
        return table_answer(game)
    return game.page("resignation.html")


@bp.post("/games/<game:game_id>/resignation")
@limited("proposals")
@signed_in_by_cookie
@parse_form(PlainResignation)
def resign_plainly(body: Json, game_id: str) -> Response:
    """Give up the seat, if the box is ticked. Raises InvalidBody, NotSeated, NotRunning."""
    game = PlainGame(game_id)
    if not body["sure"]:
        raise InvalidBody(errors={"sure": [game.words.say("page.field.tick")]})
    services, for_good = current_services(), bool(body["for_good"])
    leaving.resign(services, game_id, caller_id(), for_good=for_good)
    return see(f"/plain/games/{game_id}")
