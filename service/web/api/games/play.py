"""Playing: the game as the caller may see it, actions, the history, and the record."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Draft, Json, Touched
from service.core.runtime.problems import (
    IllegalAction,
    NotFound,
    NotOver,
    OtherAnswer,
    Problem,
    Stale,
)
from service.log.records.record import whole_record
from service.tables.play import moves
from service.tables.play import take_back as taking_back
from service.tables.views import history_view, score_view
from service.tables.views.game_view import GameAnswer
from service.web.api.games.game_schemas import (
    EventsQuery,
    NewAction,
    Touch,
    Undo,
    UndoQuery,
    ViewQuery,
    ViewsQuery,
)
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services
from service.web.http.caller.last_seen import note_beside, was_noted
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_etag
from service.web.http.polls.game_answers import SCOPE, game_answer, visible_table, whole_game
from service.web.http.polls.waiting import Subject, wait_for_news
from service.web.http.problem_answers import document

bp = Blueprint("play", __name__, url_prefix="/api/games/<game:game_id>")


@bp.get("")
@open_to_visitors(SCOPE)
def get_game(game_id: str) -> Response:
    """Show the game as the caller may see it."""
    table, player = visible_table(game_id), caller()
    seated, game = table.person(player and player.id), table.game
    if player and not (seated and game.nonces is not None and not game.asking):
        # Not only the log, which never changes, has to be read: read everything again, at the same moment.
        table = visible_table(game_id)
    answer = game_answer(table)
    response = with_etag(answer.whole(), answer.etag)
    if response.status_code == 304:
        subject, revision = Subject("game", game_id), answer.table.game.revision
        wait_for_news(response, subject, revision, player and player.id)
    return response


@bp.post("/actions")
@limited("actions")
@signed_in("play")
@parse_body(NewAction)
def post_action(body: Json, game_id: str) -> tuple[Json, int]:
    """Play one action for the caller's seat."""
    table, services = visible_table(game_id), current_services()
    answer = caller_id(), body["asked"], body["action"]
    played = moves.play(services, table, *answer, whole_game, note_beside)
    if played.new:
        was_noted()
    return {"number": played.number, "game": played.shown}, 201 if played.new else 200


@bp.post("/take-back")
@limited("actions")
@signed_in("play")
@parse_body(Undo)
def take_back(body: Json, game_id: str) -> tuple[Json, int]:
    """Take back the caller's last action, or change it, if others have seen only that a choice was made."""
    visible_table(game_id)
    services, which = current_services(), (game_id, caller_id(), body["event"])
    if "action" in body:
        how = whole_game, note_beside
        changed = taking_back.change(services, *which, body["action"], *how)
        if changed.new:
            was_noted()
        return {"number": changed.number, "game": changed.shown}, 201 if changed.new else 200
    done = taking_back.take_back(services, *which)
    return {"number": done.number, "game": whole_game(done.table)}, 201 if done.new else 200


@bp.get("/take-back")
@limited("previews")
@signed_in("play")
@parse_query(UndoQuery)
def preview_take_back(query: Json, game_id: str) -> Json:
    """Show the game as it would be without the caller's last action, with the choices that the caller would
    then have.
    """
    table, event = visible_table(game_id), query["event"]
    state = taking_back.as_if_taken_back(current_services(), table, caller_id(), event)
    asked = game_answer(table, state)
    without = {"view": asked.view(), "legal": asked.legal()}
    return {"event": event, "game": {**whole_game(table), **without}}


@bp.post("/preview")
@limited("previews")
@signed_in("play")
@parse_body(NewAction)
def preview_action(body: Json, game_id: str) -> Json:
    """Show the changes that an action would cause, before it is played."""
    table, answer = visible_table(game_id), (caller_id(), body["asked"], body["action"])
    foreseen = moves.preview(current_services(), table, *answer)
    return game_answer(table).preview(foreseen)


@bp.post("/why-not")
@limited("previews")
@signed_in("play")
@parse_body(Touch)
def explain_obstacle(body: Json, game_id: str) -> Json:
    """Explain why something cannot be chosen."""
    table, chosen = visible_table(game_id), body["chosen"]
    draft = Draft(chosen["type"], chosen["values"], tuple(chosen["picked"]))
    about = caller_id(), body["asked"], draft, Touched(**body["touched"])
    return game_answer(table).why_not(moves.why_not(current_services(), table, *about))


@bp.errorhandler(Stale)
@bp.errorhandler(OtherAnswer)
@bp.errorhandler(IllegalAction)
def refused(problem: Problem) -> Response:
    """The response to an action that was not played.

    It contains the present view, or the reason why the action is not legal and the actions that are.
    """
    more = dict(problem.more)
    answer = game_answer(more.pop("table"), more.pop("state"))
    if isinstance(problem, IllegalAction):
        why = unknown_member(more["why"], more["action"], answer) or more["why"]
        problem.detail, problem.fields = detail_of(why, answer)
        problem.more = {"why": why, "legal": answer.legal(), "asked": answer.asked}
    else:
        problem.more = {**more, "game": answer.whole()}
    return document(problem)


def unknown_member(why: Json, action: Json, answer: GameAnswer) -> Json | None:
    """The details of the problem with an action of a legal type that lacks a member or has an unknown one; None for any
    other action.
    """
    if why["wrong"] != "type" or action.get("type") not in why["may"]:
        return None
    known = {"type", *(each.name for each in answer.table.ruleset.actions[action["type"]])}
    return next(({"wrong": name, "may": []} for name in action if name not in known), None)


def detail_of(why: Json, answer: GameAnswer) -> tuple[str, Json]:
    """The key of the message about a wrong action, and the values for it."""
    wrong, may = why["wrong"], why["may"]
    if wrong == "seat":
        asked = [name for person, name in answer.seated if person.seat in may]
        return "seat", {"names": answer.words.listed(asked)}
    if wrong == "type":
        return "detail", {}
    return "value" if may else "member", {"name": wrong}


@bp.get("/events")
@limited("history", entries=True)
@open_to_visitors("read")
@parse_query(EventsQuery)
def list_events(query: Json, game_id: str) -> Json:
    """Show the history as the caller may see it, in words."""
    answer = game_answer(visible_table(game_id))
    found = history_view.page(current_services(), answer, query["after"], query["limit"])
    parts = {"parts": found.parts} if found.parts else {}
    return {"events": found.events, "next": found.following, **parts}


@bp.get("/views")
@limited("views", entries=True)
@open_to_visitors("read")
@parse_query(ViewsQuery)
def list_views(query: Json, game_id: str) -> Json:
    """Show the table after past events, as the caller may see it."""
    answer, everything = game_answer(visible_table(game_id)), query["show"] == "all"
    views, following = history_view.past_tables(
        current_services(), answer, query["after"], query["limit"], everything=everything
    )
    return {"views": views, "next": following}


@bp.get("/views/<int(max=2147483647):number>")
@limited("views")
@open_to_visitors("read")
@parse_query(ViewQuery)
def get_view(query: Json, game_id: str, number: int) -> Json:
    """Show the table after one event, as the caller may see it."""
    answer = game_answer(visible_table(game_id))
    everything = query["show"] == "all"
    return history_view.past_table(current_services(), answer, number, everything=everything)


@bp.get("/deals")
@limited("deals")
@open_to_visitors("read")
def list_deals(game_id: str) -> Json:
    """Show the origin of the scores of a finished game."""
    return score_view.whole(current_services(), game_answer(visible_table(game_id)))


@bp.get("/record")
@open_to_visitors("read")
def get_record(game_id: str) -> Response:
    """Return the complete record of a finished game; `tegami verify` checks its exact bytes. Raises NotFound,
    NotOver.
    """
    table = visible_table(game_id)
    if table.game.lesson is not None:
        raise NotFound  # no record could prove its shuffles
    if not table.game.has_record(current_services().now()):
        raise NotOver  # others may still play the same deal
    return Response(
        whole_record(table, current_services().heads),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{game_id}.json"'},
    )
