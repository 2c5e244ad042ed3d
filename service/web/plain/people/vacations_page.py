"""Vacations without scripts: planning a vacation, and ending one."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.people import players
from service.people.accounts import preferences
from service.tables.clocks import vacations
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import OwnVacations
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_vacations")

HERE = "/plain/vacations"


@bp.get("/vacations")
def get_plain_vacations() -> Response:
    """Show the planned vacations, and the number of days left. Raises NotSignedIn."""
    player, now = players.get(caller_id()), current_services().now()
    taken = vacations.of_player(player.id)
    this_year = vacations.today(now, preferences.time_zone(player)).year
    return plain_page(
        "vacations.html",
        answers=[*vacations.ANSWERS],
        planned=[row for row in taken if row.ends_at > now],
        left=[
            {"year": year, "days": vacations.days_left(taken, year)}
            for year in (this_year, this_year + 1)
        ],
    )


@bp.post("/vacations")
@signed_in_by_cookie
@parse_form(OwnVacations)
def change_plain_vacations(body: Json) -> Response:
    """Plan the next vacation, or end one. Raises NotSignedIn, InvalidVacation, NotFound."""
    services, player_id = current_services(), caller_id()
    if "end" in body:
        vacations.end(services, player_id, body["end"])
    else:
        days = vacations.Days(body["first"], body["last"])
        vacations.plan(services, player_id, days, body["answers"])
    return see(HERE)
