"""The rules of a ruleset, for players."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.problems import NotFound
from service.http.accept_language import preferred_language
from service.http.body_and_query import parse_query
from service.http.schemas.pages import PageQuery
from service.pages.rendering import page
from service.views import ruleset_view

bp = Blueprint("rules_page", __name__)


@bp.get("/rules/<slug>")
@parse_query(PageQuery)
def get_rules(query: Json, slug: str) -> Response:
    """The page of rules for players."""
    if slug not in rules.slugs():
        raise NotFound
    body = ruleset_view.page(slug, query.get("lang") or preferred_language())
    return page("rules.html", query, ruleset=slug, body=body)
