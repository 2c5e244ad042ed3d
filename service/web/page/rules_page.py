"""The rules of a ruleset, for players."""

from __future__ import annotations

from flask import Blueprint, Response, request

import rules
from rules.kernel import Json
from service.core.words.words import LANGUAGES, Phrases
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.views.rulesets import rules_page_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.path_ids import known_version
from service.web.page import first_answers
from service.web.page.page_schemas import ExampleQuery, RulesQuery
from service.web.page.rendering import scripted, words_for

bp = Blueprint("rules_page", __name__)
RULES = "rules_page.js"
"""The module that the script loads for rules pages."""


@bp.get("/rules/<slug>")
@parse_query(RulesQuery)
def get_rules(query: Json, slug: str) -> Response:
    """Show the rules page for players, of the newest version unless the query names one."""
    version = known_version(slug, query.get("version"))
    words = words_for(query, slug, version)
    body = rules_page_view.page(slug, words.language, version)
    return _about(slug, "rules.html", words, query, title=words.say("name"), body=body)


@bp.get("/rules/<slug>/example")
@parse_query(ExampleQuery)
def get_rules_example(query: Json, slug: str) -> Response:
    """Show the worked turn of the rules page, one step at a time; a step after the last one shows the last."""
    version = known_version(slug, query.get("version"))
    words, named = words_for(query, slug, version), (query.get("version"), query.get("lang"))
    found = rules_page_view.example_steps(slug, words.language, version)
    number = min(query.get("step", 0), len(found) - 1)
    path = rules_page_view.example_path(slug, *named)
    layout = lay_out(found[number].game, words, rules.load(slug, version).looks.layout)
    return _about(
        slug,
        "example.html",
        words,
        query,
        title=words.say("example.title", {"name": words.say("name")}),
        step=found[number],
        layout=layout,
        table=draw_html(layout, words),
        number=number,
        last=len(found) - 1,
        address=f"{path}{'&' if '?' in path else '?'}step=",
        rules_path=rules_page_view.page_path(slug, *named),
    )


def _about(
    slug: str, template: str, words: Phrases, query: Json, *, title: str, **values: object
) -> Response:
    """A page about the rules of a game, which can be read before the script has loaded, and without it."""
    version, place = query.get("version"), request.path.removeprefix("/rules/")
    other = next(each for each in LANGUAGES if each != words.language)
    step = f"&step={values['number']}" if "step" in query else ""
    return scripted(
        template,
        words,
        title=f"{title} – Tegami",
        heading=title,
        description=words.say("summary"),
        picture=slug,
        plain=f"/new/{slug}",
        first=first_answers.of_rules(_example(slug, version), words.language),
        later=RULES,
        slug=slug,
        version=version,
        other=f"{rules_page_view.page_path(place, version, other)}{step}",
        other_language=other,
        **values,
    )


def _example(slug: str, version: int | None) -> str:
    """The path of the API with the page's worked turn."""
    return f"/api/rulesets/{slug}/example{'' if version is None else f'?version={version}'}"
