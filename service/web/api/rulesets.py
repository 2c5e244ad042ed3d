"""Rulesets: what can be played."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.tables.views.rulesets import ruleset_view, shown_tables
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.fields import Body, version
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.context import preferred_language
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("rulesets", __name__, url_prefix="/api/rulesets")


class RulesetQuery(Body):
    """GET /rulesets/{slug}"""

    version = version()


@bp.get("")
def list_rulesets() -> Response:
    """Every ruleset that can be played."""
    language = preferred_language()
    summaries = [ruleset_view.summary(slug, language) for slug in rules.slugs()]
    return with_content_etag({"rulesets": summaries})


@bp.get("/<slug>")
@parse_query(RulesetQuery)
def get_ruleset(query: Json, slug: str) -> Response:
    """A ruleset with its options and actions, in its newest version unless the query names one."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(ruleset_view.whole(slug, preferred_language(), wanted))


@bp.get("/<slug>/picture")
@parse_query(RulesetQuery)
def get_ruleset_picture(query: Json, slug: str) -> Response:
    """A table in the middle of a game, as one seat sees it."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(shown_tables.picture(slug, preferred_language(), wanted))


@bp.get("/<slug>/example")
@parse_query(RulesetQuery)
def get_ruleset_example(query: Json, slug: str) -> Response:
    """The worked turn of the page of rules, table by table."""
    wanted = known_version(slug, query.get("version"))
    return with_content_etag(shown_tables.example(slug, preferred_language(), wanted))
