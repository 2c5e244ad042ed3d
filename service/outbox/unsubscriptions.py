"""Mails that players have unsubscribed from: by a link in a mail, or in their settings."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from service.core.database.database import db, insert_unless_there, rows, transaction
from service.core.models.games import Game
from service.core.models.mail import Unsubscribed
from service.core.models.people import Player
from service.core.runtime.time_and_random import Runtime
from service.outbox import digests
from service.outbox.addresses.suppressed_addresses import STRANGERS, lift, suppress
from service.outbox.unsubscribe_links import MailToAddress, MailToPlayer

ALL_KINDS, ALL_GAMES = "", 0
DIGESTS = {"digest": digests.USUAL, "each": None}
"""What a link in a mail can choose instead of stopping it: from when on there is a digest."""

_unsubscribed = Unsubscribed.metadata.tables["unsubscribed"]


class Unsubscription(NamedTuple):
    """Mails of one kind (or all kinds) about one game (or all games)."""

    kind: str = ALL_KINDS
    game_key: int = ALL_GAMES


def is_wanted(player_id: str | None, kind: str, game_key: int | None) -> bool:
    """Whether the player wants a mail of this kind about this game (None: about none)."""
    query = select(_unsubscribed.c.at).where(
        _unsubscribed.c.player_id == player_id,
        _unsubscribed.c.kind.in_([ALL_KINDS, kind]),
        _unsubscribed.c.game_key.in_([ALL_GAMES, game_key or ALL_GAMES]),
    )
    return db.session.scalar(query.limit(1)) is None


def is_wanted_in_browsers(player_id: str | None, kind: str, game_key: int | None) -> bool:
    """Whether the player wants to be told of it in browsers: what was stopped by kind or for a game is not told there.

    Whoever wants no mail at all is told in browsers nevertheless: these are switched off by themselves.
    """
    of = (_unsubscribed.c.kind == kind) & _unsubscribed.c.game_key.in_(
        [ALL_GAMES, game_key or ALL_GAMES]
    )
    game = (_unsubscribed.c.kind == ALL_KINDS) & (_unsubscribed.c.game_key == (game_key or -1))
    mine = select(_unsubscribed.c.at).where(_unsubscribed.c.player_id == player_id, of | game)
    return db.session.scalar(mine.limit(1)) is None


def of_player(player_id: str) -> list[Unsubscription]:
    """Everything this player has unsubscribed from, oldest first."""
    query = select(_unsubscribed.c.kind, _unsubscribed.c.game_key)
    own = query.where(_unsubscribed.c.player_id == player_id)
    return rows(Unsubscription, own.order_by(_unsubscribed.c.at))


def unsubscribe(runtime: Runtime, player_id: str, what: Unsubscription) -> None:
    """Stop sending this, in the caller's transaction."""
    values = {"player_id": player_id, "at": runtime.now(), **what._asdict()}
    db.session.execute(insert_unless_there(_unsubscribed).values(values))


def resubscribe(player_id: str, what: Unsubscription) -> None:
    """Send this again, in the caller's transaction; broader unsubscriptions still apply."""
    same = (
        (_unsubscribed.c.player_id == player_id)
        & (_unsubscribed.c.kind == what.kind)
        & (_unsubscribed.c.game_key == what.game_key)
    )
    db.session.execute(delete(_unsubscribed).where(same))


def follow_link(
    runtime: Runtime, mail: MailToPlayer | MailToAddress, scope: str, *, exactly: bool
) -> None:
    """Unsubscribe as chosen by a link: `this`, `game`, `kind`, `all`, `address`, or `nothing`. One commit.

    `digest` asks for one mail a day, `each` for one for each turn.

    With `exactly`, on the page, the choice replaces what the same link has stopped before: less, or nothing any more.
    """
    with transaction():
        if isinstance(mail, MailToAddress):
            if scope == "nothing":
                lift(mail.digest, STRANGERS)
            else:
                suppress(runtime, mail.digest, STRANGERS)
            return
        known = select(Player.id).where(Player.id == mail.player_id)
        if not db.session.scalar(known):
            return
        scopes = _scopes(mail)
        if exactly:
            for each in scopes.values():
                resubscribe(mail.player_id, each)
        if scope in scopes:
            unsubscribe(runtime, mail.player_id, scopes[scope])
        if scope in DIGESTS:
            resubscribe(mail.player_id, Unsubscription(digests.KIND))
            digests.set_hour(runtime, mail.player_id, DIGESTS[scope])


def _scopes(mail: MailToPlayer) -> dict[str, Unsubscription]:
    """What the link in a mail can stop; nothing about a game that has been deleted: no more mails are about it."""
    scopes = {"kind": Unsubscription(kind=mail.kind), "all": Unsubscription()}
    key = db.session.scalar(select(Game.key).where(Game.id == mail.game_id))
    if key:
        scopes["this"] = Unsubscription(kind=mail.kind, game_key=key)
        scopes["game"] = Unsubscription(game_key=key)
    return scopes
