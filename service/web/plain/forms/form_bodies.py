"""The fields of a submitted form, checked against a schema."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

from flask import request

from rules.kernel import Json
from service.core.runtime.problems import InvalidBody, Problem, UnsupportedMediaType
from service.core.words.words import phrases
from service.web.http.bodies.body_and_query import Endpoint, P, R, load_body, passing
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.context import preferred_language
from service.web.plain.forms.form_tokens import FIELD, check_token

MOST_FIELDS = 50
"""The most fields of a form that are read; no form of ours has half as many."""
ANYWAY = "anyway"
"""The field for sitting down in spite of a block."""
AS_TYPED = {"password"}
"""The fields in which spaces at the ends count."""


def parse_form(schema: type[Body]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """A decorator that passes the fields of a form to the endpoint as its first argument. Blank fields count as
    missing.

    Raises UnsupportedMediaType, WrongForm, InvalidBody.
    """
    loader = schema()

    def read() -> Json:
        fields = read_fields()
        check_token(fields.pop(FIELD, ""))
        return load_body(loader, {name: value for name, value in fields.items() if value})

    return passing(read)


def limit_of_deed(limits: dict[str, str]) -> Callable[[], str | None]:
    """A function that returns the name of the limit for the value of the field `do` in the present form; None if there
    is no limit for it.
    """

    def limit() -> str | None:
        try:
            return limits.get(read_fields().get("do", ""))
        except Problem:
            return None

    return limit


def read_fields() -> dict[str, str]:
    """The fields as they were typed, with unified line breaks. Raises UnsupportedMediaType, InvalidBody."""
    data = request.get_data()
    if data and request.mimetype != "application/x-www-form-urlencoded":
        raise UnsupportedMediaType
    try:
        sent = parse_qsl(
            data.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
        fields = dict(sent)
        if len(fields) < len(sent):
            raise ValueError("a field is repeated")
    except ValueError:
        words = phrases(preferred_language())
        raise InvalidBody(errors={"body": [Wrong("form").worded(words)]}) from None
    return {
        name: value if name in AS_TYPED else value.replace("\r\n", "\n").strip()
        for name, value in fields.items()
    }
