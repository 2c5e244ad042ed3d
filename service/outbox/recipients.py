"""Players who get mail: address, language and time zone, looked up when a mail is queued or sent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import func, select

from service.core.database import db, one_row
from service.models.people import Account, Credential, Player

_player, _account, _credential = Player.__table__, Account.__table__, Credential.__table__
_RECIPIENT = (
    select(_player.c.id, _player.c.name, _account.c.address, _player.c.language)
    .add_columns(_player.c.time_zone, _player.c.quiet, _player.c.digest, _player.c.digested)
    .join(_account, _account.c.player_id == _player.c.id)
    .where(_account.c.address.is_not(None))
)


class Recipient(NamedTuple):
    """A player with a verified address."""

    player_id: str
    name: str
    address: str
    language: str
    time_zone: str | None
    quiet: str | None = None
    """Their quiet hours (service/clocks/quiet_hours.py)."""
    digest: str | None = None
    """At which time of their day they want a digest: `08:00`; None: they want none …"""
    digested: str | None = None
    """… and the day of the last one: `2026-11-24` (service/outbox/digests.py)."""

    @property
    def zone(self) -> tzinfo:
        """The recipient's time zone; UTC if it is unknown."""
        return ZoneInfo(self.time_zone) if self.time_zone else UTC


def find(player_id: str | None) -> Recipient | None:
    """The player as a recipient; None without a verified address."""
    return one_row(Recipient, _RECIPIENT.where(_player.c.id == player_id))


def last_seen(player_ids: Iterable[str]) -> dict[str, int]:
    """When the players with a verified address last used the service (ms UTC; 0: never). Others are left out."""
    present = (_credential.c.player_id == _account.c.player_id) & _credential.c.ended_at.is_(None)
    query = (
        select(_account.c.player_id, func.max(_credential.c.seen_at))
        .outerjoin(_credential, present)
        .where(_account.c.player_id.in_(list(player_ids)), _account.c.address.is_not(None))
        .group_by(_account.c.player_id)
    )
    return {player: seen or 0 for player, seen in db.session.execute(query)}
