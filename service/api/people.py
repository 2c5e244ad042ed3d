"""People: guests, tokens, and what waits for me."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service import lobby, people
from service.api.common import (
    by_cookie,
    caller,
    language,
    player_id,
    signed_in,
    tagged,
    takes,
    tools,
)
from service.api.limits import limited
from service.api.sign_ins import browser, shown, signing_in
from service.outside import rfc3339
from service.people import Arrival
from service.schemas import ChangedPlayer, NewPlayer, NewToken

bp = Blueprint("people", __name__, url_prefix="/api")


@bp.post("/players")
@limited("players")
@takes(NewPlayer)
def make_player(body: Json) -> tuple[Response, int]:
    """Become a guest: by cookie, or with a bearer token if its label is given."""
    label = body.get("token")
    arrival = Arrival(label, browser(), body.get("invitation"))
    chosen, invited = body.get("language") or language(), tools().config.registration == "invited"
    player, link, credential = people.make_guest(
        tools().outside, body["name"], chosen, arrival, invited=invited
    )
    answer = {"player": shown(player), "link": link_of(link)}
    if label is None:
        return signing_in(jsonify(answer), credential), 201
    return jsonify({**answer, "token": token_shown(*credential)}), 201


@bp.get("/me")
@signed_in
def get_me() -> Json:
    """Who I am."""
    return {"player": shown(caller())}


@bp.patch("/me")
@signed_in
@takes(ChangedPlayer)
def change_me(body: Json) -> Json:
    """Change my name or language."""
    return {"player": shown(people.change(player_id(), body) if body else caller())}


@bp.post("/me/link")
@by_cookie
def make_link() -> tuple[Json, int]:
    """A new secret link to come back with; the old one ends."""
    return {"link": link_of(people.new_link(tools().outside, player_id()))}, 201


@bp.get("/me/tokens")
@signed_in
def list_tokens() -> Json:
    """My bearer tokens, without their secrets."""
    return {"tokens": [token_shown(token) for token in people.credentials(player_id(), "token")]}


@bp.post("/me/tokens")
@limited("tokens")
@signed_in
@takes(NewToken)
def make_token(body: Json) -> tuple[Json, int]:
    """A new bearer token; its secret is shown this once."""
    token, secret = people.new_token(tools().outside, player_id(), body["label"])
    return {"token": token_shown(token, secret)}, 201


@bp.delete("/me/tokens/<token:token_id>")
@signed_in
def revoke_token(token_id: str) -> tuple[str, int]:
    """Revoke a bearer token."""
    people.end_credential(tools().outside, player_id(), token_id, "token")
    return "", 204


@bp.get("/me/turns")
@signed_in
def list_turns() -> Response:
    """Every game that waits for me, the most urgent first: one poll for all games."""
    turns = lobby.turns(player_id(), language())
    body = {"turns": turns, "poll_after": tools().config.poll_after}
    tag = hashlib.sha256(repr((body, language())).encode()).hexdigest()[:20]
    return tagged(body, f'"{tag}"')


def token_shown(token: Any, secret: str | None = None) -> Json:
    """A token; with its secret when it is new."""
    told = {"id": token.id, "label": token.label, "created_at": rfc3339(token.created_at)}
    return {**told, "secret": secret} if secret else told


def link_of(secret: str) -> Json:
    """The link by which a guest comes back: behind `#`, so that no server or log file sees it."""
    return {"url": f"{tools().config.public_url}/#back={secret}", "key": secret}
