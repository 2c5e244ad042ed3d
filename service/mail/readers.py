"""Who reads a mail: address, language and time zone, as they are when it is written or sent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, get_timezone_name
from sqlalchemy import func, select

from service.database import db
from service.models import Credential, Player
from service.models_people import Account
from service.words import Phrases

_player, _account, _credential = Player.__table__, Account.__table__, Credential.__table__


class Reader(NamedTuple):
    """A player with a verified address."""

    player_id: str
    name: str
    address: str
    language: str
    time_zone: str | None

    @property
    def zone(self) -> tzinfo:
        """The time zone that the reader lives in; UTC if it is not known."""
        return ZoneInfo(self.time_zone) if self.time_zone else UTC


def reachable(player_id: str) -> Reader | None:
    """The player as a reader; None without a verified address."""
    columns = (_player.c.id, _player.c.name, _account.c.address, _player.c.language)
    query = (
        select(*columns, _player.c.time_zone)
        .join(_account, _account.c.player_id == _player.c.id)
        .where(_player.c.id == player_id, _account.c.address.is_not(None))
    )
    row = db.session.execute(query).one_or_none()
    return Reader(*row) if row else None


def last_seen(player_ids: Iterable[str]) -> dict[str, int]:
    """Those of the players who can be written to, and when they were here last (ms UTC; 0: never)."""
    present = (_credential.c.player_id == _account.c.player_id) & _credential.c.ended_at.is_(None)
    query = (
        select(_account.c.player_id, func.max(_credential.c.seen_at))
        .outerjoin(_credential, present)
        .where(_account.c.player_id.in_(list(player_ids)), _account.c.address.is_not(None))
        .group_by(_account.c.player_id)
    )
    return {player: seen or 0 for player, seen in db.session.execute(query)}


def moment(at: int, zone: tzinfo, words: Phrases) -> str:
    """A time (ms UTC) as an absolute one where the reader lives, with the name of the zone."""
    then: Any = datetime.fromtimestamp(at / 1000, zone)
    pattern = words.say("letter.time")
    told = format_datetime(then, pattern, tzinfo=zone, locale=words.language)
    name = get_timezone_name(then, locale=words.language)
    return words.say("letter.time.zone", {"time": told, "zone": name})
