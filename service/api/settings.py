"""Settings: language, time zone, mails, reminders, vacations."""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from rules.kernel import Json
from service import people, settings, vacations
from service.api.common import player_id, signed_in, takes, tools
from service.outside import rfc3339
from service.schemas_people import ChangedSettings, NewVacation
from service.vacations import Days

bp = Blueprint("settings", __name__, url_prefix="/api/me")


@bp.get("/settings")
@signed_in
def get_settings() -> Json:
    """How I want to be treated."""
    return {"settings": settings.of(people.find(player_id()))}


@bp.patch("/settings")
@signed_in
@takes(ChangedSettings)
def change_settings(body: Json) -> Json:
    """Change what is sent; the rest stays."""
    return {"settings": settings.of(settings.change(tools().outside, player_id(), body))}


@bp.get("/vacations")
@signed_in
def list_vacations() -> Json:
    """My vacations, the latest first, and how many days are left this year."""
    taken, player = vacations.of(player_id()), people.find(player_id())
    year = vacations.today(tools().outside.now(), settings.zone(player)).year
    return {
        "vacations": [vacation_shown(row) for row in taken],
        "days_left": [
            {"year": each, "days": vacations.left(taken, each)} for each in (year, year + 1)
        ],
    }


@bp.post("/vacations")
@signed_in
@takes(NewVacation)
def plan_vacation(body: Json) -> tuple[Json, int]:
    """Plan the next vacation."""
    row = vacations.plan(tools().outside, player_id(), Days(body["first"], body["last"]))
    return {"vacation": vacation_shown(row)}, 201


@bp.delete("/vacations/<vacation:vacation_id>")
@signed_in
def end_vacation(vacation_id: str) -> tuple[str, int]:
    """Call a vacation off, or come back early."""
    vacations.end(tools().outside, player_id(), vacation_id)
    return "", 204


def vacation_shown(row: Any) -> Json:
    """A vacation, by days and by moments."""
    return {
        "id": row.id,
        "first": row.first,
        "last": row.last,
        "begins_at": rfc3339(row.begins_at),
        "ends_at": rfc3339(row.ends_at),
    }
