"""Queries for the proposals at a table, the votes on them, and those who have to vote."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Select, select

from service.core.database.database import Moment, columns, db, rows
from service.core.models.games import Game
from service.core.models.proposals import Proposal, ProposalRow, Vote
from service.core.runtime.problems import NotFound
from service.log.table_rows.table import Person, Table

_PROPOSALS = select(*columns(ProposalRow, Proposal.metadata.tables["proposals"]))


def find_proposal(table: Table, proposal_id: str) -> ProposalRow:
    """A proposal at this table. Raises NotFound."""
    found = listed(table, Proposal.id == proposal_id)
    if not found:
        raise NotFound
    return found[0]


def open_proposals(table: Table) -> list[ProposalRow]:
    """The open proposals at a table, oldest first."""
    return listed(table, Proposal.status == "open")


def listed(table: Table, *where: ColumnElement[bool], most: int = 50) -> list[ProposalRow]:
    """The latest proposals at a table, at most `most` of them, oldest first."""
    query = _PROPOSALS.where(Proposal.game_key == table.game.key, *where)
    return rows(ProposalRow, query.order_by(Proposal.key.desc()).limit(most))[::-1]


def votes_on(keys: list[int]) -> dict[int, dict[str, bool]]:
    """The votes on each proposal: which tenures agree, and which do not."""
    found: dict[int, dict[str, bool]] = {key: {} for key in keys}
    query = select(Vote.proposal_key, Vote.tenure_id, Vote.agrees).where(
        Vote.proposal_key.in_(keys)
    )
    for key, tenure_id, agrees in db.session.execute(query):
        found[key][tenure_id] = agrees
    return found


def voters(table: Table, proposal: ProposalRow) -> list[Person]:
    """The people who have to agree: all at the table but the proposer."""
    people = (person for person in table.people if person.player_id)
    return [person for person in people if person.player_id != proposal.player_id]


def overdue_games(now: Moment) -> Select[str]:
    """The query for the ids of games with proposals that were not answered in time."""
    query = select(Game.id).join(Proposal, Proposal.game_key == Game.key)
    return query.where(Proposal.status == "open", Proposal.due <= now).distinct()
