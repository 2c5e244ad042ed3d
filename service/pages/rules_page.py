"""The rules of a ruleset, for players."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.http.accept_language import preferred_language
from service.http.body_and_query import parse_query
from service.http.path_ids import known_version
from service.http.schemas.pages import RulesQuery
from service.pages.rendering import page
from service.views.rulesets import rules_page_view

bp = Blueprint("rules_page", __name__)


@bp.get("/rules/<slug>")
@parse_query(RulesQuery)
def get_rules(query: Json, slug: str) -> Response:
    """The page of rules for players, of the newest version unless the query names one."""
    version = known_version(slug, query.get("version"))
    body = rules_page_view.page(slug, query.get("lang") or preferred_language(), version)
    return page("rules.html", query, ruleset=slug, version=version, slug=slug, body=body)
