"""The possible errors of a field or a parameter: keys of messages, worded later in the caller's language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from marshmallow import ValidationError, fields, validate

from service.core.words.words import Phrases


class Wrong(str):
    """The key of a message below `wrong.`, with its fields; marshmallow passes it on like a text."""

    filled: Mapping[str, object] = {}

    def format(self, *_: object, **filled: object) -> Wrong:
        """The same key with its fields filled in, as marshmallow's checks provide them."""
        made = Wrong(self)
        made.filled = filled
        return made

    def alone(self) -> ValidationError:
        """An error for a check of our own to raise."""
        return ValidationError(self)

    def worded(self, words: Phrases) -> str:
        """The message, in the words for this member."""
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
"""A number in these bounds."""
length = partial(validate.Length, error=Wrong("length"))
"""A number of characters or entries."""
one_of = partial(validate.OneOf, error=Wrong("one-of"))
"""One of these values."""


def like(regex: str, kind: str) -> validate.Regexp:
    """A text that matches; the message `wrong.<kind>` says what is expected."""
    return validate.Regexp(regex, error=Wrong(kind))
