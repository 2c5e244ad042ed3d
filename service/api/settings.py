"""Settings: language, time zone, mails, reminders."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.clocks import quiet_hours
from service.core.problems import InvalidQuietHours
from service.http.body_and_query import parse_body
from service.http.caller import caller_id, signed_in
from service.http.context import current_services
from service.http.schemas.people import ChangedSettings
from service.people import players, preferences

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
