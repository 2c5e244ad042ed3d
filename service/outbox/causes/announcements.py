"""Mails about what the log of a game does not hold: queued in the commit of their cause.

Proposals and their outcome, planned vacations; before the start: a table expires, somebody is removed, an invitation
is declined. Only players who can be reached are told: at a verified address, or in a browser.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from service.core.database.database import rows
from service.core.models.games import Game, Tenure
from service.core.models.people import Account, Vacation
from service.core.models.proposals import ProposalRow
from service.core.models.receivers import is_told
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log.table_rows.table import Table
from service.outbox import queue
from service.outbox.causes.after_move import due_times
from service.outbox.queue import SeatedPlayer

VACATION_NOTICE = DAY
"""Ms before a vacation at which it is announced to the tables."""


class _Absence(NamedTuple):
    """A vacation of `absent`, a tenure, and somebody else at that table who can be told."""

    tenure_id: str
    player_id: str
    game_key: int
    absent: str
    vacation: str
    begins_at: int


_absent, _present = Tenure.__table__.alias(), Tenure.__table__.alias()
_ABSENCES = (
    select(_present.c.id, _present.c.player_id, _present.c.game_key, _absent.c.id.label("absent"))
    .add_columns(Vacation.id.label("vacation"), Vacation.begins_at)
    .join(_absent, _absent.c.game_key == _present.c.game_key)
    .join(Vacation, Vacation.player_id == _absent.c.player_id)
    .outerjoin(Account, Account.player_id == _present.c.player_id)
    .join(Game, Game.key == _present.c.game_key)
    .where(_absent.c.ended_at.is_(None), _present.c.ended_at.is_(None), Game.status != "over")
    .where(_present.c.player_id != _absent.c.player_id)
    .where(is_told(Account.__table__.c.address, _present.c.player_id))
    .order_by(_present.c.game_key, _present.c.id)
)


def proposal_opened(
    runtime: Runtime, table: Table, proposal_key: int, voters: Iterable[SeatedPlayer]
) -> None:
    """Ask these people to vote on a proposal, each of them once."""
    people = {each.player_id: each for each in voters if each.player_id}
    for player_id, run_at in due_times(runtime, people.keys()).items():
        queue.put_at_table(
            runtime, "proposal", table.game.key, people[player_id], proposal_key, run_at=run_at
        )


def proposal_ended(
    runtime: Runtime, table: Table, proposal: ProposalRow, informed: Iterable[str] = ()
) -> None:
    """Tell the table and the proposer how a proposal ended, except the tenures that are informed already."""
    skipped = set(informed)
    tenures: dict[str, str | None] = {
        each.player_id: each.tenure
        for each in table.people
        if each.player_id and each.tenure not in skipped
    }
    if proposal.kind == "substitute" and proposal.player_id:  # who proposes it has no seat yet
        tenures.setdefault(proposal.player_id, None)
    for player_id, run_at in due_times(runtime, tenures.keys()).items():
        tenure_id = tenures[player_id]
        queue.put_news(
            runtime,
            f"told {tenure_id or player_id} proposal {proposal.key}",
            table.game.key,
            (player_id, tenure_id),
            {"proposal": proposal.key},
            run_at=run_at,
        )


def vacation_planned(runtime: Runtime, vacation_id: str) -> None:
    """Tell everybody at a table with this player of the vacation, a day before it begins."""
    _announce_absences(runtime, Vacation.id == vacation_id)


def vacations_at_table(runtime: Runtime, table: Table) -> None:
    """Tell people at a new table, or with a new person at it, of each other's vacations."""
    if any(each.away_until is not None for each in table.people):
        _announce_absences(runtime, _absent.c.game_key == table.game.key)


def table_expired(runtime: Runtime, table: Table) -> None:
    """Tell the people at a table that it is closed because it has not started for too long."""
    people = [each.player_id for each in table.people if each.player_id]
    _put_before_start(runtime, table, "expired", people, table.game.id)


def person_removed(runtime: Runtime, table: Table, person: SeatedPlayer) -> None:
    """Tell somebody that the host has removed them."""
    if person.player_id:
        _put_before_start(runtime, table, "removed", [person.player_id], person.tenure)


def invitation_declined(
    runtime: Runtime, table: Table, invitation_id: str, inviter_id: str
) -> None:
    """Tell the host and the inviter that an invitation was declined."""
    host_id = table.host.player_id if table.host else None
    people = {each for each in (inviter_id, host_id) if each}
    seated = [each for each in sorted(people) if table.person(each)]
    _put_before_start(runtime, table, "declined", seated, invitation_id)


def _put_before_start(
    runtime: Runtime, table: Table, what: str, player_ids: list[str], about: str
) -> None:
    """The table may be deleted before the mail is rendered, so the row describes it."""
    game = table.game
    played = {"ruleset": game.ruleset, "version": game.version}
    data = {"what": what, "game": game.id, **played, "about": about}
    for player_id, run_at in due_times(runtime, set(player_ids)).items():
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
    """Each recipient at each table is told of each vacation once."""
    now = runtime.now()
    for row in rows(_Absence, _ABSENCES.where(Vacation.ends_at > now, condition)):
        queue.put(
            runtime,
            "told",
            f"told {row.tenure_id} away {row.absent} {row.vacation}",
            run_at=max(now, row.begins_at - VACATION_NOTICE),
            player_id=row.player_id,
            game_key=row.game_key,
            tenure_id=row.tenure_id,
            data={"news": [{"vacation": row.vacation, "tenure": row.absent}]},
        )
