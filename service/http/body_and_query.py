"""What a request sends: its JSON body and its query, checked against a schema."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Concatenate, ParamSpec, TypeVar

from flask import g, request
from marshmallow import ValidationError
from werkzeug.datastructures import MultiDict

from rules.kernel import Json
from service.core.problems import (
    BodyTooLarge,
    InvalidBody,
    InvalidQuery,
    MalformedJson,
    UnsupportedMediaType,
)
from service.http import strict_json
from service.http.schemas.base import Body

LARGEST_BODY = 64 * 1024
"""Bytes of the largest body that is read."""

P = ParamSpec("P")
R = TypeVar("R")
Endpoint = Callable[Concatenate[Json, P], R]


def parse_body(schema: type[Body]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """Pass the parsed body to the endpoint as its first argument.

    Raises UnsupportedMediaType, MalformedJson, InvalidBody.
    """
    loader = schema()

    def decorated(endpoint: Endpoint[P, R]) -> Callable[P, R]:
        @functools.wraps(endpoint)
        def parsed(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                body: Json = loader.load(read_object())
            except ValidationError as error:
                raise InvalidBody(errors=errors_by_member(error)) from None
            g.body = body
            return endpoint(body, *args, **kwargs)

        return parsed

    return decorated


def parse_query(schema: type[Body]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """Pass the parsed query to the endpoint as its first argument. Raises InvalidQuery."""
    loader = schema()

    def decorated(endpoint: Endpoint[P, R]) -> Callable[P, R]:
        @functools.wraps(endpoint)
        def parsed(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                query: Json = loader.load(_single_values(request.args))
            except ValidationError as error:
                raise InvalidQuery(errors=errors_by_member(error)) from None
            return endpoint(query, *args, **kwargs)

        return parsed

    return decorated


def _single_values(args: MultiDict[str, str]) -> dict[str, str]:
    """The parameters of a query. Raises ValidationError if one is repeated: programs differ in which they read."""
    repeated = {name: ["It is repeated."] for name, values in args.lists() if len(values) > 1}
    if repeated:
        raise ValidationError(repeated)
    return args.to_dict()


def read_object() -> Json:
    """The JSON object in the body; an empty body is an empty object."""
    data = request.get_data()
    if not data:
        return {}
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    try:
        body = strict_json.parse(data)
    except (ValueError, RecursionError):
        raise MalformedJson from None
    if not isinstance(body, dict):
        raise InvalidBody(errors={"body": ["An object is expected."]})
    return body


def errors_by_member(error: ValidationError) -> dict[str, list[str]]:
    """What is wrong with each member; `body` stands for the whole."""
    found = error.normalized_messages().items()  # type: ignore[no-untyped-call]
    return {"body" if name == "_schema" else str(name): _flat(messages) for name, messages in found}


def _flat(messages: Iterable[object]) -> list[str]:
    """The messages of a member, those of members inside it too."""
    if isinstance(messages, dict):
        return [message for inner in messages.values() for message in _flat(inner)]
    return [str(message) for message in messages]


def refuse_large_bodies() -> None:
    """Refuse a body that announces to be too large without reading it, and one in chunks as soon as it is.

    Raises BodyTooLarge.
    """
    limit = request.max_content_length
    if limit is None:
        return
    if (request.content_length or 0) >= limit or len(request.get_data()) >= limit:
        raise BodyTooLarge
