"""Settings: language, time zone, mails, reminders."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.runtime.problems import InvalidQuietHours
from service.people import players, preferences
from service.tables.clocks import quiet_hours
from service.web.api.people_schemas import ChangedSettings
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services

bp = Blueprint("settings", __name__, url_prefix="/api/me/settings")


@bp.get("")
@signed_in("account")
def get_settings() -> Json:
    """My settings."""
    return {"settings": preferences.as_json(players.get(caller_id()))}


@bp.patch("")
@signed_in("account")
@parse_body(ChangedSettings)
def change_settings(body: Json) -> Json:
    """Change the settings that are sent; the others stay."""
    quiet = body.get("quiet")
    if quiet is not None and not quiet_hours.is_allowed(quiet):
        raise InvalidQuietHours
    player = preferences.change(current_services().runtime, caller_id(), body)
    return {"settings": preferences.as_json(player)}
