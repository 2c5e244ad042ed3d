"""Rulesets: the games that can be played, and the lessons that teach them."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.tables.before_start import lessons
from service.tables.views.rulesets import ruleset_view, shown_tables
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.fields import Body, StrictInteger, version
from service.web.http.bodies.path_ids import known_version
from service.web.http.bodies.wrong_members import between
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import whole_game

bp = Blueprint("rulesets", __name__, url_prefix="/api/rulesets")


class NewLesson(Body):
    """The body of POST /rulesets/{slug}/lessons."""

    step = StrictInteger(validate=between(1, 100), load_default=1)


class RulesetQuery(Body):
    """The query of GET /rulesets/{slug}."""

    version = version()


@bp.get("")
def list_rulesets() -> Response:
    """List every ruleset that can be played."""
    language = preferred_language()
    summaries = [ruleset_view.summary(slug, language) for slug in rules.slugs()]
    return with_content_etag({"rulesets": summaries})


@bp.post("/<slug>/lessons")
@limited("games")
@signed_in("play")
@repeatable
@parse_body(NewLesson)
def begin_lesson(body: Json, slug: str) -> tuple[Json, int, dict[str, str]]:
    """Begin a lesson."""
    known_version(slug, None)
    learner = caller_id()
    with attempt_limits.counted(attempt_limits.lesson(learner)):
        table = lessons.begin(current_services(), learner, slug, body["step"])
    return whole_game(table), 201, {"Location": f"/api/games/{table.game.id}"}


@bp.get("/<slug>")
@parse_query(RulesetQuery)
def get_ruleset(query: Json, slug: str) -> Response:
    """Show a ruleset with its options and actions, in its newest version unless the query names one."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(ruleset_view.whole(slug, preferred_language(), wanted))


@bp.get("/<slug>/picture")
@parse_query(RulesetQuery)
def get_ruleset_picture(query: Json, slug: str) -> Response:
    """Show a table in the middle of a game, as one seat sees it."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(shown_tables.picture(slug, preferred_language(), wanted))


@bp.get("/<slug>/example")
@parse_query(RulesetQuery)
def get_ruleset_example(query: Json, slug: str) -> Response:
    """Show the worked turn of the rules page, table by table."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(shown_tables.example(slug, preferred_language(), wanted))
