"""Announcing the end of operations in each of their responses: `Deprecation` (RFC 9745), `Sunset` (RFC 8594).

In openapi.yaml, an operation that will end has `deprecated: true`, and the days as `x-deprecated` and `x-sunset`.
"""

from __future__ import annotations

import functools
import re
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Flask, Response, request
from werkzeug.http import http_date

from service.core.settings.config import ROOT

EXPLAINED = '</docs/changes>; rel="deprecation"; type="text/html"'


class Ending(NamedTuple):
    """The day since which an operation should no longer be used, and the day when it ends."""

    since: datetime
    until: datetime


Endings = dict[tuple[str, str], Ending]
"""The deprecations, by method and path."""

TOLD = re.compile(
    r"^(?:  (/\S*):|    (get|post|put|patch|delete):|      ((?:x-)?deprecated|x-sunset): (\S+))$",
    re.MULTILINE,
)
"""The lines of openapi.yaml that have a path, an operation, or something about its end."""


def endings(text: str) -> Endings:
    """The deprecations in the text of a contract. Only the lines of TOLD are read.

    Raises ValueError if one of the days is missing or malformed.
    """
    told: dict[tuple[str, str], dict[str, str]] = {}
    path = method = ""
    for next_path, next_method, name, value in TOLD.findall(text):
        path, method = next_path or path, next_method.upper() or method
        if name:
            told.setdefault((method, path), {})[name] = value.strip("'\"")
    return {where: _ending(where, days) for where, days in told.items()}


def _ending(where: tuple[str, str], told: dict[str, str]) -> Ending:
    if told.keys() != {"deprecated", "x-deprecated", "x-sunset"}:
        raise ValueError(f"{' '.join(where)}: says only {sorted(told)} of its end")
    return Ending(_day(told["x-deprecated"]), _day(told["x-sunset"]))


def _day(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)


def announce(response: Response, ending: Endings) -> Response:
    """`response`, with the announcement if its operation ends."""
    if ending and request.url_rule:
        path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", request.url_rule.rule)
        method = "GET" if request.method == "HEAD" else request.method
        end = ending.get((method, path))
        if end:
            response.headers.add("Deprecation", f"@{int(end.since.timestamp())}")
            response.headers.add("Sunset", http_date(end.until))
            response.headers.add("Link", EXPLAINED)
    return response


def register(app: Flask) -> None:
    """Have the deprecations in openapi.yaml announced in the responses of `app`."""
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    app.after_request(functools.partial(announce, ending=endings(text)))
