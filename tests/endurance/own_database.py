"""A PostgreSQL server of a run's own, which may be killed, and started again as a host's service manager does."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support.processes import children
from tests.support.servers.databases import migrate, postgresql_server, stop_server
from tests.support.servers.server import wait_until


class OwnDatabase:
    """A server with its data in `folder`; unless it is `hasty`, it waits for the disk as it should."""

    def __init__(self, folder: Path, *, hasty: bool = False, settings: str = "") -> None:
        self.folder, self._settings = folder, settings
        self._server: Any = postgresql_server(folder, hasty=hasty)
        if settings:
            with (folder / "postgresql.conf").open("a") as file:
                file.write(settings)
            self._server.stop()
            self.revive()

    @property
    def url(self) -> str:
        """The address of its database, in the service's form."""
        uri: str = self._server.get_uri(database="postgres")
        return uri.replace("postgresql", "postgresql+psycopg", 1)

    def migrated(self, folder: Path) -> str:
        """The same server with all tables; `folder` also holds the keys for that."""
        folder.mkdir(exist_ok=True)
        migrate(self.url, folder)
        return self.url

    @property
    def pid(self) -> int:
        """The process that started all the other processes of the server."""
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def processes(self) -> list[int]:
        """The other processes of the server."""
        return children(self.pid)

    def kill(self) -> None:
        """Send SIGKILL to the first process; the others notice."""
        others = self.processes()
        os.kill(self.pid, signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in others), "their end")

    def revive(self) -> None:
        """Start everything again that does not run."""
        wait_until(self._starts, "a database that starts")

    def _starts(self) -> bool:
        with suppress(subprocess.SubprocessError):
            self._server.ensure_postgres_running()
            return True
        return False

    def stop(self) -> None:
        """Stop the server."""
        with suppress(FileNotFoundError):
            stop_server(self.folder)
