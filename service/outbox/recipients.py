"""Players who can be notified: by email at a verified address, or in a browser.

They are looked up when an email is queued or sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo
from typing import NamedTuple

from sqlalchemy import func, select

from service.core.database.database import db, one_row, rows
from service.core.models.people import Account, Credential, Player
from service.core.models.receivers import is_told
from service.core.runtime.time_zones import time_zone_of

_player, _account, _credential = Player.__table__, Account.__table__, Credential.__table__
_IS_TOLD = is_told(_account.c.address, _player.c.id)
_ADDRESS = func.coalesce(_account.c.address, "").label("address")
_RECIPIENT = (
    select(_player.c.id, _player.c.name, _ADDRESS, _player.c.language)
    .add_columns(_player.c.time_zone, _player.c.quiet, _player.c.digest, _player.c.digested)
    .outerjoin(_account, _account.c.player_id == _player.c.id)
    .where(_IS_TOLD)
)


class Recipient(NamedTuple):
    """A player with a verified address, or with a browser for notifications."""

    player_id: str
    name: str
    address: str
    """The address; empty if only browsers are notified."""
    language: str
    time_zone: str | None
    quiet: str | None = None
    """The player's quiet hours (service/tables/clocks/quiet_hours.py); None if there are none."""
    digest: str | None = None
    """The local time of the player's digest, such as `08:00`; None if they want none."""
    digested: str | None = None
    """The day of the player's last digest: `2026-11-24` (service/outbox/digests.py); None before the first."""

    @property
    def zone(self) -> tzinfo:
        """The recipient's time zone; UTC if it is unknown."""
        return time_zone_of(self.time_zone)


def find(player_id: str | None) -> Recipient | None:
    """The player as a recipient; None if they have neither a verified address nor a browser for notifications."""
    return one_row(Recipient, _RECIPIENT.where(_player.c.id == player_id))


def find_all(player_ids: Iterable[str]) -> list[Recipient]:
    """Those of these players who are recipients, in one query."""
    return rows(Recipient, _RECIPIENT.where(_player.c.id.in_(list(player_ids))))


def last_seen(player_ids: Iterable[str]) -> dict[str, int]:
    """The times (ms UTC) at which players last used the service, by player; 0 if never.

    Players who cannot be notified are left out.
    """
    present = (_credential.c.player_id == _player.c.id) & _credential.c.ended_at.is_(None)
    query = (
        select(_player.c.id, func.max(_credential.c.seen_at))
        .outerjoin(_account, _account.c.player_id == _player.c.id)
        .outerjoin(_credential, present)
        .where(_player.c.id.in_(list(player_ids)), _IS_TOLD)
        .group_by(_player.c.id)
    )
    return {player: seen or 0 for player, seen in db.session.execute(query)}
