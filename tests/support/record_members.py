"""The members of a record's events, and the form of each, as the tests' verifier checks them (docs/record.md)."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from typing import Any

OWN_MEMBERS = {
    "start": "game ruleset version players options seating sat seats nonces commitment",
    "chance": "name outcome",
    "action": "seat action by",
    "clock": "name",
    "handover": "seat from to house why",
    "pause": "",
    "resume": "",
    "extend": "seat seconds",
    "void": "seat event why",
    "version": "from to",
    "close": "why winners seat",
}
TO_HOUSE, TO_PERSON = ("resigned", "timeouts", "left"), ("returned", "substitute")


# The form of each member


def is_text(value: Any) -> bool:
    """Whether this is text."""
    return isinstance(value, str)


def is_integer(value: Any, least: int = 0) -> bool:
    """Whether this is an integer, and not less than that."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_list(value: Any, fits: Any) -> bool:
    """Whether this is a list whose items all fit."""
    return isinstance(value, list) and all(map(fits, value))


def is_hex(value: Any, least: int, most: int | None = None) -> bool:
    """Whether this is a number of hexadecimal digits in lower case, within these lengths."""
    return (
        is_text(value) and least <= len(value) <= (most or least) and not set(value) - HEXADECIMAL
    )


def is_id(value: Any, letter: str) -> bool:
    """Whether this is an id of this kind."""
    return is_text(value) and bool(re.fullmatch(f"{letter}_[0-9A-Za-z]{{16,32}}", value))


def is_tenure(value: Any) -> bool:
    """Whether this is the id of a tenure."""
    return is_id(value, "t")


def is_time(value: Any) -> bool:
    """Whether this is an existing hour."""
    if not is_text(value) or not re.fullmatch(r"\d{4}(-\d\d){2}T\d\d:00:00\.000Z", value, re.ASCII):
        return False
    year, month, day, hour = (int(value[a:b]) for a, b in ((0, 4), (5, 7), (8, 10), (11, 13)))
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return hour < 24


def is_deal(value: Any) -> bool:
    """Whether this names the deal of an existing day."""
    day = value.removeprefix("daily-") if is_text(value) else ""
    return day != value and is_time(f"{day}T00:00:00.000Z")


def is_nonce(value: Any) -> bool:
    """Whether this is an entry of `nonces`."""
    return (
        isinstance(value, dict)
        and value.keys() == {"tenure", "nonce"}
        and is_tenure(value["tenure"])
        and is_hex(value["nonce"], 16, 64)
    )


def shown_cards(view: Any) -> Counter[str]:
    """The cards in the zones of a view."""
    places = [place for zone in view["zones"] for place in zone.get("cards", ())]
    cards = [each.get("card") if isinstance(each, dict) else each for each in places]
    return Counter(card for card in cards if card is not None)


HEXADECIMAL = frozenset("0123456789abcdef")
FORMS: dict[str, Any] = {
    "salt": lambda value: is_hex(value, 32),
    "at": is_time,
    "game": lambda value: is_id(value, "g"),
    "ruleset": is_text,
    "version": lambda value: is_integer(value, 1),
    "players": is_integer,
    "options": lambda value: isinstance(value, dict),
    "seating": lambda value: value in ("order", "random"),
    "sat": lambda value: is_list(value, is_tenure),
    "seats": lambda value: is_list(value, is_tenure),
    "commitment": lambda value: is_hex(value, 64),
    "deal": is_deal,
    "name": is_text,
    "outcome": lambda value: is_list(value, is_text),
    "action": lambda value: isinstance(value, dict),
    "by": lambda value: value in ("seat", "house", "timeout"),
    "from": is_tenure,
    "to": is_tenure,
    "seconds": lambda value: is_integer(value, 1),
    "event": lambda value: is_integer(value, 2),
    "winners": lambda value: is_list(value, is_integer),
    "why": is_text,
}
VERSIONS = {"from": is_integer, "to": is_integer}
"""The types of both versions in a `version` event."""
LATER_OPTIONS = {"yours-truly-bozu-mekuri": ("sets",)}
"""Options that may be missing in a start, since the game began before its version had them."""
