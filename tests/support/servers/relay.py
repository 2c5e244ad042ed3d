"""A relay between the service and PostgreSQL that can swallow its input, like a network that is down.

It can also hang up, like a server that is down.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self

from sqlalchemy import make_url


class Relay:
    """Listens on `port` of this machine, and forwards to the server of the database at `url`."""

    def __init__(self, url: str, host: str = "127.0.0.1") -> None:
        self._to, self._host = make_url(url), host
        self._listener = socket.create_server((host, 0))
        self.port = int(self._listener.getsockname()[1])
        self._opens = threading.Event()
        self._opens.set()
        self._refuses = False
        self._sockets = list[socket.socket]()
        self.kept = 0
        """The number of pieces that it holds back."""

    @property
    def url(self) -> str:
        """The address of the same database through the relay."""
        who, database = self._to.username, self._to.database
        return f"postgresql+psycopg://{who}@{self._host}:{self.port}/{database}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.go_on()
        for each in self._sockets:
            each.close()

    def swallow(self) -> None:
        """Silently let nothing through from now on."""
        self._opens.clear()

    def hang_up(self) -> None:
        """Close all connections, and all new ones, from now on."""
        self._refuses = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def go_on(self) -> None:
        """Forward again, beginning with what was held back."""
        self._refuses = False
        self._opens.set()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._refuses:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(Path(str(self._to.query["host"])) / ".s.PGSQL.5432"))
                self._sockets += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._hand_on, args=pair, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self.kept += not self._opens.is_set()
                self._opens.wait()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
