"""All operations of the API, with a path at which each can be requested."""

from __future__ import annotations

import re

from tests.contract import Operation, operations

IDS = {
    "game_id": "g",
    "tenure_id": "t",
    "invitation_id": "i",
    "proposal_id": "q",
    "message_id": "m",
    "order_id": "o",
    "mute_id": "s",
    "block_id": "b",
    "follow_id": "f",
    "circle_id": "c",
    "member_id": "u",
    "weekly_id": "y",
    "series_id": "e",
    "vacation_id": "v",
    "token_id": "k",
    "feed_id": "k",
    "webhook_id": "w",
    "browser_id": "n",
    "sign_in_id": "k",
}
"""The letter with which ids begin, by the name of a parameter."""
NAMES = {
    "slug": "caravan",
    "handle": "nobody",
    "day": "today",
    "wanted": "en",
    "number": "1",
    "puzzle_id": "0" * 16,
    "secret": "x" * 43,
    "token": "x",
    "purpose": "verify",
    "key": "x",
    "section": "emails",
    "file_name": "bot.py",
    "mail_id": "1",
}
"""A possible value, by the name of any other parameter."""
API = [each for each in operations() if each.path.startswith("/api/")]


def path_of(operation: Operation, game_id: str, digits: int = 22) -> str:
    """A path at which the operation can be requested. It names a game that exists; other ids in it are invented."""
    names = {"game_id": game_id, **NAMES}
    return re.sub(
        r"\{(\w+)\}", lambda found: names.get(found[1]) or made_up(found[1], digits), operation.path
    )


def made_up(name: str, digits: int = 22) -> str:
    """An unused id with this number of digits."""
    return f"{IDS[name]}_{'0123456789abcdefABCDEF0123456789'[:digits]}"
