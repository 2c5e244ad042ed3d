"""The deals of the next days, which are made before their day begins."""

from __future__ import annotations

from service.core.runtime.units import HOUR
from service.tables.play.daily_deals import deals
from service.tables.services import Services


class DailyPreparation:
    """Makes the deals of the next days, next to any number of other workers."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._checked_at: int | None = None

    def step(self) -> int:
        """Make the missing deals, once an hour at most; returns 0, since nothing is left to do at once."""
        now = self._services.now()
        if self._checked_at is None or not 0 <= now - self._checked_at < HOUR:
            self._checked_at = now
            deals.prepare(self._services)
        return 0
