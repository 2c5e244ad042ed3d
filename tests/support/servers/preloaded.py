"""Programs of the service that start at once: they are forked from a process that has imported its code already.

To import it takes longer than most tests of a server do. One such process serves a whole test run; `python -m
tests.support.servers.preloaded SOCKET` is it. What is asked for comes with the files that it is to print to, and the
connection stays until its exit code has been told. A program is the same as after `python -m NAME …`, but for the
modules that are loaded: the servers that the tests of one run share are started as an operator starts them.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.support.shared_folder import one_at_a_time, shared_folder

ROOT = Path(__file__).resolve().parents[3]
LOADED = (
    "alembic.command",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gasgi",
    "psycopg",
    "service.core.models",
    "service.operations.commands.main",
    "service.operations.worker.loop",
    "service.web.app",
    "service.web.serving.application",
)
_MOST, _LINE = 1_000_000, 20
"""Bytes of a request, and of a number in answer."""


class Running(Protocol):
    """A process: what `subprocess.Popen` says of it as well."""

    pid: int

    def poll(self) -> int | None:
        """Its exit code, negative after a signal; None while it runs."""

    def wait(self, timeout: float) -> int:
        """The same once it has ended. Raises subprocess.TimeoutExpired after so many seconds."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal."""


class Forked:
    """A program that was forked from another process, which tells how it ends."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.pid = int(connection.recv(_LINE))
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code, negative after a signal; None while it runs."""
        return self._ended_within(0)

    def wait(self, timeout: float) -> int:
        """The same once it has ended. Raises subprocess.TimeoutExpired after so many seconds."""
        code = self._ended_within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return code

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it is known to have ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def _ended_within(self, seconds: float) -> int | None:
        if self._code is None and select.select([self._connection], [], [], seconds)[0]:
            self._code = int(self._connection.recv(_LINE))
            self._connection.close()
        return self._code


def launch(words: Sequence[str], environment: Mapping[str, str], output: Path) -> Running:
    """Start `python -m WORDS` in the clone, as the leader of a process group; what it prints is added to `output`."""
    module, *arguments = words
    request = {"module": module, "arguments": arguments, "environment": dict(environment)}
    connection = _connected()
    with output.open("ab") as file:
        socket.send_fds(connection, [json.dumps(request).encode()], [file.fileno()])
    return Forked(connection)


def end() -> None:
    """End the process from which the programs are forked."""
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(int(_file("pid").read_text()), signal.SIGKILL)


def _file(kind: str) -> Path:
    return shared_folder() / f"preloaded.{kind}"


def _connected() -> socket.socket:
    """A connection to the process, which is started if there is none yet."""
    with one_at_a_time(_file("lock")):
        if not _file("socket").exists():
            _started()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(str(_file("socket")))
    return connection


def _started() -> None:
    command = [sys.executable, "-m", __name__, str(_file("socket"))]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline(), "it listens"
    _file("pid").write_text(str(process.pid))
    _begun.append(process)


_begun: list[subprocess.Popen[bytes]] = []
"""What this process has started: Python complains about those that it forgets."""


class _Request(NamedTuple):
    module: str
    arguments: list[str]
    environment: dict[str, str]
    output: int


class _Server:
    """Forks a child for each request."""

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.bind(path)
        self._listener.listen(64)
        self._woken, wakes = socket.socketpair()
        wakes.setblocking(False)
        self._wakes = wakes
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._children: dict[int, socket.socket] = {}

    def serve(self) -> _Request:
        """What a child is to run: this returns in children alone."""
        while True:
            ready, _, _ = select.select([self._listener, self._woken], [], [])
            if self._woken in ready:
                self._woken.recv(4096)
                self._tell_ended()
            if self._listener in ready:
                request = self._taken()
                if request:
                    return request

    def _taken(self) -> _Request | None:
        connection, _ = self._listener.accept()
        asked, (output,), _, _ = socket.recv_fds(connection, _MOST, 1)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            connection.send(b"%d" % os.getpid())  # from now on its group can be killed
            return _Request(**json.loads(asked), output=output)
        os.close(output)
        self._children[pid] = connection
        return None

    def _tell_ended(self) -> None:
        for pid, connection in [*self._children.items()]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self._children[pid]
                with connection, suppress(OSError):  # nobody may be there to be told
                    connection.send(b"%d" % os.waitstatus_to_exitcode(status))


def _become(request: _Request) -> None:
    """Make this process what `python -m` would have started."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in (1, 2):
        os.dup2(request.output, number)
    os.closerange(3, 256)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(write_through=True)  # type: ignore[union-attr]
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = [request.module, *request.arguments]


def main() -> None:
    """Listen at the socket that is named, and become what somebody asks for."""
    for name in LOADED:
        importlib.import_module(name)
    server = _Server(sys.argv[1])
    print("listening", flush=True)
    request = server.serve()
    _become(request)
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
