"""Which route a request took, for whoever counts requests: its rule, without any value of the address."""

from __future__ import annotations

import re

from flask import Flask, Response, request

ROUTE = "tegami.route"
"""Where the environment of a request tells the server its route; it is missing if the address is none of ours."""


def register(app: Flask) -> None:
    """Note the route of each request of `app`."""
    app.after_request(note)


def note(response: Response) -> Response:
    """Note the route of this request."""
    if request.url_rule:
        request.environ[ROUTE] = rule()
    return response


def rule() -> str:
    """The path as openapi.yaml has it, without values; empty if the address is none of ours."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(request.url_rule or ""))
