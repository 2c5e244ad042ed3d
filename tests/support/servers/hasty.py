"""A launcher of a web process with short time limits and low limits for clients, so that tests need not wait."""

from __future__ import annotations

from flask import Flask

from service.web.app import create_app
from service.web.serving.application import BOUNDS
from service.web.serving.connections import Bounds

ROOM = 20
"""The most connections of one address."""
APP = "tests.support.servers.hasty:app()"
ARGUMENTS = "--worker-connections 50 --keep-alive 1"
"""The arguments for gunicorn."""


def app() -> Flask:
    """The application, with small bounds."""
    made = create_app()
    made.extensions[BOUNDS] = Bounds(
        head_seconds=1,
        body_seconds=1,
        answer_seconds=1,
        slowest=10_000_000,
        of_network=ROOM,
        unsent=1_000_000,
    )
    return made
