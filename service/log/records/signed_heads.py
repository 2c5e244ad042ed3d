"""Signed heads: evidence of what the server has said about a log (docs/record.md, "Heads that you have seen").

Ed25519 is deterministic (RFC 8032), so every process makes the same signature for the same head.
"""

from __future__ import annotations

import base64
import functools
from typing import TYPE_CHECKING

from rules.kernel import text

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = "tegami-head/1"
_PRIME = 2**255 - 19
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDERS = {0, 1, _PRIME - 1, _ORDER_8, _PRIME - _ORDER_8}
"""The y coordinates of the points of small order. With such a key, signatures can be made without a private key."""
REMEMBERED = 4096
"""The number of signatures that are cached, since most heads are shown many times."""


class HeadSigner:
    """A signer of heads with the key of this server."""

    def __init__(self, key: bytes) -> None:
        self._bytes = key
        self.sign = functools.lru_cache(REMEMBERED)(self._sign)

    @functools.cached_property
    def _key(self) -> Ed25519PrivateKey:
        # Processes that show no head do not load this: the worker, and most commands.
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._bytes)

    @functools.cached_property
    def public_key(self) -> bytes:
        """The key with which the signatures can be checked."""
        return self._key.public_key().public_bytes_raw()

    def _sign(self, game: str, number: int, head: bytes) -> bytes:
        return self._key.sign(signed_text(game, number, head))


def signed_text(game: str, number: int, head: bytes) -> bytes:
    """The text that is signed, in canonical JSON."""
    told = {"format": FORMAT, "game": game, "number": number, "head": head.hex()}
    return text(told).encode()


def is_signed(key: bytes, game: str, number: int, head: bytes, signature: bytes) -> bool:
    """Whether the owner of this public key has signed this head; also False for a key that nobody can own."""
    from cryptography.exceptions import InvalidSignature  # as above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    y = int.from_bytes(key, "little") % 2**255  # the highest bit is the sign of x
    if y >= _PRIME or y in _SMALL_ORDERS:
        return False
    try:
        public_key = Ed25519PublicKey.from_public_bytes(key)
        public_key.verify(signature, signed_text(game, number, head))
    except InvalidSignature:
        return False
    return True


def short_form(number: int, head: bytes, signature: bytes) -> str:
    """A signed head on one line, as in emails."""
    return f"{number}.{_letters(head)}.{_letters(signature)}"


def _letters(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
