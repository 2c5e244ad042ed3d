"""Deleting games with everything that belongs to them: lessons, old tries at daily deals, tables without a game."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from service.core.database.database import db
from service.core.models.games import Event, Game, Seat, Tenure, TimeEntry
from service.core.models.proposals import Proposal, Vote
from service.log.table_rows import invitation_queries


def delete_games(game_keys: Sequence[int]) -> None:
    """Delete these games. The caller has locked them, and owns the commit."""
    if not game_keys:
        return
    these = Game.key.in_(game_keys)
    db.session.execute(update(Game).where(these).values(erasing=True))
    proposed = select(Proposal.key).where(Proposal.game_key.in_(game_keys))
    db.session.execute(delete(Vote).where(Vote.proposal_key.in_(proposed)))
    for table in (Proposal, Event, TimeEntry, Seat, Tenure):
        db.session.execute(delete(table).where(table.game_key.in_(game_keys)))
    db.session.execute(delete(Game).where(these))


def delete_unstarted(now: int, game_key: int) -> None:
    """Delete a table whose game never started. The caller owns the lock and the commit."""
    invitation_queries.delete_of_game(now, game_key)
    db.session.execute(delete(Tenure).where(Tenure.game_key == game_key))
    db.session.execute(delete(Game).where(Game.key == game_key))
