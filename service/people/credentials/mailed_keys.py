"""Mailed keys: signed tokens for one purpose, one player and one address; they expire soon and work once.

Their links lead to a page with a button, which uses them: it needs no scripts, so that they stand in its path, which
no log file of ours has. A key holds a nonce that the account holds, too: using a key changes it, which ends the key and
all others with the same nonce.
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
    """What a key is for."""

    name: str
    max_age: int
    """Seconds until it expires."""


VERIFY = Purpose("verify", 3 * DAY // SECOND)
SIGN_IN = Purpose("sign-in", HOUR // SECOND)
RESET = Purpose("reset", HOUR // SECOND)


class Claim(NamedTuple):
    """What a key says."""

    player_id: str
    address_digest: str
    """Of the address to which it was sent."""
    nonce: str | int
    """Of the account at that time: its `nonce` or its `generation`."""


class Signer(TimestampSigner):
    """Signs with the time of `now` (ms UTC)."""

    default_key_derivation = "hmac"
    default_digest_method = staticmethod(hashlib.sha256)

    def __init__(self, secret_key: list[bytes], salt: bytes, *, now: Callable[[], int]) -> None:
        super().__init__(secret_key, salt)
        self._now = now

    def get_timestamp(self) -> int:
        """Now, in seconds since 1970."""
        return self._now() // SECOND


def claim(player_id: str, address: str | None, nonce: str | int | None) -> Claim:
    """The claim of whoever reads the mails to this address. Raises WrongKey if there is none."""
    if address is None or nonce is None:
        raise WrongKey
    digest = hashlib.sha256(address.lower().encode()).hexdigest()[:32]
    return Claim(player_id, digest, nonce)


def create(config: Config, runtime: Runtime, purpose: Purpose, claim: Claim) -> str:
    """Sign a key."""
    return str(serializer(config, runtime, f"mailed {purpose.name}").dumps(list(claim)))


def read(config: Config, runtime: Runtime, purpose: Purpose, key: str) -> Claim:
    """The claim of a key. Raises WrongKey if it was not signed here, has another purpose, or has expired."""
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
    """What signs, and reads what was signed, with the time."""
    signing = {"now": runtime.now}
    return URLSafeTimedSerializer(config.secret_key, salt, signer=Signer, signer_kwargs=signing)
