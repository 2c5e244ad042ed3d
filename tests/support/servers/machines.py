"""Machines in one network: Linux namespaces on a bridge, each with its own address, name and clock.

They can reach only the test's system, at the bridge's address. Only root can make them.
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
    """Run `ip`. Raises AssertionError if it fails, such as for lack of rights."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"


class Network(AbstractContextManager["Network"]):
    """A bridge with its machines.

    Its addresses are those reserved for measuring (RFC 2544), which nothing else uses.
    """

    def __init__(self) -> None:
        self._bridge = f"tg{os.getpid()}"
        self._net = f"198.18.{os.getpid() % 256}"
        self.address = f"{self._net}.1"
        """The address at which the machines reach the test."""
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
        """Make a machine with this name; returns its address."""
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
        """Cut the machine off silently: nothing reaches it, and nothing comes from it."""
        ip("link", "set", self._link(self._machines.index(name) + 2), "down")

    def connect(self, name: str) -> None:
        """Connect the machine again."""
        ip("link", "set", self._link(self._machines.index(name) + 2), "up")

    def inside(self, name: str) -> AbstractContextManager[None]:
        """A block in which this thread of the test is on the machine.

        Sockets and processes from the block stay there.
        """
        return inside(self.file(name))

    def file(self, name: str) -> Path:
        """The file that represents the network of the machine."""
        return Path("/run/netns") / self._namespace(name)

    def _namespace(self, name: str) -> str:
        return f"{self._bridge}-{name}"

    def _link(self, number: int) -> str:
        return f"{self._bridge}-{number}"


class Machine(Server):
    """A machine that runs web processes, or a worker, on a database shared with others.

    Its clock is `ahead` by this many ms, and its DATA_DIR is its own; `environment` has the settings common to all.
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
        """Return when the web process responds; returns at once for a worker."""
        if self._role == "web":
            super().await_health()

    def kill(self, *names: str) -> None:
        """Send SIGKILL to everything that runs there, or to these programs."""
        super().kill(*(names or self._commands))

    def again(self) -> None:
        """Start the killed program again, and wait until it is healthy."""
        self.launch(self._role)
        self.await_health()
