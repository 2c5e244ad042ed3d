"""Signatures of the links in emails: nobody can make a valid link without having received one."""

from __future__ import annotations

import hashlib
import hmac

from itsdangerous import Signer

from rules.kernel import text


def signature(secret: bytes, purpose: str, *about: object) -> str:
    """The signature of a link for this purpose: 43 letters, digits, `-` and `_`."""
    signer = Signer(secret, salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256)
    return signer.get_signature(text(list(about))).decode()


def is_same(one: str, other: str) -> bool:
    """Whether two signatures are equal, compared in a time that does not depend on where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())
