"""A launcher of web and worker that look for a newer release often, so that tests need not wait."""

from __future__ import annotations

import sys

from flask import Flask

from service.core.readiness.newer_release import BEATS, Beats
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app

APP = "tests.support.servers.updated:app()"
WORKER = ("-m", "tests.support.servers.updated")


def app() -> Flask:
    """The application, with short intervals."""
    made = create_app()
    made.extensions[BEATS] = Beats(every=0.1, goodbye=1.0)
    return made


if __name__ == "__main__":
    sys.exit(work(app(), stop_on_signals()))
