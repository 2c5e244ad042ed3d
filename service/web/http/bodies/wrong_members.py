"""The possible errors of a field or a parameter: keys of messages, worded later in the caller's language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from marshmallow import ValidationError, fields, validate

from service.core.words.words import Phrases


class Wrong(str):
    """The key of a message below `wrong.`, with its values; marshmallow passes it on like a text."""

    filled: Mapping[str, object] = {}

    def format(self, *_: object, **filled: object) -> Wrong:
        """The same key with the values that marshmallow's checks provide."""
        made = Wrong(self)
        made.filled = filled
        return made

    def alone(self) -> ValidationError:
        """A ValidationError with this message alone, for our own checks to raise."""
        return ValidationError(self)

    def worded(self, words: Phrases) -> str:
        """The message in words."""
        return words.say(f"wrong.{self}", dict(self.filled))


KINDS: dict[type, str] = {
    fields.Integer: "integer",
    fields.Boolean: "boolean",
    fields.String: "text",
    fields.List: "list",
    fields.Dict: "object",
}
"""The kind of value that a field of each class expects, the most specific class first."""


def reword(field: fields.Field[object]) -> None:
    """Replace the field's own messages by keys of messages."""
    expected = next((name for kind, name in KINDS.items() if isinstance(field, kind)), "value")
    own = {"required": "missing", "null": expected, "invalid": expected, "too_large": "integer"}
    field.error_messages = {
        key: Wrong(own.get(key, "value")) for key in {*field.error_messages, *own}
    }
    if isinstance(field, fields.List):
        reword(field.inner)


between = partial(validate.Range, error=Wrong("between"))
"""A check that a number is within bounds."""
length = partial(validate.Length, error=Wrong("length"))
"""A check of the number of characters or entries."""
one_of = partial(validate.OneOf, error=Wrong("one-of"))
"""A check that a value is one of those that are allowed."""


def like(regex: str, kind: str) -> validate.Regexp:
    """A check that a text matches `regex`; the message `wrong.<kind>` says what is expected."""
    return validate.Regexp(regex, error=Wrong(kind))
