"""The history of a game in the caller's words and eyes: one fold for a page."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from rules.kernel import Json
from service.answers import GameAnswer
from service.database import db
from service.log import States, fold
from service.models import Event
from service.outside import rfc3339

PUBLIC = ("number", "kind", "seat", "by")
"""What of an event everybody is told: how many there are and who acted is public in every ruleset."""


def page(
    states: States, answer: GameAnswer, after: int, limit: int
) -> tuple[list[Json], int | None]:
    """The events after number `after`, at most `limit`, and the number to go on after (None: that was all)."""
    query = (
        select(Event.body, Event.at)
        .where(Event.game_key == answer.game.key, Event.number > after)
        .where(Event.number <= min(after + limit, answer.game.number))
        .order_by(Event.number)
    )
    rows = db.session.execute(query).all()
    state = states.load(db.session, answer.game, min(after, answer.game.number))
    told: list[Json] = []
    for row in rows:
        event: Json = json.loads(row.body)
        before, state = state, fold(answer.table.ruleset, state, [event])
        lines = answer.lines(state) if state is not before else [own_line(answer, event)]
        told.append(_entry(event, row.at, lines))
    last = after + len(rows)
    return told, last if rows and last < answer.game.number else None


def own_line(answer: GameAnswer, event: Json) -> Json:
    """What the service tells of an event that the rules do not see."""
    return {"line": event["kind"], "words": answer.words.say(f"event.{event['kind']}")}


def _entry(event: Json, at: int, lines: list[Json]) -> Json:
    public: dict[str, Any] = {key: event[key] for key in PUBLIC if key in event}
    return {**public, "at": rfc3339(at), "lines": lines}
