"""Deleting games with everything that belongs to them: lessons, and old tries at daily deals."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from service.core.database.database import db
from service.core.models.games import Event, Game, Seat, Tenure, TimeEntry
from service.core.models.proposals import Proposal, Vote


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
