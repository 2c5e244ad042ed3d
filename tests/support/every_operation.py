"""All operations of the API, and for each a path at which it can be asked for."""

from __future__ import annotations

import re

from tests.contract import Operation, operations

IDS = {
    "game_id": "g",
    "tenure_id": "t",
    "invitation_id": "i",
    "proposal_id": "q",
    "message_id": "m",
    "mute_id": "s",
    "block_id": "b",
    "vacation_id": "v",
    "token_id": "k",
    "feed_id": "k",
    "webhook_id": "w",
    "browser_id": "n",
    "sign_in_id": "k",
}
"""By the name of a parameter, the letter with which such ids begin."""
NAMES = {
    "slug": "caravan",
    "wanted": "en",
    "number": "1",
    "secret": "x" * 43,
    "token": "x",
    "purpose": "verify",
    "key": "x",
    "section": "emails",
    "file_name": "bot.py",
    "mail_id": "1",
}
"""By the name of another parameter, a value that it may have."""
API = [each for each in operations() if each.path.startswith("/api/")]


def path_of(operation: Operation, game_id: str, digits: int = 22) -> str:
    """A path at which the operation can be asked for; of what is in it only the game exists."""
    names = {"game_id": game_id, **NAMES}
    return re.sub(
        r"\{(\w+)\}", lambda found: names.get(found[1]) or made_up(found[1], digits), operation.path
    )


def made_up(name: str, digits: int = 22) -> str:
    """An id that nothing has, of so many digits."""
    return f"{IDS[name]}_{'0123456789abcdefABCDEF0123456789'[:digits]}"
