"""Mailed keys: signed tokens for one purpose, one player and one address; they expire soon and work once.

Their links lead to a page with a button that uses the key. The page needs no scripts, so the key is in its path, which
none of our log files contains. A key holds a nonce that the account holds, too: using a key changes the nonce, which
ends this key and all others with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from service.core.runtime.problems import WrongKey
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, HOUR, SECOND
from service.core.settings.config import Config


class Purpose(NamedTuple):
    """The purpose of a key: its name, and how long keys with this purpose last."""

    name: str
    max_age: int
    """The time (seconds) after which the key expires."""


VERIFY = Purpose("verify", 3 * DAY // SECOND)
SIGN_IN = Purpose("sign-in", HOUR // SECOND)
RESET = Purpose("reset", HOUR // SECOND)


class Claim(NamedTuple):
    """The contents of a key: the player, the address and the state of the account for which it was made."""

    player_id: str
    address_digest: str
    """A digest of the address to which the key was sent."""
    nonce: str | int
    """The account's state when the key was made: its `nonce` or its `generation`."""


class Signer(TimestampSigner):
    """A signer whose signatures contain the time that `now` returns (ms UTC)."""

    default_key_derivation = "hmac"
    default_digest_method = staticmethod(hashlib.sha256)

    def __init__(self, secret_key: list[bytes], salt: bytes, *, now: Callable[[], int]) -> None:
        super().__init__(secret_key, salt)
        self._now = now

    def get_timestamp(self) -> int:
        """The present time, in seconds since 1970."""
        return self._now() // SECOND


def claim(player_id: str, address: str | None, nonce: str | int | None) -> Claim:
    """The claim of a person who reads emails to this address. Raises WrongKey if the account has no such address."""
    if address is None or nonce is None:
        raise WrongKey
    digest = hashlib.sha256(address.lower().encode()).hexdigest()[:32]
    return Claim(player_id, digest, nonce)


def create(config: Config, runtime: Runtime, purpose: Purpose, claim: Claim) -> str:
    """A new key for this purpose, signed, with this claim."""
    return str(serializer(config, runtime, f"mailed {purpose.name}").dumps(list(claim)))


def read(config: Config, runtime: Runtime, purpose: Purpose, key: str) -> Claim:
    """The claim of a key. Raises WrongKey if the key was not signed here, has another purpose, or has expired."""
    signed = serializer(config, runtime, f"mailed {purpose.name}")
    try:
        return Claim(*signed.loads(key, max_age=purpose.max_age))
    except BadData:
        raise WrongKey from None


def url(config: Config, runtime: Runtime, purpose: Purpose, claim: Claim) -> str:
    """The address of the page on which a new key is used."""
    return address(config.public_url, purpose.name, create(config, runtime, purpose, claim))


def address(page: str, purpose: str, key: str) -> str:
    """The address of the page on which a key is used for this purpose."""
    return f"{page}/plain/keys/{purpose}/{key}"


def serializer(config: Config, runtime: Runtime, salt: str) -> URLSafeTimedSerializer:
    """The object that signs with the time, and reads signed text."""
    signing = {"now": runtime.now}
    return URLSafeTimedSerializer(config.secret_key, salt, signer=Signer, signer_kwargs=signing)
