"""Passwords, hashed with argon2id. Every attempt costs one hash, whether or not there is such an account.

A hash takes much memory and time, so a process computes only a few at a time, and only a few callers wait for their
turn. All others are asked to try again, so that a crowd cannot keep the process from serving anybody else.
"""

from __future__ import annotations

import base64
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from service.core.runtime.problems import Unavailable
from service.core.settings.config import Config

MAX_CONCURRENT = 2
"""The largest number of hashes that a process computes at the same time."""
MAX_WAITING = 1
"""The largest number of callers that wait to compute a hash.

All of them together are fewer than the threads of a process (web/serving/).
"""
MAX_WAIT = 5.0
"""The longest wait of a caller, in seconds."""


class Passwords:
    """A computer of password hashes, which also verifies them. `hasher` is made from `config` unless given."""

    def __init__(
        self, config: Config, hasher: PasswordHasher | None = None, max_wait: float = MAX_WAIT
    ) -> None:
        self._hasher = hasher or configured_hasher(config)
        self._dummy = dummy_hash(self._hasher)
        self._admitted = threading.BoundedSemaphore(MAX_CONCURRENT + MAX_WAITING)
        self._slots = threading.BoundedSemaphore(MAX_CONCURRENT)
        self._max_wait = max_wait

    def hash(self, password: str) -> str:
        """The hash to store for this password. Raises Unavailable if too many hashes are being computed."""
        with self._slot():
            return self._hasher.hash(normalize(password))

    def verify(self, stored: str | None, password: str) -> bool:
        """Whether `stored` is the hash of this password. Without a hash it is False, at the same cost.

        Raises Unavailable if too many hashes are being computed.
        """
        with self._slot():
            try:
                self._hasher.verify(stored or self._dummy, normalize(password))
            except VerifyMismatchError:
                return False
        return stored is not None

    def needs_rehash(self, stored: str) -> bool:
        """Whether the hash was computed with other settings than the present ones."""
        return self._hasher.check_needs_rehash(stored)

    @contextmanager
    def _slot(self) -> Iterator[None]:
        with _acquired(self._admitted, None), _acquired(self._slots, self._max_wait):
            yield


@contextmanager
def _acquired(semaphore: threading.Semaphore, wait: float | None) -> Iterator[None]:
    """A block that holds the semaphore, for which it waits at most `wait` seconds; None for not at all.

    Raises Unavailable if it does not get the semaphore.
    """
    if not semaphore.acquire(blocking=wait is not None, timeout=wait):
        raise Unavailable({"Retry-After": "5"})
    try:
        yield
    finally:
        semaphore.release()


def configured_hasher(config: Config) -> PasswordHasher:
    """The hasher with the settings of `config`."""
    return PasswordHasher(
        time_cost=config.hash_rounds,
        memory_cost=config.hash_memory,
        parallelism=config.hash_lanes,
    )


def normalize(password: str) -> str:
    """The password in the same form from every keyboard: full-width and combining characters are unified."""
    return unicodedata.normalize("NFKC", password)


def dummy_hash(hasher: PasswordHasher) -> str:
    """A hash that matches no password, made without the cost of computing one."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${digest}"
