"""`Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): requests that create something can be repeated
safely.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import ParamSpec

from flask import Response, current_app, request
from flask.typing import ResponseReturnValue

from service.core.runtime.problems import InvalidIdempotencyKey
from service.web.http.caller.caller import identified
from service.web.http.caller.context import preferred_language
from service.web.http.headers.cross_site import check_site
from service.web.http.idempotency.stored_answers import Keeper

P = ParamSpec("P")
_KEY = re.compile(r'("?)([!#-\[\]-~]{16,64})\1\Z')
"""A string of structured fields (RFC 9651) without escapes; its quotation marks may be missing."""
_KEPT_HEADERS = ("Location", "Set-Cookie", "Content-Language")


def repeatable(endpoint: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A decorator that gives a repeated request the earlier response. It stands above `parse_body`, and below checks of
    the caller.

    A response that signs somebody in goes only to our own pages, even if it is repeated. Raises InvalidIdempotencyKey,
    OtherRequest, Unfinished, CrossSite.
    """

    @functools.wraps(endpoint)
    def once(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        header = request.headers.get("Idempotency-Key")
        if header is None:
            return endpoint(*args, **kwargs)
        keeper = _keeper(header)
        return _read(keeper.once(request.get_data(), lambda: _written(endpoint(*args, **kwargs))))

    return once


def _keeper(header: str) -> Keeper:
    """The Keeper of the response for this caller and this operation. Raises InvalidIdempotencyKey."""
    found = _KEY.match(header.strip())
    if found is None:
        raise InvalidIdempotencyKey
    caller = identified()
    return Keeper(f"{request.endpoint} {caller.id if caller else '-'}", found[2])


def _written(answer: ResponseReturnValue) -> str:
    made = current_app.make_response(answer)
    # A repeated request may prefer another language.
    made.headers.setdefault("Content-Language", preferred_language())
    headers = [[name, value] for name, value in made.headers.items() if name in _KEPT_HEADERS]
    body = made.get_data(as_text=True)
    return json.dumps({"status": made.status_code, "headers": headers, "body": body})


def _read(written: str) -> Response:
    kept = json.loads(written)
    if any(name == "Set-Cookie" for name, _ in kept["headers"]):
        check_site()
    response = Response(kept["body"], kept["status"], mimetype="application/json")
    response.headers.extend(kept["headers"])
    return response
