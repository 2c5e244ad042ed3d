"""The application in the process of a run, at a time that is set by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from flask import Flask

from service.core.database.database import db
from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.tables.services import Services
from service.web.app import create_app
from tests.endurance.frame import Run
from tests.support.cast import Clock
from tests.support.quick_settings import quick_settings
from tests.support.servers.databases import disconnect, hasten


def settings(run: Run) -> Config:
    """The settings of a run with a database of its own."""
    return quick_settings(run.folder, run.database())


def application(run: Run, clock: Clock, **more: Any) -> Flask:
    """An application over a database of its own, until the end of the run."""
    runtime = Runtime(clock, random.Random(run.seed).randbytes)
    app = create_app(replace(settings(run), **more), runtime)
    run.until_the_end.callback(disconnect, app)
    with app.app_context():
        hasten(db.engine)
    return app


def services_of(app: Flask) -> Services:
    """The services with which an application was made."""
    services: Services = app.extensions["tegami"]
    return services
