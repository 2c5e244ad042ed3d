"""The event log: append-only, each event chained to the one before by its digest (docs/record.md).

The state of a game is its log, folded by the ruleset. Once an event is committed the state after it by a version of the
rules never changes, so every process caches the latest states. An event whose commit failed, or that a database has
lost, never was, and another one may have its number: so nothing is cached before the commit, and a state is found only
by the digest of its whole past.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, or_, select, true

import rules
from rules.kernel import Illegal, Invalid, Json, State, text
from service.core.database.database import db, is_writing, read_alone, write_rows
from service.core.database.failures import UNREADABLE, reading
from service.core.models.games import Event
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import HOUR
from service.log import events
from service.log.records import cold_logs
from service.log.table_rows.table import GameRow

SALT_BYTES = 16
"""Random bytes in every event."""

_NOTHING = bytes(32)
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
    return hashlib.sha256((previous or _NOTHING) + body.encode()).digest()


def digests(logged: Iterable[Mapping[str, object]]) -> list[bytes]:
    """The digests of a whole log, one for each event."""
    return list(accumulate(map(text, logged), digest, initial=_NOTHING))[1:]


def chained(
    game: GameRow,
    new: Iterable[events.Event],
    entropy: Callable[[int], bytes],
    at: int,
    answers: int | None = None,
) -> tuple[Tip, list[Json]]:
    """`new` as they follow in the log of `game`: what its row stores of the last one, and their own rows.

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
    return Tip(number, head, at), rows


def append(rows: list[Json]) -> None:
    """Append rows of `chained` to the log of a game whose row the caller has locked and updated."""
    write_rows(_events, rows)


def fold(ruleset: rules.Ruleset, state: State, logged: Iterable[events.Event]) -> State:
    """`state` after those events that the rules see."""
    return reduce(ruleset.act, filter(None, map(events.for_rules, logged)), state)


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
            if kind in events.FOR_RULES:
                state = ruleset.apply(state, {name: event[name] for name in events.FOR_RULES[kind]})
        turn = ruleset.turn(state)
    except Invalid as invalid:
        raise NotLegal(number, kind, str(invalid)) from None
    except Illegal as illegal:
        raise NotLegal(number, kind, f"its {illegal.why['wrong']} is not legal") from None
    except UNREADABLE as error:
        raise NotLegal(number, kind, f"these rules fail there ({type(error).__name__})") from error
    if turn.over:
        raise NotLegal(number, kind, "the game would be over")
    if turn.chance is not None:
        raise NotLegal(number, kind, "a shuffle would be due")
    return settled, state


def played_then(game: GameRow, number: int) -> GameRow:
    """The row of `game` as it was after event `number`, with the version and the options of that time."""
    version, options = game.version, None
    for event in read(game.key, 0, game.number):
        if event["kind"] == "start":
            version, options = event["version"], event["options"]
        elif event["kind"] == "version" and event["number"] <= number:
            version = event["to"]
            options = rules.load(game.ruleset, version).settle(game.players, options)
    return game._replace(version=version, options=options or game.options)


_LOGGED = (
    select(_events.c.body, _events.c.at)
    .where(
        _events.c.game_key == bindparam("game"),
        _events.c.number > bindparam("after"),
        _events.c.number <= bindparam("until"),
    )
    .order_by(_events.c.number)
)
"""The texts of some events of a game, and when they were logged."""


def read(game_key: int, after: int, until: int) -> list[events.Event]:
    """The events after number `after` up to `until`, wherever they lie.

    Raises MalformedEvent, ColdStorageOutOfReach and LostObject.
    """
    return [event for event, _ in read_timed(game_key, after, until)]


def read_timed(game_key: int, after: int, until: int) -> list[tuple[events.Event, int]]:
    """The same, with the times at which they were logged (ms UTC).

    Without a session, which costs more than the rows: what is logged never changes.
    """
    if after >= until:
        return []
    values = {"game": game_key, "after": after, "until": until}
    found = read_alone(_LOGGED, values)
    if len(found) < until - after:
        cold = [(row.body, row.at) for row in cold_logs.rows_of(game_key)]
        found = cold[after:until] or found
    return [(events.parsed(body), at) for body, at in found]


def answer_to(game: GameRow, seat: int, asked: int) -> events.Event | None:
    """The event by which this seat has answered this question, if there is one; it may stand for a time-out too."""
    where = (_events.c.game_key == game.key) & (_events.c.seat == seat)
    body = db.session.scalar(select(_events.c.body).where(where, _events.c.asked == asked))
    if body is None and game.is_over:
        cold = cold_logs.rows_of(game.key)
        body = next((row.body for row in cold if (row.seat, row.asked) == (seat, asked)), None)
    return body and events.parsed(body)


def last_of_seat(
    game: GameRow, seat: int | None, within: Sequence[tuple[int, int | None]]
) -> int | None:
    """The number of the seat's last event between the two numbers of one of these pairs; None if there is none."""
    spans = [
        (_events.c.number > after) & (true() if before is None else _events.c.number < before)
        for after, before in within
    ]
    where = (_events.c.game_key == game.key) & (_events.c.seat == seat) & or_(*spans)
    found: int | None = db.session.scalar(select(func.max(_events.c.number)).where(where))
    if found is None and game.is_over:
        numbers = [row.number for row in cold_logs.rows_of(game.key) if row.seat == seat]
        mine = (
            number
            for number in numbers
            if any(after < number and (not before or number < before) for after, before in within)
        )
        found = max(mine, default=None)
    return found


class Passed(NamedTuple):
    """An event of the past, when it was logged (ms UTC), and the states before and after it."""

    event: events.Event
    at: int
    before: State
    after: State

    @property
    def number(self) -> int:
        """Of the event."""
        return self.event["number"]


_DIGESTS = (
    select(_events.c.number, _events.c.digest)
    .where(
        _events.c.game_key == bindparam("game"),
        _events.c.number > bindparam("after"),
        _events.c.number <= bindparam("until"),
    )
    .order_by(_events.c.number.desc())
)
"""The digests of some events of a game, the last first."""


def heads(game_key: int, after: int, until: int) -> dict[int, bytes]:
    """The digests of the events after number `after` up to `until`, by number, the last first."""
    values = {"game": game_key, "after": after, "until": until}
    found = read_alone(_DIGESTS, values)
    if len(found) < until - after:
        bodies = [row.body for row in cold_logs.rows_of(game_key)]
        cold = list(enumerate(accumulate(bodies, digest, initial=_NOTHING)))
        found = cold[after + 1 : until + 1][::-1] or found
    return {number: bytes(head) for number, head in found}


NEAR = 64
"""Events back to which a state is looked for that can be folded on."""


class States:
    """A cache of the latest states by their heads: the digests of their whole past. Thread-safe.

    It is filled only after commits. The number of an event is no key: after a commit that failed, or in a database
    that was restored or has lost some, another event has it.
    """

    def __init__(self, size: int = 512) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._states: OrderedDict[tuple[str, int, bytes], State] = OrderedDict()

    def put(self, game: GameRow, state: State) -> None:
        """Cache the state after the last event of `game`, which is committed."""
        if game.head is not None:
            self._keep(game, game.head, state)

    def load(self, game: GameRow, number: int | None = None) -> State:
        """The state of `game` after event `number` (default: the last), folded from the nearest cached one.

        All of it is folded by the present version, past states too. What a write transaction sees is not kept.
        """
        number = game.number if number is None else number
        present = self._get(game, game.head) if number == game.number else None
        if present is not None:
            return present
        before = heads(game.key, max(number - NEAR, 0), number)
        ruleset = rules.load(game.ruleset, game.version)
        with reading(game.id):
            known, head, state = self._nearest(game, ruleset, before)
            logged = read(game.key, known, number)
            for event in logged:
                head = digest(head, text(event))
            state = fold(ruleset, state, logged)
        wanted = game.head if number == game.number else before.get(number)
        if logged and head is not None and head == wanted and not is_writing():
            self._keep(game, head, state)
        return state

    def page(self, game: GameRow, after: int, limit: int) -> tuple[list[Passed], int | None]:
        """The events after number `after`, at most `limit`, with their states: one fold.

        And the number to continue after, if there are more.
        """
        passed = list(self.course(game, after, min(after + limit, game.number)))
        last = after + len(passed)
        return passed, last if passed and last < game.number else None

    def course(self, game: GameRow, after: int = 0, until: int | None = None) -> Iterator[Passed]:
        """The events after number `after`, up to `until` (default: the last), one by one, with their states."""
        ruleset = rules.load(game.ruleset, game.version)
        state = self.load(game, min(after, game.number))
        with reading(game.id):
            logged = read_timed(game.key, after, game.number if until is None else until)
        for event, at in logged:
            with reading(game.id):
                before, state = state, fold(ruleset, state, [event])
            yield Passed(event, at, before, state)

    def _keep(self, game: GameRow, head: bytes, state: State) -> None:
        key = (game.id, game.version, head)
        with self._lock:
            self._states[key] = state
            self._states.move_to_end(key)
            while len(self._states) > self._size:
                self._states.popitem(last=False)

    def _get(self, game: GameRow, head: bytes | None) -> State | None:
        if head is None:
            return None
        with self._lock:
            return self._states.get((game.id, game.version, head))

    def _nearest(
        self, game: GameRow, ruleset: rules.Ruleset, before: Mapping[int, bytes]
    ) -> tuple[int, bytes | None, State]:
        """The last of these events after which the state is cached, its digest and that state; or the beginning."""
        for number, head in before.items():
            state = self._get(game, head)
            if state is not None:
                return number, head, state
        return 0, None, ruleset.initial(game.players, game.options)
