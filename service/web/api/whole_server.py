"""Requests about the whole server: whether it is alive and ready, its public key, the words of its page."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.database.failures import NO_PRIMARY
from service.core.readiness.checks import Check
from service.core.readiness.key_checks import other_keys
from service.core.runtime.problems import NotFound, NotReady
from service.core.words.words import LANGUAGES, phrases
from service.web.http import outages
from service.web.http.caller.context import current_services
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("whole_server", __name__)
CHECKS = ("database", "migrations", "worker", "disk", "keys")


@bp.get("/healthz")
def get_health() -> Json:
    """Say that the process responds.

    It uses no other part of the server, so that nobody restarts the process because the database is away.
    """
    return {"status": "ok"}


@bp.get("/readyz")
def get_readiness() -> Json:
    """Say whether the server has what it needs; if something is missing, the response is 503 and names it.

    The log and `tegami doctor` have the reasons.
    """
    checks = outages.look()
    found = {each.name: _said(each) for each in checks}
    shown = {name: found.get(name, "unknown") for name in CHECKS}
    if not set(shown.values()) <= {"ok", "degraded"}:
        keys = other_keys(current_services().config) if shown["keys"] == "bad" else []
        primary = all(each.cause != NO_PRIMARY for each in checks)
        raise NotReady({"Retry-After": "30"}, shown, keys, primary=primary)
    return {"status": "ready", "checks": shown}


def _said(check: Check) -> str:
    if check.cause is None:
        return "ok"
    return "degraded" if check.degraded else "bad"


@bp.get("/api/key")
def get_key() -> Response:
    """Return the key under which heads are signed."""
    key = current_services().heads.public_key
    return with_content_etag({"algorithm": "Ed25519", "key": key.hex()})


@bp.get("/api/words/<wanted>")
def get_words(wanted: str) -> Response:
    """Return the page's own messages. Raises NotFound for a language without any."""
    if wanted not in LANGUAGES:
        raise NotFound
    return with_content_etag(dict(phrases(wanted).messages))
