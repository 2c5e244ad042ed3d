"""The settings of gunicorn, read by `gunicorn --config service/web/serving/gunicorn.py`.

Each worker process makes the application itself (no `preload_app`), so that none inherits an open database connection
through a fork. The code is loaded once, before the forks.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import mmap
import os
import resource
import signal
import sys
from typing import Any

import structlog
from gunicorn.glogging import Logger
from gunicorn.workers.gasgi import ASGIWorker

from service.core.counts import prometheus
from service.core.database.database import db
from service.core.readiness.key_checks import EXIT_CODE, OtherKeys
from service.core.settings.config import Config
from service.core.settings.environment import WrongSettings, cores, host_and_port

_log = structlog.get_logger("tegami.web")
MOST_CONNECTIONS = 2000
"""The most connections of each process."""
OTHER_FILES = 128
"""The number of files that a process needs besides clients' connections: those of the database, the log and the
code.
"""


def address() -> str:
    """The values of HOST and PORT in gunicorn's form; by default, only this machine can reach the address."""
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def most_connections() -> int:
    """The most connections that a process can have: MOST_CONNECTIONS, or as many as the system allows."""
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most_files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, most_files - OTHER_FILES)


def raise_limit_of_files(connections: int) -> None:
    """Raise the limit of open files for so many connections, because it is often 1024 unless a process asks for
    more.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class ErrorsOnly(Logger):  # type: ignore[misc]  # gunicorn comes without types
    """A logger without an access log, so that paths and query strings stay out of the logs."""

    access_log_enabled = False


class WithoutCallers(logging.Filter):
    """A filter that keeps callers' input (paths, query strings, headers, addresses) out of gunicorn's own messages."""

    REPLACED = {
        "Error handling request": "Error handling a request",
        "Invalid request from": "Refused a request that is not proper HTTP",
    }

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace a message with such input by one without details; returns True for every record."""
        for start, replacement in self.REPLACED.items():
            if str(record.msg).startswith(start):
                record.msg, record.args = replacement, ()
        return True


def on_starting(server: Any) -> None:  # gunicorn comes without types
    """Prepare everything that all forked workers inherit: the filter, the loaded code and the page's files."""
    importlib.import_module("service.web.app")
    raise_limit_of_files(server.cfg.worker_connections)
    server.log.error_log.addFilter(WithoutCallers())
    with contextlib.suppress(WrongSettings):  # each process refuses other keys, and says which
        config = Config.from_environment()
        refuse_other_keys()
        importlib.import_module("service.web.page.files.serving").compress(config.data_dir)
        if counting:
            prometheus.set_folder(config, prometheus.WEB)


def refuse_other_keys() -> None:
    """Exit if the database belongs to keys other than ours. Starting again would not help."""
    try:
        app = importlib.import_module("service.web.app").own_app(wait=True)
    except OtherKeys as other:
        _log.error("failing", task="start", cause=other.cause, told=str(other))
        sys.exit(EXIT_CODE)
    with app.app_context():
        for engine in db.engines.values():
            engine.dispose()  # no web process may inherit a connection


def post_worker_init(worker: Any) -> None:
    """Set up a web process that has loaded the application, before it serves; other kinds of workers need nothing."""
    if isinstance(worker, ASGIWorker):
        importlib.import_module("service.web.serving.application").serve(worker, end_all)


def post_fork(_server: Any, _worker: Any) -> None:
    """Prepare a new web process."""
    if counting:
        prometheus.begin()


def child_exit(_server: Any, worker: Any) -> None:
    """Note that a web process has ended, however it ended."""
    if counting:
        prometheus.process_ended(worker.pid)


def end_all(code: int) -> None:
    """Called in a web process: end gunicorn and all web processes with this exit code, because a new process would fail
    in the same way.
    """
    _exit_code[0] = code
    os.kill(os.getppid(), signal.SIGTERM)


def on_exit(_server: Any) -> None:
    """Exit with the code of the process that ended all, when all web processes have ended."""
    if _exit_code[0]:
        sys.exit(_exit_code[0])


_exit_code = mmap.mmap(-1, 1)
"""A byte that all web processes share: the exit code with which one of them wants all to end, or 0."""
counting = host_and_port(os.environ.get("METRICS")) is not None
bind = [address(), *([os.environ["METRICS"]] if counting else [])]
workers = int(os.environ.get("WEB_CONCURRENCY") or cores())
# It reads, writes and waits without threads; what it serves: service/web/serving/.
worker_class = "asgi"
asgi_loop = "asyncio"  # our worker class is the same wherever it runs
asgi_lifespan = "off"
http_parser = "python"
worker_connections = most_connections()
keepalive = 75  # longer than the slowest poll, so that a follower keeps one connection
forwarded_allow_ips = ""  # the application reads X-Forwarded-… (TRUSTED_PROXIES)
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""  # nobody outside sets SCRIPT_NAME or PATH_INFO
control_socket_disable = True  # no other process controls gunicorn
logger_class = ErrorsOnly
logconfig_dict = {  # one JSON object a line, like all other logs
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "service.core.runtime.log_files.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}
