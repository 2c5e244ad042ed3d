"""Unsubscribe links in mails: signed, so that nobody can unsubscribe somebody else.

They never expire, and mail programs can follow them by themselves (RFC 8058). The link in a mail to an
address that others entered holds a digest of the address, not the address.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import select

from service.core.database.database import db
from service.core.models.games import Game
from service.core.models.mail import OutboxRow
from service.core.settings.config import Config
from service.outbox.addresses.suppressed_addresses import owner_digest

ONE_CLICK = "List-Unsubscribe=One-Click"


class MailToPlayer(NamedTuple):
    """The mail was of this kind, to this player, about a game (its id) or none."""

    player_id: str
    kind: str
    game_id: str | None


class MailToAddress(NamedTuple):
    """Others caused the mail to an address; this is the digest of its owner."""

    digest: bytes


def player_unsubscribe_link(config: Config, row: OutboxRow) -> str:
    """The page on which the player of this row unsubscribes from mails like it."""
    game_id = db.session.scalar(select(Game.id).where(Game.key == row.game_key))
    return _sign_link(config, [row.player_id, row.kind, game_id])


def address_unsubscribe_link(config: Config, address: str) -> str:
    """The page on which the owner of this address unsubscribes from mails that others cause."""
    return _sign_link(config, [owner_digest(config.secret_key, address).hex()])


def unsubscribe_headers(url: str) -> dict[str, str]:
    """The headers with which mail programs offer to unsubscribe with one click."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": ONE_CLICK}


def read_unsubscribe_link(config: Config, signed: str) -> MailToPlayer | MailToAddress | None:
    """Which mail a link came with; None if its signature is wrong."""
    try:
        payload = _signer(config).loads(signed)
    except BadData:
        return None
    return MailToAddress(bytes.fromhex(payload[0])) if len(payload) == 1 else MailToPlayer(*payload)


def _sign_link(config: Config, about: list[str | None]) -> str:
    return f"{config.public_url}/unsubscribe?link={_signer(config).dumps(about)}"


def _signer(config: Config) -> URLSafeSerializer:
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(config.secret_key, salt="unsubscribe", signer_kwargs=options)
