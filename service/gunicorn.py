"""How gunicorn serves: the settings that `gunicorn --config service/gunicorn.py` reads.

Each worker process makes the application itself (no `preload_app`), so none inherits an open database connection
through a fork; the code is loaded once, before.
"""

from __future__ import annotations

import importlib
import logging
import os
from typing import Any


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def address() -> str:
    """HOST and PORT as gunicorn writes them; only this machine can reach the default."""
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class WithoutCallers(logging.Filter):
    """Leaves out of gunicorn's own messages what a caller sent: paths, query strings, header lines, addresses."""

    REPLACED = {
        "Error handling request": "Error handling a request",
        "Invalid request from": "Refused a request that is not proper HTTP",
    }

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace such a message by one without particulars; every record passes."""
        for start, replacement in self.REPLACED.items():
            if str(record.msg).startswith(start):
                record.msg, record.args = replacement, ()
        return True


def on_starting(server: Any) -> None:
    """Before the first worker is forked: all of them inherit the filter and the loaded code."""
    importlib.import_module("service")
    server.log.error_log.addFilter(WithoutCallers())


bind = address()
workers = int(os.environ.get("WEB_CONCURRENCY") or cores())
worker_class = "gthread"  # sync workers collapse when clients keep their connections open
threads = 4
worker_connections = 2000
keepalive = 75  # longer than the slowest poll, so that a follower keeps one connection
control_socket_disable = True  # nothing outside manages it
accesslog = None  # paths and query strings stay out of the logs
