"""Emails from which players have unsubscribed, by a link in an email or in their settings.

The links are signed, so that nobody can unsubscribe somebody else. They never expire, and mail programs can follow them
automatically (RFC 8058). The link in an email to an address that others entered contains a digest of the address, and
not the address.
"""

from __future__ import annotations

import hashlib
import itertools
from typing import NamedTuple

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import delete, select

from rules.kernel import Json
from service.core.database.database import db, insert_unless_there, rows, transaction
from service.core.models.games import Game
from service.core.models.mail import OutboxRow, Unsubscribed
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log.table_rows.table import id_of
from service.outbox import digests
from service.outbox.addresses import suppressed_addresses
from service.outbox.addresses.suppressed_addresses import STRANGERS

ONE_CLICK = "List-Unsubscribe=One-Click"
ALL_KINDS, ALL_GAMES = "", 0
LINK_END = ".0"
"""The end of a link, since mail programs drop a final character that may belong to the sentence."""
DIGESTS = {"digest": digests.USUAL, "each": None}
"""The choices that a link offers besides stopping the email, each with the time of the digest (None: no digest)."""

_unsubscribed = Unsubscribed.metadata.tables["unsubscribed"]
_game = Game.metadata.tables["games"]


class Unsubscription(NamedTuple):
    """Emails of one kind (or all kinds) about one game (or all games)."""

    kind: str = ALL_KINDS
    game_key: int = ALL_GAMES


class MailToPlayer(NamedTuple):
    """An email of this kind to this player, about a game (its id) or none."""

    player_id: str
    kind: str
    game_id: str | None

    @property
    def is_about_turn(self) -> bool:
        """Whether the email is about the player's turn."""
        return self.kind in digests.BUNDLED


class MailToAddress(NamedTuple):
    """An email to an address, caused by others; `digest` is the digest of its owner."""

    digest: bytes


def is_wanted(
    player_id: str | None, kind: str, game_key: int | None, *, in_browsers: bool = False
) -> bool:
    """Whether the player wants emails of this kind about this game, or about none (None).

    With `in_browsers`, it is whether they want these as notifications in browsers. Players who want no mail at all
    still get those, which are switched off separately.
    """
    stopped = select(_unsubscribed.c.at).where(
        _unsubscribed.c.player_id == player_id,
        _unsubscribed.c.kind.in_([ALL_KINDS, kind]),
        _unsubscribed.c.game_key.in_([ALL_GAMES, game_key or ALL_GAMES]),
    )
    if in_browsers:
        is_all = (_unsubscribed.c.kind == ALL_KINDS) & (_unsubscribed.c.game_key == ALL_GAMES)
        stopped = stopped.where(~is_all)
    return db.session.scalar(stopped.limit(1)) is None


def of_player(player_id: str) -> list[Unsubscription]:
    """Everything from which this player has unsubscribed, the oldest first."""
    query = select(_unsubscribed.c.kind, _unsubscribed.c.game_key)
    own = query.where(_unsubscribed.c.player_id == player_id)
    return rows(Unsubscription, own.order_by(_unsubscribed.c.at))


def unsubscribe(runtime: Runtime, player_id: str, what: Unsubscription) -> None:
    """Stop sending emails of this scope, in the caller's transaction."""
    values = {"player_id": player_id, "at": runtime.now(), **what._asdict()}
    insert_unless_there(_unsubscribed, values)


def resubscribe(player_id: str, what: Unsubscription) -> None:
    """Send emails of this scope again, in the caller's transaction; broader unsubscriptions still apply."""
    same = delete(_unsubscribed).filter_by(player_id=player_id, **what._asdict())
    db.session.execute(same)


def player_unsubscribe_link(config: Config, row: OutboxRow) -> str:
    """The address of the page on which this row's player can unsubscribe from emails like it."""
    game_id = id_of(row.game_key)
    return _sign_link(config, [row.player_id, row.kind, game_id])


def address_unsubscribe_link(config: Config, address: str) -> str:
    """The address of the page on which this address's owner can unsubscribe from emails caused by others."""
    digest = suppressed_addresses.owner_digest(config.secret_key, address)
    return _sign_link(config, [digest.hex()])


def unsubscribe_headers(url: str) -> dict[str, str]:
    """The headers that let mail programs offer one-click unsubscription."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": ONE_CLICK}


def read_unsubscribe_link(config: Config, signed: str) -> MailToPlayer | MailToAddress | None:
    """The email in which a link was; None if the signature of the link is wrong."""
    try:
        payload = _signer(config).loads(signed.removesuffix(LINK_END))
    except BadData:
        return None
    return MailToAddress(bytes.fromhex(payload[0])) if len(payload) == 1 else MailToPlayer(*payload)


def _sign_link(config: Config, about: list[str | None]) -> str:
    return f"{config.public_url}/unsubscribe?link={_signer(config).dumps(about)}{LINK_END}"


def _signer(config: Config) -> URLSafeSerializer:
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(config.secret_key, salt="unsubscribe", signer_kwargs=options)


def follow_link(
    runtime: Runtime, mail: MailToPlayer | MailToAddress, scope: str, *, exactly: bool
) -> None:
    """Unsubscribe, in one commit, as chosen by a link: `this`, `game`, `kind`, `all`, `address`, or `nothing`.

    `digest` asks for one email a day, `each` for one for each turn.

    With `exactly`, on the page, the choice replaces what the same link stopped before: it may stop less, or nothing.
    """
    with transaction():
        if isinstance(mail, MailToAddress):
            if scope == "nothing":
                suppressed_addresses.lift(mail.digest, STRANGERS)
            else:
                suppressed_addresses.suppress(runtime, mail.digest, STRANGERS)
            return
        known = select(Player.id).where(Player.id == mail.player_id, Player.erased_at.is_(None))
        if not db.session.scalar(known):
            return
        scopes = _scopes(mail)
        if exactly:
            for each in itertools.chain(*scopes.values()):
                resubscribe(mail.player_id, each)
        for each in scopes.get(scope, []):
            unsubscribe(runtime, mail.player_id, each)
        if scope in DIGESTS:
            resubscribe(mail.player_id, Unsubscription(digests.KIND))
            digests.set_hour(runtime, mail.player_id, DIGESTS[scope])


def _scopes(mail: MailToPlayer) -> dict[str, list[Unsubscription]]:
    """The choices that an email's link offers, by name. It can stop nothing about a deleted game, which causes no more
    emails.

    `this` of an email about a turn includes reminders and nudges, which would continue otherwise.
    """
    scopes = {"kind": [Unsubscription(mail.kind)], "all": [Unsubscription()]}
    key = db.session.scalar(select(Game.key).where(Game.id == mail.game_id))
    if key:
        kinds = digests.BUNDLED if mail.is_about_turn else [mail.kind]
        scopes["this"] = [Unsubscription(kind, key) for kind in kinds]
        scopes["game"] = [Unsubscription(game_key=key)]
    return scopes


def exported(player_id: str) -> list[Json]:
    """The kinds of emails that the player has turned off, with the game, for the export; an empty kind means all
    kinds.
    """
    query = select(_game.c.id.label("game"), _unsubscribed.c.kind, _unsubscribed.c.at)
    about = query.join(_unsubscribed, _unsubscribed.c.game_key == _game.c.key)
    mine = about.where(_unsubscribed.c.player_id == player_id)
    return exported_rows(mine.order_by(_unsubscribed.c.at, _game.c.key))


def erase(player_id: str) -> None:
    """Delete the player's unsubscriptions. The caller owns the commit."""
    db.session.execute(delete(_unsubscribed).where(_unsubscribed.c.player_id == player_id))
