"""Verifiable shuffles: HMAC-SHA-256 of the committed seed (docs/record.md, Shuffles).

The outcome of the shuffle that is event `number` follows from the seed, the game's id and the players' nonces: no
player chooses a deal, nor does the server, unless it colludes with the last person to sit down.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

DOMAIN = b"tegami/shuffle/1"


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hex, which is published when the table is opened."""
    return hashlib.sha256(seed).hexdigest()


def shuffle(
    seed: bytes, game: str, nonces: Sequence[str | None], number: int, items: Sequence[str]
) -> list[str]:
    """`items` in the order that follows from event `number`: Fisher-Yates from the top."""
    contributed = [(nonce or "").encode() for nonce in nonces]
    words = _words(seed, _prefixed(DOMAIN, game.encode(), *contributed, number.to_bytes(8, "big")))
    outcome = list(items)
    for last in range(len(outcome) - 1, 0, -1):
        other = _below(last + 1, words)
        outcome[last], outcome[other] = outcome[other], outcome[last]
    return outcome


def _prefixed(*parts: bytes) -> bytes:
    """Each part after its length (4 bytes, big-endian), so that different lists of parts never give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    """32-bit numbers, big-endian, block by block."""
    block = 0
    while True:
        digest = hmac.digest(seed, message + _prefixed(block.to_bytes(4, "big")), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A number 0 … bound − 1, all equally likely: words past the last whole multiple of `bound` are rejected."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in words if word < limit) % bound
