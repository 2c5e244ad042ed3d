"""The page about privacy: what is stored about people, who sees it and for how long."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.units import DAY, SECOND
from service.operations.worker import daily_purge
from service.people.credentials.credentials import COOKIE_MAX_AGE
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.page.page_schemas import PageQuery
from service.web.page.rendering import page

bp = Blueprint("privacy", __name__)

PARTS = ("kept", "seen", "long", "yours")
"""The parts of the page, below `privacy.` in the words."""
DAYS = {
    "guests": daily_purge.GUESTS_KEPT // DAY,
    "mails": daily_purge.MAILS_KEPT // DAY,
    "reports": daily_purge.REPORTS_KEPT // DAY,
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
