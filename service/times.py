"""What people are told about time, and about what the table is asked: rows and words become answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select

from rules.kernel import Json
from service import consent, paces
from service.clock import SECOND
from service.database import db
from service.models import Player
from service.models_clock import TimeEntry
from service.outside import rfc3339
from service.table import Table
from service.waits import pace_of
from service.words import Phrases

CHARGED = ("answered", "late", "changed", "withdrawn")
"""Lines about a wait that has ended: a handover at the same time comes after them."""
MOST_KEY = 2**31 - 1
"""The highest key that the column holds."""


def moment(at: int | None) -> str | None:
    """A time as answers have it, or None."""
    return None if at is None else rfc3339(at)


def due(game: Any, seat: Any) -> str | None:
    """When a seat's time is over; None without a clock, and while the table is paused."""
    return None if game.paused_at is not None else moment(seat.due)


def store(game: Any, person: Any) -> Json:
    """A seat's time besides the present wait, in whole seconds (part of Seat of openapi.yaml)."""
    if game.pace is None or person.reserve is None or person.player_id is None:
        return {"reserve": None, "extra": 0, "misses": 0}
    reserve = person.reserve // SECOND if game.pace["kind"] == "reserve" else None
    return {"reserve": reserve, "extra": person.extra // SECOND, "misses": person.misses}


def paused(game: Any) -> Json | None:
    """Since when the table is paused, and until when."""
    if game.paused_at is None:
        return None
    return {"since": rfc3339(game.paused_at), "until": moment(game.paused_until)}


def clock(table: Table, words: Phrases, then: Callable[..., Sequence[str]], wish: Json) -> Json:
    """Why everybody's time is what it is (the Clock of openapi.yaml); `wish`: seat, cursor, limit.

    `then` says who held the seats at a time: these are the people whose time it was.
    """
    query = select(TimeEntry.__table__).where(TimeEntry.game_key == table.game.key)
    if "seat" in wish:
        query = query.where(TimeEntry.seat == wish["seat"])
    if "cursor" in wish:
        query = query.where(TimeEntry.key < min(int(wish["cursor"]), MOST_KEY))
    rows = db.session.execute(query.order_by(TimeEntry.key.desc()).limit(wish["limit"] + 1)).all()
    page = rows[: wish["limit"]]
    pace = pace_of(table.game)
    return {
        "pace": paces.shown(pace, words),
        "paused": paused(table.game),
        "entries": [
            _entry(row, pace.kind == "reserve", words, then(row.at, before=row.kind in CHARGED))
            for row in page
        ],
        "next": str(page[-1].key) if rows[len(page) :] else None,
    }


def _entry(row: Any, reserve: bool, words: Phrases, names: Sequence[str]) -> Json:
    fields = {"seat": row.seat, "time": paces.duration(row.ms, words)}
    return {
        "seat": row.seat,
        "at": rfc3339(row.at),
        "kind": row.kind,
        "seconds": row.ms // SECOND,
        "due": moment(row.due),
        "reserve": row.reserve // SECOND if reserve else None,
        "extra": row.extra // SECOND,
        "words": words.say(f"time.{row.kind}", fields, names),
    }


def proposals(
    table: Table, words: Phrases, names: Sequence[str], player_id: str | None, *, ended: bool
) -> list[Json]:
    """What the table is asked, oldest first; with `ended` also what it was asked."""
    found = consent.listed(table) if ended else consent.open_proposals(table)
    return told(table, found, words, names, player_id)


def told(
    table: Table, found: list[Any], words: Phrases, names: Sequence[str], player_id: str | None
) -> list[Json]:
    """These proposals (the Proposal of openapi.yaml), as they are told to a player."""
    votes = consent.votes_on([row.key for row in found])
    people = {row.player_id for row in found if row.player_id}
    called = select(Player.id, Player.name).where(Player.id.in_(people))
    proposers = {row.id: row.name for row in db.session.execute(called)}
    return [
        _proposal(table, row, votes.get(row.key, {}), player_id)
        | {"words": _worded(row, proposers.get(row.player_id), words, names)}
        for row in found
    ]


def _proposal(table: Table, row: Any, votes: dict[str, bool], player_id: str | None) -> Json:
    proposer = table.person(row.player_id)
    asked = consent.voters(table, row) if row.status == "open" else []
    answered = {person.seat: votes[person.tenure] for person in asked if person.tenure in votes}
    missing = [person for person in asked if person.tenure not in votes]
    return {
        "id": row.id,
        "kind": row.kind,
        "by": proposer and proposer.seat,
        "yours": row.player_id is not None and row.player_id == player_id,
        "status": row.status,
        "seat": row.terms.get("seat"),
        "seconds": row.terms.get("seconds"),
        "outcome": row.terms.get("outcome"),
        "made_at": rfc3339(row.made_at),
        "due": rfc3339(row.due),
        "ended_at": moment(row.ended_at),
        "votes": [{"seat": seat, "agrees": agrees} for seat, agrees in answered.items()],
        "missing": [person.seat for person in missing],
        "asks_you": any(person.player_id == player_id for person in missing),
    }


def _worded(row: Any, name: str | None, words: Phrases, names: Sequence[str]) -> str:
    terms = row.terms
    if row.kind == "substitute" and row.status != "open":  # somebody else may sit there now
        names = [words.say("house.some")] * len(names)
    key = f"proposal.{row.kind}" + (f".{terms['outcome']}" if "outcome" in terms else "")
    fields = {
        "name": name or words.say("person.gone"),
        "seat": terms.get("seat", 0),
        "time": paces.duration(terms.get("seconds", 0) * SECOND, words),
    }
    return words.say(key, fields, names)
