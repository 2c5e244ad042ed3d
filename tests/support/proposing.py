"""Helpers for tests of mails about proposals: proposing, voting, the letters and the links in them."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Any

from sqlalchemy import insert

from service.core.database.database import db, transaction
from service.core.models.people import Account
from tests.support.cast import Json, Person
from tests.support.post_office import part

PAUSE: Json = {"kind": "pause", "seconds": 86_400}
DRAW: Json = {"kind": "close", "outcome": "draw"}
_VOTE = re.compile(r"http://localhost(/votes/\S+\.(agree|refuse))(?=\s)")


def registered(*people: Person) -> None:
    """Register people and verify their addresses."""
    for person in people:
        name = person.name.lower()
        row = {"player_id": person.id, "handle": name, "registered_at": 0}
        row |= {"address": f"{name}@example.org", "folded": f"{name}@example.org"}
        with person.http.application.app_context(), transaction():
            db.session.execute(insert(Account).values(row))


def propose(person: Person, game_id: str, wish: Json) -> Any:
    """Make a proposal; returns the newest one, as the proposer sees it."""
    person.post(f"/api/games/{game_id}/proposals", wish)
    return last(person, game_id)


def last(person: Person, game_id: str) -> Any:
    """The newest proposal, whatever its outcome."""
    return person.get(f"/api/games/{game_id}/proposals")["proposals"][-1]


def vote(person: Person, game_id: str, agrees: bool = True) -> Any:
    """Vote on the newest proposal; returns the game after that."""
    path = f"/api/games/{game_id}/proposals/{last(person, game_id)['id']}/votes"
    return person.post(path, {"agrees": agrees}, status=200)


def links(letter: EmailMessage) -> dict[str, str]:
    """The paths behind `agree` and `refuse` in a letter."""
    return {answer: path for path, answer in _VOTE.findall(part(letter))}


def prose(letter: EmailMessage) -> str:
    """The text of a letter, without line breaks."""
    return " ".join(part(letter).split())
