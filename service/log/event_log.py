"""The event log: append-only, each event chained to the previous one by its digest (docs/record.md).

The state of a game is its log, folded by the ruleset. Once an event is committed, the state after it under one version
of the rules never changes, so every process caches the latest states. An event never existed if its commit failed or if
the database has lost it, and another event may get its number. So nothing is cached before the commit, and a state is
found only by the digest of its whole past.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
from service.log.table_rows.finished_games import in_log_of
from service.log.table_rows.table import GameRow

SALT_BYTES = 16
"""The number of random bytes in every event."""

_NOTHING = bytes(32)
_events = Event.metadata.tables["events"]


class Tip(NamedTuple):
    """The last event of a log, as the game's row stores it."""

    number: int
    head: bytes
    """The digest of the last event."""
    logged_at: int


def sealed_body(event: Mapping[str, object], number: int, salt: bytes, at: int | None) -> str:
    """The text that is stored and hashed: canonical JSON of the event with its number, its salt and, unless `at` is
    None, the hour.
    """
    hour = {} if at is None else {"at": rfc3339(at - at % HOUR)}
    return text({**event, **hour, "number": number, "salt": salt.hex()})


def digest(previous: bytes | None, body: str) -> bytes:
    """The SHA-256 of the previous digest (32 zero bytes before the first event) and the event's text."""
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
    """The events `new` chained to the log of `game`: the tip that its row stores, and the rows of the events.

    `answers` is the question that the first event answers, if that is an action; it is not hashed. If the clock was set
    back, times in the log stand still until the clock catches up. Raises MalformedEvent if an event has not exactly the
    members of its kind.
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


def fold(
    ruleset: rules.Ruleset,
    state: State,
    logged: Iterable[events.Event],
    undone: Collection[int] = (),
) -> State:
    """The state after folding the events that the rules see into `state`, without the events in `undone`."""
    standing = (each for each in logged if not undone or each["number"] not in undone)
    return reduce(ruleset.act, filter(None, map(events.for_rules, standing)), state)


class NotLegal(Exception):
    """Raised if a version of the rules does not allow a log: the first event that differs, and the reason."""

    def __init__(self, number: int, kind: str, why: str) -> None:
        super().__init__(f"event {number} ({kind}): {why}")


def refold(
    ruleset: rules.Ruleset, players: int, options: Json, logged: Sequence[Mapping[str, Any]]
) -> tuple[Json, State]:
    """The options as these rules settle them, and the state after the whole log under these rules.

    Raises NotLegal if they do not allow the log, or if the game would then be over or a shuffle due.
    """
    number, kind, undone = 1, "start", events.undone_in({**each} for each in logged)
    try:
        settled = ruleset.settle(players, options)
        state = ruleset.initial(players, settled)
        for event in logged:
            number, kind = event["number"], event["kind"]
            if kind in events.FOR_RULES and number not in undone:
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
    """The row of `game` as it was after event `number`, with the version and the options of that moment."""
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
"""The texts of some events of a game, and the times at which they were logged."""


def read(game_key: int, after: int, until: int) -> list[events.Event]:
    """The events after number `after` up to `until`, whether they are in the database or in cold storage.

    Raises MalformedEvent if one is damaged, and ColdStorageOutOfReach or LostObject if cold storage does not have them.
    """
    return [event for event, _ in read_timed(game_key, after, until)]


def read_timed(game_key: int, after: int, until: int) -> list[tuple[events.Event, int]]:
    """The events as from `read`, each with the time at which it was logged (ms UTC).

    This uses no session, which would cost more than the rows do: logged events never change.
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
    """The event with which this seat has answered this question, which may be a time-out; None if there is none."""
    where = (_events.c.game_key == game.key) & (_events.c.seat == seat)
    body = db.session.scalar(select(_events.c.body).where(where, _events.c.asked == asked))
    if body is None and game.is_over:
        cold = cold_logs.rows_of(game.key)
        body = next((row.body for row in cold if (row.seat, row.asked) == (seat, asked)), None)
    return body and events.parsed(body)


def last_of_seat(
    game: GameRow,
    seat: int | None,
    within: Sequence[tuple[int, int | None]],
    but: Collection[int] = (),
) -> int | None:
    """The number of the seat's last event in one of these ranges (pairs of numbers); None if there is none.

    Actions that were taken back, the take-backs themselves and the events in `but` do not count.
    """
    gone = {number for pair in game.taken_back.items() for number in pair} | {*but}
    spans = [
        (_events.c.number > after) & (true() if before is None else _events.c.number < before)
        for after, before in within
    ]
    where = (_events.c.game_key == game.key) & (_events.c.seat == seat) & or_(*spans)
    if gone:
        where &= _events.c.number.not_in(gone)
    found: int | None = db.session.scalar(select(func.max(_events.c.number)).where(where))
    if found is None and game.is_over:
        numbers = [
            row.number
            for row in cold_logs.rows_of(game.key)
            if row.seat == seat and row.number not in gone
        ]
        mine = (
            number
            for number in numbers
            if any(after < number and (not before or number < before) for after, before in within)
        )
        found = max(mine, default=None)
    return found


class Passed(NamedTuple):
    """An event of the past, the time at which it was logged (ms UTC), and the states before and after it."""

    event: events.Event
    at: int
    before: State
    after: State

    @property
    def number(self) -> int:
        """The number of the event."""
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


def has_past(game: GameRow, number: int, head: str) -> bool:
    """Whether the log still has the past that ends with this event, whose digest is given in hexadecimal digits.

    A restored database, or one with losses, has other events.
    """
    if number == game.number:
        return game.head is not None and game.head.hex() == head
    found = heads(game.key, number - 1, number).get(number)
    return found is not None and found.hex() == head


NEAR = 64
"""The number of events to look back for a state from which to fold on."""


class States:
    """A cache of the latest states by their heads: the digests of their whole past. Thread-safe.

    It is filled only after commits. The number of an event would not do as a key: after a failed commit, or in a
    database that was restored or has lost events, another event may have that number.
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

        Past states are also folded under the present version, and without the actions taken back since. So a past state
        may differ from the one cached when it was the present; then no cached state is used, and none is stored. States
        that a write transaction sees are not cached either.
        """
        number = game.number if number is None else number
        present = self._get(game, game.head) if number == game.number else None
        if present is not None:
            return present
        return in_log_of(game, lambda: self._folded(game, number))

    def _folded(self, game: GameRow, number: int) -> State:
        undone = game.taken_back
        before = {
            known: head
            for known, head in heads(game.key, max(number - NEAR, 0), number).items()
            if not any(event <= known < void for event, void in undone.items())
        }
        ruleset = rules.load(game.ruleset, game.version)
        with reading(game.id):
            known, head, state = self._nearest(game, ruleset, before)
            logged = read(game.key, known, number)
            for event in logged:
                head = digest(head, text(event))
            state = fold(ruleset, state, logged, undone)
        wanted = game.head if number == game.number else before.get(number)
        if logged and head is not None and head == wanted and not is_writing():
            self._keep(game, head, state)
        return state

    def page(self, game: GameRow, after: int, limit: int) -> tuple[list[Passed], int | None]:
        """At most `limit` events after number `after`, with their states; and the number after which to continue, or
        None.

        The states are folded only once.
        """
        passed = list(self.course(game, after, min(after + limit, game.number)))
        last = after + len(passed)
        return passed, last if passed and last < game.number else None

    def course(self, game: GameRow, after: int = 0, until: int | None = None) -> Iterator[Passed]:
        """The events after number `after`, up to `until` (default: the last), with their states, yielded one by one."""
        ruleset, undone = rules.load(game.ruleset, game.version), game.taken_back
        state = self.load(game, min(after, game.number))
        last = game.number if until is None else until
        with reading(game.id):
            logged = in_log_of(game, lambda: read_timed(game.key, after, last))
        for event, at in logged:
            with reading(game.id):
                before, state = state, fold(ruleset, state, [event], undone)
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
        """The latest cached state: its event's number and digest, and the state.

        If none is cached, the game's beginning: 0, None and the state before any event.
        """
        for number, head in before.items():
            state = self._get(game, head)
            if state is not None:
                return number, head, state
        return 0, None, ruleset.initial(game.players, game.options)
