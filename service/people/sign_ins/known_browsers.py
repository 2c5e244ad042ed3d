"""Browsers in which somebody has signed in before, known by a signed cookie (OWASP's "device cookies").

Wrong passwords are counted separately for each of them, so that strangers who guess do not lock out the owner of an
account. The cookie signs nobody in: its holder can only guess separately from the strangers, as slowly as they do.
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
"""The largest number of people remembered in one browser."""


class Known(NamedTuple):
    """A person who has signed in in this browser."""

    player_id: str
    browser: str
    """The id of a sign-in in this browser, different for each browser and person."""


def remember(config: Config, runtime: Runtime, cookie: str | None, known: Known) -> str:
    """The new value of the browser's cookie; `cookie` is the present one."""
    others = [each for each in _read(config, runtime, cookie) if each.player_id != known.player_id]
    return str(serializer(config, runtime, SALT).dumps([known, *others][:MOST_PEOPLE]))


def find(config: Config, runtime: Runtime, cookie: str | None, player_id: str) -> str | None:
    """The id of the browser for this player, who has signed in there before; None if the browser is not known."""
    found = (each for each in _read(config, runtime, cookie) if each.player_id == player_id)
    return next((each.browser for each in found), None)


def last_player(config: Config, runtime: Runtime, cookie: str | None) -> str | None:
    """The player who last signed in in the browser; None if nobody has."""
    return next((each.player_id for each in _read(config, runtime, cookie)), None)


def _read(config: Config, runtime: Runtime, cookie: str | None) -> list[Known]:
    """The people in the cookie; empty if it was not signed here or is too old."""
    try:
        signed = serializer(config, runtime, SALT).loads(cookie or "", max_age=COOKIE_MAX_AGE)
    except BadData:
        return []
    return [Known(*each) for each in signed]
