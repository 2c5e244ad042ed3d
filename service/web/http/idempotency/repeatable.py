"""`Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): what creates something may be repeated safely."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable
from typing import ParamSpec

from flask import Response, current_app, request
from flask.typing import ResponseReturnValue

from service.core.runtime.problems import InvalidIdempotencyKey, OtherRequest, Problem, Unfinished
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.caller import identified
from service.web.http.caller.context import current_services
from service.web.http.idempotency.stored_answers import Keeper

P = ParamSpec("P")
_KEY = re.compile(r'("?)([!#-\[\]-~]{16,64})\1\Z')
"""A string of structured fields (RFC 9651) without escapes; the quotation marks may be missing."""
_KEPT_HEADERS = ("Location", "Set-Cookie", "Content-Language")


def repeatable(endpoint: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Answer a repeated request as before; stands above `parse_body`, below who may do it.

    Raises InvalidIdempotencyKey, OtherRequest, Unfinished.
    """

    @functools.wraps(endpoint)
    def once(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        header = request.headers.get("Idempotency-Key")
        if header is None:
            return endpoint(*args, **kwargs)
        keeper, sent = _keeper(header), hashlib.sha256(request.get_data()).digest()
        if not keeper.claim(sent):
            return _repeated(keeper, sent)
        try:
            answer = current_app.make_response(endpoint(*args, **kwargs))
        except Problem:
            keeper.forget()
            raise
        # Whoever repeats it may prefer another language by then.
        answer.headers.setdefault("Content-Language", preferred_language())
        keeper.keep(_written(answer))
        return answer

    return once


def _keeper(header: str) -> Keeper:
    """Keeps the answer for this caller alone, and for this operation."""
    found = _KEY.match(header.strip())
    if found is None:
        raise InvalidIdempotencyKey
    services, caller = current_services(), identified()
    scope = f"{request.endpoint} {caller.id if caller else '-'}"
    return Keeper(services, services.config.secret_key, scope, found[2])


def _repeated(keeper: Keeper, sent: bytes) -> Response:
    """The answer from before. Raises OtherRequest, Unfinished."""
    before, answer = keeper.before()
    if before and before != sent:
        raise OtherRequest
    if answer is None:
        raise Unfinished({"Retry-After": "1"})
    kept = json.loads(answer)
    response = Response(kept["body"], kept["status"], mimetype="application/json")
    for name, value in kept["headers"]:
        response.headers.add(name, value)
    return response


def _written(answer: Response) -> str:
    headers = [[n, v] for n, v in answer.headers.items() if n in _KEPT_HEADERS]
    body = answer.get_data(as_text=True)
    kept = {"status": answer.status_code, "headers": headers, "body": body}
    return json.dumps(kept)
