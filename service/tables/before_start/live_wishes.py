"""Wishes to play live: somebody is told, once, when two others wait at a table of a game that is played live.

A wish lasts for some hours, and ends with the mail that it causes, or with the game that begins, so nobody is mailed
often or late. No more people are told than can find a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from sqlalchemy import delete, insert, select

import rules
from rules.kernel import Json
from service.core.database.database import db, delete_some, transaction
from service.core.models.games import LiveWish
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, Problem
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import HOUR
from service.log.table_rows.table import Table
from service.outbox import recipients
from service.outbox.causes import announcements

Admit = Callable[[Table, str], None]
"""A function that raises a Problem if this player may not sit down at this table."""

LASTS = 3 * HOUR
"""How long (ms) a wish lasts if nobody is told because of it."""
WAITING = 2
"""The number of people waiting at a table when others are told."""
MOST_TOLD = 10
"""The most people who are told at a time; those who have waited longest come first. There are few places, and two
people who wait are enough to cause an email.
"""
MOST_ASKED = 100
"""The most wishes that are read to choose the people who are told."""

_wish = LiveWish.metadata.tables["live_wishes"]


def make(runtime: Runtime, player_id: str, slug: str) -> int:
    """Wish to play this game live, or renew the wish; returns the time at which it ends (ms UTC).

    Raises NotFound if there is no such game, or it is not played live.
    """
    if not is_played_live(slug):
        raise NotFound
    until = runtime.now() + LASTS
    with transaction():
        withdraw_in(player_id, slug)
        row = {"player_id": player_id, "ruleset": slug, "until": until}
        db.session.execute(insert(_wish).values(row))
    return until


def withdraw(player_id: str, slug: str) -> None:
    """End a wish. Raises NotFound if there is no such game, or it is not played live."""
    if not is_played_live(slug):
        raise NotFound
    with transaction():
        withdraw_in(player_id, slug)


def withdraw_in(player_id: str, slug: str) -> None:
    """End a wish in the caller's transaction, without checking that there is such a game."""
    mine = (_wish.c.player_id == player_id) & (_wish.c.ruleset == slug)
    db.session.execute(delete(_wish).where(mine))


def of_player(player_id: str, now: int) -> list[tuple[str, int]]:
    """The slugs of the games that this player wishes to play live, each with the time at which the wish ends
    (ms UTC).
    """
    query = select(_wish.c.ruleset, _wish.c.until)
    mine = query.where(_wish.c.player_id == player_id, _wish.c.until > now)
    return [(slug, until) for slug, until in db.session.execute(mine.order_by(_wish.c.ruleset))]


def can_be_told(player_id: str) -> bool:
    """Whether this player can be told at all: by email at a verified address, or in a browser."""
    return player_id in recipients.last_seen([player_id])


def tell(runtime: Runtime, table: Table, admit: Admit) -> None:
    """Tell people who wish to play this game live, if enough people wait at this table. The caller owns the commit.

    People who sit there, and people whom `admit` refuses, are not told. The wish of a person who cannot be told stays.
    """
    people = _people_of(table)
    if table.game.private or table.full or len(people) < WAITING:
        return
    query = select(_wish.c.player_id, _wish.c.until).where(
        _wish.c.ruleset == table.game.ruleset,
        _wish.c.until > runtime.now(),
        _wish.c.player_id.not_in(people),
    )
    wishes = [
        (each.player_id, each.until)
        for each in db.session.execute(query.order_by(_wish.c.until).limit(MOST_ASKED))
    ]
    reachable = recipients.last_seen([player_id for player_id, _ in wishes])
    may_sit = (each for each in wishes if each[0] in reachable and _may_sit(table, each[0], admit))
    told = dict(islice(may_sit, MOST_TOLD))
    announcements.live_table_waits(runtime, table, told)
    _end(told, table)


def end_of_table(table: Table) -> None:
    """End the wishes of everybody at a table whose game begins. The caller owns the commit."""
    _end(_people_of(table), table)


def _people_of(table: Table) -> list[str]:
    return [each.player_id for each in table.people if each.player_id]


def _end(player_ids: Iterable[str], table: Table) -> None:
    theirs = _wish.c.player_id.in_(list(player_ids))
    db.session.execute(delete(_wish).where(theirs, _wish.c.ruleset == table.game.ruleset))


def _may_sit(table: Table, player_id: str, admit: Admit) -> bool:
    try:
        admit(table, player_id)
    except Problem:
        return False
    return True


def is_played_live(slug: str) -> bool:
    """Whether there is such a game with an option for playing it live."""
    if not rules.versions(slug):
        return False
    ruleset = rules.load(slug)
    usual = {name: option.default for name, option in ruleset.options(ruleset.players[0]).items()}
    return any(
        ruleset.live(ruleset.players[0], {**usual, name: value})
        for name, option in ruleset.options(ruleset.players[0]).items()
        for value in option.values
    )


def exported(player_id: str) -> list[Json]:
    """The player's wishes, for the export."""
    query = select(_wish.c.ruleset, _wish.c.until.label("ends_at"))
    query = query.where(_wish.c.player_id == player_id)
    return exported_rows(query.order_by(_wish.c.ruleset))


def erase(player_id: str) -> None:
    """Delete the player's wishes. The caller owns the commit."""
    db.session.execute(delete(_wish).where(_wish.c.player_id == player_id))


def purge(now: int, most: int) -> int:
    """Delete at most `most` wishes that have ended; returns their number."""
    return delete_some(_wish, most, _wish.c.until <= now)
