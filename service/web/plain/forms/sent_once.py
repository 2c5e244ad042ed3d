"""Forms that create something: a form that is sent twice leads to what was created the first time."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

from service.web.http.caller.caller import caller_id
from service.web.http.caller.context import current_services
from service.web.http.idempotency.stored_answers import Keeper


def new_key() -> str:
    """A key for a new form."""
    return current_services().entropy(16).hex()


def once(key: str, create: Callable[[], str]) -> str:
    """The address that `create` returns, or that it returned when the form with this key was sent before. Raises
    Unfinished.
    """
    keeper = Keeper(f"{request.endpoint} {caller_id()}", key)
    return keeper.once(request.get_data(), create, only_same=False)
