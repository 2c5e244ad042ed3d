"""Links in mails by which mails are stopped: signed, so that nobody can do it for somebody else.

They never end and can be followed by a mail program alone (RFC 8058). An invitation's link holds a digest, not the
address.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import select

from service.config import Config
from service.database import db
from service.mail.suppressed import digest_of
from service.models import Game

ONE_CLICK = "List-Unsubscribe=One-Click"


class AboutPlayer(NamedTuple):
    """The mail was for a player: of a kind, about a game (by its id) or about none."""

    player_id: str
    kind: str
    game_id: str | None


class AboutAddress(NamedTuple):
    """The mail was an invitation to an address, of which this is the digest."""

    digest: bytes


def for_player(config: Config, row: Any) -> str:
    """The page on which the player of this row of the outbox stops mails like it."""
    game_id = db.session.scalar(select(Game.id).where(Game.key == row.game_key))
    return _link(config, [row.player_id, row.kind, game_id])


def for_address(config: Config, address: str) -> str:
    """The page on which whoever reads this address stops invitations."""
    return _link(config, [digest_of(config.secret_key, address).hex()])


def headers(url: str) -> dict[str, str]:
    """What mail programs need to offer this with one click."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": ONE_CLICK}


def read(config: Config, signed: str) -> AboutPlayer | AboutAddress | None:
    """What a link is about; None if we never made it."""
    try:
        payload = _signer(config).loads(signed)
    except BadData:
        return None
    return AboutAddress(bytes.fromhex(payload[0])) if len(payload) == 1 else AboutPlayer(*payload)


def _link(config: Config, about: list[str | None]) -> str:
    return f"{config.public_url}/unsubscribe?link={_signer(config).dumps(about)}"


def _signer(config: Config) -> Any:
    more = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(config.secret_key, salt="unsubscribe", signer_kwargs=more)
