"""Whether the service is well."""

from __future__ import annotations

from flask import Blueprint
from sqlalchemy import text

from rules.kernel import Json
from service.core.database import db

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def get_health() -> Json:
    """Whether the service can answer."""
    db.session.execute(text("SELECT 1"))
    return {"status": "ok"}
