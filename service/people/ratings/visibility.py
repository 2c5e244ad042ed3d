"""The right to see a person's ratings and page: the owner has it, and other people as the owner wishes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select

from service.core.database.database import db, rows
from service.core.models.people import Account, Player
from service.log.table_rows.tenures import played_together
from service.people.circles import blocks

_player, _account = Player.metadata.tables["players"], Account.metadata.tables["accounts"]


class _Owner(NamedTuple):
    id: str
    handle: str


def may_see(owner_id: str, viewer_id: str | None) -> bool:
    """Whether a viewer, or a visitor (None), may see the ratings of a player."""
    return _may_see(owner_id, viewer_id, _player.c.ratings_for)


def may_see_page(owner_id: str, viewer_id: str | None) -> bool:
    """Whether a viewer, or a visitor (None), may see the page of a player."""
    return _may_see(owner_id, viewer_id, _player.c.page_for)


def handles_of_pages(owner_ids: Collection[str], viewer_id: str | None) -> dict[str, str]:
    """The handles of those players among these whose page a viewer, or a visitor (None), may see, by their ids."""
    query = select(_player.c.id, _account.c.handle).join(
        _account, _account.c.player_id == _player.c.id
    )
    signs_in = or_(_account.c.password.is_not(None), _account.c.address.is_not(None))
    shown = and_(_player.c.id.in_(owner_ids), signs_in, _is_for(_player.c.page_for, viewer_id))
    return {each.id: each.handle for each in rows(_Owner, query.where(shown))}


def _may_see(owner_id: str, viewer_id: str | None, wish: ColumnElement[str]) -> bool:
    seen = select(_player.c.id).where(_player.c.id == owner_id, _is_for(wish, viewer_id))
    return db.session.scalar(seen) is not None


def _is_for(wish: ColumnElement[str], viewer_id: str | None) -> ColumnElement[bool]:
    """The SQL condition that `wish` allows this viewer, whom the owner may have blocked, to see something of the owner.

    By default, people who have played with the owner may see it.
    """
    if viewer_id is None:
        return wish == "everyone"
    company = and_(wish.is_(None), played_together(_player.c.id, viewer_id))
    hides = blocks.blocked_clause(_player.c.id, viewer_id)
    return or_(_player.c.id == viewer_id, and_(~hides, or_(wish == "everyone", company)))
