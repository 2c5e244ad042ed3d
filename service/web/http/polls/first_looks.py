"""First looks at a table by somebody who sits there: without Flask and sessions, which cost more than the answer.

Nothing is decided here: who is calling and what the table is like come from the statement that every request uses,
and what they are shown from where every answer is made. Whoever needs more than that is answered by the application.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine

from service.core.database.quick_queries import QuickQuery
from service.core.runtime.problems import NotSignedIn
from service.log import event_log, events
from service.log.events import Event
from service.people.credentials import credentials
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer
from service.web.http.polls.game_answers import answer_to


class FirstLooks:
    """Shows running games to those who sit there."""

    def __init__(self, engine: Engine, services: Callable[[], Services]) -> None:
        self._services = services
        self._tables = QuickQuery(engine, credentials.CALLER_AND_TABLE)
        self._events = QuickQuery(engine, event_log.BODIES)

    def answer(self, game_id: str, kind: str, digest: bytes, language: str) -> GameAnswer | None:
        """What the player with this credential is shown; None: more has to be read for that."""
        services = self._services()
        values = {"digest": digest, "kind": kind, "now": services.runtime.now(), "id": game_id}
        found = self._tables.all(values)
        if not found:
            return None
        try:
            caller, table = credentials.at_table(found)
        except NotSignedIn:
            return None
        game = table.game
        if table.person(caller.id) is None or game.nonces is None or game.asking:
            return None  # strangers, tables before the start, and open proposals
        state = services.states.load_by(self._read, game)
        return answer_to(services, table, state, caller.id, language)

    def _read(self, game_key: int, after: int, until: int) -> list[Event]:
        values = {"game": game_key, "after": after, "until": until}
        return [events.parsed(body) for (body,) in self._events.all(values)]
