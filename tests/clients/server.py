"""A whole server for tests of clients: migrated, with web processes, on a port of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

Process = subprocess.Popen[bytes]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """The address of a server, web processes and worker, that keeps its data in `folder`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = os.environ | {
        "DATA_DIR": str(folder),
        "DATABASE_URL": "",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "POLL_AFTER": "0.05",
        "PUBLIC_URL": address,
        "WEB_CONCURRENCY": "2",
    }
    python = [sys.executable, "-m"]
    migrate = [*python, "service.cli", "migrate"]
    subprocess.run(migrate, cwd=ROOT, env=environment, check=True, capture_output=True)
    web = [*python, "gunicorn", "-c", "service/gunicorn.py", "service:create_app()"]
    work = [*python, "service.cli", "work"]
    with (
        process(web, environment, folder / "web.log") as serving,
        process(work, environment, folder / "worker.log"),
    ):
        await_health(address, serving)
        yield address


@contextlib.contextmanager
def process(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Process]:
    """A process of the server, told to stop at the end."""
    with log.open("wb") as file:
        started = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
        try:
            yield started
        finally:
            started.send_signal(signal.SIGTERM)
            started.wait(timeout=30)


def await_health(address: str, web: Process, patience: float = 30) -> None:
    """Return when the server answers. Raises RuntimeError if it does not come up."""
    until = time.monotonic() + patience
    while web.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                return
        except urllib.error.URLError:
            time.sleep(0.05)
    raise RuntimeError("the server does not come up")
