"""What belongs to no resource: the contract, the page's words, and whether the service is well."""

from __future__ import annotations

import hashlib

from flask import Blueprint, Response, render_template, send_file
from sqlalchemy import text

from rules.kernel import Json
from service import purge
from service.api.common import asks, language, tagged, tools
from service.config import ROOT
from service.database import db
from service.people import COOKIE_AGE
from service.problems import NotFound
from service.schemas import PageQuery
from service.words import LANGUAGES, phrases

bp = Blueprint("meta", __name__, template_folder="../pages")

PRIVACY = ("kept", "seen", "long", "yours")
"""The parts of the page about privacy, below `privacy.` in the words."""
DAYS = {
    "guests": purge.GUESTS // purge.DAY,
    "mails": purge.MAILS // purge.DAY,
    "reports": purge.REPORTS // purge.DAY,
    "sign_in": COOKIE_AGE // 86_400,
}
"""How long things are kept, as that page says it."""


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


@bp.get("/privacy")
@asks(PageQuery)
def get_privacy(query: Json) -> Response:
    """What is kept of people, who sees it and for how long; the settings say whose server this is."""
    chosen, config = query.get("lang") or language(), tools().config
    fields = {
        "named": {"operator": config.operator} if config.operator else {},
        "contact": config.contact,
        "link": address_of(config.contact or ""),
        "parts": PRIVACY,
        "days": DAYS,
    }
    html = render_template("privacy.html", language=chosen, words=phrases(chosen), **fields)
    return Response(html, headers={"Content-Language": chosen, "Vary": "Accept-Language"})


def address_of(contact: str) -> str | None:
    """Where a link to this leads: a page, or a new mail; None for a contact of another kind."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else None


@bp.get("/openapi.yaml")
def get_openapi() -> Response:
    """The contract."""
    return send_file(ROOT / "openapi.yaml", mimetype="application/yaml", conditional=True)


@bp.get("/healthz")
def get_health() -> Json:
    """Whether the service can answer."""
    db.session.execute(text("SELECT 1"))
    return {"status": "ok"}
