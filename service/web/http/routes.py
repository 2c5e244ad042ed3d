"""How addresses lead to endpoints, and which route a request took, for whoever counts requests."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from flask import Response, request
from werkzeug.routing import Rule

ROUTE = "tegami.route"
"""Where the environment of a request tells the server its route; it is missing if the address is none of ours."""


class Route(Rule):
    """What makes addresses is compiled when one is made, which no page of ours asks for: it took most of a start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = functools.cache(super()._compile_builder)

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build


def note(response: Response) -> Response:
    """Note the route of this request."""
    if request.url_rule:
        request.environ[ROUTE] = rule()
    return response


def rule() -> str:
    """The path of this request as openapi.yaml has it, without values; empty if the address is none of ours."""
    return without_converters(request.url_rule.rule) if request.url_rule else ""


@functools.cache  # there are as many as the application has addresses
def without_converters(path: str) -> str:
    """The path of a rule as openapi.yaml has it."""
    return re.sub(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>", r"{\1}", path)
