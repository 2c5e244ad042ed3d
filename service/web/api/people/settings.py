"""Settings: language, time zone, emails and reminders; and vacations, during which no time is charged."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.runtime.problems import InvalidQuietHours
from service.core.runtime.time_and_random import rfc3339
from service.people import players
from service.people.accounts import preferences
from service.tables.clocks import quiet_hours, vacations
from service.tables.play.orders import only_moves
from service.web.api.people.people_schemas import ChangedSettings, NewVacation
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services

bp = Blueprint("settings", __name__, url_prefix="/api/me")


@bp.get("/settings")
@signed_in("account")
def get_settings() -> Json:
    """Show the caller's settings."""
    return {"settings": preferences.as_json(players.get(caller_id()))}


@bp.patch("/settings")
@signed_in("account")
@parse_body(ChangedSettings)
def change_settings(body: Json) -> Json:
    """Change the settings that are in the body; other settings stay. Raises UnknownTimeZone, InvalidQuietHours."""
    quiet = body.get("quiet")
    if quiet is not None and not quiet_hours.is_allowed(quiet):
        raise InvalidQuietHours
    player = preferences.change(current_services(), caller_id(), body)
    if "only_move" in body:
        player = only_moves.set_everywhere(current_services(), player.id, body["only_move"])
    return {"settings": preferences.as_json(player)}


@bp.get("/vacations")
@signed_in("account")
def list_vacations() -> Json:
    """List the caller's vacations, the latest first, and the days left in this year and the next."""
    taken, player = vacations.of_player(caller_id()), players.get(caller_id())
    this_year = vacations.today(current_services().now(), preferences.time_zone(player)).year
    return {
        "vacations": [vacation_json(row) for row in taken],
        "days_left": [
            {"year": year, "days": vacations.days_left(taken, year)}
            for year in (this_year, this_year + 1)
        ],
    }


@bp.post("/vacations")
@signed_in("account")
@parse_body(NewVacation)
def plan_vacation(body: Json) -> tuple[Json, int]:
    """Plan the caller's next vacation."""
    days = vacations.Days(body["first"], body["last"])
    row = vacations.plan(current_services(), caller_id(), days, body["answers"])
    return {"vacation": vacation_json(row)}, 201


@bp.delete("/vacations/<vacation:vacation_id>")
@signed_in("account")
def end_vacation(vacation_id: str) -> tuple[str, int]:
    """Cancel a vacation, or end it early."""
    vacations.end(current_services(), caller_id(), vacation_id)
    return "", 204


def vacation_json(row: vacations.VacationRow) -> Json:
    """A vacation, with its days and with the times at which it begins and ends."""
    return {
        "id": row.id,
        "first": row.first,
        "last": row.last,
        "begins_at": rfc3339(row.begins_at),
        "ends_at": rfc3339(row.ends_at),
        "answers": row.allows,
    }
