"""A server that receives requests of webhooks and responds as a test says: at once, never, or byte by byte."""

from __future__ import annotations

import re
import socket
import threading

HELLO = b"HTTP/1.1 204 No Content\r\n\r\n"
PAUSE = 0.1
"""The pause (seconds) between two bytes of a dripping response."""


class Listener:
    """Accepts one connection after the other, keeps the input, and sends these bytes."""

    def __init__(self, answer: bytes = HELLO, *, hold: bool = False, drip: bool = False) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._answer, self._hold, self._drip = answer, hold, drip
        self.got = list[bytes]()
        self._over = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """End the listener."""
        self._over.set()
        self._socket.shutdown(socket.SHUT_RDWR)  # else the thread that accepts would still take one
        self._socket.close()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                line, _ = self._socket.accept()
                with line:
                    self._serve(line)
            except OSError:
                continue

    def _serve(self, line: socket.socket) -> None:
        self.got.append(request(line))
        if self._hold:
            self._over.wait(20)
        elif self._drip:
            for letter in self._answer:
                line.sendall(bytes([letter]))
                if self._over.wait(PAUSE):
                    return
        else:
            line.sendall(self._answer)


def request(line: socket.socket) -> bytes:
    """A whole request."""
    sent = b""
    while True:
        piece = line.recv(65_536)
        sent += piece
        head, separator, body = sent.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: ([0-9]+)", head)
        if not piece or (separator and length and len(body) >= int(length[1])):
            return sent
