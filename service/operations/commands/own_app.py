"""The application for a command that works on the database with our keys: not with those of another server."""

from __future__ import annotations

from flask import Flask
from sqlalchemy.exc import DBAPIError

from service.core.readiness.key_checks import refuse_other_keys
from service.tables.services import Services
from service.web.app import create_app


def own_app(*, wait: bool = False) -> Flask:
    """The application. Raises OtherKeys, and DBAPIError unless the caller will `wait` for the database."""
    app = create_app()
    services: Services = app.extensions["tegami"]
    with app.app_context():
        try:
            refuse_other_keys(services.config)
        except DBAPIError:
            if not wait:
                raise
    return app
