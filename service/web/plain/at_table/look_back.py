"""Looking back without scripts: the table after each event and, after the end, the check of the game's record."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from typing import NamedTuple

from flask import Blueprint, Response

from rules.kernel import Json
from service.log.event_log import digests
from service.log.records.record import whole_record
from service.log.records.record_text import VerificationError
from service.log.records.signed_heads import is_signed
from service.log.verification.verify_record import verify
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.page.past_table import replayed
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms.form_schemas import ReplayQuery, VerificationQuery
from service.web.plain.plain_pages import plain_blueprint, zone_of_reader

bp: Blueprint = plain_blueprint("plain_look_back")

_SEAL = re.compile(r"([1-9][0-9]{0,8})\.([\w-]{43})\.([\w-]{86})", re.ASCII)
"""A signed head in the form that emails use: number, head, signature."""


class Verified(NamedTuple):
    """The result of checking the record: how many events and shuffles are correct, or the error."""

    events: int = 0
    shuffles: int = 0
    wrong: str | None = None


@bp.get("/games/<game:game_id>/replay")
@limited("views")
@parse_query(ReplayQuery)
def get_plain_replay(query: Json, game_id: str) -> Response:
    """Show the table after an event, as the reader may know it. Raises NotFound."""
    game = PlainGame(game_id)
    path = f"{game.path}/replay"
    shown = replayed(game, path, query["event"], zone_of_reader())
    return game.page("replay.html", past=shown.pop("drawing"), drawing=None, **shown)


@bp.get("/games/<game:game_id>/verification")
@limited("deals")
@parse_query(VerificationQuery)
def get_plain_verification(query: Json, game_id: str) -> Response:
    """Check the record of a finished game, and compare a signed head from an email with it.

    Raises NotFound.
    """
    game = PlainGame(game_id)
    seal = query.get("seal")
    if not game.table.game.has_record(current_services().now()):
        return game.page("verification.html", verified=None, seal=None, fits=None)
    data = whole_record(game.table, current_services().heads)
    try:
        record = verify(data)
    except VerificationError as error:
        return game.page("verification.html", verified=Verified(wrong=str(error)), fits=None)
    shuffles = sum(event["kind"] == "chance" for event in record["events"])
    verified = Verified(len(record["events"]), shuffles)
    return game.page("verification.html", verified=verified, fits=seal and fits(game, record, seal))


def fits(game: PlainGame, record: Json, seal: str) -> str:
    """Whether a signed head belongs to this game: `right`, `other` or `unreadable`."""
    found = _SEAL.fullmatch("".join(seal.split()))
    if found is None:
        return "unreadable"
    number, head, signature = int(found[1]), _bytes(found[2]), _bytes(found[3])
    key, chain = current_services().heads.public_key, digests(record["events"])
    is_ours = is_signed(key, game.table.game.id, number, head, signature)
    return "right" if is_ours and number <= len(chain) and chain[number - 1] == head else "other"


def _bytes(letters: str) -> bytes:
    return urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
