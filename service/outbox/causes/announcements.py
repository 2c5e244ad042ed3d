"""Emails about events that are not in a game's log, queued in the commit of their cause.

They are about proposals and their outcomes, planned vacations and, before the start, about tables that expire, people
who are removed and invitations that are declined. Only players who can be reached are told: at a verified address, or
in a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import ColumnElement, select

from service.core.database.database import db
from service.core.models.games import Game, Tenure
from service.core.models.people import Account, Vacation
from service.core.models.proposals import Proposal
from service.core.models.receivers import is_told
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log.table_rows.table import Table
from service.outbox import queue
from service.outbox.causes.after_move import due_times, is_cause
from service.outbox.queue import SeatedPlayer

VACATION_NOTICE = DAY
"""The time (ms) before a vacation at which its tables are told of it."""


_absent, _present = Tenure.__table__.alias(), Tenure.__table__.alias()
_ABSENCES = (
    select(_present.c.id, _present.c.player_id, _present.c.game_key)
    .add_columns(_absent.c.id, Vacation.id, Vacation.begins_at)
    .join(_absent, _absent.c.game_key == _present.c.game_key)
    .join(Vacation, Vacation.player_id == _absent.c.player_id)
    .outerjoin(Account, Account.player_id == _present.c.player_id)
    .join(Game, Game.key == _present.c.game_key)
    .where(_absent.c.ended_at.is_(None), _present.c.ended_at.is_(None), Game.status != "over")
    .where(_present.c.player_id != _absent.c.player_id)
    .where(is_told(Account.__table__.c.address, _present.c.player_id))
    .order_by(_present.c.game_key, _present.c.id)
)
"""The query for the people to be told of a vacation: everybody else at the tables of the absent player, by tenure."""


def proposal_opened(
    runtime: Runtime, table: Table, proposal_key: int, voters: Iterable[SeatedPlayer]
) -> None:
    """Ask these people to vote on a proposal, each of them once."""
    people = {each.player_id: each for each in voters if each.player_id}
    key, due = table.game.key, due_times(runtime, people.keys()).items()
    mails = [
        queue.row_at_table("proposal", key, people[player_id], proposal_key, run_at=run_at)
        for player_id, run_at in due
    ]
    queue.put_rows(runtime, mails)


def proposal_ended(
    runtime: Runtime, table: Table, proposal: Proposal, informed: Iterable[str] = ()
) -> None:
    """Tell the table and the proposer how a proposal ended, except for the tenures that are `informed` already.

    The person who caused the end, for example by the last vote, is informed by the response to their request.
    """
    skipped = set(informed)
    tenures: dict[str, str | None] = {
        each.player_id: each.tenure
        for each in table.people
        if each.player_id and each.tenure not in skipped
    }
    if proposal.kind == "substitute" and proposal.player_id:  # the proposer has no seat yet
        tenures.setdefault(proposal.player_id, None)
    told = {each for each in tenures if not is_cause(runtime, each)}
    for player_id, run_at in due_times(runtime, told).items():
        person, news = (player_id, tenures[player_id]), {"proposal": proposal.key}
        key = f"told {tenures[player_id] or player_id} proposal {proposal.key}"
        queue.put_news(runtime, key, table.game.key, person, news, run_at=run_at)


def vacation_planned(runtime: Runtime, vacation_id: str) -> None:
    """Tell everybody at a table with this player of the vacation, a day before it begins."""
    _announce_absences(runtime, Vacation.id == vacation_id)


def vacations_at_table(runtime: Runtime, table: Table) -> None:
    """Tell people at a new table, or with a new person at it, of each other's vacations."""
    if any(each.away_until is not None for each in table.people):
        _announce_absences(runtime, _absent.c.game_key == table.game.key)


def table_expired(runtime: Runtime, table: Table) -> None:
    """Tell the people at a table that it is closed, because it has gone too long without starting."""
    people = {each.player_id for each in table.people if each.player_id}
    _put_before_start(runtime, table, "expired", due_times(runtime, people), table.game.id)


def person_removed(runtime: Runtime, table: Table, person: SeatedPlayer) -> None:
    """Tell a person that the host has removed them."""
    if person.player_id:
        due = due_times(runtime, {person.player_id})
        _put_before_start(runtime, table, "removed", due, person.tenure)


def invitation_declined(
    runtime: Runtime, table: Table, invitation_id: str, inviter_id: str
) -> None:
    """Tell the host and the inviter that an invitation was declined."""
    host_id = table.host.player_id if table.host else None
    seated = {each for each in (inviter_id, host_id) if each and table.person(each)}
    _put_before_start(runtime, table, "declined", due_times(runtime, seated), invitation_id)


def live_table_waits(runtime: Runtime, table: Table, wishes: Mapping[str, int]) -> None:
    """Tell people who want to play live that others wait at this table, at once and only once for each wish.

    `wishes` has the times (ms UTC) until which they want this, by player.
    """
    for player_id, until in wishes.items():
        about = f"{table.game.id} {until}"
        _put_before_start(runtime, table, "live", {player_id: runtime.now()}, about)


def _put_before_start(
    runtime: Runtime, table: Table, what: str, due: Mapping[str, int], about: str
) -> None:
    """Queue emails whose rows describe the table, which may be deleted before they are rendered.

    `due` are the times at which the emails are due (ms UTC), by player.
    """
    game = table.game
    played = {"ruleset": game.ruleset, "version": game.version}
    data = {"what": what, "game": game.id, **played, "about": about}
    for player_id, run_at in due.items():
        queue.put(
            runtime,
            "before-start",
            f"{what} {about} {player_id}",
            run_at=run_at,
            player_id=player_id,
            game_key=game.key,
            data=data,
        )


def _announce_absences(runtime: Runtime, condition: ColumnElement[bool]) -> None:
    """Tell each recipient at each table once of each vacation for which the condition holds."""
    now = runtime.now()
    found = db.session.execute(_ABSENCES.where(Vacation.ends_at > now, condition))
    for tenure_id, player_id, game_key, absent, vacation, begins_at in found.all():
        queue.put(
            runtime,
            "told",
            f"told {tenure_id} away {absent} {vacation}",
            run_at=max(now, begins_at - VACATION_NOTICE),
            player_id=player_id,
            game_key=game_key,
            tenure_id=tenure_id,
            data={"news": [{"vacation": vacation, "tenure": absent}]},
        )
