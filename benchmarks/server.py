"""Real servers on real sockets: gunicorn with our settings, a limited client, and CPU time of the workers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from service.core.settings.config import ROOT

WORKERS = 2
OURS = ("--config", "service/web/serving/gunicorn.py")
THREADS = (
    *("--worker-class", "gthread", "--threads", "4", "--worker-connections", "2000"),
    *("--keep-alive", "75", "--no-control-socket"),
)
"""The arguments with which gunicorn serves Tegami, and the bare applications."""
PATIENCE = 90.0
"""The most seconds for a server to start or to respond."""


class Load(NamedTuple):
    """The cost of several requests: seconds, and CPU time of the workers (ns)."""

    seconds: float
    cpu: int


class Server:
    """A gunicorn with so many workers at `address`."""

    def __init__(
        self, process: subprocess.Popen[bytes], address: tuple[str, int], workers: int
    ) -> None:
        self._process, self.address, self.workers = process, address, workers

    def memory(self) -> float:
        """The resident memory of all workers (MB)."""
        pages = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._workers())
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1024**2

    def cpu(self) -> int:
        """The CPU time of the workers so far (ns)."""
        return sum(map(process_cpu, self._workers()))

    def load(self, work: Callable[[], None]) -> Load:
        """The cost of running `work`."""
        cpu, began = self.cpu(), time.perf_counter()
        work()
        return Load(time.perf_counter() - began, self.cpu() - cpu)

    def _workers(self) -> list[int]:
        master = self._process.pid
        children = Path(f"/proc/{master}/task/{master}/children").read_text()
        return [int(pid) for pid in children.split()]


def process_cpu(pid: int) -> int:
    """The CPU time (ns) of all threads of a process (the clock of clock_getcpuclockid(3))."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def served(
    application: str, environment: Mapping[str, str], workers: int = WORKERS
) -> Iterator[Server]:
    """A block in which gunicorn serves `application` (module:factory), set up as in service/web/serving/gunicorn.py.

    A bare application is served by gunicorn's threads, which call it directly.
    """
    port = free_port()
    settings = {"HOST": "127.0.0.1", "PORT": str(port), "WEB_CONCURRENCY": str(workers)}
    threads = [*THREADS, "--bind", f"127.0.0.1:{port}", "--workers", str(workers)]
    how = threads if application.startswith("benchmarks.") else OURS
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *how, "--log-level", "warning", application],
        cwd=ROOT,
        env={**os.environ, **settings, **environment},
    )
    try:
        yield _ready(Server(process, ("127.0.0.1", port), workers))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _ready(server: Server) -> Server:
    """`server`, once it responds and all workers have started. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(server.address).close()
        except OSError:
            time.sleep(0.05)
            continue
        if len(server._workers()) == server.workers:
            return server
    raise TimeoutError("the server does not start")


class Caller:
    """A connection that stays open. Requests are bytes that are built before the measurement."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._socket = socket.create_connection(address, PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> None:
        """Send a request without waiting for the response."""
        self._socket.sendall(request)

    def status(self) -> int:
        """The status of the next response, after reading it completely."""
        data = self._received()
        while b"\r\n\r\n" not in data:
            data += self._received()
        head, _, body = data.partition(b"\r\n\r\n")
        left = _length(head) - len(body)
        while left > 0:
            left -= len(self._received())
        return int(head[9:12])

    def _received(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """The bytes of a request."""
    sent = {"Host": "127.0.0.1", "Accept": "application/json", **headers}
    if body:
        sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
