"""Routing, and the route of each request for its counts."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from flask import Response, request
from werkzeug.routing import Rule

ROUTE = "tegami.route"
"""The key in a request's environment for its route; missing if no route fits."""


class Route(Rule):
    """A rule that does not compile its builder of addresses, which no page of ours uses and which took most of the time
    of a start.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = functools.cache(super()._compile_builder)

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build


def note(response: Response) -> Response:
    """Store the route of this request in its environment, and return the response."""
    if request.url_rule:
        request.environ[ROUTE] = rule()
    return response


def rule() -> str:
    """The path of this request as openapi.yaml writes it, without values; empty if no route fits."""
    return without_converters(request.url_rule.rule) if request.url_rule else ""


@functools.cache  # it holds as many as the application has addresses
def without_converters(path: str) -> str:
    """The path of a rule as openapi.yaml writes it."""
    return re.sub(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>", r"{\1}", path)
