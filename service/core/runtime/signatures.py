"""Signatures of what the links in mails say: whoever has no link cannot make one."""

from __future__ import annotations

import hashlib
import hmac

from itsdangerous import Signer

from rules.kernel import text


def signature(secret: bytes, purpose: str, *about: object) -> str:
    """43 letters, digits, `-` and `_` for what a link of this purpose is about."""
    signer = Signer(secret, salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256)
    return signer.get_signature(text(list(about))).decode()


def is_same(one: str, other: str) -> bool:
    """Whether two signatures are equal, in a time that does not tell how far."""
    return hmac.compare_digest(one.encode(), other.encode())
