"""Pages of players: what they have played, with whom, how fast and how well, for everybody who may see them."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.people.ratings.played import pages
from service.people.ratings.played.pages import Page
from service.tables.views import game_lists
from service.web.api.people import player_view
from service.web.api.people.ratings import point_json
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.caller import caller, open_to_visitors
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("players", __name__, url_prefix="/api")


@bp.get("/players/<handle:handle>")
@open_to_visitors("read")
def get_player(handle: str) -> Response:
    """Get the page of a player."""
    return _shown(_page_of(handle))


@bp.get("/games/<game:game_id>/seats/<tenure:tenure_id>/player")
@open_to_visitors("read")
def get_player_of_seat(game_id: str, tenure_id: str) -> Response:
    """Get the page of somebody who holds or held a seat. Raises NotFound."""
    visible_table(game_id)
    at, owner_id = game_lists.holder_of(tenure_id)
    if at != game_id:
        raise NotFound
    return _shown(pages.of_player(owner_id, _viewer_id()))


@bp.get("/players/<handle:handle>/games")
@open_to_visitors("read")
@parse_query(PageQuery)
def list_games_of_player(query: Json, handle: str) -> Response:
    """List the finished games of a player."""
    found = player_view.games_json(
        _page_of(handle), query.get("cursor"), query["limit"], preferred_language()
    )
    games, following = found
    return with_content_etag({"games": games, "next": seal(following)})


@bp.get("/players/<handle:handle>/ratings/<slug>")
@open_to_visitors("read")
@parse_query(PageQuery)
def list_rated_games_of_player(query: Json, handle: str, slug: str) -> Response:
    """List the rated games of a player in a ruleset."""
    known_version(slug, None)
    found = _page_of(handle).ratings(slug, query.get("cursor"), query["limit"])
    games, following = found
    return with_content_etag({"games": list(map(point_json, games)), "next": seal(following)})


def _page_of(handle: str) -> Page:
    return pages.by_handle(handle, _viewer_id())


def _viewer_id() -> str | None:
    player = caller()
    return player and player.id


def _shown(page: Page) -> Response:
    now = current_services().now()
    return with_content_etag(player_view.page_json(page, now, preferred_language()))
