"""Tests as coroutines, which spell out step by step what may happen in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support.servers.server import PATIENCE


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine to its end in a separate thread, since a browser of this process has its event loop in
    this one.
    """
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, asyncio.wait_for(test(), PATIENCE)).result()


def interleaved(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that runs this coroutine."""

    def as_test() -> None:
        run(test)

    as_test.__name__, as_test.__doc__ = test.__name__, test.__doc__
    return as_test
