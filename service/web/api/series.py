"""Series: setting one up, joining it, and showing its standings and rounds."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.units import DAY
from service.people.circles.series import series
from service.tables.before_start import series_rounds
from service.tables.views.series import series_view
from service.web.api.games.lobby import wrong_options
from service.web.api.series_schemas import NewEntry, NewSeries
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("series", __name__, url_prefix="/api")
ONE = "/series/<series:series_id>"


@bp.get("/series")
@open_to_visitors("read")
def list_series() -> Response:
    """List the series that the caller may see."""
    player, language = caller(), preferred_language()
    found = series_view.summaries(series.listed(player and player.id), language)
    return with_content_etag({"series": found})


@bp.post("/circles/<circle:circle_id>/series")
@limited("circles")
@signed_in("account")
@parse_body(NewSeries)
def open_series(body: Json, circle_id: str) -> tuple[Json, int, dict[str, str]]:
    """Open a series in a circle."""
    services, me = current_services(), caller_id()
    wish = {**body, "starts_at": services.now() + body["starts_in"] * DAY}
    with wrong_options(body["table"]["ruleset"]):
        row = series_rounds.set_up(services, circle_id, me, wish)
    shown = series_view.whole(row, me, preferred_language())
    return shown, 201, {"Location": f"/api/series/{row.id}"}


@bp.get(ONE)
@open_to_visitors("read")
def get_series(series_id: str) -> Response:
    """Show a series."""
    player = caller()
    player_id = player and player.id
    row = series.seen(series_id, player_id)
    return with_content_etag(series_view.whole(row, player_id, preferred_language()))


@bp.delete(ONE)
@signed_in("account")
def end_series(series_id: str) -> tuple[str, int]:
    """End a series, as its lead."""
    series_rounds.end(current_services(), series_id, caller_id())
    return "", 204


@bp.put(f"{ONE}/entry")
@limited("circles")
@signed_in("account")
@parse_body(NewEntry)
def join_series(body: Json, series_id: str) -> tuple[Json, int]:
    """Join a series, or change how many games the caller plays at the same time."""
    me = caller_id()
    row, new = series_rounds.join(current_services(), series_id, me, body)
    return series_view.whole(row, me, preferred_language()), 201 if new else 200


@bp.delete(f"{ONE}/entry")
@signed_in("account")
def leave_series(series_id: str) -> tuple[str, int]:
    """Leave a series."""
    series_rounds.leave(series_id, caller_id())
    return "", 204
