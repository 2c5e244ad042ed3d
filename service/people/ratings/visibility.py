"""Who may see whose ratings and page: their owner, and others as the owner wishes."""

from __future__ import annotations

from service.core.models.people import SeenBy
from service.log.table_rows.tenures import have_played
from service.people import players
from service.people.circles import blocks


def may_see(owner_id: str, viewer_id: str | None) -> bool:
    """Whether a viewer, or a visitor (None), may see the ratings of a player."""
    return _may_see(owner_id, viewer_id, players.get(owner_id).ratings_for)


def may_see_page(owner_id: str, viewer_id: str | None) -> bool:
    """Whether a viewer, or a visitor (None), may see the page of a player."""
    return _may_see(owner_id, viewer_id, players.get(owner_id).page_for)


def _may_see(owner_id: str, viewer_id: str | None, wish: SeenBy | None) -> bool:
    """Whether `wish` allows this viewer, whom the owner may have blocked, to see something of the owner."""
    if owner_id == viewer_id:
        return True
    if wish == "nobody" or blocks.has_blocked(owner_id, viewer_id or ""):
        return False
    return wish == "everyone" or (  # by default, those who have played with the owner
        viewer_id is not None and have_played(owner_id, viewer_id)
    )
