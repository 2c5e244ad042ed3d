"""Where to report a vulnerability of this server, for programs and researchers (RFC 9116)."""

from __future__ import annotations

from flask import Blueprint, Response

from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY
from service.core.words.words import LANGUAGES
from service.web.http.caller.context import current_services
from service.web.page.privacy import contact_link

bp = Blueprint("security_txt", __name__, url_prefix="/.well-known")

VALID_FOR = 30 * DAY
"""Ms after which what was downloaded is to be looked at again."""


@bp.get("/security.txt")
def get_security_txt() -> Response:
    """How to reach the operator. Raises NotFound if CONTACT is neither a mail address nor an https address."""
    services = current_services()
    config = services.config
    contact = contact_link(config.contact or "")
    if contact is None or contact.startswith("http://"):
        raise NotFound
    fields = {
        "Contact": contact,
        "Expires": rfc3339(services.runtime.now() + VALID_FOR),
        "Preferred-Languages": ", ".join(LANGUAGES),
        "Canonical": f"{config.public_url}/.well-known/security.txt",
    }
    lines = (f"{name}: {value}\n" for name, value in fields.items())
    return Response("".join(lines), mimetype="text/plain")
