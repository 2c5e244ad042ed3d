"""Cursors, which say where the next page of a list begins. They are sealed, because a cursor could reveal how many rows
there are.

Sealed means encrypted with a mask that depends on the position itself (a synthetic initialization vector, RFC 5297):
nobody without the key can read a cursor or make one. A cursor is valid only for the list for which it was made.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import partial

from flask import request
from marshmallow import fields

from service.web.http.bodies.fields import Body, page_size
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.context import current_services

_TAG = 16
"""The number of bytes that prove who made a cursor."""


def seal(position: str | None) -> str | None:
    """The cursor for a position in the list of the present response; None for no position."""
    if position is None:
        return None
    plain = position.encode()
    tag = _digest(b"tag", plain)[:_TAG]
    return urlsafe_b64encode(tag + _masked(tag, plain)).decode().rstrip("=")


def unseal(sealed: str) -> str:
    """The position in this cursor. Raises InvalidQuery if it was not made for this list."""
    try:
        decoded = urlsafe_b64decode(f"{sealed}{'=' * (-len(sealed) % 4)}")
    except ValueError:
        raise Wrong("cursor").alone() from None
    tag, plain = decoded[:_TAG], _masked(decoded[:_TAG], decoded[_TAG:])
    if not hmac.compare_digest(tag, _digest(b"tag", plain)[:_TAG]):
        raise Wrong("cursor").alone()
    return plain.decode()


Cursor = partial(fields.Raw, pre_load=unseal)


class PageQuery(Body):
    """A query for a page of a list."""

    cursor = Cursor()
    limit = page_size(100, default=50)


def _masked(tag: bytes, text: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(text, _digest(b"mask", tag), strict=False))


def _digest(use: bytes, value: bytes) -> bytes:
    listed = f"cursor {request.endpoint} ".encode()
    return hmac.digest(current_services().config.secret_key, listed + use + b" " + value, "sha256")
