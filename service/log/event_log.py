"""The event log: append-only, each event chained to the one before by its digest (docs/record.md).

The state of a game is its log, folded by the ruleset. Once an event is committed the state after it by a version of the
rules never changes, so every process caches the latest states. An event whose commit failed never was, and another one
may have its number: so nothing is cached before the commit, and a state counts only with the digest of its whole past.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

import rules
from rules.kernel import Illegal, Invalid, Json, State, text
from service.core.database.database import AnySession, read_alone, write_rows, writes
from service.core.models.games import Event
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import HOUR
from service.log import events
from service.log.events import FOR_RULES, for_rules
from service.log.table_rows.table import GameRow

SALT_BYTES = 16
"""Random bytes in every event."""

_events = Event.metadata.tables["events"]


class Tip(NamedTuple):
    """The last event of a log, as the game's row stores it."""

    number: int
    head: bytes
    """Its digest."""
    logged_at: int


def sealed_body(event: Mapping[str, object], number: int, salt: bytes, at: int | None) -> str:
    """The text that is stored and hashed: canonical JSON of the event with its number, its salt and the hour."""
    hour = {} if at is None else {"at": rfc3339(at - at % HOUR)}
    return text({**event, **hour, "number": number, "salt": salt.hex()})


def digest(previous: bytes | None, body: str) -> bytes:
    """SHA-256 of the previous digest (32 zero bytes before the first) and the event's text."""
    return hashlib.sha256((previous or bytes(32)) + body.encode()).digest()


def digests(logged: Iterable[Mapping[str, object]]) -> list[bytes]:
    """The digests of a whole log, one for each event."""
    chain = list[bytes]()
    for event in logged:
        chain.append(digest(chain[-1] if chain else None, text(event)))
    return chain


class Appended(NamedTuple):
    """New events of a log: what the game's row stores of the last one, and their own rows."""

    tip: Tip
    rows: list[Json]


def chained(
    game: GameRow,
    new: Iterable[events.Event],
    entropy: Callable[[int], bytes],
    at: int,
    answers: int | None = None,
) -> Appended:
    """`new` as they follow in the log of `game`.

    `answers` is the question that the first event answers, if it is an action; it is not hashed. A clock that was set
    back stands still in the log. Raises MalformedEvent.
    """
    number, head, rows = game.number, game.head, list[Json]()
    at = max(at, game.logged_at or 0)
    stated = at if game.log_format >= 3 else None
    for event in new:
        number += 1
        body = sealed_body(events.checked(event), number, entropy(SALT_BYTES), stated)
        head = digest(head, body)
        rows.append(
            {"game_key": game.key, "number": number, "body": body, "digest": head, "at": at}
            | {"seat": event.get("seat"), "asked": None if rows else answers}
        )
    assert head is not None, "there is something to append"
    return Appended(Tip(number, head, at), rows)


def append(rows: list[Json]) -> None:
    """Append rows of `chained` to the log of a game whose row the caller has locked and updated."""
    write_rows(_events, rows)


def fold(ruleset: rules.Ruleset, state: State, logged: Iterable[events.Event]) -> State:
    """`state` after those events that the rules see."""
    for event in logged:
        seen = for_rules(event)
        if seen is not None:
            state = ruleset.act(state, seen)
    return state


class NotLegal(Exception):
    """A log that another version of the rules does not allow: its first event that differs, and why."""

    def __init__(self, number: int, kind: str, why: str) -> None:
        super().__init__(f"event {number} ({kind}): {why}")


def refold(
    ruleset: rules.Ruleset, players: int, options: Json, logged: Sequence[Mapping[str, Any]]
) -> tuple[Json, State]:
    """The options settled anew by these rules, and the state after a whole log under them.

    Raises NotLegal, also if the game would be over, or if a shuffle would be due.
    """
    number, kind = 1, "start"
    try:
        settled = ruleset.settle(players, options)
        state = ruleset.initial(players, settled)
        for event in logged:
            number, kind = event["number"], event["kind"]
            if kind in FOR_RULES:
                state = ruleset.apply(state, {name: event[name] for name in FOR_RULES[kind]})
        turn = ruleset.turn(state)
    except Invalid as invalid:
        raise NotLegal(number, kind, str(invalid)) from None
    except Illegal as illegal:
        raise NotLegal(number, kind, f"its {illegal.why['wrong']} is not legal") from None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise NotLegal(number, kind, f"these rules fail there ({type(error).__name__})") from error
    if turn.over:
        raise NotLegal(number, kind, "the game would be over")
    if turn.chance is not None:
        raise NotLegal(number, kind, "a shuffle would be due")
    return settled, state


def played_then(session: AnySession, game: GameRow, number: int) -> GameRow:
    """The row of `game` as it was after event `number`, with the version and the options of that time."""
    version, options = game.version, None
    for event in read(session, game.key, 0, game.number):
        if event["kind"] == "start":
            version, options = event["version"], event["options"]
        elif event["kind"] == "version" and event["number"] <= number:
            version = event["to"]
            options = rules.load(game.ruleset, version).settle(game.players, options)
    return game._replace(version=version, options=options or game.options)


_BODIES = (
    select(_events.c.body)
    .where(
        _events.c.game_key == bindparam("game"),
        _events.c.number > bindparam("after"),
        _events.c.number <= bindparam("until"),
    )
    .order_by(_events.c.number)
)
"""The texts of some events of a game."""

Read = Callable[[int, int, int], list[events.Event]]
"""Reads events as `read` does."""


def read(session: AnySession, game_key: int, after: int, until: int) -> list[events.Event]:
    """The events after number `after` up to `until`. Raises MalformedEvent."""
    if after >= until:
        return []
    values = {"game": game_key, "after": after, "until": until}
    return [events.parsed(body) for body in session.scalars(_BODIES, values)]


def read_logged(game_key: int, after: int, until: int) -> list[events.Event]:
    """The same, without a session, which costs more than the rows: what is logged never changes."""
    values = {"game": game_key, "after": after, "until": until}
    return [events.parsed(body) for (body,) in read_alone(_BODIES, values)]


class Passed(NamedTuple):
    """An event of the past, when it was logged (ms UTC), and the states before and after it."""

    event: events.Event
    at: int
    before: State
    after: State

    @property
    def number(self) -> int:
        """Of the event."""
        number: int = self.event["number"]
        return number


class Page(NamedTuple):
    """Events of the past in order, and the number to continue after, if there are more."""

    passed: list[Passed]
    following: int | None


class Kept(NamedTuple):
    """A state, and the digest of the last event of the log that led to it."""

    head: bytes | None
    state: State


class States:
    """A cache of the latest states by game, version and event number, filled only after commits. Thread-safe.

    A state after the last event is taken only if it has the head of the game.
    """

    def __init__(self, size: int = 512) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._states: OrderedDict[tuple[str, int, int], Kept] = OrderedDict()

    def put(self, game: GameRow, state: State) -> None:
        """Cache the state after the last event of `game`, which is committed."""
        self._put((game.id, game.version, game.number), Kept(game.head, state))

    def get(self, game: GameRow, number: int) -> State | None:
        """The state after event `number` by the version of the game, if it is cached."""
        kept = self._get(game, number)
        return kept and kept.state

    def load(self, session: AnySession, game: GameRow, number: int | None = None) -> State:
        """The state of `game` after event `number` (default: the last), folded from the nearest cached one.

        All of it is folded by the present version, past states too. What a write transaction sees is not kept.
        """
        return self._load(partial(read, session), game, number, keep=not writes(session))

    def load_by(self, read_events: Read, game: GameRow, number: int | None = None) -> State:
        """The same, with events that `read_events` reads, which are committed."""
        return self._load(read_events, game, number, keep=True)

    def _load(self, read_events: Read, game: GameRow, number: int | None, *, keep: bool) -> State:
        number = game.number if number is None else number
        known, kept = self._nearest(game, number)
        if kept and known == number:
            return kept.state
        ruleset = rules.load(game.ruleset, game.version)
        head, state = kept or Kept(None, ruleset.initial(game.players, game.options))
        logged = read_events(game.key, known, number)
        for event in logged:
            head = digest(head, text(event))
        if kept and number == game.number and head != game.head:
            self._forget(game)
            return self._load(read_events, game, number, keep=keep)
        state = fold(ruleset, state, logged)
        if logged and keep:
            self._put((game.id, game.version, number), Kept(head, state))
        return state

    def page(self, session: AnySession, game: GameRow, after: int, limit: int) -> Page:
        """The events after number `after`, at most `limit`, with their states: one fold."""
        passed = list(self.course(session, game, after, min(after + limit, game.number)))
        last = after + len(passed)
        return Page(passed, last if passed and last < game.number else None)

    def course(
        self, session: AnySession, game: GameRow, after: int = 0, until: int | None = None
    ) -> Iterator[Passed]:
        """The events after number `after`, up to `until` (default: the last), one by one, with their states."""
        until = game.number if until is None else until
        query = (
            select(Event.body, Event.at)
            .where(Event.game_key == game.key, Event.number > after, Event.number <= until)
            .order_by(Event.number)
        )
        found = session.execute(query).all()
        ruleset = rules.load(game.ruleset, game.version)
        state = self.load(session, game, min(after, game.number))
        for row in found:
            event = events.parsed(row.body)
            before, state = state, fold(ruleset, state, [event])
            yield Passed(event, row.at, before, state)

    def _put(self, key: tuple[str, int, int], kept: Kept) -> None:
        with self._lock:
            self._states[key] = kept
            self._states.move_to_end(key)
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def _get(self, game: GameRow, number: int) -> Kept | None:
        with self._lock:
            kept = self._states.get((game.id, game.version, number))
        if kept and number == game.number and kept.head != game.head:
            return None
        return kept

    def _nearest(self, game: GameRow, number: int) -> tuple[int, Kept | None]:
        """The nearest cached state up to event `number`, with its number; (0, None) if none is recent."""
        for earlier in range(number, max(number - 64, 0), -1):
            kept = self._get(game, earlier)
            if kept is not None:
                return earlier, kept
        return 0, None

    def _forget(self, game: GameRow) -> None:
        """Drop every state of this game: one of them has another past."""
        with self._lock:
            for key in [key for key in self._states if key[0] == game.id]:
                del self._states[key]
