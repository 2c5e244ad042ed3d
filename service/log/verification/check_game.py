"""The check of a game in the database, finished or running: its chain, its shuffles, its states, and its rows.

No result of it names a card. Only one game is in memory at a time.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.exc import DBAPIError

import rules
from rules.kernel import Json, plain, text
from service.core.database.database import columns, rows
from service.core.models.games import Event, Seat
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import HOUR
from service.log.event_log import digest
from service.log.events import undone_in
from service.log.records import cold_logs
from service.log.records.cold_storage import ColdStorageOutOfReach, LostObject
from service.log.records.record_text import VerificationError, demand
from service.log.table_rows.asked_first import asked_first
from service.log.table_rows.table import GameRow, find
from service.log.verification.verify_form import check_log
from service.log.verification.verify_record import Replayed, replayed

_FORMATS = {2: ("1", "2"), 3: ("3",)}
"""The formats that `start` can state, by the format in the game's row."""


class Damage(NamedTuple):
    """A fault of a game."""

    game_id: str
    what: str
    """The description of the fault, for the operator."""


def check_game(game_id: str) -> Damage | None:
    """The fault found in this game; None if there is none, or if the game is gone.

    Raises DBAPIError if the database fails, and ColdStorageOutOfReach if the log is in cold storage that fails.
    """
    try:
        _check(find(game_id).game)
    except NotFound:
        return None
    except (DBAPIError, ColdStorageOutOfReach):
        raise
    except LostObject as lost:
        return Damage(game_id, lost.cause)
    except VerificationError as wrong:
        return Damage(game_id, str(wrong).removeprefix("refused: "))
    except Exception as error:  # noqa: BLE001 - a changed event can make the rules fail in any way, which is the finding
        return Damage(game_id, f"it cannot be replayed ({type(error).__name__})")
    return None


def logged_rows(game_key: int) -> list[LoggedRow]:
    """All rows of a log, in the database or in cold storage.

    Raises ColdStorageOutOfReach or LostObject if cold storage does not have them.
    """
    found = rows(LoggedRow, _LOGGED, {"game": game_key})
    head = None
    for row in () if found else cold_logs.rows_of(game_key):
        head = digest(head, row.body)
        found.append(LoggedRow(row.number, row.body, head, row.seat, row.asked, row.at))
    return found


def _check(game: GameRow) -> None:
    logged = logged_rows(game.key)
    if not game.number:
        demand(not logged and game.head is None, "there are events of a game that has not begun")
        demand(game.status == "open", "the start is missing")
        return
    events = _chained(game, logged)
    log_format = check_log(events, _FORMATS[game.log_format])
    _check_times(game, log_format, events, logged)
    _check_rules(game, events)
    demand(undone_in(events) == game.taken_back, "what was taken back")
    if game.version not in rules.versions(game.ruleset):
        return  # a newer release knows it: during an update, a server has older code
    end = replayed(events, game.id, game.seed.hex(), log_format, game.shuffled_as)
    _check_row(game, events[0], end)
    _check_seats(game, end)


class LoggedRow(NamedTuple):
    """An event as it is stored."""

    number: int
    body: str
    digest: bytes
    seat: int | None
    asked: int | None
    at: int


_event, _seat = Event.metadata.tables["events"], Seat.metadata.tables["seats"]
_LOGGED = (
    select(*columns(LoggedRow, _event))
    .where(_event.c.game_key == bindparam("game"))
    .order_by(_event.c.number)
)


def _chained(game: GameRow, logged: Sequence[LoggedRow]) -> list[Json]:
    """The events, after a check that none is missing and that each is chained to the previous one.

    Raises VerificationError if one is wrong.
    """
    head, events = None, []
    for number, row in enumerate(logged, 1):
        demand(row.number == number, f"event {number} is missing")
        head = digest(head, row.body)
        right = hmac.compare_digest(head, bytes(row.digest))
        demand(right, f"event {number} is not the one that was logged: its digest differs")
        event = _parsed(row.body, number)
        demand(event.get("seat") == row.seat, f"the seat of event {number}")
        events.append(event)
    demand(len(events) >= game.number, f"event {len(events) + 1} is missing")
    demand(len(events) == game.number, f"event {game.number + 1} is not known to the game")
    demand(head == game.head, "the head")
    return events


def _parsed(body: str, number: int) -> Json:
    try:
        event = json.loads(body)
        canonical = text(event) == body
    except (ValueError, RecursionError):
        canonical = False
    demand(canonical and isinstance(event, dict), f"event {number} is not canonical JSON")
    return event  # type: ignore[no-any-return]


def _check_times(
    game: GameRow, log_format: int, events: Sequence[Json], logged: Sequence[LoggedRow]
) -> None:
    """Check that no event was logged before the previous one, and that from format 3 on each states its hour."""
    for number, (event, row) in enumerate(zip(events, logged, strict=True), 1):
        stated = log_format < 3 or event["at"] == rfc3339(row.at - row.at % HOUR)
        forward = number == 1 or log_format < 3 or logged[number - 2].at <= row.at
        demand(stated and forward, f"the time of event {number}")
    demand(log_format < 3 or logged[-1].at == game.logged_at, "the time of the last event")


def _check_rules(game: GameRow, events: Sequence[Json]) -> None:
    """Check that the game is played under the rules that the log names. Raises VerificationError if it is not."""
    versions = [event["to"] for event in events if event["kind"] == "version"]
    demand(events[0]["ruleset"] == game.ruleset, "the ruleset")
    last = [events[0]["version"], *versions][-1]
    demand(last == game.version, "the version of the rules")


def _check_row(game: GameRow, start: Json, end: Replayed) -> None:
    """Check that the game's row agrees with its log. Raises VerificationError if it does not."""
    demand(start.get("deal", game.id) == game.shuffled_as or game.lesson is not None, "the deal")
    demand(start["players"] == game.players and start["seating"] == game.seating, "the seats")
    options = end.ruleset.filled(game.players, game.options)
    demand(text(end.options) == text(options), "the options")
    demand(game.log_format < 3 or start["nonces"] == game.nonces, "the nonces")
    demand(game.log_format < 3 or end.shuffles == game.shuffles, "the number of shuffles")
    result = end.result
    demand(game.status == ("over" if result else "running"), "whether it is over")
    demand(text(plain(result and result._asdict())) == text(game.result), "the result")


def _check_seats(game: GameRow, end: Replayed) -> None:
    """Check that, in a running game, the log and the rows agree on who holds the seats and on who has to act."""
    if end.result:
        return
    demand(end.table.paused == (game.paused_at is not None), "whether it is paused")
    asked = asked_first(game, end.ruleset.turn(end.state).waiting)
    held = end.table.holders()
    seats = rows(SeatRow, _SEATS, {"game": game.key})
    demand([each.seat for each in seats] == list(range(len(held))), "the seats")
    for row, (tenure, house) in zip(seats, held, strict=True):
        demand(row.tenure_id == tenure, f"who holds seat {row.seat}")
        demand(house in {None, row.house}, f"who holds seat {row.seat}")
        demand(row.waiting == (row.seat in asked), f"whether seat {row.seat} is asked")
        demand(1 <= row.asked <= game.number, f"what seat {row.seat} is asked")


class SeatRow(NamedTuple):
    """The columns of a seat that are checked."""

    seat: int
    tenure_id: str
    house: bool
    waiting: bool
    asked: int


_SEATS = (
    select(*columns(SeatRow, _seat))
    .where(_seat.c.game_key == bindparam("game"))
    .order_by(_seat.c.seat)
)
