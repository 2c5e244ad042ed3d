"""The log: append-only events, each chained to the one before by its digest (docs/record.md).

State is the log folded by the ruleset. A state of (game, number) is never wrong once its event is committed, so every
process keeps the last few.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import insert, select

import rules
from rules.kernel import Json, State, text
from service.database import AnySession
from service.models import Event, Game

SALT = 16
"""Random bytes in every event, unknown to everybody until the end: a digest tells nothing about a hidden card."""

FOR_RULES = {
    "chance": ("kind", "name", "outcome"),
    "action": ("kind", "seat", "action"),
    "clock": ("kind", "name"),
}
"""The events that the rules see, and what they see of them."""


_INSERT = insert(Event.metadata.tables["events"])  # as an entity, the ORM would look at every row


def sealed_body(event: Json, number: int, salt: bytes) -> str:
    """The text that is stored and hashed: canonical JSON of the event with its number and salt."""
    return text({**event, "number": number, "salt": salt.hex()})


def digest(previous: bytes | None, body: str) -> bytes:
    """SHA-256 of the previous digest (32 zero bytes before the first) and the event's text."""
    return hashlib.sha256((previous or bytes(32)) + body.encode()).digest()


def append(
    session: AnySession, game: Any, events: Iterable[Json], entropy: Callable[[int], bytes], at: int
) -> Json:
    """Write `events` behind the last one of `game`, whose row the caller has locked and updates.

    An event may carry `asked`, which stands outside the hash. Returns the game's new `number` and `head`.
    """
    number, head, rows = game.number, game.head, []
    for event in events:
        number += 1
        inside = {key: value for key, value in event.items() if key != "asked"}
        body = sealed_body(inside, number, entropy(SALT))
        head = digest(head, body)
        rows.append(
            {"game_key": game.key, "number": number, "body": body, "digest": head, "at": at}
            | {"seat": event.get("seat"), "asked": event.get("asked")}
        )
    session.execute(_INSERT, rows)
    return {"number": number, "head": head}


def for_rules(event: Json) -> Json | None:
    """What the rules see of an event: exactly the keys of its kind, or None for the service's own kinds."""
    keys = FOR_RULES.get(event["kind"])
    return {key: event[key] for key in keys} if keys else None


def fold(ruleset: rules.Ruleset, state: State, events: Iterable[Json]) -> State:
    """`state` after the rules' part of `events`."""
    for event in events:
        seen = for_rules(event)
        if seen is not None:
            state = ruleset.act(state, seen)
    return state


def read(session: AnySession, game_key: int, after: int, until: int) -> list[Json]:
    """The events after number `after` up to `until`."""
    if after >= until:
        return []
    query = (
        select(Event.body)
        .where(Event.game_key == game_key, Event.number > after, Event.number <= until)
        .order_by(Event.number)
    )
    return [json.loads(body) for body in session.scalars(query)]


class States:
    """The last few states of this process by game and number: filled after commits alone. Safe among threads."""

    def __init__(self, size: int = 512) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._states: OrderedDict[tuple[str, int], State] = OrderedDict()

    def put(self, game: str, number: int, state: State) -> None:
        """Keep the state after event `number`, which is committed."""
        with self._lock:
            self._states[game, number] = state
            self._states.move_to_end((game, number))
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def get(self, game: str, number: int) -> State | None:
        """The state after event `number`, if it is still here."""
        with self._lock:
            return self._states.get((game, number))

    def load(self, session: AnySession, game: Game | Any, number: int | None = None) -> State:
        """The state of `game` after event `number` (the last one): kept, or folded from the nearest one kept."""
        number = game.number if number is None else number
        ruleset = rules.load(game.ruleset, game.version)
        known, state = self._nearest(game.id, number)
        if state is None:
            state = ruleset.initial(game.players, game.options)
        if known < number:
            state = fold(ruleset, state, read(session, game.key, known, number))
            self.put(game.id, number, state)
        return state

    def _nearest(self, game: str, number: int) -> tuple[int, State | None]:
        """A kept state not far before `number`: a process that follows a game has one of the last moves."""
        for earlier in range(number, max(number - 64, 0), -1):
            state = self.get(game, earlier)
            if state is not None:
                return earlier, state
        return 0, None
