"""Time, randomness, and the origin of the present request.

Use cases take them as an argument, so that tests can supply their own.
"""

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
    """The present time of the machine's clock, in ms since 1970 UTC."""
    return time.time_ns() // 1_000_000


def steady_clock() -> int:
    """The time since the machine was started, including sleep, in ms; nobody can set this clock."""
    boot = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(boot) // 1_000_000


def free_space(folder: Path) -> int:
    """The number of free bytes on the disk of this folder."""
    return shutil.disk_usage(folder).free


def nobody() -> None:
    """The sender of a request that nobody has sent, since the service acts on its own: None."""


def nothing() -> None:
    """Do nothing, where no database is asked for its time."""


def no_jump() -> int:
    """The jump of a clock that nobody has set: 0."""
    return 0


@dataclass(frozen=True)
class Runtime:
    """A clock (ms UTC), a source of random bytes, and the origin of what happens.

    It is passed on as the first argument. Code that needs more asks for the application's `Services`, which are a
    Runtime too (service/tables/services.py); code that has them passes them on unchanged.
    """

    now: Callable[[], int] = system_clock
    """A function that returns the present time (ms UTC).

    `create_app` replaces a machine's clock with a judged one (runtime/judged_clock.py).
    """
    entropy: Callable[[int], bytes] = secrets.token_bytes
    cause: Callable[[], str | None] = nobody
    """A function that returns the sender of the present request: the ids of the player and the network, separated by a
    space.

    It returns None if there is no sender. See `Outbox.cause`.
    """
    steady: Callable[[], int] | None = None
    """A clock (ms) that nobody sets, with which jumps of `now` are noticed; None if `now` is not a machine's clock."""
    believed_after: BelievedAfter = OF_WEB
    """The time (ms) after which a machine's clock that was set is believed."""
    machine: Callable[[], int] | None = None
    """The machine's clock itself; None if `now` is that clock."""
    look: Callable[[], None] = nothing
    """A function that looks up the present time where the database knows it better than the machine."""
    jump: Callable[[], int] = no_jump
    """A function that returns how far (ms) the clock was set, while the new time is not believed; otherwise 0."""
    free_space: Callable[[Path], int] = free_space
    """A function that returns the number of free bytes on the disk of a folder."""

    @property
    def machine_now(self) -> int:
        """The present time (ms UTC) by the machine's clock."""
        return (self.machine or self.now)()

    def new_id(self, letter: str) -> str:
        """An opaque id: `g_` and 22 letters and digits (128 random bits) for the letter `g`."""
        return f"{letter}_{base62(self.entropy(16))}"

    def new_secret(self) -> str:
        """A secret of 256 random bits as text, for links and tokens."""
        return base62(self.entropy(32), length=43)


def base62(value: bytes, length: int = 22) -> str:
    """`value` as `length` letters and digits."""
    number, letters = int.from_bytes(value, "big"), []
    for _ in range(length):
        number, digit = divmod(number, 62)
        letters.append(_BASE62[digit])
    return "".join(letters)


def from_base62(letters: str) -> int:
    """The number that `base62` wrote with these characters."""
    return sum(_BASE62.index(letter) * 62**place for place, letter in enumerate(letters))


def rfc3339(at: int) -> str:
    """A time (ms UTC) in the form of RFC 3339."""
    return f"{_to_the_second(at // 1000)}.{at % 1000:03d}Z"


@functools.lru_cache(maxsize=4096)  # a table shows the time when it was begun in every response
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
