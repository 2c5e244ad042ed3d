"""Sends the requests of which the examples of openapi.yaml are made."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.contract import FORM, Json, Operation


def send(
    client: FlaskClient,
    operation: Operation,
    who: Json | None = None,
    body: Any = None,
    *,
    query: Any = None,
    headers: Json | None = None,
    **parameters: Any,
) -> Any:
    """The answer to an operation sent as `who`, with these parameters of the path.

    A body with fields is sent as a form if the document says so, and otherwise as JSON.
    """
    is_form = FORM in operation.spec.get("requestBody", {}).get("content", {})
    as_json = isinstance(body, dict) and not is_form
    return client.open(
        operation.path.format(**parameters),
        method=operation.method,
        json=body if as_json else None,
        data=None if as_json else body,
        query_string=query,
        headers={**(signed_in_as(who) if who else {}), **(headers or {})},
    )


def signed_in_as(who: Json) -> Json:
    """The headers of a program with a token, or of a browser."""
    if "cookie" in who:
        return {"Cookie": who["cookie"]}
    return {"Authorization": f"Bearer {who['token']['secret']}"}
