"""A client that keeps its connection open, and sees every byte of a response except its date."""

from __future__ import annotations

import json
import re
import socket
from typing import Any


class Client:
    """A connection that stays open; dates are removed from responses."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket, self.rest = opened, b""

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, bytes, Any]:
        """The status, head and body of the response."""
        self.send(method, path, body, **headers)
        return self.answer()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> None:
        """Send a request without waiting for the response."""
        sent = b"" if body is None else json.dumps(body).encode()
        given = {"Host": "a", **headers, "Content-Length": str(len(sent))}
        if body is None:
            del given["Content-Length"]
        else:
            given["Content-Type"] = "application/json"
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items()]
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode() + sent)

    def answer(self) -> tuple[int, bytes, Any]:
        """The next response."""
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        size = int(length[1]) if length else 0
        while len(self.rest) < size:
            self._receive()
        body, self.rest = self.rest[:size], self.rest[size:]
        assert re.search(rb"\r\nDate: [^\r\n]+ GMT\r\n", head + b"\r\n")
        head = re.sub(rb"\r\nDate: [^\r\n]+", b"", head)
        return int(head[9:12]), head, json.loads(body) if body else None

    def _receive(self) -> None:
        more = self.socket.recv(65536)
        if not more:
            raise ConnectionError("the server has ended the connection")
        self.rest += more
