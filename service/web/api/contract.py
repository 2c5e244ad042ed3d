"""The contract of the API: openapi.yaml itself."""

from __future__ import annotations

from flask import Blueprint, Response, send_file

from service.core.settings.config import ROOT

bp = Blueprint("contract", __name__)


@bp.get("/openapi.yaml")
def get_openapi() -> Response:
    """The contract."""
    return send_file(ROOT / "openapi.yaml", mimetype="application/yaml", conditional=True)
