"""What belongs to no resource: the contract, the page's words, and whether the service is well."""

from __future__ import annotations

import hashlib

from flask import Blueprint, Response, render_template, send_file
from sqlalchemy import text

from rules.kernel import Json
from service.api.common import asks, language, tagged
from service.config import ROOT
from service.database import db
from service.problems import NotFound
from service.schemas import PageQuery
from service.words import LANGUAGES, phrases

bp = Blueprint("meta", __name__, template_folder="../pages")


@bp.get("/api/words/<wanted>")
def get_words(wanted: str) -> Response:
    """The page's own messages."""
    if wanted not in LANGUAGES:
        raise NotFound
    body = phrases(wanted).messages
    tag = hashlib.sha256(repr(body).encode()).hexdigest()[:20]
    return tagged(dict(body), f'"{tag}"')


@bp.get("/problems/<slug>")
@asks(PageQuery)
def get_problem(query: Json, slug: str) -> Response:
    """What a type of problem means."""
    chosen = query.get("lang") or language()
    words = phrases(chosen)
    if words.get(f"problem.{slug}.title") is None:
        raise NotFound
    html = render_template("problem.html", language=chosen, words=words, slug=slug)
    return Response(html, headers={"Content-Language": chosen, "Vary": "Accept-Language"})


@bp.get("/openapi.yaml")
def get_openapi() -> Response:
    """The contract."""
    return send_file(ROOT / "openapi.yaml", mimetype="application/yaml", conditional=True)


@bp.get("/healthz")
def get_health() -> Json:
    """Whether the service can answer."""
    db.session.execute(text("SELECT 1"))
    return {"status": "ok"}
