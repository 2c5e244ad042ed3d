"""Rulesets: what can be played, and the pages that explain it."""

from __future__ import annotations

import hashlib

from flask import Blueprint, Response, render_template

import rules
from rules.kernel import Json
from service import rulesets
from service.api.common import asks, language, tagged
from service.problems import NotFound
from service.schemas import PageQuery
from service.words import phrases

bp = Blueprint("rulesets", __name__, template_folder="../pages")


@bp.get("/api/rulesets")
def list_rulesets() -> Response:
    """Every ruleset that can be played."""
    return unchanging({"rulesets": [rulesets.summary(slug, language()) for slug in rules.slugs()]})


@bp.get("/api/rulesets/<slug>")
def get_ruleset(slug: str) -> Response:
    """A ruleset with its options and actions."""
    return unchanging(rulesets.whole(known(slug), language()))


@bp.get("/rules/<slug>")
@asks(PageQuery)
def get_rules(query: Json, slug: str) -> Response:
    """The page of rules for players."""
    chosen = query.get("lang") or language()
    words = phrases(chosen, known(slug))
    html = render_template(
        "rules.html", language=chosen, words=words, body=rulesets.page(slug, chosen)
    )
    return Response(html, headers={"Content-Language": chosen, "Vary": "Accept-Language"})


def known(slug: str) -> str:
    """`slug`, if there is such a ruleset. Raises NotFound."""
    if slug not in rules.slugs():
        raise NotFound
    return slug


def unchanging(body: Json) -> Response:
    """An answer that changes with the release alone."""
    tag = hashlib.sha256(repr(body).encode()).hexdigest()[:20]
    return tagged(body, f'"{tag}"')
