"""A launcher of web and worker whose clock is ahead of the system's, by the ms in the file that `AHEAD` names.

The worker rests for a shorter time than usual, so that nobody waits for it.
"""

from __future__ import annotations

import os
from pathlib import Path

from flask import Flask

from service.core.runtime.time_and_random import Runtime, system_clock
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app

HASTE = 20
"""How many times shorter the worker's rests are."""


def ahead(file: Path) -> Runtime:
    """A runtime whose time is later than here."""
    return Runtime(now=lambda: system_clock() + int(file.read_text()))


def put(file: Path, ms: int) -> None:
    """Set how far the clock is ahead; readers of the file always find a whole number."""
    new = file.with_suffix(".new")
    new.write_text(str(ms))
    new.replace(file)


def app() -> Flask:
    """The application at that time."""
    return create_app(runtime=ahead(Path(os.environ["AHEAD"])))


if __name__ == "__main__":
    stop = stop_on_signals()
    work(app(), stop, lambda seconds: stop.wait(seconds / HASTE))
