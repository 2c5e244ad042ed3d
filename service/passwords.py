"""Passwords: argon2id. Whoever tries to sign in costs one hash, whether there is such a person or not.

A hash takes much memory, so a process makes few at a time: who comes in a crowd is asked to come again.
"""

from __future__ import annotations

import base64
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from service.config import Config
from service.problems import Unavailable

AT_ONCE = 2
"""Hashes that a process makes at the same time."""
PATIENCE = 5.0
"""Seconds that somebody waits for a turn."""


class Passwords:
    """Makes and compares what is kept of passwords. `hasher` is one that `config` describes unless given."""

    def __init__(
        self, config: Config, hasher: PasswordHasher | None = None, patience: float = PATIENCE
    ) -> None:
        self._hasher = hasher or hasher_of(config)
        self._nobodys = nobodys(self._hasher)
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._patience = patience

    def keep(self, password: str) -> str:
        """What is kept of a password. Raises Unavailable in a crowd."""
        with self._turn():
            return self._hasher.hash(plain(password))

    def fits(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; if none is kept never, at the same price. Raises Unavailable in a crowd."""
        with self._turn():
            try:
                self._hasher.verify(kept or self._nobodys, plain(password))
            except VerifyMismatchError:
                return False
        return kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether the settings have changed since it was kept."""
        return self._hasher.check_needs_rehash(kept)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._turns.acquire(timeout=self._patience):
            raise Unavailable({"Retry-After": "5"})
        try:
            yield
        finally:
            self._turns.release()


def hasher_of(config: Config) -> PasswordHasher:
    """The hasher that the settings describe."""
    return PasswordHasher(
        time_cost=config.hash_rounds,
        memory_cost=config.hash_memory,
        parallelism=config.hash_lanes,
    )


def plain(password: str) -> str:
    """A password as every keyboard writes it: of letters that look alike (full width, combined) one kind."""
    return unicodedata.normalize("NFKC", password)


def nobodys(hasher: PasswordHasher) -> str:
    """What would be kept of a password that nobody has, without the price of making it."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${digest}"
