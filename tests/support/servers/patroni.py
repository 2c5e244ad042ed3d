"""PostgreSQL with automatic failover: three servers managed by Patroni, with etcd, behind HAProxy.

Commits wait until a standby server has them (synchronous). HAProxy connects clients to the server that Patroni calls
the primary one, and ends connections to a server that no longer is.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Self

import yaml

from tests.support.processes import children, descendants
from tests.support.servers.postgres import Postgres, as_root, program, who
from tests.support.servers.server import PATIENCE, ROOT, free_port, wait_until

PROGRAMS = ("patroni", "etcd", "haproxy", "pgbouncer")
FAILOVER = 90.0
"""How long (seconds) a failover may take: Patroni waits 20 s for a silent server."""
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")


class Node(NamedTuple):
    """One of the servers of the cluster."""

    name: str
    postgres: int
    """The port of PostgreSQL."""
    api: int
    """The port of Patroni's API."""


class Cluster(AbstractContextManager["Cluster"]):
    """The servers and the proxies in front of them, which are reached at `url`.

    Unless they are `synchronous`, commits do not wait for a standby server.
    """

    def __init__(self, folder: Path, *, synchronous: bool = True) -> None:
        self._folder, self._synchronous = folder, synchronous
        self.nodes = [Node(f"node{n}", free_port(), free_port()) for n in (1, 2, 3)]
        self._etcd, self._balancer, self._pooler = free_port(), free_port(), free_port()
        self._replicas = free_port()
        self._running = dict[str, subprocess.Popen[bytes]]()

    @property
    def url(self) -> str:
        """The address of the database, through PgBouncer and HAProxy."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self._pooler}/postgres"

    @property
    def direct(self) -> str:
        """The address of the database through HAProxy only."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self._balancer}/postgres"

    @property
    def replicas(self) -> str:
        """The address of any of the standby servers."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self._replicas}/postgres"

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for node in self.nodes:
            self.kill(node.name)
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)

    def primary(self) -> str:
        """The name of the server that accepts writes. Raises AssertionError if there is none for long."""
        return str(wait_until(self._leader, f"a primary server: {self._members()}", FAILOVER))

    def kill(self, name: str) -> None:
        """Kill a server and its Patroni at once, as if its machine had lost power."""
        patroni = self._running.pop(name, None)
        if patroni is None:
            return
        ended = {patroni.pid, *descendants(patroni.pid)}
        with contextlib.suppress(FileNotFoundError, IndexError, ValueError):
            first = self._first_process(name)
            ended |= {first, *descendants(first)}
        for pid in ended:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        patroni.wait(PATIENCE)

    def mute(self, name: str) -> None:
        """Make a server stop sending to its standby servers; everything else continues."""
        for pid in children(self._first_process(name)):
            if b"walsender" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGSTOP)

    def start(self, name: str) -> None:
        """Start a server that was killed; it follows the primary server of that time."""
        self._run(name, "patroni", str(self._folder / f"{name}.json"))

    def await_standbys(self) -> None:
        """Return when all follow the primary server, one of them synchronously."""
        wait_until(self._is_whole, f"three servers: {self._members()}", FAILOVER)

    def told(self) -> str:
        """Patroni's status of all servers, and the end of each log, for finding out what went wrong."""
        logs = {path.name: path.read_text(errors="replace") for path in self._folder.glob("*.log")}
        ends = (f"{name}: {text[-1500:]}" for name, text in sorted(logs.items()))
        return "\n".join([str(self._members()), *ends])

    def _first_process(self, name: str) -> int:
        """The id of the PostgreSQL process that started all others. Raises the errors of reading it."""
        return int((self._folder / name / "postmaster.pid").read_text().split()[0])

    def _begin(self) -> None:
        self._prepare()
        self._run("etcd", *self._etcd_command())
        first, *others = (node.name for node in self.nodes)
        self.start(first)
        self.primary()
        for name in others:
            self.start(name)
        self._run("haproxy", "haproxy", "-db", "-f", str(self._folder / "haproxy.cfg"))
        self._run("pgbouncer", "pgbouncer", "--quiet", str(self._folder / "pgbouncer.ini"))
        self.await_standbys()

    def _prepare(self) -> None:
        Postgres(self._folder / "user").made()  # makes the user, and lets it reach this folder
        if as_root():
            shutil.chown(self._folder, who()["user"])
        for node in self.nodes:
            told = json.dumps(self._settings(node))
            (self._folder / f"{node.name}.json").write_text(told)
        (self._folder / "haproxy.cfg").write_text(self._balancer_settings())
        (self._folder / "pgbouncer.ini").write_text(self._pooler_settings())

    def _balancer_settings(self) -> str:
        told = example("haproxy").replace("127.0.0.1:5000", f"127.0.0.1:{self._balancer}")
        told = told.replace("127.0.0.1:5001", f"127.0.0.1:{self._replicas}")
        for number, node in enumerate(self.nodes, 21):
            there, here = f"10.0.0.{number}:5432", f"127.0.0.1:{node.postgres}"
            told = told.replace(f"{there} check port 8008", f"{here} check port {node.api}")
        return told

    def _pooler_settings(self) -> str:
        told = example("ini").replace("port=5000", f"port={self._balancer} user=postgres")
        told = told.replace(
            "listen_port = 6432", f"listen_port = {self._pooler}\nunix_socket_dir ="
        )
        trusting = re.sub(r"auth_type = .*\nauth_file = .*", "auth_type = any", told)
        return f"{trusting}ignore_startup_parameters = extra_float_digits\n"

    def _settings(self, node: Node) -> dict[str, Any]:
        here = "127.0.0.1"
        rights = {"username": "postgres", "password": "x"}
        everybody = [f"host {which} all {here}/32 trust" for which in ("all", "replication")]
        return {
            "scope": "tegami",
            "name": node.name,
            "restapi": {"listen": f"{here}:{node.api}", "connect_address": f"{here}:{node.api}"},
            "etcd3": {"hosts": f"{here}:{self._etcd}"},
            "bootstrap": {
                "dcs": yaml.safe_load(example("yaml")) | self._waits(),
                "initdb": [{"encoding": "UTF8"}, {"auth": "trust"}],
            },
            "postgresql": {
                "listen": f"{here}:{node.postgres}",
                "connect_address": f"{here}:{node.postgres}",
                "data_dir": str(self._folder / node.name),
                "bin_dir": str(Path(program("postgres")).parent),
                "pgpass": str(self._folder / f"{node.name}.pgpass"),
                "authentication": {
                    "superuser": rights,
                    "rewind": rights,
                    "replication": {**rights, "username": "replicator"},
                },
                "parameters": {"unix_socket_directories": "", "fsync": "off"},
                "pg_hba": everybody,
            },
        }

    def _waits(self) -> dict[str, bool]:
        if self._synchronous:
            return {}
        return {"synchronous_mode": False, "synchronous_mode_strict": False}

    def _etcd_command(self) -> tuple[str, ...]:
        clients, peers = (f"http://127.0.0.1:{port}" for port in (self._etcd, free_port()))
        return (
            *("etcd", "--data-dir", str(self._folder / "etcd"), "--unsafe-no-fsync"),
            *("--listen-client-urls", clients, "--advertise-client-urls", clients),
            *("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers),
            *("--initial-cluster", f"default={peers}"),
        )

    def _run(self, name: str, *command: str) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self._folder,
                env={"PATH": f"{os.environ['PATH']}:/usr/sbin", "HOME": str(self._folder)},
                **who(),
            )

    def _members(self) -> list[dict[str, Any]]:
        """Patroni's status of all servers."""
        for node in self.nodes:
            with contextlib.suppress(OSError, ValueError):
                url = f"http://127.0.0.1:{node.api}/cluster"
                with urllib.request.urlopen(url, timeout=2) as answer:
                    found: list[dict[str, Any]] = json.loads(answer.read())["members"]
                    return found
        return []

    def _leader(self) -> str | None:
        for each in self._members():
            if each["role"] == "leader" and each["state"] == "running":
                is_there = each["name"] in self._running
                return str(each["name"]) if is_there else None
        return None

    def _is_whole(self) -> bool:
        members = self._members()
        up = [each for each in members if each["state"] in {"running", "streaming"}]
        roles = {each["role"] for each in up}
        wanted = {"leader", "sync_standby" if self._synchronous else "replica"}
        return len(up) == len(self.nodes) and wanted <= roles


def example(language: str) -> str:
    """The settings in docs/scale.md in this language."""
    return "\n".join(re.findall(rf"(?s)```{language}\n(.*?)```", PAGE))
