"""Whether the service is alive, and whether it is ready for its work."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.runtime.problems import NotReady
from service.web.http import outages

bp = Blueprint("health", __name__)
CHECKS = ("database", "migrations", "worker", "disk")


@bp.get("/healthz")
def get_health() -> Json:
    """The process answers; it asks nobody, so that nobody restarts it because the database is away."""
    return {"status": "ok"}


@bp.get("/readyz")
def get_readiness() -> Json:
    """What the server needs is there, or 503 with what is not; why, the log says and `tegami doctor`."""
    found = {each.name: "bad" if each.cause else "ok" for each in outages.look()}
    shown = {name: found.get(name, "unknown") for name in CHECKS}
    if set(shown.values()) != {"ok"}:
        raise NotReady({"Retry-After": "30"}, checks=shown)
    return {"status": "ready", "checks": shown}
