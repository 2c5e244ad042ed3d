"""Programs of the service that start at once, since they are forked from a process that has imported their code.

Importing takes longer than most tests of a server do. One such process, `python -m tests.support.servers.preloaded
SOCKET`, serves a whole test run. A request comes with the files for the program's output, and its connection stays
open until the exit code has been sent. The program is the same as with `python -m NAME …`, except for loaded modules.
The servers that the tests of one run share are started as an operator starts them.
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
"""The most bytes of a request, and of a number in a response."""


class Running(Protocol):
    """A running process, with the methods of `subprocess.Popen` that are needed."""

    pid: int

    def poll(self) -> int | None:
        """The exit code of the process, negative after a signal; None while it runs."""

    def wait(self, timeout: float) -> int:
        """The exit code of the process, once it has ended. Raises subprocess.TimeoutExpired after `timeout` seconds."""

    def send_signal(self, sig: int) -> None:
        """Send the process a signal."""


class Forked:
    """A program that was forked from another process, which reports its end."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.pid = int(connection.recv(_LINE))
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code of the process, negative after a signal; None while it runs."""
        return self._ended_within(0)

    def wait(self, timeout: float) -> int:
        """The exit code of the process, once it has ended. Raises subprocess.TimeoutExpired after `timeout` seconds."""
        code = self._ended_within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return code

    def send_signal(self, sig: int) -> None:
        """Send the process a signal, unless it is known to have ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def _ended_within(self, seconds: float) -> int | None:
        if self._code is None and select.select([self._connection], [], [], seconds)[0]:
            self._code = int(self._connection.recv(_LINE))
            self._connection.close()
        return self._code


def launch(words: Sequence[str], environment: Mapping[str, str], output: Path) -> Running:
    """Start `python -m WORDS` in the clone, as the leader of a process group.

    Its output is appended to `output`.
    """
    module, *arguments = words
    request = {"module": module, "arguments": arguments, "environment": dict(environment)}
    connection = _connected()
    with output.open("ab") as file:
        socket.send_fds(connection, [json.dumps(request).encode()], [file.fileno()])
    return Forked(connection)


def end() -> None:
    """End the process that forks the programs."""
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(int(_file("pid").read_text()), signal.SIGKILL)


def _file(kind: str) -> Path:
    return shared_folder() / f"preloaded.{kind}"


def _connected() -> socket.socket:
    """A connection to that process, which is started if need be."""
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
"""The processes started by this one: Python complains about forgotten ones."""


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
        """The request for a child to run; this returns only in children."""
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
    """Listen on the named socket, and in children run the requested programs."""
    for name in LOADED:
        importlib.import_module(name)
    server = _Server(sys.argv[1])
    print("listening", flush=True)
    request = server.serve()
    _become(request)
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
