"""Invitations: by mail to an address, or to a player for whom a place is kept.

The inviter gets the same answer whether an address is registered or not: the worker looks that up later.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, TypeVar

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import ColumnElement, Select, delete, select, update

from rules.kernel import Json
from service.core.database.database import (
    columns,
    db,
    insert_unless_there,
    one_row,
    rows,
    transaction,
)
from service.core.models.games import Game
from service.core.models.invitations import Invitation
from service.core.models.mail import Outbox
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotVerified, TableFull
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log import changes
from service.log.table_rows import invitation_queries, removals
from service.log.table_rows.invitation_queries import addressed_to
from service.log.table_rows.table import GameRow, Table, at_table, find, raise_revision
from service.outbox import queue
from service.outbox.addresses.suppressed_addresses import owner_digest
from service.outbox.causes import announcements
from service.people import blocks
from service.people.accounts import accounts
from service.tables.before_start.table_setup import open_for_changes

_invitation, _game, _player, _outbox = (
    kind.metadata.tables[kind.__tablename__] for kind in (Invitation, Game, Player, Outbox)
)
Q = TypeVar("Q", bound=Select[*tuple[object, ...]])


class InvitationRow(NamedTuple):
    """An invitation, with the name of the invited player, whether it is a program's, and which game it is for."""

    key: int
    id: str
    game_key: int
    inviter_id: str
    player_id: str | None
    address: str | None
    made_at: int
    declined_at: int | None
    name: str | None
    program: bool | None
    game_id: str
    ruleset: str
    version: int


class ReceivedInvitation(NamedTuple):
    """An invitation as the invited player sees it."""

    key: int
    id: str
    made_at: int
    by: str
    """The name of the inviter."""
    program: bool
    """Whether a program plays for the inviter, as they say."""


_SHOWN = (
    select(
        _invitation,
        _player.c.name,
        _player.c.program,
        _game.c.id.label("game_id"),
        _game.c.ruleset,
        _game.c.version,
    )
    .join(_game, _game.c.key == _invitation.c.game_key)
    .outerjoin(_player, _player.c.id == _invitation.c.player_id)
)


def invite(
    runtime: Runtime, config: Config, game_id: str, player_id: str, wish: Json
) -> tuple[InvitationRow, bool]:
    """Invite the owner of `wish["address"]`; returns the invitation and whether it is new.

    An address gets one mail for each table. Raises NotFound, NotOpen, NotSeated, NotVerified, TableFull.
    """
    with transaction():
        table = open_for_changes(game_id)
        table.seated(player_id)
        if accounts.address_of(player_id) is None:
            raise NotVerified
        if table.full:
            raise TableFull
        row, new = ask(runtime, table, player_id, address=wish["address"].lower())
        data = {"game": game_id, "language": wish["language"], "invitation": row.id}
        digest = owner_digest(config.secret_key, wish["address"]).hex()[:32]
        queue.put(
            runtime,
            "invitation",
            f"invitation {game_id} {digest}",
            run_at=runtime.now(),
            player_id=player_id,
            address=wish["address"],
            game_key=table.game.key,
            data=data,
        )
        return row, new


def ask(runtime: Runtime, table: Table, inviter_id: str, **whom: str) -> tuple[InvitationRow, bool]:
    """Invite a player (`player_id`) or an `address`; returns also whether that is new. The caller owns the commit."""
    row = {
        "id": runtime.new_id("i"),
        "game_key": table.game.key,
        "inviter_id": inviter_id,
        "made_at": runtime.now(),
        **whom,
    }
    db.session.execute(insert_unless_there(_invitation).values(row))
    same = [_invitation.c.game_key == table.game.key]
    same += [_invitation.c[name] == value for name, value in whom.items()]
    if "address" in whom:
        same.append(_invitation.c.inviter_id == inviter_id)
        # to invite again after a removal is an invitation too: it admits whoever was removed since the first
        since = update(Invitation).where(*same, removals.removed_since(_invitation.c.made_at))
        db.session.execute(since.values(made_at=row["made_at"]))
    (found,) = rows(InvitationRow, _SHOWN.where(*same))
    new = found.id == row["id"]
    if new and found.player_id and not blocks.has_blocked(found.player_id, inviter_id):
        changes.note_for("invitation", at_table(runtime, table), [found.player_id])
    return found, new


def note_invited(runtime: Runtime, invitation_id: str, player_id: str) -> None:
    """Tell the player's programs of an invitation. The caller owns the commit."""
    found = find_open(invitation_id)
    if found is not None:
        changes.note_for("invitation", at_table(runtime, find(found.game_id)), [player_id])


def find_open(invitation_id: str) -> InvitationRow | None:
    """An invitation that is neither declined nor withdrawn."""
    this = _SHOWN.where(_invitation.c.id == invitation_id, _invitation.c.declined_at.is_(None))
    return one_row(InvitationRow, this)


def find_declined(invitation_id: str) -> InvitationRow | None:
    """An invitation that was declined, to a game that has not started."""
    this = _SHOWN.where(_invitation.c.id == invitation_id, _invitation.c.declined_at.is_not(None))
    return one_row(InvitationRow, this)


def sent_from(
    table: Table, cursor: str | None, limit: int
) -> tuple[list[InvitationRow], str | None]:
    """A page of a table's invitations, newest first, and the cursor of the next one."""
    query = _older(_SHOWN.where(_invitation.c.game_key == table.game.key), cursor)
    found = rows(InvitationRow, query.limit(limit + 1))
    return found[:limit], str(found[limit - 1].key) if found[limit:] else None


def received_by(
    player_id: str, cursor: str | None, limit: int
) -> tuple[list[tuple[ReceivedInvitation, GameRow]], str | None]:
    """A page of a player's invitations with their games, newest first, and the cursor of the next one.

    Those to tables whose hosts have removed this player, and have not invited them since, are left out.
    """
    left = removals.open_tables_left(player_id)
    shut = [each for each in left if removals.is_shut_out(find(each), player_id)]
    query = (
        select(
            _invitation.c.key,
            _invitation.c.id,
            _invitation.c.made_at,
            _player.c.name.label("by"),
            _player.c.program,
            *columns(GameRow, _game),
        )
        .join(_invitation, _invitation.c.game_key == _game.c.key)
        .join(_player, _player.c.id == _invitation.c.inviter_id)
        .where(addressed_to(player_id), _invitation.c.declined_at.is_(None))
        .where(_game.c.status == "open")
        .where(~blocks.blocked_clause(player_id, _invitation.c.inviter_id))
        .where(_game.c.id.not_in(shut))
    )
    found = db.session.execute(_older(query, cursor).limit(limit + 1)).all()
    page = [(ReceivedInvitation(*row[:5]), GameRow(*row[5:])) for row in found[:limit]]
    return page, str(page[-1][0].key) if found[limit:] else None


def _older(query: Q, cursor: str | None) -> Q:
    older = query.where(_invitation.c.key < int(cursor)) if cursor else query
    return older.order_by(_invitation.c.key.desc())


def decline(runtime: Runtime, invitation_id: str, player_id: str | None = None) -> None:
    """Decline as the invited player, or by the link in a mail (None). Raises NotFound."""
    to = [addressed_to(player_id)] if player_id else []
    with transaction():
        table = _locked(runtime, invitation_id, *to)
        open_invitation = update(Invitation).where(
            _invitation.c.id == invitation_id, _invitation.c.declined_at.is_(None)
        )
        db.session.execute(open_invitation.values(declined_at=runtime.now()))
        inviter = select(_invitation.c.inviter_id).where(_invitation.c.id == invitation_id)
        announcements.invitation_declined(
            runtime, table, invitation_id, db.session.scalars(inviter).one()
        )


def withdraw(runtime: Runtime, game_id: str, player_id: str, invitation_id: str) -> None:
    """Withdraw one's own invitation, or as the host anybody's, and delete its mail unless that has been sent.

    Raises NotFound.
    """
    with transaction():
        table = _locked(runtime, invitation_id, _game.c.id == game_id)
        mine = select(_invitation.c.inviter_id == player_id).where(
            _invitation.c.id == invitation_id
        )
        is_host = table.host is not None and table.host.player_id == player_id
        if not is_host and not db.session.scalar(mine):
            raise NotFound
        about = _outbox.c.data["invitation"].as_string() == invitation_id
        unsent = (_outbox.c.kind == "invitation") & _outbox.c.done_at.is_(None) & about
        db.session.execute(delete(_outbox).where(_outbox.c.game_key == table.game.key, unsent))
        invitation_queries.end(runtime.now(), _invitation.c.id == invitation_id)


def _locked(runtime: Runtime, invitation_id: str, *where: ColumnElement[bool]) -> Table:
    """The locked table of an invitation, whose revision rises since it is shown differently. Raises NotFound."""
    at = select(_game.c.id).join(_invitation, _invitation.c.game_key == _game.c.key)
    game_id = db.session.scalar(at.where(_invitation.c.id == invitation_id, *where))
    if game_id is None:
        raise NotFound
    table = find(game_id, lock=True)
    return raise_revision(runtime, table)


def decline_link(config: Config, invitation_id: str) -> str:
    """The address of the page on which the recipient of a mail declines."""
    return f"{config.public_url}/invitations/{_signer(config).dumps(invitation_id)}"


def read_decline_link(config: Config, signed: str) -> str | None:
    """The id of the invitation that a signed link declines; None if the signature is wrong."""
    try:
        return str(_signer(config).loads(signed))
    except BadData:
        return None


def _signer(config: Config) -> URLSafeSerializer:
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(config.secret_key, salt="decline", signer_kwargs=options)


def exported(player_id: str) -> list[Json]:
    """The player's invitations to games that have not started, with the name of the invited player, if it is one."""
    query = (
        select(_game.c.id.label("game"), _invitation.c.address, _player.c.name)
        .add_columns(_invitation.c.made_at.label("at"))
        .join(_invitation, _invitation.c.game_key == _game.c.key)
        .outerjoin(_player, _player.c.id == _invitation.c.player_id)
    )
    return exported_rows(
        query.where(_invitation.c.inviter_id == player_id).order_by(_invitation.c.key)
    )
