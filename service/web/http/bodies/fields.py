"""Fields that several schemas share, and the base of all schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping

from marshmallow import RAISE, Schema, fields

from service.core.words.words import LANGUAGES
from service.web.http.bodies.path_ids import pattern
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of, reword

MAX_EVENT_NUMBER = 2**31 - 1
"""The highest number of an event that can be asked for."""
MAX_VERSION = 2**31 - 1
"""The highest version of a ruleset that can be asked for."""
_UNPRINTABLE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]")
"""Control characters, and those that change the direction of the text around them."""


class Body(Schema):
    """A JSON object or a query; members that the schema does not name are refused."""

    class Meta:
        unknown = RAISE

    error_messages = {  # as marshmallow declares it
        "unknown": Wrong("unknown"),
        "type": Wrong("object"),
    }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[object]) -> None:
        """Let our catalogues word what marshmallow says."""
        reword(field_obj)


class StrictInteger(fields.Integer):
    """A JSON integer (3.0 is one): not `true`, `"1"` or `1.5`."""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> int:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class QueryInteger(fields.Integer):
    """A number in a query: plain digits, without what else Python reads as a number."""

    def _deserialize(
        self, value: str, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> int:
        if not re.fullmatch("[0-9]{1,20}", value):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class StrictBoolean(fields.Boolean):
    """`true` or `false`, nothing else."""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def printable_line(value: str) -> None:
    """Text that can be shown in one line: no control characters, no white space at the ends."""
    if value != value.strip() or _UNPRINTABLE.search(value):
        raise Wrong("line").alone()


def line(longest: int, *, required: bool = False) -> fields.String:
    """A line of text of 1 to `longest` characters."""
    return fields.String(validate=[length(1, longest), printable_line], required=required)


def nonce(*, required: bool = False, allow_none: bool = False) -> fields.String:
    """What a client may contribute to the shuffles."""
    digits = like(r"[0-9a-f]{16,64}\Z", "digits")
    return fields.String(validate=digits, required=required, allow_none=allow_none)


def slug(*, required: bool = False) -> fields.String:
    """The short name of a ruleset."""
    return fields.String(validate=like(r"[a-z0-9][a-z0-9-]{0,59}\Z", "slug"), required=required)


def version() -> QueryInteger:
    """The number of a version of a ruleset, in a query."""
    return QueryInteger(validate=between(1, MAX_VERSION))


def language() -> fields.String:
    """One of the service's languages."""
    return fields.String(validate=one_of(LANGUAGES))


def seat() -> StrictInteger:
    """The number of a seat."""
    return StrictInteger(validate=between(0, 15))


def identifier(letter: str, *, required: bool = False) -> fields.String:
    """An id that begins with this letter."""
    return fields.String(validate=like(rf"{pattern(letter)}\Z", "id"), required=required)


def page_size(most: int, default: int) -> QueryInteger:
    """How many entries a page has."""
    return QueryInteger(validate=between(1, most), load_default=default)
