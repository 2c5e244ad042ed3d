"""Browsers in which somebody has signed in before, known by a signed cookie (OWASP's "device cookies").

Wrong passwords are counted apart for each of them, so that strangers who guess do not keep the owner of an account
out. The cookie signs nobody in: whoever has it may only guess beside the strangers, as slowly as they do.
"""

from __future__ import annotations

from typing import NamedTuple

from itsdangerous import BadData

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.people.credentials.credentials import COOKIE_MAX_AGE
from service.people.credentials.mailed_keys import serializer

SALT = "known browser"
MOST_PEOPLE = 4
"""People who sign in in one browser and are all remembered."""


class Known(NamedTuple):
    """Somebody has signed in in this browser."""

    player_id: str
    browser: str
    """The id of a sign-in there: another one for each browser and person."""


def remember(config: Config, runtime: Runtime, cookie: str | None, known: Known) -> str:
    """The new value of the browser's cookie, which was `cookie` until now."""
    others = [each for each in _read(config, runtime, cookie) if each.player_id != known.player_id]
    return str(serializer(config, runtime, SALT).dumps([known, *others][:MOST_PEOPLE]))


def find(config: Config, runtime: Runtime, cookie: str | None, player_id: str) -> str | None:
    """By what the browser is known in which this player has signed in; None if it is not known."""
    found = (each for each in _read(config, runtime, cookie) if each.player_id == player_id)
    return next((each.browser for each in found), None)


def last_player(config: Config, runtime: Runtime, cookie: str | None) -> str | None:
    """Who has signed in last in the browser; None if nobody has."""
    return next((each.player_id for each in _read(config, runtime, cookie)), None)


def _read(config: Config, runtime: Runtime, cookie: str | None) -> list[Known]:
    """Nothing, if the cookie was not signed here or is too old."""
    try:
        signed = serializer(config, runtime, SALT).loads(cookie or "", max_age=COOKIE_MAX_AGE)
    except BadData:
        return []
    return [Known(*each) for each in signed]
