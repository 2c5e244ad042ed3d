"""Daily deals: the calendar, a day's deal with everybody's results, the caller's only try, and the best line next to
it.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime import days
from service.core.runtime.problems import NotPossible
from service.log.table_rows.table import Table
from service.tables.before_start import daily_games
from service.tables.play.daily_deals import deals, tries
from service.tables.views.daily_deals import deal_view, lines_view
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.bodies.fields import Body
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import whole_game

bp = Blueprint("daily_deals", __name__, url_prefix="/api/daily-deals")


class NewTry(Body):
    """The body of POST /daily-deals/{day}/tries."""


@bp.get("")
@open_to_visitors("read")
@parse_query(PageQuery)
def list_daily_deals(query: Json) -> Response:
    """List the days up to the present one, the latest first, with the caller's tries."""
    services, player = current_services(), caller()
    now, language = services.now(), preferred_language()
    found, following = deals.until(services, days.day_of(now), query.get("cursor"), query["limit"])
    own = tries.of_days(player and player.id, [each.day for each in found])
    entries = [deal_view.entry(each, own.get(each.day), language, now) for each in found]
    return with_content_etag({"days": entries, "next": seal(following)})


@bp.get("/<day>")
@open_to_visitors("read")
def get_daily_deal(day: str) -> Response:
    """Get a day's deal as the caller may see it."""
    deal, player = deals.known(current_services(), day), caller()
    services = current_services()
    now, language = services.now(), preferred_language()
    following = deals.following(services, deal)
    shown = deal_view.whole(deal, following, player and player.id, language, now)
    return with_content_etag(shown)


@bp.post("/<day>/tries")
@limited("games")
@signed_in("play")
@parse_body(NewTry)
def begin_daily_deal(_body: Json, day: str) -> tuple[Json, int, dict[str, str]]:
    """Begin the caller's only try at a day's deal, or return to it."""
    table, new = begun(day)
    return whole_game(table), 201 if new else 200, {"Location": f"/api/games/{table.game.id}"}


def begun(day: str) -> tuple[Table, bool]:
    """The table of the caller's only try at a day's deal, and whether this call has begun it.

    Raises NotSignedIn, NotFound, TooManyRequests.
    """
    services, player_id = current_services(), caller_id()
    deal = deals.known(services, day)
    before = daily_games.begun(player_id, deal.day)
    if before is not None:
        return before, False
    with attempt_limits.counted(attempt_limits.daily_try(player_id, deal.day)):
        return daily_games.begin(services, player_id, deal.day)


@bp.get("/<day>/lines")
@limited("deals")
@open_to_visitors("read")
def get_daily_lines(day: str) -> Response:
    """Get the best line of the strongest house player, next to the caller's own line. Raises NotFound, and NotPossible
    before the caller may see it.
    """
    deal, player, services = deals.known(current_services(), day), caller(), current_services()
    own = tries.find(deal.day, player and player.id)
    if not deal_view.may_compare(deal, own, services.now()):
        raise NotPossible("daily-deal-not-played")
    best = tries.best_line(deal.day)
    finished = own if own is not None and own.is_over else None
    return with_content_etag(lines_view.beside(services, finished, best, preferred_language()))
