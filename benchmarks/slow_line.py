"""A slow line between a browser and a server, which counts the bytes.

A browser's own throttling does not affect its service worker; this line slows down all requests.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

CHUNK = 4096


class Speed(NamedTuple):
    """The seconds until a response begins, and the bytes per second to the browser."""

    latency: float
    down: float


class SlowLine:
    """A line that forwards connections to a server. Bytes are counted until the next `begin`."""

    def __init__(self, server: tuple[str, int], speed: Speed) -> None:
        self._server, self._speed = server, speed
        self._loop = asyncio.new_event_loop()
        self._free = 0.0
        self.url = ""
        self.requests, self.size = 0, 0

    def begin(self) -> None:
        """Start counting from zero."""
        self.requests, self.size = 0, 0

    @contextmanager
    def open(self) -> Iterator[SlowLine]:
        """A block during which the line runs in a separate thread."""
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        listening = asyncio.start_server(self._forward, "127.0.0.1", 0)
        listener = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(self._cut(listener), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    async def _cut(self, listener: asyncio.Server) -> None:
        """Close the present connections, and accept no more."""
        listener.close()
        under_way = asyncio.all_tasks() - {asyncio.current_task()}
        for each in under_way:
            each.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _forward(self, browser: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        reader, writer = await asyncio.open_connection(*self._server)
        await asyncio.gather(self._up(browser, writer), self._down(reader, answers))

    async def _up(self, browser: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        while data := await browser.read(1 << 16):
            self.requests += data.count(b" HTTP/1.1\r\n")
            server.write(data)
        server.close()

    async def _down(self, server: asyncio.StreamReader, browser: asyncio.StreamWriter) -> None:
        """Forward responses; all connections share the bandwidth of the line."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        delivering = asyncio.create_task(self._deliver(under_way, browser))
        while data := await server.read(CHUNK):
            self.size += len(data)
            self._free = max(self._free, self._loop.time()) + len(data) / self._speed.down
            under_way.put_nowait((self._free + self._speed.latency, data))
        under_way.put_nowait((0.0, b""))
        await delivering

    async def _deliver(
        self, under_way: asyncio.Queue[tuple[float, bytes]], browser: asyncio.StreamWriter
    ) -> None:
        while True:
            at, data = await under_way.get()
            if not data:
                break
            await asyncio.sleep(max(0.0, at - self._loop.time()))
            browser.write(data)
        browser.close()
