"""Mailed keys: signed, for one purpose, one player and one address; good once, and not for long.

They travel behind the `#` of a link, which no server and no log file sees; the page posts them. A key holds a number,
or a word, that the account holds too: using a key changes it, and so ends the key and all others like it.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from service.config import Config
from service.outside import Outside
from service.problems import WrongKey


class Purpose(NamedTuple):
    """What a key is for, and how many seconds it is good."""

    name: str
    age: int


VERIFY = Purpose("verify", 3 * 86_400)
SIGN_IN = Purpose("sign-in", 3600)
RESET = Purpose("reset", 3600)


class Claim(NamedTuple):
    """What a key says: whose it is, the digest of the address that it was sent to, and what makes it good once."""

    player_id: str
    address: str
    once: str | int


class Signer(TimestampSigner):
    """Signs with the time of `outside`."""

    def __init__(self, *args: Any, outside: Outside, **more: Any) -> None:
        super().__init__(*args, **more)
        self._outside = outside

    def get_timestamp(self) -> int:
        """Now, in seconds since 1970."""
        return self._outside.now() // 1000


def about(player_id: str, address: str, once: str | int) -> Claim:
    """The claim of whoever reads mails to this address."""
    return Claim(player_id, hashlib.sha256(address.lower().encode()).hexdigest()[:32], once)


def make(config: Config, outside: Outside, purpose: Purpose, claim: Claim) -> str:
    """A key."""
    return str(_serializer(config, outside, purpose).dumps(list(claim)))


def read(config: Config, outside: Outside, purpose: Purpose, key: str) -> Claim:
    """What a key says. Raises WrongKey for one that is none of ours, is for something else, or is too old."""
    try:
        return Claim(*_serializer(config, outside, purpose).loads(key, max_age=purpose.age))
    except BadData:
        raise WrongKey from None


def link(config: Config, outside: Outside, purpose: Purpose, claim: Claim) -> str:
    """The page with a key."""
    return f"{config.public_url}/#{purpose.name}={make(config, outside, purpose, claim)}"


def _serializer(config: Config, outside: Outside, purpose: Purpose) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(
        config.secret_key,
        salt=f"mailed {purpose.name}",
        signer=Signer,
        signer_kwargs={
            "outside": outside,
            "key_derivation": "hmac",
            "digest_method": hashlib.sha256,
        },
    )
