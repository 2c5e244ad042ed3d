"""Machines of one network: namespaces of Linux on a bridge, each with an address, a name and a clock of its own.

They reach the system of the test at the bridge's address, and nothing else. Only root can make them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

import pytest

from tests.support.servers.on_machine import inside
from tests.support.servers.server import Server

needs_machines = pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("ip"), reason="only root makes networks, with `ip`"
)
_LAUNCHER = "tests.support.servers.on_machine"
_WEB = ("gunicorn", "--config", "service/web/serving/gunicorn.py", f"{_LAUNCHER}:app()")


def ip(*words: str) -> None:
    """Run `ip`; whoever may not make networks is told so by a failure. Raises AssertionError."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"


class Network(AbstractContextManager["Network"]):
    """A bridge, and the machines on it. Its addresses are those for measuring (RFC 2544): nothing else has them."""

    def __init__(self) -> None:
        self._bridge = f"tg{os.getpid()}"
        self._net = f"198.18.{os.getpid() % 256}"
        self.address = f"{self._net}.1"
        """Where the machines reach the test."""
        self._machines = list[str]()

    def __enter__(self) -> Self:
        ip("link", "add", self._bridge, "type", "bridge")
        ip("address", "add", f"{self.address}/24", "dev", self._bridge)
        ip("link", "set", self._bridge, "up")
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._machines:
            ip("netns", "delete", self._namespace(name))
        ip("link", "delete", self._bridge)

    def join(self, name: str) -> str:
        """Make a machine of this name; its address."""
        namespace, number = self._namespace(name), len(self._machines) + 2
        address, link = f"{self._net}.{number}", self._link(number)
        ip("netns", "add", namespace)
        self._machines.append(name)
        ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        ip("-n", namespace, "address", "add", f"{address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", namespace, "link", "set", device, "up")
        ip("link", "set", link, "master", self._bridge, "up")
        return address

    def cut_off(self, name: str) -> None:
        """Nothing reaches the machine any more, and nothing comes from it; nobody is told."""
        ip("link", "set", self._link(self._machines.index(name) + 2), "down")

    def connect(self, name: str) -> None:
        """It is there again."""
        ip("link", "set", self._link(self._machines.index(name) + 2), "up")

    def inside(self, name: str) -> AbstractContextManager[None]:
        """Inside the block this thread of the test is on the machine, and what it opens and starts stays there."""
        return inside(self.file(name))

    def file(self, name: str) -> Path:
        """What names the network of the machine."""
        return Path("/run/netns") / self._namespace(name)

    def _namespace(self, name: str) -> str:
        return f"{self._bridge}-{name}"

    def _link(self, number: int) -> str:
        return f"{self._bridge}-{number}"


class Machine(Server):
    """A machine that runs web processes, or a worker, over a database that it shares with others.

    Its clock is so many ms `ahead`, and its DATA_DIR its own; `environment` has what all have in common.
    """

    def __init__(
        self,
        network: Network,
        name: str,
        folder: Path,
        database: str,
        ahead: int,
        **environment: str,
    ) -> None:
        super().__init__(folder, database, **environment)
        self.name, self._network = name, network
        self._role = name.rstrip("0123456789")
        address = network.join(name)
        self.url = f"http://{address}:{self.port}"
        there = ("-m", _LAUNCHER, str(network.file(name)), name)
        self._commands = {self._role: (*there, *_WEB) if self._role == "web" else there}
        self._environment |= {"HOST": address, "AHEAD": str(ahead), "WEB_CONCURRENCY": "1"}

    def await_health(self) -> None:
        """Return when the web answers; a worker has nothing that does."""
        if self._role == "web":
            super().await_health()

    def kill(self, *names: str) -> None:
        """SIGKILL to all that runs there, or to these programs."""
        super().kill(*(names or self._commands))

    def again(self) -> None:
        """Start what was killed."""
        self.launch(self._role)
        self.await_health()
