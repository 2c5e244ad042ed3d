"""What a type of problem means."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.words.words import LANGUAGES, phrases
from service.web.http.bodies.body_and_query import parse_query
from service.web.page.page_schemas import PageQuery
from service.web.page.rendering import page

bp = Blueprint("problem_page", __name__)


@bp.get("/problems/<slug>")
@parse_query(PageQuery)
def get_problem(query: Json, slug: str) -> Response:
    """What a type of problem means."""
    known, start = phrases(LANGUAGES[0]), f"problem.{slug}."
    if known.get(f"{start}title") is None:
        raise NotFound
    details = [f"{start}detail"]
    if known.get(details[0]) is None:  # one of several reasons
        details = [
            each for each in known.messages if each.startswith(start) and each != f"{start}title"
        ]
    return page("problem.html", query, slug=slug, details=details)
