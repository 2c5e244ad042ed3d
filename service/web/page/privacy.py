"""The page about privacy: what is stored about people, who can see it, and for how long; and how to report a
vulnerability.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY, SECOND
from service.core.words.words import LANGUAGES
from service.outbox import queue
from service.people.accounts import guests
from service.people.credentials.credentials import COOKIE_MAX_AGE
from service.tables.before_start import lessons
from service.tables.play.daily_deals import tries
from service.tables.talk import reported_messages
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.page.page_schemas import PageQuery
from service.web.page.rendering import page, words_for

bp = Blueprint("privacy", __name__)

PARTS = ("kept", "seen", "long", "yours")
"""The parts of the page, below `privacy.` in the words."""
DAYS = {
    "guests": guests.GUESTS_KEPT // DAY,
    "lessons": lessons.KEPT // DAY,
    "daily": tries.GAMES_KEPT // DAY,
    "mails": queue.MAILS_KEPT // DAY,
    "reports": reported_messages.REPORTS_KEPT // DAY,
    "sign_in": COOKIE_MAX_AGE * SECOND // DAY,
}
"""How long things are kept (in days), by name, for the words of the page."""


VALID_FOR = 30 * DAY
"""How long (ms) a downloaded security.txt is valid."""


@bp.get("/privacy")
@parse_query(PageQuery)
def get_privacy(query: Json) -> Response:
    """Show the page; the settings name the operator."""
    config = current_services().config
    return page(
        "privacy.html",
        words_for(query),
        named={"operator": config.operator} if config.operator else {},
        contact=config.contact,
        link=contact_link(config.contact or ""),
        parts=PARTS,
        days=DAYS,
    )


def contact_link(contact: str) -> str | None:
    """The address of a link to this contact: a page, or a new mail. None for any other kind of contact."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else None


@bp.get("/.well-known/security.txt")
def get_security_txt() -> Response:
    """Say where to report a vulnerability (RFC 9116).

    Raises NotFound unless CONTACT is a mail address or an https address.
    """
    services = current_services()
    config = services.config
    contact = contact_link(config.contact or "")
    if contact is None or contact.startswith("http://"):
        raise NotFound
    fields = {
        "Contact": contact,
        "Expires": rfc3339(services.now() + VALID_FOR),
        "Preferred-Languages": ", ".join(LANGUAGES),
        "Canonical": f"{config.public_url}/.well-known/security.txt",
    }
    lines = (f"{name}: {value}\n" for name, value in fields.items())
    return Response("".join(lines), mimetype="text/plain")
