"""The bodies and queries for talk, notes, mutes and blocks. Text is plain and limited in length."""

from __future__ import annotations

from functools import partial

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.tables.talk.messages import LONGEST_MESSAGE
from service.tables.talk.readers_and_writers import CHANNELS
from service.web.http.bodies.cursors import PageQuery
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, StrictInteger, identifier
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of

LONGEST_WHY = 500
LONGEST_NOTE = 10_000
"""The most characters of a note, counted as Unicode code points."""

_UNPRINTABLE = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters except tab and new line, and characters that change the direction of text."""
IS_SPEECH = like(rf"(?!\s)[^\t{_UNPRINTABLE}]*(?<!\s)\Z", "speech")
"""Text that can be shown in a few lines, without white space at the ends, so that it is never blank."""
IS_NOTE = like(rf"[^{_UNPRINTABLE}]*\Z", "note")
"""Text that can be shown; tabs and white space are allowed anywhere."""


def text(longest: int, *, required: bool = False, nothing: bool = False) -> fields.String:
    """A field for a text of 1 to `longest` characters; with `nothing`, null is allowed too."""
    kinds = [length(1, longest), IS_SPEECH]
    return fields.String(validate=kinds, required=required, allow_none=nothing)


channel = partial(fields.String, required=True, validate=one_of(CHANNELS))
"""The channel of a message."""


once = partial(fields.String, validate=like(r"[0-9a-f]{16,64}\Z", "digits"))
"""A client's key of a message, by which a repetition is recognised; lower-case hexadecimal."""


class NewMessage(Body):
    """The body of POST /games/{id}/messages."""

    channel = channel()
    text = text(LONGEST_MESSAGE, required=True)
    once = once()


class MessagesQuery(PageQuery):
    """The query of GET /games/{id}/messages."""

    channel = channel()


class NewMark(Body):
    """The body of PUT /games/{id}/marks."""

    channel = channel()
    number = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))


class NewNote(Body):
    """The body of PUT /games/{id}/notes."""

    text = fields.String(required=True, validate=[length(0, LONGEST_NOTE), IS_NOTE])


class NewReport(Body):
    """The body of POST /games/{id}/messages/{id}/reports."""

    why = text(LONGEST_WHY)


class NewMute(Body):
    """The body of POST /games/{id}/mutes: a person, identified by their place at the table or by a message."""

    tenure = identifier("t")
    message = identifier("m")

    @validates_schema(skip_on_field_errors=True)
    def names_one_person(self, data: Json, **_options: object) -> None:
        """Check that the person is named in exactly one of the two ways. Raises ValidationError."""
        if len(data.keys() & {"tenure", "message"}) != 1:
            raise Wrong("person").alone()


class NewBlock(NewMute):
    """The body of POST /me/blocks."""

    game = identifier("g", required=True)
