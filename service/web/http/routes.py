"""Which route a request took, for whoever counts requests: its rule, without any value of the address."""

from __future__ import annotations

import functools
import re

from flask import Response, request

ROUTE = "tegami.route"
"""Where the environment of a request tells the server its route; it is missing if the address is none of ours."""


def note(response: Response) -> Response:
    """Note the route of this request."""
    if request.url_rule:
        request.environ[ROUTE] = rule()
    return response


def rule() -> str:
    """The path as openapi.yaml has it, without values; empty if the address is none of ours."""
    return _without_converters(request.url_rule.rule) if request.url_rule else ""


@functools.cache  # there are as many as the application has addresses
def _without_converters(path: str) -> str:
    return re.sub(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>", r"{\1}", path)
