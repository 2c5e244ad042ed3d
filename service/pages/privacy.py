"""The page about privacy: what is stored about people, who sees it and for how long."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.units import DAY, SECOND
from service.http.body_and_query import parse_query
from service.http.context import current_services
from service.http.schemas.pages import PageQuery
from service.pages.rendering import page
from service.people.credentials import COOKIE_MAX_AGE
from service.privacy import purge

bp = Blueprint("privacy", __name__)

PARTS = ("kept", "seen", "long", "yours")
"""The parts of the page, below `privacy.` in the words."""
DAYS = {
    "guests": purge.GUESTS_KEPT // DAY,
    "mails": purge.MAILS_KEPT // DAY,
    "reports": purge.REPORTS_KEPT // DAY,
    "sign_in": COOKIE_MAX_AGE * SECOND // DAY,
}
"""How long things are kept, for the words of the page."""


@bp.get("/privacy")
@parse_query(PageQuery)
def get_privacy(query: Json) -> Response:
    """The page; the settings say who runs this server."""
    config = current_services().config
    return page(
        "privacy.html",
        query,
        named={"operator": config.operator} if config.operator else {},
        contact=config.contact,
        link=contact_link(config.contact or ""),
        parts=PARTS,
        days=DAYS,
    )


def contact_link(contact: str) -> str | None:
    """The address of a link to this contact: a page or a new mail; None for a contact of another kind."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else None
