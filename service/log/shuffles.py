"""Verifiable shuffles: HMAC-SHA-256 of the committed seed (docs/record.md, Shuffles).

Every outcome follows from the seed, the game's id and the players' nonces: no player can choose a deal, and the
server cannot either, unless it colludes with somebody who sat down before the start.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from typing import NamedTuple


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hex, which is published when the table is opened."""
    return hashlib.sha256(seed).hexdigest()


class Shuffler(NamedTuple):
    """The values from which all shuffles of a game are derived."""

    seed: bytes
    game: str
    """The id of the game, or the name that replaces it (`GameRow.shuffled_as`)."""
    nonces: tuple[str | None, ...]
    """The nonces in the order of sitting down.

    Derivation 1 has a place for everybody seated at the start; None for no nonce.
    """
    log_format: int
    """The format of the log. Logs up to format 2 use derivation 1, later ones derivation 2."""

    def seats(self, sat: Iterable[str]) -> list[str]:
        """The people who `sat` down, in the order of their seats.

        They are not sorted first: the server makes the ids, and could pick ids of latecomers that place them at certain
        seats.
        """
        return self._drawn(1 if self.log_format < 3 else 0, sat)

    def outcome(self, items: Iterable[str], *, number: int, ordinal: int) -> list[str]:
        """`items` shuffled, for this event number; `ordinal` counts the game's shuffles, including this one."""
        if self.log_format < 3:
            return self._drawn(number, items)
        return self._drawn(ordinal, sorted(items))

    def _drawn(self, k: int, items: Iterable[str]) -> list[str]:
        """`items` shuffled by Fisher-Yates, from the top."""
        domain, parts = b"tegami/shuffle/1", [(nonce or "").encode() for nonce in self.nonces]
        if self.log_format >= 3:
            # The order in which people sat down is the server's claim: a deal must not depend on it.
            domain, parts = b"tegami/shuffle/2", sorted(part for part in parts if part)
        message = _prefixed(domain, self.game.encode(), *parts, k.to_bytes(8, "big"))
        words, outcome = _words(self.seed, message), list(items)
        for last in range(len(outcome) - 1, 0, -1):
            other = _below(last + 1, words)
            outcome[last], outcome[other] = outcome[other], outcome[last]
        return outcome


def _prefixed(*parts: bytes) -> bytes:
    """The parts, each after its length (4 bytes, big-endian), so that different lists never give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    """A stream of 32-bit numbers, big-endian, made block by block."""
    block = 0
    while True:
        digest = hmac.digest(seed, message + _prefixed(block.to_bytes(4, "big")), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 to bound − 1, all equally likely: words at or above the last multiple of `bound` are rejected."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in words if word < limit) % bound
