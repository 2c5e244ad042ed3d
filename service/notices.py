"""Letters about what is no event of a game's log: rows of the outbox, written in the commit of their cause.

Something is proposed to the table, and how that ended; a vacation is planned; a table is given up, somebody is removed
from it, or an invitation is declined, before the game has started. Only verified addresses are written to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from rules.kernel import Json
from service import outbox
from service.clock import DAY
from service.database import db
from service.letters import when
from service.models import Game, Tenure
from service.models_people import Account, Vacation
from service.outside import Outside
from service.table import Table

NOTICE = DAY
"""Ms before a vacation at which the tables are told."""


def asked(outside: Outside, table: Table, proposal_key: int, people: Iterable[Any]) -> None:
    """Ask these people at the table for an answer to a proposal, each of them once."""
    persons = {each.player_id: each for each in people}
    for player_id, run_at in when(outside, persons.keys()).items():
        tenure_id = persons[player_id].tenure
        outbox.put(
            outside,
            "proposal",
            f"proposal {tenure_id} {proposal_key}",
            run_at=run_at,
            player_id=player_id,
            game_key=table.game.key,
            tenure_id=tenure_id,
            number=proposal_key,
        )


def decided(outside: Outside, table: Table, proposal: Any, knowing: Iterable[str] = ()) -> None:
    """Tell the table and whoever proposed it how a proposal has ended; people with these tenures know."""
    known = set(knowing)
    tenures = {
        each.player_id: each.tenure
        for each in table.people
        if each.player_id and each.tenure not in known
    }
    if proposal.kind == "substitute" and proposal.player_id:  # by somebody with no seat as yet
        tenures.setdefault(proposal.player_id, None)
    for player_id, run_at in when(outside, tenures.keys()).items():
        _told(
            outside,
            f"told {tenures[player_id] or player_id} proposal {proposal.key}",
            run_at,
            (player_id, table.game.key, tenures[player_id]),
            {"proposal": proposal.key},
        )


def away(outside: Outside, vacation: Any) -> None:
    """Tell everybody who sits at a table with this player of a vacation, a day before it begins."""
    _absences(outside, Vacation.id == vacation.id)


def away_here(outside: Outside, table: Table) -> None:
    """Tell those who have come together of each other's vacations, of which another table may have heard before."""
    if any(each.away_until is not None for each in table.people):
        _absences(outside, _mine.c.game_key == table.game.key)


def expired(outside: Outside, table: Table) -> None:
    """Tell those who sit there that a table that has not started for too long is taken away."""
    people = [each.player_id for each in table.people if each.player_id]
    _before_start(outside, table, "expired", people, table.game.id)


def removed(outside: Outside, table: Table, person: Any) -> None:
    """Tell somebody whom the host has removed."""
    if person.player_id:
        _before_start(outside, table, "removed", [person.player_id], person.tenure)


def declined(outside: Outside, table: Table, invitation_id: str, inviter_id: str) -> None:
    """Tell the host, and whoever sent it, that an invitation is declined."""
    people = {inviter_id, *([table.host.player_id] if table.host else [])}
    sitting = [each for each in sorted(people) if table.person(each)]
    _before_start(outside, table, "declined", sitting, invitation_id)


def _before_start(
    outside: Outside, table: Table, what: str, player_ids: list[str], about: str
) -> None:
    """The table may have gone when the letter is written: the row says which it was."""
    data = {"what": what, "game": table.game.id, "ruleset": table.game.ruleset, "about": about}
    for player_id, run_at in when(outside, set(player_ids)).items():
        outbox.put(
            outside,
            "before-start",
            f"{what} {about} {player_id}",
            run_at=run_at,
            player_id=player_id,
            game_key=table.game.key,
            data=data,
        )


def _told(
    outside: Outside, key: str, run_at: int, whom: tuple[str, int, str | None], data: Json
) -> None:
    player_id, game_key, tenure_id = whom
    outbox.put(
        outside,
        "told",
        key,
        run_at=run_at,
        player_id=player_id,
        game_key=game_key,
        tenure_id=tenure_id,
        data=data,
    )


def _absences(outside: Outside, *where: Any) -> None:
    """Of these vacations, each reader at each table is told once."""
    now = outside.now()
    for row in db.session.execute(_ABSENCES.where(Vacation.ends_at > now, *where)):
        _told(
            outside,
            f"told {row.id} away {row.mine} {row.vacation}",
            max(now, row.begins_at - NOTICE),
            (row.player_id, row.game_key, row.id),
            {"vacation": row.vacation, "tenure": row.mine},
        )


_mine, _theirs = Tenure.__table__.alias(), Tenure.__table__.alias()
_ABSENCES = (
    select(_theirs.c.id, _theirs.c.player_id, _theirs.c.game_key, _mine.c.id.label("mine"))
    .add_columns(Vacation.id.label("vacation"), Vacation.begins_at)
    .join(_mine, _mine.c.game_key == _theirs.c.game_key)
    .join(Vacation, Vacation.player_id == _mine.c.player_id)
    .join(Account, Account.player_id == _theirs.c.player_id)
    .join(Game, Game.key == _theirs.c.game_key)
    .where(_mine.c.ended_at.is_(None), _theirs.c.ended_at.is_(None), Game.status != "over")
    .where(_theirs.c.player_id != _mine.c.player_id, Account.address.is_not(None))
    .order_by(_theirs.c.game_key, _theirs.c.id)
)
"""Vacations of people at tables, each with somebody else who sits there and can be written to."""
