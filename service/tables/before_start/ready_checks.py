"""Ready checks: a game that is played live begins when everybody at its full table has said that they are there.

They have a minute for that (`table_setup.READY_WITHIN`). People who say nothing lose their places; the others keep
theirs and wait for new people. When somebody sits down or leaves, a new check begins. While such a table waits for
people, anyone who is no longer there also loses their place, so that everybody at the table is present.
"""

from __future__ import annotations

from sqlalchemy import Select, func, select, update

from service.core.database.database import Moment, db, transaction
from service.core.models.games import Game, Tenure
from service.core.models.people import Credential
from service.core.runtime.problems import NotPossible
from service.core.runtime.time_and_random import Runtime
from service.log import changes
from service.log.table_rows.table import Person, Table, at_table, find, raise_revision
from service.outbox.causes.after_move import ONLINE_FOR
from service.tables.before_start import live_wishes, table_setup
from service.tables.clocks.seat_clocks import shown_at


def confirm(runtime: Runtime, game_id: str, player_id: str) -> Table:
    """Confirm that this player is there, at a full table; returns the table, whose game begins once everybody has
    confirmed.

    Raises NotFound, NotOpen, NotSeated, NotPossible.
    """
    with transaction():
        table = table_setup.open_for_changes(game_id)
        person, until = table.seated(player_id), table.game.ready_until
        if until is None or until <= shown_at(table, runtime.now()):
            raise NotPossible("no-ready-check")
        this = update(Tenure).where(Tenure.id == person.tenure)
        db.session.execute(this.values(ready=True))
        table = find(game_id)
        if all(each.ready for each in table.people):
            return _begin(runtime, table)
        raise_revision(runtime, table)
        return find(game_id)


def _begin(runtime: Runtime, table: Table) -> Table:
    """Begin the game, and return its table. Its people have no more wishes to play live, and time given back for
    outages does not count as its time.
    """
    live_wishes.end_of_table(table)
    this = update(Game).where(Game.key == table.game.key)
    db.session.execute(this.values(credited_until=None))
    return table_setup.begin(runtime, table)


def over(now: Moment) -> Select[str]:
    """The query for the ids of tables where somebody has not confirmed in time, by the time `now`."""
    waiting = select(Game.id).where(Game.status == "open", Game.ready_until <= now)
    return waiting.order_by(Game.ready_until)


def end(runtime: Runtime, game_id: str) -> bool:
    """Free the places of people who have not confirmed; returns False if the game has begun or the check is not
    over.
    """
    with transaction():
        table = table_setup.still_open(game_id)
        if table is None or table.game.ready_until is None:
            return False
        if table.game.ready_until > shown_at(table, runtime.now()):
            return False
        _free_places(runtime, table, [each for each in table.people if not each.ready])
        return True


def deserted(now: Moment) -> Select[str]:
    """The query for the ids of tables that wait for people and where somebody is no longer there.

    After an outage, everybody has as much time to come back as they may usually be away.
    """
    waiting = select(Game.id).where(Game.status == "open", Game.live, Game.ready_until.is_(None))
    gone = _gone(now).where(Tenure.game_key == Game.key)
    waiting = waiting.where(func.coalesce(Game.credited_until, 0) <= now - ONLINE_FOR)
    return waiting.where(gone.exists()).order_by(Game.key)


def free_deserted(runtime: Runtime, game_id: str) -> bool:
    """Free the places of people who are no longer there; returns False if everybody is there, or if the game
    has begun.
    """
    with transaction():
        table = table_setup.still_open(game_id)
        if table is None or not table.game.live or table.game.ready_until is not None:
            return False
        here, now = Tenure.game_key == table.game.key, runtime.now()
        if now != shown_at(table, now):
            return False
        gone = set(db.session.scalars(_gone(now).where(here)).all())
        _free_places(runtime, table, [each for each in table.people if each.tenure in gone])
        return bool(gone)


def _gone(now: Moment) -> Select[str]:
    """The condition for tenures of people who have not used the service for some minutes."""
    since = now - ONLINE_FOR
    seen = select(Credential.id).where(
        Credential.player_id == Tenure.player_id,
        Credential.ended_at.is_(None),
        Credential.seen_at > since,
    )
    return select(Tenure.id).where(
        Tenure.ended_at.is_(None), Tenure.sat_at <= since, ~seen.exists()
    )


def _free_places(runtime: Runtime, table: Table, people: list[Person]) -> None:
    """Let these people leave; if nobody stays, the table is deleted. The caller owns the lock and the commit."""
    if not people:
        return
    ended = update(Tenure).where(Tenure.id.in_([each.tenure for each in people]))
    db.session.execute(ended.values(ended_at=runtime.now()))
    forget_answers(table)
    raised = raise_revision(runtime, table, ready_until=None)
    changes.note("removed", at_table(runtime, raised), people)
    if len(people) == len(table.people):
        table_setup.delete_table(runtime, table)


def forget_answers(table: Table) -> None:
    """Forget who has confirmed, so that everybody is asked again in the next check. The caller owns the commit."""
    there = update(Tenure).where(Tenure.game_key == table.game.key, Tenure.ready)
    db.session.execute(there.values(ready=False))
