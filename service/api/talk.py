"""Talk at the table: what is said there, and how far one has read."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Blueprint, Response

from rules.kernel import Json
from service import accounts, reports, talk, unread
from service.api.common import (
    asks,
    caller,
    language,
    player_id,
    signed_in,
    tagged,
    takes,
    tools,
    visible,
)
from service.api.limits import limited
from service.problems import NotForGuests
from service.schemas_talk import MessagesQuery, NewMark, NewMessage, NewReport
from service.talk import Listener
from service.words import phrases

bp = Blueprint("talk", __name__, url_prefix="/api")


def hears(game_id: str) -> Listener:
    """The caller at this table. Raises NotFound."""
    return talk.listener(visible(game_id), player_id())


def by_content(body: Json) -> Response:
    """An answer that can be polled. Its tag follows from what it tells alone, so it tells nothing more."""
    tag = hashlib.sha256(repr((body, language())).encode()).hexdigest()[:20]
    return tagged(body, f'"{tag}"')


def state(listener: Listener) -> Json:
    """Where the caller stands in this table's talk."""
    told = unread.state(listener, phrases(language(), listener.table.game.ruleset))
    return {**told, "poll_after": tools().config.poll_after}


def guests_aside() -> None:
    """Raises NotForGuests for a guest, if the operator lets only registered players talk."""
    if not tools().config.guests_talk and accounts.find(player_id()) is None:
        raise NotForGuests


@bp.get("/games/<game:game_id>/talk")
@signed_in
def get_talk(game_id: str) -> Response:
    """Where the caller stands in each channel, and what the ruleset says about talking."""
    return by_content(state(hears(game_id)))


@bp.get("/games/<game:game_id>/messages")
@signed_in
@asks(MessagesQuery)
def list_messages(query: Json, game_id: str) -> Response:
    """What was said in a channel, newest first."""
    page = talk.page(hears(game_id), phrases(language()), **{"cursor": None, **query})
    return by_content({"messages": page[0], "next": page[1]})


@bp.post("/games/<game:game_id>/messages")
@limited("messages")
@signed_in
@takes(NewMessage)
def post_message(body: Json, game_id: str) -> tuple[Json, int]:
    """Say something."""
    visible(game_id)
    guests_aside()
    row, new = talk.say(tools().outside, game_id, caller(), body)
    return talk.shown(row, player_id(), phrases(language())), 201 if new else 200


@bp.delete("/games/<game:game_id>/messages/<message:message_id>")
@signed_in
def hide_message(game_id: str, message_id: str) -> tuple[str, int]:
    """Hide a message, as the host."""
    visible(game_id)
    talk.hide(tools().outside, game_id, player_id(), message_id)
    return "", 204


@bp.post("/games/<game:game_id>/messages/<message:message_id>/reports")
@limited("reports")
@signed_in
@takes(NewReport)
def report_message(body: Json, game_id: str, message_id: str) -> tuple[str, int]:
    """Show a message to the operator."""
    visible(game_id)
    reports.report(tools().outside, game_id, player_id(), message_id, body.get("why"))
    return "", 204


@bp.put("/games/<game:game_id>/marks")
@limited("marks")
@signed_in
@takes(NewMark)
def put_mark(body: Json, game_id: str) -> Json:
    """Note how far the caller has read."""
    visible(game_id)
    return state(unread.mark(game_id, player_id(), body["channel"], body["number"]))


@bp.get("/me/unread")
@signed_in
def list_unread() -> Response:
    """The caller's games where something new was said."""
    found: list[Any] = unread.games(player_id())
    return by_content({"games": found, "poll_after": tools().config.poll_after})
