"""The changes of each player, numbered in the order in which they were committed.

A change is written in the commit of its cause, but only for players who listen: the ones whose programs have asked for
changes in the last weeks. A change says what happened and where to look. The operation at that address decides what the
player may see, so nothing secret is kept here.

The numbers of a player's changes rise by one. The writer locks the player's row until the commit. It locks the rows of
several players in the order of their ids, as the last thing before the commit. So writers never deadlock, and no number
appears after a greater one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

from sqlalchemy import ColumnElement, delete, select, update

from rules.kernel import Json
from service.core.database import database
from service.core.database.database import db, rows, write_rows
from service.core.models.following import ChangeRow, Listener, LoggedChange
from service.core.models.games import Game, Tenure, is_listed
from service.core.models.receivers import Receiver
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY

KEPT = 30 * DAY
"""The time (ms) for which a change is kept. A player who has not asked for changes for this long no longer listens."""
NOTED_EVERY = DAY
"""The interval (ms) at which it is noted that a listening player still listens."""

OF_TABLE = (
    "turn started ended handover pause resume extend void version proposal table removed".split()
)
KINDS = dict.fromkeys(OF_TABLE, "/api/games/{game}") | {
    "message": "/api/games/{game}/talk",
    "invitation": "/api/me/invitations",
}
"""Every kind of change, with the address that shows what has changed."""

_receiver = Receiver.metadata.tables["receivers"]
_listener = Listener.metadata.tables["listeners"]
_change = LoggedChange.metadata.tables["changes"]


class Listening(NamedTuple):
    """The number of a player's latest change, and the first number from which on all changes are kept."""

    player_id: str
    last: int
    first: int
    read_at: int | None


_LISTENERS = select(*database.columns(Listening, _listener))
_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]
_AT_TABLES = (
    select(_tenure.c.player_id, _game.c.id, _game.c.revision)
    .join(_game, _game.c.key == _tenure.c.game_key)
    .join(_listener, _listener.c.player_id == _tenure.c.player_id)
    .where(_tenure.c.ended_at.is_(None), _listener.c.read_at.is_not(None), is_listed())
    .order_by(_game.c.key)
)


class Follower(Protocol):
    """A person at a table who may have programs that are told of changes."""

    @property
    def player_id(self) -> str | None:
        """The id of the player; None for a house player."""

    @property
    def listens(self) -> bool:
        """Whether changes are kept for this person."""


class _Noted:
    """The changes that a transaction has noted."""

    def __init__(self) -> None:
        self._of: dict[str, dict[tuple[str, str], Json]] = {}

    def add(self, player_id: str, change: Json) -> None:
        """Note a change. Of several changes of one kind in a game, only the last is kept."""
        mine = self._of.setdefault(player_id, {})
        mine.pop((change["kind"], change["game"]), None)
        mine[change["kind"], change["game"]] = change

    def write(self) -> None:
        """Number and write the changes that were noted."""
        who = _listener.c.player_id.in_(sorted(self._of)) & _listener.c.read_at.is_not(None)
        locked = _LISTENERS.where(who).order_by(_listener.c.player_id).with_for_update()
        written, numbered = list[Json](), list[Json]()
        for each in rows(Listening, locked):
            found = self._of[each.player_id].values()
            for number, change in enumerate(found, each.last + 1):
                written.append({"player_id": each.player_id, "number": number, **change})
            numbered.append({**each._asdict(), "last": each.last + len(found)})
        write_rows(
            _listener, numbered, "ON CONFLICT (player_id) DO UPDATE SET last = excluded.last"
        )
        write_rows(_change, written)


class AtGame(NamedTuple):
    """The key of a changed game, its new revision, and the time of the change (ms UTC)."""

    game: str
    revision: int
    at: int


def note(kind: str, where: AtGame, people: Iterable[Follower]) -> None:
    """Note, in the caller's transaction, that `where` has changed, for each of these people who listens."""
    note_for(kind, where, [each.player_id for each in people if each.listens])


def note_for(kind: str, where: AtGame, player_ids: Iterable[str | None]) -> None:
    """Do the same as `note` for players of whom it is not known whether they listen."""
    for player_id in player_ids:
        if player_id is not None:
            database.at_end(_Noted).add(player_id, {"kind": kind, **where._asdict()})


def note_tables(now: int, *where: ColumnElement[bool]) -> None:
    """Note, for everybody at these tables who listens, that the games are now shown differently."""
    for player_id, game, revision in db.session.execute(_AT_TABLES.where(*where)):
        note_for("table", AtGame(game, revision, now), [player_id])


def listening(player_id: str) -> Listening | None:
    """The numbers of this player's latest and first kept changes; None if no changes are kept."""
    found = database.one_row(Listening, _LISTENERS.where(_listener.c.player_id == player_id))
    return found if found and found.read_at is not None else None


def listen(runtime: Runtime, player_id: str) -> None:
    """Keep the player's changes from now on, or continue to keep them. The caller owns the commit."""
    now = runtime.now()
    new = {"player_id": player_id, "last": 0, "first": 0, "read_at": now}
    write_rows(_listener, [new], "ON CONFLICT (player_id) DO NOTHING")
    mine = update(_listener).where(_listener.c.player_id == player_id)
    missed = _listener.c.last + 1  # a program that asks from an earlier number has missed changes
    db.session.execute(mine.where(_listener.c.read_at.is_(None)).values(first=missed, last=missed))
    db.session.execute(mine.values(read_at=now))


def follow(runtime: Runtime, player_id: str) -> None:
    """Start to keep the player's changes, or continue. The caller owns the commit, and has locked nothing before."""
    touch_tables(player_id)
    listen(runtime, player_id)


def spread_from_now(player_id: str) -> None:
    """Send this player's webhooks only the changes from now on. The caller owns the commit, and has locked the row."""
    mine = update(_listener).where(_listener.c.player_id == player_id)
    db.session.execute(mine.where(_listener.c.spread.is_(None)).values(spread=_listener.c.last))


def touch_tables(player_id: str) -> None:
    """If the player is about to begin to listen, raise the revisions of their games that are not over.

    A move that was computed from what was read before the player listened is then computed again, and the player is
    told of the move. The caller owns the commit.
    """
    if listening(player_id) is not None:
        return
    mine = select(_tenure.c.game_key).where(_tenure.c.player_id == player_id)
    mine = mine.where(_tenure.c.ended_at.is_(None))
    running = _game.c.key.in_(mine) & (_game.c.status != "over")
    games = select(_game.c.key).where(running).order_by(_game.c.key)
    keys = db.session.scalars(games.with_for_update()).all()
    raised = update(_game).where(_game.c.key.in_(keys))
    db.session.execute(raised.values(revision=_game.c.revision + 1))


def page(player_id: str, after: int, limit: int) -> list[ChangeRow]:
    """At most `limit` changes of a player after number `after`, in order."""
    mine = (_change.c.player_id == player_id) & (_change.c.number > after)
    query = select(*database.columns(ChangeRow, _change)).where(mine).order_by(_change.c.number)
    return rows(ChangeRow, query.limit(limit))


def address(change: ChangeRow) -> str:
    """The address that shows what has changed."""
    return KINDS[change.kind].format(game=change.game)


def erase(player_id: str) -> None:
    """Delete everything kept for a player. The caller owns the commit."""
    for table in (_change, _listener):
        db.session.execute(delete(table).where(table.c.player_id == player_id))


def purge(now: int, most: int) -> int:
    """Delete changes whose time is over, and players who no longer listen, `most` rows at most.

    Returns the number of deleted rows. A player with an enabled receiver continues to listen.
    """
    told = select(_receiver.c.player_id).where(_receiver.c.off_at.is_(None))
    is_silent = (_listener.c.read_at < now - KEPT) & _listener.c.player_id.not_in(told)
    with database.transaction():
        ids = select(_listener.c.player_id).where(is_silent).limit(most)
        players = db.session.scalars(ids).all()
        silent = _locked(players)
        db.session.execute(update(_listener).where(silent, is_silent).values(read_at=None))
    gone = select(_listener.c.player_id).where(_listener.c.read_at.is_(None))
    is_old, is_lost = _change.c.at < now - KEPT, _change.c.player_id.in_(gone)
    query = select(_change.c.player_id, _change.c.number).limit(most)
    with database.transaction():  # by two queries, each of which has an index
        found = [*db.session.execute(query.where(is_old).order_by(_change.c.at))]
        found += db.session.execute(query.where(is_lost))
        last = dict[str, int]()
        for player_id, number in found[:most]:
            last[player_id] = max(number, last.get(player_id, 0))
        _locked(last)
        for player_id, number in last.items():
            mine = update(_listener).where(_listener.c.player_id == player_id)
            db.session.execute(mine.where(_listener.c.first < number).values(first=number))
            until = (_change.c.player_id == player_id) & (_change.c.number <= number)
            db.session.execute(delete(_change).where(until, is_old | is_lost))
    return len(players) + len(found[:most])


def _locked(player_ids: Collection[str]) -> ColumnElement[bool]:
    """The condition that selects these listeners.

    Its query locks their rows in the order of their ids, as writers do.
    """
    these = _listener.c.player_id.in_(player_ids)
    db.session.execute(_LISTENERS.where(these).order_by(_listener.c.player_id).with_for_update())
    return these


def exported(player_id: str) -> list[Json]:
    """The changes that the player's programs were told of, or are still to be told of."""
    query = select(_change.c.game, _change.c.kind, _change.c.at)
    mine = query.where(_change.c.player_id == player_id).order_by(_change.c.number)
    return exported_rows(mine)
