"""The settings of gunicorn, which `gunicorn --config service/web/serving/gunicorn.py` reads.

Each worker process makes the application itself (no `preload_app`), so none inherits an open database connection
through a fork; the code is loaded once, before.
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
"""In each process."""
OTHER_FILES = 128
"""Files of a process that are no connections of clients: the database's, the log's, the code's."""


def address() -> str:
    """HOST and PORT as gunicorn writes them; only this machine can reach the default."""
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def most_connections() -> int:
    """MOST_CONNECTIONS, or as many as the system lets a process have."""
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most_files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, most_files - OTHER_FILES)


def raise_limit_of_files(connections: int) -> None:
    """Often a process may have only 1024 files unless it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class ErrorsOnly(Logger):  # type: ignore[misc]  # gunicorn comes without types
    """Paths and query strings stay out of the logs: there is no access log, whose lines gunicorn would else make."""

    access_log_enabled = False


class WithoutCallers(logging.Filter):
    """Keeps what callers send (paths, query strings, headers, addresses) out of gunicorn's own messages."""

    REPLACED = {
        "Error handling request": "Error handling a request",
        "Invalid request from": "Refused a request that is not proper HTTP",
    }

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace such a message by one without details; every record passes."""
        for start, replacement in self.REPLACED.items():
            if str(record.msg).startswith(start):
                record.msg, record.args = replacement, ()
        return True


def on_starting(server: Any) -> None:  # gunicorn comes without types
    """Before the first worker is forked: all of them inherit the filter, the loaded code and the page's files."""
    importlib.import_module("service.web.app")
    raise_limit_of_files(server.cfg.worker_connections)
    server.log.error_log.addFilter(WithoutCallers())
    with contextlib.suppress(WrongSettings):  # each process refuses them, and says which
        config = Config.from_environment()
        refuse_other_keys()
        importlib.import_module("service.web.page.files.serving").compress(config.data_dir)
        if counting:
            prometheus.set_folder(config, prometheus.WEB)


def refuse_other_keys() -> None:
    """End if the database belongs to other keys than ours: to start once more would be no use."""
    try:
        app = importlib.import_module("service.web.app").own_app(wait=True)
    except OtherKeys as other:
        _log.error("failing", task="start", cause=other.cause, told=str(other))
        sys.exit(EXIT_CODE)
    with app.app_context():
        for engine in db.engines.values():
            engine.dispose()  # no web process inherits a connection


def post_worker_init(worker: Any) -> None:
    """When a web process has loaded the application, before it serves it; of another worker, gunicorn's is enough."""
    if isinstance(worker, ASGIWorker):
        importlib.import_module("service.web.serving.application").serve(worker, end_all)


def post_fork(_server: Any, _worker: Any) -> None:
    """In a new web process."""
    if counting:
        prometheus.begin()


def child_exit(_server: Any, worker: Any) -> None:
    """When a web process has ended, however it did."""
    if counting:
        prometheus.process_ended(worker.pid)


def end_all(code: int) -> None:
    """In a web process: let gunicorn end with all of them and this code, since it would start new ones of the same."""
    _exit_code[0] = code
    os.kill(os.getppid(), signal.SIGTERM)


def on_exit(_server: Any) -> None:
    """When all web processes have ended."""
    if _exit_code[0]:
        sys.exit(_exit_code[0])


_exit_code = mmap.mmap(-1, 1)
"""Why one of the web processes, all of which share this byte, has found that all have to end; 0: none has."""
counting = host_and_port(os.environ.get("METRICS")) is not None
bind = [address(), *([os.environ["METRICS"]] if counting else [])]
workers = int(os.environ.get("WEB_CONCURRENCY") or cores())
# It reads, writes and waits without threads; what it serves: service/web/serving/.
worker_class = "asgi"
asgi_loop = "asyncio"  # ours is the same wherever it runs
asgi_lifespan = "off"
http_parser = "python"
worker_connections = most_connections()
keepalive = 75  # longer than the slowest poll, so that a follower keeps one connection
forwarded_allow_ips = ""  # X-Forwarded-… are the application's: it counts proxies (TRUSTED_PROXIES)
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""  # nobody outside says where the application begins (SCRIPT_NAME, PATH_INFO)
control_socket_disable = True  # nothing outside manages it
logger_class = ErrorsOnly
logconfig_dict = {  # one JSON object a line, like all others
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "service.core.runtime.log_files.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}
