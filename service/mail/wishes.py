"""What people do not want to get: by a link in a mail, or by their settings."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from service.database import db, insert_unless_there, transaction
from service.mail.links import AboutAddress, AboutPlayer
from service.mail.suppressed import INVITATIONS, suppress
from service.models import Game, Player
from service.models_mail import Unsubscribed
from service.outside import Outside

ALL_KINDS, ALL_GAMES = "", 0

_unsubscribed = Unsubscribed.metadata.tables["unsubscribed"]


class Stop(NamedTuple):
    """What a player has stopped: mails of a kind (or all kinds) about a game (or all games)."""

    kind: str = ALL_KINDS
    game_key: int = ALL_GAMES


def wants(player_id: str, kind: str, game_key: int | None) -> bool:
    """Whether a mail of this kind about this game (None: about none) is wanted."""
    query = select(_unsubscribed.c.at).where(
        _unsubscribed.c.player_id == player_id,
        _unsubscribed.c.kind.in_([ALL_KINDS, kind]),
        _unsubscribed.c.game_key.in_([ALL_GAMES, game_key or ALL_GAMES]),
    )
    return db.session.scalar(query.limit(1)) is None


def stopped(player_id: str) -> list[Stop]:
    """All that this player has stopped, in the order of doing so."""
    query = select(_unsubscribed.c.kind, _unsubscribed.c.game_key)
    of_player = query.where(_unsubscribed.c.player_id == player_id)
    return [Stop(*row) for row in db.session.execute(of_player.order_by(_unsubscribed.c.at))]


def stop(outside: Outside, player_id: str, what: Stop) -> None:
    """Send this no more, in the caller's transaction."""
    values = {"player_id": player_id, "at": outside.now(), **what._asdict()}
    db.session.execute(insert_unless_there(_unsubscribed).values(values))


def follow(outside: Outside, about: AboutPlayer | AboutAddress, wish: str) -> None:
    """What somebody chose on the page of a mail's link: `game`, `kind`, `all` or `address`. One commit."""
    with transaction():
        if isinstance(about, AboutAddress):
            suppress(outside, about.digest, INVITATIONS)
        else:
            what = _chosen(about, wish)
            known = select(Player.id).where(Player.id == about.player_id)
            if what is not None and db.session.scalar(known):
                stop(outside, about.player_id, what)


def _chosen(about: AboutPlayer, wish: str) -> Stop | None:
    """None: the game has gone, and with it its mails."""
    if wish != "game":
        return Stop(kind=about.kind) if wish == "kind" else Stop()
    key = db.session.scalar(select(Game.key).where(Game.id == about.game_id))
    return Stop(game_key=key) if key else None


def resume(player_id: str, what: Stop) -> None:
    """Send this again, in the caller's transaction; a wider wish that stands beside it still counts."""
    stands = (
        (_unsubscribed.c.player_id == player_id)
        & (_unsubscribed.c.kind == what.kind)
        & (_unsubscribed.c.game_key == what.game_key)
    )
    db.session.execute(delete(_unsubscribed).where(stands))
