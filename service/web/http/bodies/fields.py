"""Fields that several schemas share, and the base of all schemas."""

from __future__ import annotations

import re
from functools import partial

from marshmallow import Schema, fields

from service.core.words.words import LANGUAGES
from service.web.http.bodies.path_ids import pattern
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of, reword

MAX_EVENT_NUMBER = 2**31 - 1
"""The highest number of an event that can be requested."""
_UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters, and characters that change the direction of text."""
IS_LINE = like(rf"(?!\s)[^{_UNPRINTABLE}]*(?<!\s)\Z", "line")
"""Text that can be shown on one line: no control characters, no white space at the ends."""


class Body(Schema):
    """A JSON object or a query; members that the schema does not name are refused."""

    error_messages = {  # as marshmallow declares it
        "unknown": Wrong("unknown"),
        "type": Wrong("object"),
    }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[object]) -> None:
        """Replace marshmallow's messages by ours when a field joins a schema."""
        reword(field_obj)


def whole_number(value: object) -> object:
    """The value, if it is a JSON integer (3.0 is one), but not `true`, `"1"` or `1.5`. The field itself decides whether
    null is allowed. Raises ValidationError.
    """
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if value is not None and (isinstance(value, bool) or not whole):
        raise Wrong("integer").alone()
    return value


def plain_digits(value: str) -> str:
    """The value, if it is a number in a query, without other forms that Python accepts as numbers. Raises
    ValidationError.
    """
    if not re.fullmatch("[0-9]{1,20}", value):
        raise Wrong("integer").alone()
    return value


def true_or_false(value: object) -> object:
    """The value, if it is `true` or `false` and nothing else, although in Python `1` equals `true`. Raises
    ValidationError.
    """
    if value is not None and not isinstance(value, bool):
        raise Wrong("boolean").alone()
    return value


StrictInteger = partial(fields.Integer, pre_load=whole_number)
StrictBoolean = partial(fields.Boolean, pre_load=true_or_false)
QueryInteger = partial(fields.Integer, pre_load=plain_digits)


def line(longest: int, *, required: bool = False) -> fields.String:
    """A field for a line of text of 1 to `longest` characters."""
    return fields.String(validate=[length(1, longest), IS_LINE], required=required)


def identifier(letter: str, *, required: bool = False) -> fields.String:
    """A field for an id that begins with this letter."""
    return fields.String(validate=like(rf"{pattern(letter)}\Z", "id"), required=required)


def page_size(most: int, default: int) -> fields.Integer:
    """A field for the number of entries on a page."""
    return QueryInteger(validate=between(1, most), load_default=default)


nonce = partial(fields.String, validate=like(r"[0-9a-f]{16,64}\Z", "digits"))
"""A client's contribution to the shuffles."""
slug = partial(fields.String, validate=like(r"[a-z0-9][a-z0-9-]{0,59}\Z", "slug"))
"""The short name of a ruleset."""
version = partial(QueryInteger, validate=between(1, 2**31 - 1))
"""The number of a version of a ruleset, in a query."""
language = partial(fields.String, validate=one_of(LANGUAGES))
"""One of the service's languages."""
