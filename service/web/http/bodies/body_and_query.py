"""The JSON body and the query of a request, checked against a schema."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from flask import current_app, g, request
from marshmallow import ValidationError

from rules.kernel import Json
from service.core.runtime import problems
from service.core.runtime.nearest import nearest
from service.core.words.words import Phrases, phrases
from service.web.http.bodies import strict_json
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.context import preferred_language

LARGEST_BODY = 64 * 1024
"""The largest body that is read, in bytes."""
MOST_COMPARED = 10
"""The most unknown members that are compared with known ones, because each comparison takes time."""

P = ParamSpec("P")
R = TypeVar("R")
_READING_QUERIES: set[Callable[..., object]] = set()
"""The endpoints that read their queries themselves."""
Endpoint = Callable[Concatenate[Json, P], R]


def passing(read: Callable[[], Json]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """A decorator that passes the result of `read` to the endpoint as its first argument."""

    def decorated(endpoint: Endpoint[P, R]) -> Callable[P, R]:
        @functools.wraps(endpoint)
        def passed(*args: P.args, **kwargs: P.kwargs) -> R:
            return endpoint(read(), *args, **kwargs)

        return passed

    return decorated


def parse_body(schema: type[Body]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """A decorator that passes the parsed body to the endpoint as its first argument.

    Raises UnsupportedMediaType, MalformedJson, InvalidBody.
    """
    loader = schema()
    return passing(lambda: load_body(loader, read_object()))


def load_body(loader: Body, sent: Json) -> Json:
    """The body of the present request, as this schema reads it. Raises InvalidBody."""
    try:
        body: Json = loader.load(sent)
    except ValidationError as error:
        raise problems.InvalidBody(**refusal(error, loader)) from None
    g.body = body
    return body


def parse_query(schema: type[Body]) -> Callable[[Endpoint[P, R]], Callable[P, R]]:
    """A decorator that passes the parsed query to the endpoint as its first argument. Raises InvalidQuery."""
    loader = schema()

    def decorated(endpoint: Endpoint[P, R]) -> Callable[P, R]:
        _READING_QUERIES.add(inspect.unwrap(endpoint))
        return passing(lambda: _loaded_query(loader))(endpoint)

    return decorated


def refuse_unread_query() -> None:
    """Raise InvalidQuery if there are parameters in a request for an operation of the API that takes none."""
    rule = request.url_rule
    if rule is None or not request.query_string or not rule.rule.startswith("/api/"):
        return
    if inspect.unwrap(current_app.view_functions[rule.endpoint]) not in _READING_QUERIES:
        _loaded_query(Body())


def _loaded_query(loader: Body) -> Json:
    """The parameters of the query.

    Raises InvalidQuery, also for a repeated parameter, because programs differ in which value they read.
    """
    repeated = [name for name, values in request.args.lists() if len(values) > 1]
    try:
        if repeated:
            raise ValidationError({name: [Wrong("repeated")] for name in repeated})
        query: Json = loader.load(request.args.to_dict())
    except ValidationError as error:
        raise problems.InvalidQuery(**refusal(error, loader)) from None
    return query


def read_object() -> Json:
    """The JSON object in the body; an empty body counts as an empty object. Raises UnsupportedMediaType, MalformedJson,
    InvalidBody.
    """
    data = request.get_data()
    if not data:
        return {}
    if request.mimetype != "application/json":
        raise problems.UnsupportedMediaType
    try:
        body = strict_json.parse(data)
    except strict_json.Malformed as error:
        raise problems.MalformedJson(error.why, error.name) from None
    except RecursionError:
        raise problems.MalformedJson("too-deep") from None
    except ValueError:
        raise problems.MalformedJson from None
    if not isinstance(body, dict):
        raise problems.InvalidBody(
            errors={"body": [Wrong("object").worded(phrases(preferred_language()))]}
        )
    return body


def refusal(error: ValidationError, loader: Body) -> dict[str, Json]:
    """The details of a problem: the errors of each member and, for unknown members, the most similar known ones."""
    alike: Json = {}
    told = error.normalized_messages().items()  # type: ignore[no-untyped-call]
    unknown = [(name, messages) for name, messages in told if messages == ["unknown"]]
    for name, messages in unknown[:MOST_COMPARED]:
        known = nearest(str(name), loader.fields)
        if known:
            alike[name] = known[0]
            messages[:] = [Wrong("unknown-but").format(name=known[0])]
    return {"errors": errors_by_member(error), **({"nearest": alike} if alike else {})}


def errors_by_member(error: ValidationError) -> dict[str, list[str]]:
    """The errors of each member, in the caller's language; the member `body` stands for the whole body."""
    found, words = error.normalized_messages().items(), phrases(preferred_language())  # type: ignore[no-untyped-call]
    return {
        "body" if name == "_schema" else str(name): _worded(messages, words)
        for name, messages in found
    }


def _worded(messages: object, words: Phrases) -> list[str]:
    """The messages about a member in words; messages about its own members name these."""
    if isinstance(messages, dict):
        return [
            words.say("wrong.inside", {"name": name, "what": what})
            for name, inner in messages.items()
            for what in _worded(inner, words)
        ]
    if isinstance(messages, list):
        return [what for each in messages for what in _worded(each, words)]
    return [messages.worded(words) if isinstance(messages, Wrong) else str(messages)]


def refuse_large_bodies() -> None:
    """Refuse a body whose announced length is too large, without reading it, and one in chunks once it gets too large.

    Raises BodyTooLarge.
    """
    if (request.content_length or 0) > LARGEST_BODY or len(request.get_data()) > LARGEST_BODY:
        raise problems.BodyTooLarge
