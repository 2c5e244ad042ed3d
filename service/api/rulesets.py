"""Rulesets: what can be played."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from service.core.problems import NotFound
from service.http.accept_language import preferred_language
from service.http.etags import with_content_etag
from service.views import ruleset_view

bp = Blueprint("rulesets", __name__, url_prefix="/api/rulesets")


@bp.get("")
def list_rulesets() -> Response:
    """Every ruleset that can be played."""
    language = preferred_language()
    summaries = [ruleset_view.summary(slug, language) for slug in rules.slugs()]
    return with_content_etag({"rulesets": summaries})


@bp.get("/<slug>")
def get_ruleset(slug: str) -> Response:
    """A ruleset with its options and actions."""
    if slug not in rules.slugs():
        raise NotFound
    return with_content_etag(ruleset_view.whole(slug, preferred_language()))
