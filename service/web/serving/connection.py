"""A client's connection: what it has sent, what is left to send to it, and how long it may take."""

from __future__ import annotations

import errno
import re
import socket
from enum import Enum
from typing import Any, NamedTuple

from gunicorn.workers.gthread import TConn

from service.core.settings.networks import network_of
from service.web.http.polls.idle_poll import Unchanged
from service.web.http.polls.waiting import MayWait, Wait
from service.web.serving.incoming import Incoming, Received
from service.web.serving.repeated_polls import Repeat

_PREFERENCE = re.compile(rb"\r\nPreference-Applied: [^\r\n]*")


class Stage(Enum):
    """What a connection waits for."""

    IDLE = "a request"
    HEAD = "the rest of the headers"
    BODY = "the rest of the body"
    HANDLED = "a thread"
    SENDING = "the client, to take the answer"
    HELD = "news"
    ENDING = "the client, to end the connection too"

    @property
    def is_waiting_for_request(self) -> bool:
        """Whether nothing is lost but a request that is not complete."""
        return self in {Stage.IDLE, Stage.HEAD, Stage.BODY}


class Counted(NamedTuple):
    """An answered request, as it is counted."""

    route: str
    method: str
    status: str


class Answer:
    """What gunicorn takes for a socket while it makes an answer: it collects, and waits for nobody."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.port: int | None = None
        """Of the listener to which the client came; None: it is none with a port."""
        self.counted: Counted | None = None
        """What the last answer is to be counted as; None: it is not, or has been."""
        self.unchanged: Unchanged | None = None
        """What the application says of the last answer."""
        self.may_wait: MayWait | None = None
        self.wait: Wait | None = None
        """What the last answer can be held for."""

    def deny_wait(self) -> None:
        """Say no more that this answer was waited for: there was no room for it after all."""
        head, between, body = bytes(self.data).partition(b"\r\n\r\n")
        self.data[:] = _PREFERENCE.sub(b"", head) + between + body

    def sendall(self, data: bytes) -> None:
        """Put `data` behind the rest."""
        self.data += data

    def send(self, data: bytes) -> int:
        """Drop `100 Continue`, all that gunicorn sends in this way: whoever waited for it has it already."""
        return len(data)

    def gettimeout(self) -> float:
        """As of a socket that never blocks."""
        return 0.0

    def setblocking(self, _flag: bool) -> None:
        """There is nothing to block."""

    def shutdown(self, _how: int) -> None:
        """Refuse: gunicorn gives up an answer half-way, and closes this next."""
        raise OSError(errno.ENOTCONN, "not a socket")

    def close(self) -> None:
        """Forget an answer that was given up."""
        self.data.clear()


class Connection(TConn):  # type: ignore[misc]  # gunicorn comes without types
    """A connection as gunicorn's threads know it: its request is complete, and its socket an `Answer`."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        self.socket = sock
        self.sock = self.answer = Answer()
        self.initialized = True  # there is nothing to wrap or to wait for in the thread
        self.network = network_of(client[0]) if isinstance(client, tuple) else ""
        """Empty for local sockets."""
        self.answer.port = server[1] if isinstance(server, tuple) else None
        self.incoming = Incoming()
        self.stage = Stage.IDLE
        self.due = 0.0
        """When its patience ends, in seconds of the monotonic clock."""
        self.request = Received(b"", whole=True)
        """The present request."""
        self.repeat: Repeat | None = None
        """The answer that it had before."""
        self.has_waited = False
        """Whether the answer to the present request was held already."""
        self.goes_on = False
        """Whether another request may follow the present answer."""
        self.has_failed = False
        """Whether the client is gone."""

    @property
    def may_be_held(self) -> bool:
        """Whether the answer says nothing new, to a client who prefers to wait and has not done so."""
        return self.answer.wait is not None and not self.has_waited

    def send_some(self) -> None:
        """Send as much of the answer as the client takes now."""
        unsent = self.answer.data
        try:
            if unsent:
                del unsent[: self.socket.send(unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.has_failed = True

    def receive(self, most: int) -> bytes | None:
        """What has come, empty at the end of the connection; None: nothing yet."""
        try:
            return self.socket.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""
