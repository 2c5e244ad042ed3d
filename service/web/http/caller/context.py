"""The services of the application that handles the present request."""

from __future__ import annotations

from flask import current_app

from service.tables.services import Services


def current_services() -> Services:
    """The services of the present application."""
    found: Services = current_app.extensions["tegami"]
    return found
