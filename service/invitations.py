"""Invitations: by mail to an address, or to a player for whom a place is kept; seen, declined and taken back.

Whether an address is registered changes nothing that the inviter is answered: who it is the worker looks up.
"""

from __future__ import annotations

from typing import Any

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import delete, select, update

from rules.kernel import Json
from service import accounts, blocks, notices, outbox
from service.config import Config
from service.database import db, insert_unless_there, transaction
from service.mail.suppressed import digest_of
from service.models import Game, Player
from service.models_mail import Outbox
from service.models_tables import Invitation
from service.offers import addressed_to
from service.outside import Outside
from service.problems import NotFound, NotVerified, TableFull
from service.table import Table, find
from service.tables import open_for_changes, touch

MOST_KEY = 2**31 - 1
"""The highest key that the column holds."""

_invitation, _game, _player, _outbox = (
    kind.metadata.tables[kind.__tablename__] for kind in (Invitation, Game, Player, Outbox)
)
_SHOWN = (
    select(_invitation, _player.c.name, _game.c.id.label("game_id"), _game.c.ruleset)
    .join(_game, _game.c.key == _invitation.c.game_key)
    .outerjoin(_player, _player.c.id == _invitation.c.player_id)
)
"""Invitations, with the name of the player who is invited, and of the game its id and ruleset."""


def invite(
    outside: Outside, config: Config, game_id: str, player_id: str, wish: Json
) -> tuple[Any, bool]:
    """Invite whoever reads `wish["address"]`: the invitation, and whether it is new.

    One mail goes to an address for each table. Raises NotFound, NotOpen, NotSeated, NotVerified, TableFull.
    """
    with transaction():
        table = open_for_changes(game_id)
        table.seated(player_id)
        if accounts.address_of(player_id) is None:
            raise NotVerified
        if table.full:
            raise TableFull
        row, new = ask(outside, table, player_id, address=wish["address"].lower())
        told = {"game": game_id, "language": wish["language"], "invitation": row.id}
        digest = digest_of(config.secret_key, wish["address"]).hex()[:32]
        outbox.put(
            outside,
            "invitation",
            f"invitation {game_id} {digest}",
            run_at=outside.now(),
            player_id=player_id,
            address=wish["address"],
            game_key=table.game.key,
            data=told,
        )
        return row, new


def ask(outside: Outside, table: Table, inviter_id: str, **whom: str) -> tuple[Any, bool]:
    """The invitation of a player (`player_id`) or an `address`, and whether it is new. The caller owns the commit."""
    row = {
        "id": outside.new_id("i"),
        "game_key": table.game.key,
        "inviter_id": inviter_id,
        "made_at": outside.now(),
        **whom,
    }
    db.session.execute(insert_unless_there(_invitation).values(row))
    same = [_invitation.c[name] == value for name, value in whom.items()]
    at = _SHOWN.where(_invitation.c.game_key == table.game.key, *same)
    own = at if "player_id" in whom else at.where(_invitation.c.inviter_id == inviter_id)
    found = db.session.execute(own).one()
    return found, found.id == row["id"]


def find_one(invitation_id: str) -> Any | None:
    """An invitation that stands: neither declined nor taken back."""
    this = _SHOWN.where(_invitation.c.id == invitation_id, _invitation.c.declined_at.is_(None))
    return db.session.execute(this).one_or_none()


def find_declined(invitation_id: str) -> Any | None:
    """An invitation that was declined, to a game that has not started."""
    this = _SHOWN.where(_invitation.c.id == invitation_id, _invitation.c.declined_at.is_not(None))
    return db.session.execute(this).one_or_none()


def listed(table: Table, cursor: str | None, limit: int) -> tuple[list[Any], str | None]:
    """A page of a table's invitations, newest first, and the cursor of the next one."""
    return _page(_SHOWN.where(_invitation.c.game_key == table.game.key), cursor, limit)


def mine(player_id: str, cursor: str | None, limit: int) -> tuple[list[Any], str | None]:
    """A page of what a player is invited to, newest first, and the cursor of the next one.

    Rows of `games`, with the invitation's `invited`, `made_at` and `by`.
    """
    query = (
        select(
            *_game.c,
            _invitation.c.key.label("invitation_key"),
            _invitation.c.id.label("invited"),
            _invitation.c.made_at,
            _player.c.name.label("by"),
        )
        .join(_invitation, _invitation.c.game_key == _game.c.key)
        .join(_player, _player.c.id == _invitation.c.inviter_id)
        .where(addressed_to(player_id), _invitation.c.declined_at.is_(None))
        .where(_game.c.status == "open")
        .where(~blocks.between(player_id, _invitation.c.inviter_id))
    )
    return _page(query, cursor, limit)


def _page(query: Any, cursor: str | None, limit: int) -> tuple[list[Any], str | None]:
    before = min(int(cursor), MOST_KEY) if cursor else MOST_KEY
    older = query.where(_invitation.c.key < before).order_by(_invitation.c.key.desc())
    rows = db.session.execute(older.limit(limit + 1)).all()
    page = rows[:limit]
    return list(page), str(_key(page[-1])) if rows[limit:] else None


def _key(row: Any) -> int:
    return int(getattr(row, "invitation_key", row.key))


def decline(outside: Outside, invitation_id: str, player_id: str | None = None) -> None:
    """Decline: as the player who is invited, or (None) as whoever has the link. Raises NotFound."""
    to = [addressed_to(player_id)] if player_id else []
    with transaction():
        table = _locked(invitation_id, *to)
        standing = update(Invitation).where(
            _invitation.c.id == invitation_id, _invitation.c.declined_at.is_(None)
        )
        db.session.execute(standing.values(declined_at=outside.now()))
        inviter = select(_invitation.c.inviter_id).where(_invitation.c.id == invitation_id)
        notices.declined(outside, table, invitation_id, db.session.scalars(inviter).one())


def take_back(game_id: str, player_id: str, invitation_id: str) -> None:
    """Take back an invitation of one's own; a mail that has not left is none, and can be written anew.

    Raises NotFound.
    """
    with transaction():
        _locked(invitation_id, _game.c.id == game_id, _invitation.c.inviter_id == player_id)
        about = _outbox.c.data["invitation"].as_string() == invitation_id
        unsent = (_outbox.c.kind == "invitation") & _outbox.c.done_at.is_(None) & about
        db.session.execute(delete(_outbox).where(_outbox.c.player_id == player_id, unsent))
        db.session.execute(delete(Invitation).where(_invitation.c.id == invitation_id))


def _locked(invitation_id: str, *where: Any) -> Table:
    """The table of an invitation, locked and touched: its people are shown something else. Raises NotFound."""
    at = select(_game.c.id).join(_invitation, _invitation.c.game_key == _game.c.key)
    game_id = db.session.scalar(at.where(_invitation.c.id == invitation_id, *where))
    if game_id is None:
        raise NotFound
    table = find(game_id, lock=True)
    touch(table)
    return table


def link(config: Config, invitation_id: str) -> str:
    """The page on which whoever reads the mail declines."""
    return f"{config.public_url}/invitations/{_signer(config).dumps(invitation_id)}"


def read(config: Config, signed: str) -> str | None:
    """The id of the invitation that a link is about; None if we never made it."""
    try:
        return str(_signer(config).loads(signed))
    except BadData:
        return None


def _signer(config: Config) -> Any:
    return URLSafeSerializer(config.secret_key, salt="decline")
