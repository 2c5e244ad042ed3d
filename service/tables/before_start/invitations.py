"""Invitations: mailed to an address, or sent to a player for whom a place is kept.

The inviter gets the same response whether or not an address is registered: the worker looks that up later.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import ColumnElement, delete, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, insert_unless_there, rows, transaction
from service.core.models.games import Game, Invitation
from service.core.models.mail import Outbox
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import (
    AlreadySeated,
    NoSuchPlayer,
    NotFound,
    NotVerified,
    TableFull,
)
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log import changes
from service.log.table_rows import invitation_queries, removals
from service.log.table_rows.invitation_queries import addressed_to
from service.log.table_rows.table import GameRow, Table, at_table, find, raise_revision
from service.outbox import queue
from service.outbox.addresses.suppressed_addresses import owner_digest
from service.outbox.causes import announcements
from service.people.accounts import accounts
from service.people.circles import blocks, follows
from service.tables.before_start.table_setup import open_for_changes
from service.tables.services import Services

_invitation = Invitation.__table__


class InvitationRow(NamedTuple):
    """An invitation, with the invited player's name, whether a program plays for them, and the game."""

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
    """Whether a program plays for the inviter, according to them."""


_SHOWN = (
    select(
        _invitation,
        Player.name,
        Player.program,
        Game.id.label("game_id"),
        Game.ruleset,
        Game.version,
    )
    .join(Game, Game.key == Invitation.game_key)
    .outerjoin(Player, Player.id == Invitation.player_id)
)


def invite(
    services: Services, game_id: str, player_id: str, wish: Json
) -> tuple[InvitationRow, bool]:
    """Invite the owner of the address `wish["address"]`; returns the invitation and whether it is new.

    An address gets one email from each table. Raises NotFound, NotOpen, NotSeated, NotVerified, TableFull,
    TooManyRequests.
    """
    with transaction():
        table = open_for_changes(game_id)
        table.seated(player_id)
        if accounts.address_of(player_id) is None:
            raise NotVerified
        if table.full:
            raise TableFull
        row, new = ask(services, table, player_id, address=wish["address"].lower())
        data = {"game": game_id, "language": wish["language"], "invitation": row.id}
        digest = owner_digest(services.config.secret_key, wish["address"]).hex()[:32]
        queue.put(
            services,
            "invitation",
            f"invitation {game_id} {digest}",
            player_id=player_id,
            address=wish["address"],
            game_key=table.game.key,
            data=data,
        )
        return row, new


def invited_player(inviter_id: str, wish: Json) -> str:
    """The id of the player with the handle `wish["handle"]`, or of the player whom the inviter follows with
    `wish["follow"]`.

    Raises NotFound.
    """
    if "follow" in wish:
        return follows.person_of(inviter_id, wish["follow"])
    account = accounts.find_by_login(wish["handle"])
    if account is None:
        raise NoSuchPlayer
    return account.player_id


def invite_player(
    services: Services, game_id: str, inviter_id: str, invited_id: str
) -> tuple[InvitationRow, bool]:
    """Invite a player, for whom a place is kept; returns the invitation and whether it is new.

    Only players who follow the inviter are told by email, once for each table. If the player has blocked the inviter,
    neither of them is told anything. Raises NotFound, NotOpen, NotSeated, NotForGuests, AlreadySeated, TableFull.
    """
    with transaction():
        table = open_for_changes(game_id)
        table.seated(inviter_id)
        follows.refuse_guests(inviter_id)
        if table.person(invited_id):
            raise AlreadySeated
        kept = invitation_queries.kept_places([table.game.key], invited_id)
        if kept.get(table.game.key, 0) >= table.free:
            raise TableFull
        table = raise_revision(services, table)  # one free place less for others
        row, new = ask(services, table, inviter_id, player_id=invited_id)
        if new and follows.does_follow(invited_id, inviter_id):
            queue.put(
                services,
                "offer",
                f"offer {game_id} {invited_id}",
                player_id=invited_id,
                game_key=table.game.key,
                data={"game": game_id, "invitation": row.id, "again": False},
            )
        return row, new


def ask(runtime: Runtime, table: Table, inviter_id: str, **whom: str) -> tuple[InvitationRow, bool]:
    """Invite a player (`player_id`) or an `address`; returns the invitation and whether it is new.

    The caller owns the commit.
    """
    row = {
        "id": runtime.new_id("i"),
        "game_key": table.game.key,
        "inviter_id": inviter_id,
        "made_at": runtime.now(),
        **whom,
    }
    insert_unless_there(_invitation, row)
    same = [Invitation.game_key == table.game.key]
    same += [_invitation.c[name] == value for name, value in whom.items()]
    if "address" in whom:
        same.append(Invitation.inviter_id == inviter_id)
    # inviting somebody again after a removal counts as an invitation: it admits a person who was removed after the
    # first one
    since = update(Invitation).where(*same, removals.removed_since(_invitation.c.made_at))
    db.session.execute(since.values(made_at=row["made_at"]))
    if (
        table.host and table.host.player_id == inviter_id
    ):  # only an invitation by the host admits somebody who was removed
        of_others = update(Invitation).where(*same, Invitation.inviter_id != inviter_id)
        db.session.execute(of_others.values(inviter_id=inviter_id, made_at=row["made_at"]))
    (found,) = rows(InvitationRow, _SHOWN.where(*same))
    new = found.id == row["id"]
    if new and found.player_id and not blocks.is_unwanted(table, inviter_id, found.player_id):
        changes.note_for("invitation", at_table(runtime, table), [found.player_id])
    return found, new


def note_invited(runtime: Runtime, invitation_id: str, player_id: str) -> None:
    """Tell the player's programs of an invitation. The caller owns the commit."""
    found = find_one(invitation_id)
    if found is not None:
        changes.note_for("invitation", at_table(runtime, find(found.game_id)), [player_id])


def find_one(invitation_id: str, *, declined: bool = False) -> InvitationRow | None:
    """The invitation to a game that has not started, unless it was withdrawn; None if there is none. With `declined`, a
    declined invitation is found, otherwise an open one.
    """
    is_open = Invitation.declined_at.is_(None)
    this = _SHOWN.where(Invitation.id == invitation_id, ~is_open if declined else is_open)
    return next(iter(rows(InvitationRow, this)), None)


def sent_from(
    table: Table, cursor: str | None, limit: int
) -> tuple[list[InvitationRow], str | None]:
    """A page of a table's invitations, newest first, and the cursor of the next page, if there is one."""
    query = _SHOWN.where(Invitation.game_key == table.game.key, *_older(cursor))
    found = rows(InvitationRow, query.order_by(_NEWEST).limit(limit + 1))
    return found[:limit], str(found[limit - 1].key) if found[limit:] else None


def received_by(
    player_id: str, cursor: str | None, limit: int
) -> tuple[list[tuple[ReceivedInvitation, GameRow]], str | None]:
    """A page of a player's invitations with their games, newest first, and the cursor of the next page, if there is
    one.

    It leaves out invitations to tables whose hosts have removed this player and have not invited them again,
    invitations from people whom this player has blocked, and invitations to tables where such people sit.
    """
    left = removals.open_tables_left(player_id)
    shut = [each for each in left if removals.is_shut_out(find(each), player_id)]
    query = (
        select(
            Invitation.key,
            Invitation.id,
            Invitation.made_at,
            Player.name.label("by"),
            Player.program,
            *columns(GameRow, Game.__table__),
        )
        .join(Invitation, Invitation.game_key == Game.key)
        .join(Player, Player.id == Invitation.inviter_id)
        .where(addressed_to(player_id), Invitation.declined_at.is_(None))
        .where(Game.status == "open", Game.id.not_in(shut), *_older(cursor))
        .where(~blocks.blocked_clause(player_id, _invitation.c.inviter_id))
        .where(~blocks.sits_at(Invitation.game_key, player_id))
        .order_by(_NEWEST)
    )
    found = db.session.execute(query.limit(limit + 1)).all()
    page = [(ReceivedInvitation._make(row[:5]), GameRow._make(row[5:])) for row in found[:limit]]
    return page, str(page[-1][0].key) if found[limit:] else None


_NEWEST = Invitation.key.desc()


def _older(cursor: str | None) -> list[ColumnElement[bool]]:
    """The conditions for rows that come after the cursor; an empty list without a cursor."""
    return [Invitation.key < int(cursor)] if cursor else []


def decline(runtime: Runtime, invitation_id: str, player_id: str | None = None) -> None:
    """Decline an invitation as the invited player, or with the link in an email (`player_id` is None). Raises
    NotFound.
    """
    to = [addressed_to(player_id)] if player_id else []
    with transaction():
        table = _locked(runtime, invitation_id, *to)
        this = Invitation.id == invitation_id
        undeclined = update(Invitation).where(this, Invitation.declined_at.is_(None))
        db.session.execute(undeclined.values(declined_at=runtime.now()))
        inviter_id = db.session.scalars(select(Invitation.inviter_id).where(this)).one()
        announcements.invitation_declined(runtime, table, invitation_id, inviter_id)


def withdraw(runtime: Runtime, game_id: str, player_id: str, invitation_id: str) -> None:
    """Withdraw the caller's own invitation, or anybody's as the host; its mail is deleted unless it has been sent.

    Raises NotFound.
    """
    with transaction():
        table = _locked(runtime, invitation_id, Game.id == game_id)
        mine = select(Invitation.inviter_id == player_id).where(Invitation.id == invitation_id)
        is_host = table.host is not None and table.host.player_id == player_id
        if not is_host and not db.session.scalar(mine):
            raise NotFound
        about = Outbox.data["invitation"].as_string() == invitation_id
        unsent = (Outbox.kind == "invitation") & Outbox.done_at.is_(None) & about
        db.session.execute(delete(Outbox).where(Outbox.game_key == table.game.key, unsent))
        invitation_queries.end(runtime.now(), Invitation.id == invitation_id)


def _locked(runtime: Runtime, invitation_id: str, *where: ColumnElement[bool]) -> Table:
    """The locked table of an invitation. Its revision is raised, because the table shows the invitation.

    Raises NotFound.
    """
    at = select(Game.id).join(Invitation, Invitation.game_key == Game.key)
    game_id = db.session.scalar(at.where(Invitation.id == invitation_id, *where))
    if game_id is None:
        raise NotFound
    table = find(game_id, lock=True)
    return raise_revision(runtime, table)


def decline_link(config: Config, invitation_id: str) -> str:
    """The address of the page on which the recipient of an email can decline this invitation."""
    return f"{config.public_url}/invitations/{_signer(config).dumps(invitation_id)}"


def read_decline_link(config: Config, signed: str) -> str | None:
    """The id of the invitation that a signed link can decline; None if the signature is wrong."""
    try:
        return str(_signer(config).loads(signed))
    except BadData:
        return None


def _signer(config: Config) -> URLSafeSerializer:
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(config.secret_key, salt="decline", signer_kwargs=options)


def exported(player_id: str) -> list[Json]:
    """The player's invitations to games that have not started, for the export; each names the invited player, if there
    is one.
    """
    made_at = Invitation.made_at.label("at")
    query = (
        select(Game.id.label("game"), Invitation.address, Player.name, made_at)
        .join(Invitation, Invitation.game_key == Game.key)
        .outerjoin(Player, Player.id == Invitation.player_id)
        .where(Invitation.inviter_id == player_id)
    )
    return exported_rows(query.order_by(Invitation.key))
