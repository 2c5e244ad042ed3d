"""A whole server as an operator runs it: gunicorn with two web processes, and the worker, as separate processes."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from service.core.settings.config import Config
from service.core.settings.key_file import SECRET_KEY, SIGNING_KEY, key_in
from tests.support.servers.preloaded import ROOT, Running, launch
from tests.support.shared_folder import FOLDER, shared_folder

PATIENCE = 60.0
"""How long (seconds) everything awaited may take."""


def wait_until(holds: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """The result of `holds` as soon as it is true. Raises AssertionError after `patience` seconds."""
    until, pause = time.monotonic() + patience, 0.01
    while time.monotonic() < until:
        found = holds()
        if found:
            return found
        time.sleep(pause)
        pause = min(2 * pause, 0.05)  # asking takes time that what is waited for needs
    raise AssertionError(f"waited {patience} s in vain: {what}")


PORTS = range(16_000, 32_000)
"""Ports below those of outgoing connections, which might otherwise take one before it is listened on."""
_ports = itertools.cycle(random.SystemRandom().sample(PORTS, len(PORTS)))


def free_port() -> int:
    """A port that nobody listens on, different each time."""
    for port in _ports:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there are always more")


def _share_compressed(folder: Path) -> None:
    """Let a server use compressed files made by others of this run."""
    if FOLDER in os.environ:
        shared = shared_folder() / "compressed"
        shared.mkdir(exist_ok=True)
        with contextlib.suppress(FileExistsError):
            (folder / shared.name).symlink_to(shared)


class Server:
    """A web process and a worker on the database at `database`; their logs are in `folder`.

    `app` is what gunicorn serves and `worker` the command of the worker: a test may use a launcher of its own. Unless
    they are `preloaded`, they start as an operator starts them.
    """

    def __init__(
        self,
        folder: Path,
        database: str,
        app: str = "service.web.app:create_app()",
        worker: tuple[str, ...] = ("-m", "service.operations.commands", "work"),
        workers: int = 1,
        preloaded: bool = True,
        **environment: str,
    ) -> None:
        self.root = ROOT
        """The clone that is run; a test may set another one for later launches."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder, self.database = folder, database
        self._commands = {
            "web": ("-m", "gunicorn", "--config", "service/web/serving/gunicorn.py", app),
            "worker": worker,
            **{f"worker {number}": worker for number in range(2, workers + 1)},
        }
        self._environment = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DATABASE_URL": database,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PUBLIC_URL": self.url,
            "POLL_AFTER": "0.05",
            "RATE_LIMITS": "off",
            "PEOPLE_PER_ADDRESS": "100000",
            "MAILS_PER_DAY": "0",
            "THINKING_TIME": "0.05",
            "WEBHOOKS": "anywhere",
            "WEB_CONCURRENCY": "2",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self._preloaded = preloaded and FOLDER in os.environ
        self._running: dict[str, Running] = {}

    @property
    def config(self) -> Config:
        """The settings with which this server signs its links."""
        return Config(
            data_dir=self.folder,
            database_url=self.database,
            secret_key=key_in(self.folder, SECRET_KEY),
            signing_key=key_in(self.folder, SIGNING_KEY),
            public_url=self.url,
        )

    def __enter__(self) -> Self:
        _share_compressed(self.folder)
        try:
            for name in self._commands:
                self.launch(name)
            self.await_health()
        except BaseException:
            self.kill(*self._commands)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the processes at once: a proper end takes seconds, and tests of a proper end call `stop`."""
        self.kill(*self._commands)

    def launch(self, name: str) -> None:
        """Start `web` or `worker`, as the leader of a process group."""
        if self._preloaded and self.root == ROOT:
            _, *words = self._commands[name]  # python -m …
            self._running[name] = launch(words, self._environment, self.log(name))
            return
        with self.log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, *self._commands[name]],
                cwd=self.root,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def update(self, root: Path) -> None:
        """Stop, and continue with the clone in `root` on the same database."""
        self.stop(*self._commands)
        self.root = root
        for name in self._commands:
            self.launch(name)
        self.await_health()

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the present clone, with the server's settings."""
        command = [sys.executable, *words]
        return subprocess.run(
            command,
            cwd=self.root,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def await_health(self) -> None:
        """Return when the web process responds."""
        wait_until(self._healthy, f"{self.url}/healthz")

    def _healthy(self) -> bool:
        assert self._running["web"].poll() is None, self.logged()
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def code(self, name: str) -> int | None:
        """The exit code of `web` or `worker`; None while it runs."""
        return self._running[name].poll()

    def kill(self, *names: str) -> None:
        """Send SIGKILL to the whole process group."""
        for name in names:
            self._signal(name, signal.SIGKILL)
            self._running.pop(name, None)

    def stop(self, *names: str) -> None:
        """Ask the server to stop, and wait; the rest of the group is killed."""
        for name in names:
            self._signal(name, signal.SIGTERM)
        self.kill(*names)

    def _signal(self, name: str, number: signal.Signals) -> None:
        process = self._running.get(name)
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        process.wait(PATIENCE)

    def log(self, name: str) -> Path:
        """The file with the output of `web` or `worker`."""
        return self.folder / f"{name}.log"

    def logged(self) -> str:
        """The output of both."""
        logs = [self.log(name) for name in self._commands]
        return "".join(log.read_text(errors="replace") for log in logs if log.exists())
