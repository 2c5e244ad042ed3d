"""The envelopes of talk: messages, marks, notes, and whom somebody means. Text is plain and bounded."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from service.schemas import MOST, Body, QueryInteger, StrictInteger
from service.talk import CHANNELS

LONGEST_MESSAGE = 1000
LONGEST_WHY = 500
LONGEST_NOTE = 10_000
"""Characters, as Unicode counts code points."""

_UNSHOWN = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069"
"""Control characters but tab and new line, and those that turn the direction of the text around them."""
_IN_MESSAGES, _IN_NOTES = re.compile(f"[\\t{_UNSHOWN}]"), re.compile(f"[{_UNSHOWN}]")


def said(value: str) -> None:
    """Text that can be shown in a few lines: no white space at the ends, so it is never blank."""
    if value != value.strip() or _IN_MESSAGES.search(value):
        raise ValidationError("Not a text.")


def noted(value: str) -> None:
    """Text that can be shown; tabs and white space are the writer's own business."""
    if _IN_NOTES.search(value):
        raise ValidationError("Not a text.")


def speech(most: int, **kwargs: Any) -> fields.String:
    """A text of 1 to `most` characters."""
    return fields.String(validate=[validate.Length(1, most), said], **kwargs)


def channel(**kwargs: Any) -> fields.String:
    """Where it is said."""
    return fields.String(required=True, validate=validate.OneOf(CHANNELS), **kwargs)


def identifier(letter: str, **kwargs: Any) -> fields.String:
    """An id of one kind, as they are made."""
    return fields.String(validate=validate.Regexp(letter + r"_[0-9A-Za-z]{16,32}\Z"), **kwargs)


def cursor() -> fields.String:
    """Where a page begins."""
    return fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,17}\Z"))


class NewMessage(Body):
    """POST /games/{id}/messages"""

    channel = channel()
    text = speech(LONGEST_MESSAGE, required=True)
    once = fields.String(validate=validate.Regexp(r"[0-9a-f]{16,64}\Z"))


class MessagesQuery(Body):
    """GET /games/{id}/messages"""

    channel = channel()
    cursor = cursor()
    limit = QueryInteger(validate=validate.Range(1, 100), load_default=50)


class NewMark(Body):
    """PUT /games/{id}/marks"""

    channel = channel()
    number = StrictInteger(required=True, validate=validate.Range(0, MOST))


class NewNote(Body):
    """PUT /games/{id}/notes"""

    text = fields.String(required=True, validate=[validate.Length(0, LONGEST_NOTE), noted])


class NewReport(Body):
    """POST /games/{id}/messages/{id}/reports"""

    why = speech(LONGEST_WHY)


class Named(Body):
    """POST /games/{id}/mutes: a person, by a place at the table or by something that was said."""

    tenure = identifier("t")
    message = identifier("m")

    @validates_schema(skip_on_field_errors=True)
    def one(self, data: dict[str, Any], **_more: Any) -> None:
        """One of both."""
        if len(data.keys() & {"tenure", "message"}) != 1:
            raise ValidationError("Either a tenure or a message.")


class NewBlock(Named):
    """POST /me/blocks"""

    game = identifier("g", required=True)


class BlocksQuery(Body):
    """GET /me/blocks"""

    cursor = cursor()
    limit = QueryInteger(validate=validate.Range(1, 100), load_default=50)
