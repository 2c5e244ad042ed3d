"""Queries for the proposals at a table, the votes on them, and those who have to vote."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Select, select, update

from rules.kernel import Json
from service.core.database.database import Moment, columns, db, rows
from service.core.models.games import Game, Tenure
from service.core.models.proposals import Proposal, ProposalRow, Vote
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound
from service.log.table_rows.table import Person, Table

_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]
_proposal, _vote = Proposal.metadata.tables["proposals"], Vote.metadata.tables["votes"]
_PROPOSALS = select(*columns(ProposalRow, _proposal))


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


def exported(player_id: str) -> list[Json]:
    """The player's proposals."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _proposal.c.status)
        .add_columns(_proposal.c.made_at.label("at"))
        .join(_proposal, _proposal.c.game_key == _game.c.key)
    )
    return exported_rows(query.where(_proposal.c.player_id == player_id).order_by(_proposal.c.key))


def exported_votes(player_id: str) -> list[Json]:
    """The player's votes on the proposals of others."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _vote.c.agrees, _vote.c.at)
        .join(_proposal, _proposal.c.game_key == _game.c.key)
        .join(_vote, _vote.c.proposal_key == _proposal.c.key)
        .join(_tenure, _tenure.c.id == _vote.c.tenure_id)
    )
    return exported_rows(query.where(_tenure.c.player_id == player_id).order_by(_proposal.c.key))


def erase(player_id: str) -> None:
    """Let the player's proposals lose their player. The caller owns the commit."""
    mine = update(Proposal).where(Proposal.player_id == player_id)
    db.session.execute(mine.values(player_id=None))
