"""The public key by which everybody can check what this server has signed."""

from __future__ import annotations

from flask import Blueprint, Response

from service.web.http.caller.context import current_services
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("signing_key", __name__, url_prefix="/api")


@bp.get("/key")
def get_key() -> Response:
    """The key under which heads are signed."""
    key = current_services().heads.public_key
    return with_content_etag({"algorithm": "Ed25519", "key": key.hex()})
