"""Wishes to play live: the games that the caller wants to play, and when each wish ends."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.tables.before_start import live_wishes
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language

bp = Blueprint("live", __name__, url_prefix="/api/me/live-wishes")


@bp.get("")
@signed_in("read")
def list_live_wishes() -> Json:
    """List the caller's wishes."""
    me = caller_id()
    told = live_wishes.can_be_told(me)
    found = live_wishes.of_player(me, current_services().now())
    return {"live_wishes": [_json(slug, until, told) for slug, until in found]}


@bp.put("/<slug>")
@signed_in("play")
def make_live_wish(slug: str) -> Json:
    """Ask to be told when two others wait at a live table of a game."""
    me = caller_id()
    until = live_wishes.make(current_services(), me, slug)
    return {"live_wish": _json(slug, until, live_wishes.can_be_told(me))}


@bp.delete("/<slug>")
@signed_in("play")
def end_live_wish(slug: str) -> tuple[str, int]:
    """End a wish."""
    live_wishes.withdraw(caller_id(), slug)
    return "", 204


def _json(slug: str, until: int, told: bool) -> Json:
    name = phrases(preferred_language(), slug).say("name")
    return {"ruleset": slug, "name": name, "ends_at": rfc3339(until), "told": told}
