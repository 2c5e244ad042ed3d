"""Closing a running game as the operator: no command does that, but logs may contain such an end."""

from __future__ import annotations

from service.core.database.database import transaction
from service.tables.play import proposals, service_events
from service.tables.services import Services


def close_by_operator(services: Services, game_id: str) -> None:
    """Close a running game."""
    with transaction():
        service_events.close(services, proposals.running(game_id), "removed")
