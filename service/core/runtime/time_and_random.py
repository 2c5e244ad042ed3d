"""Time and randomness, and who makes use of them. Use cases take them as an argument, so that tests bring their own."""

from __future__ import annotations

import functools
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from service.core.runtime.judged_clock import OF_WEB, BelievedAfter

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def system_clock() -> int:
    """Now, in ms since 1970 UTC."""
    return time.time_ns() // 1_000_000


def steady_clock() -> int:
    """Ms since the machine was started, asleep or not; nobody can set this clock."""
    boot = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(boot) // 1_000_000


def free_space(folder: Path) -> int:
    """Bytes that are free on the disk of this folder."""
    return shutil.disk_usage(folder).free


def nobody() -> None:
    """The service works by itself: nobody has sent a request."""


def nothing() -> None:
    """There is nothing to do."""


def no_jump() -> int:
    """Nobody has set the clock."""
    return 0


@dataclass(frozen=True)
class Runtime:
    """A clock (ms UTC), a source of random bytes, and who is behind what happens.

    It is handed on as the first argument. What needs more than this asks for the application's `Services`, which are a
    Runtime too (service/tables/services.py): whoever has them hands them on as they are.
    """

    now: Callable[[], int] = system_clock
    """Of a machine's clock, `create_app` makes one that is judged (service/core/runtime/judged_clock.py)."""
    entropy: Callable[[int], bytes] = secrets.token_bytes
    cause: Callable[[], str | None] = nobody
    """Who sent the present request: ids of the player and of the network, separated by a space. See `Outbox.cause`."""
    steady: Callable[[], int] | None = None
    """A clock (ms) that nobody sets, by which jumps of the other are noticed; None: the other is not a machine's."""
    believed_after: BelievedAfter = OF_WEB
    """After how long a machine's clock is believed that was set."""
    machine: Callable[[], int] | None = None
    """The machine's clock, as it is; None: `now` is."""
    look: Callable[[], None] = nothing
    """Look what time it is, where the database knows better than the machine."""
    jump: Callable[[], int] = no_jump
    """Ms by which the clock was set, as long as it is not believed; else 0."""
    free_space: Callable[[Path], int] = free_space
    """How many bytes are free on the disk of a folder."""

    @property
    def machine_now(self) -> int:
        """Now, by the machine's clock."""
        return (self.machine or self.now)()

    def new_id(self, letter: str) -> str:
        """An opaque id: `g_` and 22 letters and digits (128 random bits) for the letter `g`."""
        return f"{letter}_{base62(self.entropy(16))}"

    def new_secret(self) -> str:
        """256 random bits as text, for links and tokens."""
        return base62(self.entropy(32), length=43)


def base62(value: bytes, length: int = 22) -> str:
    """`value` as letters and digits."""
    number, letters = int.from_bytes(value, "big"), []
    for _ in range(length):
        number, digit = divmod(number, 62)
        letters.append(_BASE62[digit])
    return "".join(letters)


def from_base62(letters: str) -> int:
    """The number that `base62` has written."""
    return sum(_BASE62.index(letter) * 62**place for place, letter in enumerate(letters))


def rfc3339(at: int) -> str:
    """A time in ms UTC as RFC 3339 has it."""
    return f"{_to_the_second(at // 1000)}.{at % 1000:03d}Z"


@functools.lru_cache(maxsize=4096)  # a table says when it was begun each time it is shown
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
