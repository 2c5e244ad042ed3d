"""Checks answers and requests against the sources of openapi.yaml.

There each operation lists every response; in openapi.yaml `default` stands for those that all share, and
tests/test_bundle.py proves that it stands for nothing else.

`check` takes an answer of the server; `CheckedClient` is a test client that checks every answer, and every request
that succeeded. Clients have to ignore unknown fields, but the server must not send fields that the document does not
declare, nor values: for the check, every object with declared fields is closed, and so is every open set of values.
"""

from __future__ import annotations

import functools
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import brotli
import jsonschema_rs
import yaml
from flask.testing import FlaskClient
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from bin import bundle
from tests.support import both_ways

Json = dict[str, Any]

PATH = Path(__file__).resolve().parent.parent / "openapi.yaml"
METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM = "application/problem+json"
FORM = "application/x-www-form-urlencoded"
_URI = "urn:tegami:openapi"
_SCHEMAS_BY_NAME = ("properties", "schemas")
_SCHEMAS_IN_LISTS = ("oneOf", "anyOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "propertyNames", "not")


class ContractViolation(AssertionError):
    """An answer, or an accepted request, that the document does not allow."""


class Operation(NamedTuple):
    """One operation of the document, with the parameters of its path."""

    path: str
    method: str
    spec: Json

    @property
    def name(self) -> str:
        """The operationId."""
        name: str = self.spec["operationId"]
        return name

    @property
    def parameters(self) -> list[Json]:
        """The parameters of the path and of the operation."""
        shared = document()["paths"][self.path].get("parameters", [])
        return [resolved(each) for each in [*shared, *self.spec.get("parameters", [])]]

    @property
    def responses(self) -> dict[int, Json]:
        """The possible answers, by status."""
        return _responses(self.path, self.method)

    @property
    def problems(self) -> dict[int, list[str]]:
        """The names of the possible problems, by status."""
        return {
            status: variants(response["content"][PROBLEM]["schema"])
            for status, response in self.responses.items()
            if PROBLEM in response.get("content", {})
        }


@functools.cache
def document() -> Json:
    """The parsed document, in which each operation lists all its responses, including pages."""
    loaded: Json = _read(bundle.complete().encode())
    return loaded


@functools.cache
def api() -> Json:
    """The document of the API alone, from which clients are generated."""
    loaded: Json = _read(PATH.read_bytes())
    return loaded


@functools.lru_cache(maxsize=4)  # few texts, but long ones
def _read(text: bytes) -> Any:
    return yaml.load(text, yaml.CSafeLoader)


def resolved(node: Json) -> Json:
    """`node`, or what it refers to in the document."""
    while "$ref" in node:
        node = functools.reduce(lambda at, key: at[key], node["$ref"][2:].split("/"), document())
    return node


def variants(schema: Json) -> list[str]:
    """The names of the schemas to which `schema` refers: directly, in `oneOf`, or in `anyOf` before the catch-all."""
    known = schema.get("anyOf", [])[:-1] or schema.get("oneOf", [schema])
    return [each["$ref"].rpartition("/")[2] for each in known]


@functools.cache
def _responses(path: str, method: str) -> dict[int, Json]:
    told = document()["paths"][path][method]["responses"]
    return {int(key): resolved(each) for key, each in told.items()}


@functools.cache
def operations() -> tuple[Operation, ...]:
    """Every operation, in the order of the document."""
    return tuple(
        Operation(path, method, item[method])
        for path, item in document()["paths"].items()
        for method in METHODS
        if method in item
    )


def named(name: str) -> Operation:
    """The operation of this name."""
    return next(each for each in operations() if each.name == name)


def closed(schema: Any) -> Any:
    """`schema`, without additional properties in objects that declare properties.

    The last entry of an `anyOf` is for clients, to read what they do not know; the server never responds with it.
    """
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    if "anyOf" in made:
        made["anyOf"] = made["anyOf"][:-1]
    for key in _SCHEMAS_BY_NAME:
        if key in made:
            made[key] = {name: closed(each) for name, each in made[key].items()}
    for key in _SCHEMAS_IN_LISTS:
        if key in made:
            made[key] = [closed(each) for each in made[key]]
    for key in _SCHEMAS:
        if key in made:
            made[key] = closed(made[key])
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


@functools.cache
def _components() -> Json:
    schemas = closed({"schemas": document()["components"]["schemas"]})["schemas"]
    return {"components": {"schemas": schemas}}


@functools.cache
def _registry() -> Any:
    resource = Resource(contents=_components(), specification=DRAFT202012)
    return Registry().with_resource(_URI, resource)


@functools.cache
def _quick_validator(text: str) -> Any:
    """A validator that only says whether a value is valid, but is some hundred times faster."""
    draft = jsonschema_rs.Draft202012
    registry = jsonschema_rs.Registry([(_URI, _components())], draft=draft)
    return jsonschema_rs.Draft202012Validator(
        json.loads(text), registry=registry, validate_formats=True
    )


@functools.cache
def _validator(text: str) -> Any:
    """A validator that says what is wrong. It is imported here because the import takes seconds and is
    rarely needed.
    """
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads(text),
        registry=_registry(),
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


def errors(schema: Json, value: Any) -> list[str]:
    """Where and why `value` does not match a schema of the document."""
    text = _whole(schema)
    if _quick_validator(text).is_valid(value):
        return []
    found = _validator(text).iter_errors(value)
    return [
        f"{error.json_path}: {each.message[:300]}" for error in found for each in _leaves(error)
    ]


def _whole(schema: Json) -> str:
    """The schema in the form in which it is checked, as JSON; it is made once for each schema, which nobody changes."""
    kept = _WHOLE.get(id(schema))
    if kept is None or kept[0] is not schema:
        whole = {"$id": _URI + ":use", **_absolute(closed(schema))}
        kept = _WHOLE[id(schema)] = schema, json.dumps(whole, sort_keys=True)
    return kept[1]


_WHOLE: dict[int, tuple[Json, str]] = {}
"""By the identity of a schema, the schema itself, so that its identity is not reused, and the text."""


def _leaves(error: Any) -> Iterator[Any]:
    """The error, and the reasons why each variant of a `oneOf` does not match."""
    yield error
    for inner in error.context or ():
        yield from _leaves(inner)


def _absolute(node: Any) -> Any:
    if isinstance(node, list):
        return [_absolute(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: _URI + each if key == "$ref" else _absolute(each) for key, each in node.items()}


def find(method: str, path: str) -> Operation | None:
    """The operation of a request."""
    wanted = "get" if method.upper() == "HEAD" else method.lower()
    matching = [each for each in _at(path) if each.method == wanted]
    return matching[0] if matching else None


@functools.lru_cache(maxsize=5000)  # whoever polls asks at one path again and again
def _at(path: str) -> list[Operation]:
    """The operations at `path`: of all matching templates, those with the fewest parameters."""
    fitting = [each for each in operations() if _pattern(each.path).fullmatch(path)]
    fewest = min((each.path.count("{") for each in fitting), default=0)
    return [each for each in fitting if each.path.count("{") == fewest]


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)))


def check(method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Raise ContractViolation unless the document allows this answer.

    The names of `headers` are case-insensitive; `path` may have a query.
    """
    path = path.partition("?")[0]
    if (method.upper(), status) == ("OPTIONS", 204):
        return  # a browser asks for a page of another site
    operation = find(method, path)
    if operation is None and status < 400 and not path.startswith("/api/"):
        return  # a file of the page
    response = _response(operation, method, path, status)
    where = f"{method} {path}: {status}"
    _check_headers(where, response, headers)
    _check_limit(where, operation, headers)
    if method.upper() != "HEAD":
        _check_body(where, operation, response, headers.get("Content-Type", ""), body)


def _response(operation: Operation | None, method: str, path: str, status: int) -> Json:
    shared = document()["components"]["responses"]
    if operation and status in operation.responses:
        return operation.responses[status]
    if operation is None and status == 404:
        return shared["NothingThereAnswer" if path.startswith("/api/") else "NoSuchPage"]  # type: ignore[no-any-return]
    anywhere = document()["x-any-path"]["responses"]
    if operation is None and str(status) in anywhere:
        return resolved(anywhere[str(status)])
    raise ContractViolation(f"{method} {path}: {status} is not described")


def _check_limit(where: str, operation: Operation | None, headers: Mapping[str, str]) -> None:
    """Check that a response with any status tells only of the limit that its operation names."""
    for name, component in (("RateLimit", "RateLimit"), ("RateLimit-Policy", "RateLimitPolicy")):
        if (value := headers.get(name)) is not None:
            limit = operation.spec.get("x-limit") if operation else None
            _check_header(
                f"{where}, {name}", document()["components"]["headers"][component]["schema"], value
            )
            _demand(where, [] if value.startswith(f'"{limit}";') else [f"tells of {value}"])


def _check_headers(where: str, response: Json, headers: Mapping[str, str]) -> None:
    for name, each in response.get("headers", {}).items():
        header, value = resolved(each), headers.get(name)
        if value is None and header.get("required"):
            raise ContractViolation(f"{where} without the header {name}")
        if value is not None:
            _check_header(f"{where}, {name}", header["schema"], value)


def _check_header(where: str, schema: Json, value: str) -> None:
    integer = schema.get("type") == "integer" and value.isdecimal()
    _demand(where, errors(schema, int(value) if integer else value))


def _check_body(
    where: str, operation: Operation | None, response: Json, content_type: str, body: bytes
) -> None:
    content = response.get("content")
    if content is None:
        _demand(where, ["has a body"] if body else [])
        _demand(where, ["has a Content-Type"] if content_type else [])
        return
    media_type = content_type.partition(";")[0].strip()
    if media_type not in content and operation and media_type in operation.spec.get("x-moved", {}):
        content = named(operation.spec["x-moved"][media_type]).responses[200]["content"]
    if media_type not in content:
        raise ContractViolation(f"{where} as {media_type or 'nothing'}, not {list(content)}")
    _demand(where, errors(content[media_type]["schema"], parsed(media_type, body)))


def parsed(media_type: str, body: bytes) -> Any:
    """The parsed body."""
    if media_type.endswith("yaml"):
        return _read(body)
    if media_type == "application/x-ndjson":
        return body.decode()
    return json.loads(body) if media_type.endswith("json") else body.decode()


def check_request(method: str, path: str, query: str, body: bytes) -> None:
    """Raise ContractViolation unless the document allows this request, which the server has accepted."""
    operation = find(method, path)
    if operation is None:
        return
    where = f"{method} {path} was accepted"
    declared = {each["name"]: each for each in operation.parameters if each["in"] == "query"}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if any(fnmatch(name.lower(), each) for each in document()["x-ignored-parameters"]):
            continue
        if declared and name not in declared:
            raise ContractViolation(f"{where} with the unknown parameter {name}")
        if declared:
            schema = declared[name]["schema"]
            _demand(f"{where}, {name}", errors(schema, _plain(resolved(schema), value)))
    if body and "requestBody" in operation.spec:
        ((kind, media),) = operation.spec["requestBody"]["content"].items()
        sent = dict(parse_qsl(body.decode())) if kind == FORM else json.loads(body)
        _demand(where, errors(media["schema"], sent))


def _plain(schema: Json, value: str) -> Any:
    """The value of a query parameter: a number, a boolean, or the text itself."""
    if schema.get("type") == "string":
        return value
    if value in {"true", "false"}:
        return value == "true"
    return int(value) if re.fullmatch(r"-?[0-9]+", value) else value


def _demand(where: str, found: list[str]) -> None:
    if found:
        raise ContractViolation(f"{where}\n  " + "\n  ".join(found[:20]))


UNPACKED = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}
"""How a body with this encoding is decoded."""


REQUEST = {"HTTP_X_REQUEST_ID": "the-request-of-a-test"}
"""The request of every test that brings no other, so that responses to equal requests are equal."""


class CheckedClient(FlaskClient):
    """A Flask test client that checks everything that passes through it against the document.

    `app.test_client_class = CheckedClient`; redirects are checked, too. Answers have no date: two that are the same
    would differ where a second ends between them.
    """

    def open(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["environ_base"] = {**REQUEST, **(kwargs.get("environ_base") or {})}
        answer = super().open(*args, **kwargs)
        asked, path = answer.request, urlsplit(answer.request.path).path
        body = UNPACKED[answer.headers.get("Content-Encoding")](answer.get_data())
        check(asked.method, path, answer.status_code, answer.headers, body)
        if answer.status_code < 300:
            query = asked.query_string.decode()
            check_request(asked.method, path, query, _sent(answer))
        both_ways.check(self.application, answer)
        answer.headers.remove("Date")
        return answer


def _sent(answer: Any) -> bytes:
    stream: Any = answer.request.environ.get("wsgi.input")
    read: Callable[[], bytes] | None = getattr(stream, "getvalue", None)
    return read() if read else b""


def nodes(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every node of the document with its path; examples are not entered."""
    yield path, node
    if path[:2] == ("components", "examples"):
        return
    if isinstance(node, dict):
        for key, each in node.items():
            yield from nodes(each, (*path, key))
    elif isinstance(node, list):
        for number, each in enumerate(node):
            yield from nodes(each, (*path, str(number)))


def bodies(operation: Operation) -> Iterator[tuple[str, Json]]:
    """Every body of a request or a response, with a name for it."""
    for kind, media in operation.spec.get("requestBody", {}).get("content", {}).items():
        yield f"request {kind}", media
    for status, response in operation.responses.items():
        for kind, media in response.get("content", {}).items():
            yield f"{status} {kind}", media


def problem_schemas() -> dict[str, Json]:
    """The schemas of problems, by name."""

    def is_problem(schema: Json) -> bool:
        kind = schema.get("properties", {}).get("type", {})
        return str(kind.get("const", "")).startswith("/problems/")

    return {
        name: schema
        for name, schema in document()["components"]["schemas"].items()
        if is_problem(schema)
    }
