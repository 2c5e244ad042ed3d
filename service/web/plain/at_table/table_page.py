"""A table without scripts: first the people there, then the question and the table, and finally the result.

A move is chosen step by step, confirmed and played. The history is shown a page at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response

from rules.kernel import Json, text
from service.core.runtime.problems import (
    IllegalAction,
    NotFound,
    NotRunning,
    OtherAnswer,
    Stale,
)
from service.core.runtime.time_and_random import rfc3339
from service.log.table_rows import invitation_queries
from service.log.table_rows.table import Holder, find
from service.people.accounts import accounts
from service.people.circles import follows
from service.tables.before_start import (
    departures,
    invitations,
    lessons,
    ready_checks,
    rematch,
    table_setup,
)
from service.tables.drawing import action_narrowing
from service.tables.play import leaving, moves, nudges, take_back
from service.tables.play.analyses import analyses
from service.tables.views import game_lists, history_view, score_view, told_history
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.caller.last_seen import note_beside, was_noted
from service.web.http.limits import attempt_limits
from service.web.http.limits.mailing import invite, invite_player
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms import form_schemas
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.sent_once import new_key
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_table")

MOST_INVITED = 50
"""The most invitations from a table that are shown."""


@bp.get("/games/<game:game_id>")
def get_plain_table(game_id: str) -> Response:
    """Show the table as the reader may see it. Raises NotFound."""
    return table_answer(PlainGame(game_id))


def table_answer(game: PlainGame, problem: str | None = None) -> Response:
    """The page of a table. With a `problem` (its slug), it says why nothing was played.

    For a finished game, it says that the game is over, and how it ended.
    """
    me, player = game.answer.me, game.answer.viewer.player_id
    if game.table.game.status == "open":
        invites = me is not None and player and accounts.address_of(player) is not None
        followed = follows.followed(player, None, MOST_INVITED)[0] if player and invites else []
        return game.page(
            "waiting_room.html",
            problem=problem,
            host=me is not None and me is game.table.host,
            invited=player and invitation_queries.is_invited(game.table.game.key, player),
            invites=invites,
            followed=followed,
            sent=sent_invitations(game, player) if me and player else [],
        )
    services, turn = current_services(), isinstance(me, Holder) and me.waiting
    others = [] if turn or player is None else game_lists.turns(player, game.words.language)
    now = rfc3339(services.now())
    return game.page(
        "table.html",
        problem=None if game.table.game.is_over else problem,
        drawing=game.drawing(),
        since=history_view.since_last_turn(services, game.answer) if me else None,
        choosing=game.choosing() if game.body["legal"] else None,
        ranking=ranking(game),
        scored=score_view.whole(services, game.answer) if game.body["result"] else None,
        analysed=analyses.can_be_asked_for(services.now(), game.table, player),
        nudge=any(
            each["nudge_from"] and each["nudge_from"] <= now for each in game.body["waiting"]
        ),
        turn=turn,
        new_key=new_key,
        next=others[0]["game"] if others else None,
    )


@bp.get("/games/<game:game_id>/move")
@parse_query(form_schemas.PlainMoveQuery)
def get_plain_move(query: Json, game_id: str) -> Response:
    """Show the choices, or ask for confirmation, without playing anything.

    Raises NotSignedIn, NotFound.
    """
    caller_id()
    game = PlainGame(game_id)
    legal = game.body["legal"]
    if not legal or query["asked"] != game.answer.asked:
        return table_answer(game, Stale.slug)
    place = query.get("place")
    if place is None or place >= len(legal):
        path = action_narrowing.parse_path(query.get("step"))
        return game.page("choose.html", choosing=game.choosing(path), drawing=game.drawing())
    return game.page(
        "confirm.html",
        words_of_action=legal[place]["words"],
        action=text(legal[place]["action"]),
        drawing=game.drawing(),
    )


@bp.post("/games/<game:game_id>/move")
@limited("actions")
@signed_in_by_cookie
@parse_form(form_schemas.PlainMove)
def play_plain_move(body: Json, game_id: str) -> Response:
    """Play the move; if it is too late, show the table and the reason.

    Raises NotSignedIn, NotFound, NotSeated.
    """
    services, player_id = current_services(), caller_id()
    table = visible_table(game_id)
    try:
        answer = player_id, body["asked"], body["action"]
        played = moves.play(services, table, *answer, write_beside=note_beside)
    except (Stale, OtherAnswer, IllegalAction) as problem:
        return table_answer(PlainGame(game_id), problem.slug)
    except NotRunning as problem:
        ended = table_answer(PlainGame(game_id), problem.slug)
        ended.status_code = problem.status
        return ended
    if played.new:
        was_noted()
    return see(f"/plain/games/{game_id}")


@bp.post("/games/<game:game_id>")
@limited("games")
@signed_in_by_cookie
@parse_form(form_schemas.AtTable)
def act_at_plain_table(body: Json, game_id: str) -> Response:
    """Do what the form says: sit down, leave, start, come back and so on. Raises whatever the use cases raise."""
    visible_table(game_id)
    return see(f"/plain{_done(body, game_id, caller_id())}")


_BY_ONESELF: dict[str, Callable[..., object]] = {
    "ready": ready_checks.confirm,
    "return": leaving.return_to_seat,
}
"""The actions at the table that need no further fields, by name."""


def _done(body: Json, game_id: str, player_id: str) -> str:
    """Do what the form says; returns the address to which to send the browser, under `/plain`."""
    services, do, here = current_services(), body["do"], f"/games/{game_id}"
    if do == "sit":
        table_setup.sit(services, game_id, player_id, {"anyway": bool(body["anyway"])})
    if do == "leave":
        tenure = body.get("tenure") or find(game_id).seated(player_id).tenure
        departures.leave(services, game_id, player_id, tenure)
        return here if "tenure" in body else ""
    if do == "house":
        table_setup.add_house_player(services, game_id, player_id, None)
    if do in {"start", "fill"}:
        table_setup.start(services, game_id, player_id, {"house": do == "fill"})
    if do in _BY_ONESELF:
        _BY_ONESELF[do](services, game_id, player_id)
    if do in {"take-back", "nudge"}:
        _between_moves(do, game_id, player_id, body)
    if do == "rematch":
        with attempt_limits.counted(attempt_limits.table(player_id)):
            wish = {"nonce": None, "anyway": bool(body["anyway"])}
            table, _ = rematch.rematch(services, game_id, player_id, wish)
        return f"/games/{table.game.id}"
    if do == "invite":
        _invite(game_id, player_id, body)
    if do in {"leave-lesson", "decline"}:
        return _turned_away(do, game_id, player_id)
    return here


def _invite(game_id: str, player_id: str, body: Json) -> None:
    """Invite a player, or somebody by email."""
    if "address" in body:
        invite(game_id, player_id, {"language": preferred_language(), "address": body["address"]})
    else:
        invite_player(game_id, player_id, body)


def _between_moves(do: str, game_id: str, player_id: str, body: Json) -> None:
    """Take a choice back, or nudge the person for whom the table has waited longest."""
    if do == "take-back":
        take_back.take_back(current_services(), game_id, player_id, body["event"])
    else:
        nudges.nudge(current_services(), game_id, player_id)


def _turned_away(do: str, game_id: str, player_id: str) -> str:
    """End a lesson, or decline an invitation; returns the address of the start page."""
    if do == "leave-lesson":
        lessons.leave(game_id, player_id)
    else:
        invitations.decline(current_services(), invitation_to(game_id, player_id), player_id)
    return ""


def sent_invitations(game: PlainGame, player_id: str) -> list[str]:
    """The people who are invited to the table. An address is shown only to the person who typed it."""
    say, (rows, _) = game.words.say, invitations.sent_from(game.table, None, MOST_INVITED)
    declined = f" ({say('page.invite.declined')})"
    return [
        (
            row.name
            or (row.address if row.inviter_id == player_id else None)
            or say("page.invite.somebody")
        )
        + (declined if row.declined_at else "")
        for row in rows
    ]


def invitation_to(game_id: str, player_id: str) -> str:
    """The id of this player's invitation to a table. Raises NotFound."""
    found, _ = invitations.received_by(player_id, None, 50)
    for row, game in found:
        if game.id == game_id:
            return row.id
    raise NotFound


def ranking(game: PlainGame) -> list[Json]:
    """Everybody with their score: the winners first, then by score. Empty before the end.

    A game that ended outside the rules has no scores.
    """
    result = game.body["result"]
    if result is None:
        return []
    rows = [
        {"name": name, "won": seat in result["winners"], "score": score, "words": words}
        for seat, (name, score, words) in enumerate(
            zip(game.answer.names, result["scores"], result["score_words"], strict=True)
        )
    ]
    return sorted(rows, key=lambda row: (not row["won"], -(row["score"] or 0)))


@bp.get("/games/<game:game_id>/history")
@limited("history", entries=True)
@parse_query(form_schemas.PlainHistoryQuery)
def get_plain_history(query: Json, game_id: str) -> Response:
    """Show what happened after an event; if none is named, the latest events. Raises NotFound."""
    game = PlainGame(game_id)
    size, last = query["limit"], game.table.game.number
    after = min(query.get("after", max(0, last - size)), last)
    services, answer = current_services(), game.answer
    events, following, parts = history_view.page(services, answer, after, size)
    sealed = told_history.sealed_choices(services, answer)
    programs = [each for each in game.table.people if each.is_house or each.program]
    return game.page(
        "history.html",
        sections=told_history.sections(events, parts, sealed),
        programs=game.words.listed([game.introduced(each) for each in programs]),
        earlier=max(0, after - size) if after else None,
        later=following,
    )
