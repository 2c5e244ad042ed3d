"""Many records at once: those of the caller's finished games, or of all public games; and the schema of records."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.settings.config import ROOT
from service.tables.views import record_lists
from service.web.api.games.game_schemas import RecordsQuery
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller, caller_id, open_to_visitors
from service.web.http.caller.context import current_services
from service.web.http.headers.whole_files import whole_file
from service.web.http.limits.rate_limits import limited

bp = Blueprint("records", __name__, url_prefix="/api/records")


@bp.get("")
@limited("records", entries=True)
@open_to_visitors("read")
@parse_query(RecordsQuery)
def list_records(query: Json) -> Response:
    """Return the records of many games, each on its own line."""
    if query["mine"]:
        caller_id()
    player = caller()
    heads = current_services().heads
    lines, following = record_lists.page(heads, player and player.id, query)
    if not lines:
        return Response(status=204)
    answer = Response(lines, mimetype="application/x-ndjson")
    if following is not None:
        again = {**query, "cursor": seal(following), "mine": str(query["mine"]).lower()}
        answer.headers["Link"] = f'</api/records?{urlencode(again)}>; rel="next"'
    return answer


@bp.get("/schema")
def get_record_schema() -> Response:
    """Return the JSON Schema of records."""
    file = ROOT / "docs/record.schema.json"
    return whole_file(file, "application/schema+json")
