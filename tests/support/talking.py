"""Helpers for tests of talk: saying, listening, and who is who at a table."""

from __future__ import annotations

from typing import Any

from tests.support.cast import CARAVAN, Cast, Person

SEATS, SPECTATORS = "seats", "spectators"


def at(game_id: str, what: str) -> str:
    """The path of something at this table."""
    return f"/api/games/{game_id}/{what}"


def say(person: Person, game_id: str, text: str, channel: str = SEATS, **more: Any) -> Any:
    """Post a message as this person; returns it."""
    body = {"channel": channel, "text": text}
    return person.post(at(game_id, "messages"), body, **more)


def page(person: Person, game_id: str, channel: str = SEATS, more: str = "") -> Any:
    """A page of a channel."""
    return person.get(at(game_id, f"messages?channel={channel}{more}"))


def heard(person: Person, game_id: str, channel: str = SEATS) -> list[Any]:
    """The texts that a person reads in a channel, oldest first."""
    return [each["text"] for each in reversed(page(person, game_id, channel)["messages"])]


def talk(person: Person, game_id: str) -> Any:
    """A person's state in the talk of a table."""
    return person.get(at(game_id, "talk"))


def refused(person: Person, game_id: str, slug: str, channel: str = SEATS) -> None:
    """Check that this person can neither read this channel nor write there."""
    person.refused("GET", at(game_id, f"messages?channel={channel}"), slug)
    body = {"channel": channel, "text": "Hello"}
    person.refused("POST", at(game_id, "messages"), slug, body)
    mark = {"channel": channel, "number": 1}
    person.refused("PUT", at(game_id, "marks"), slug, mark)
    told = talk(person, game_id)[channel]
    assert told == {"reads": False, "writes": False, "last": 0, "read": 0, "unread": 0}


def resigned(cast: Cast, **wish: Any) -> str:
    """A game of three that continues without bob, whose seat a house player holds."""
    game_id = cast.start(**wish)
    say(cast.alice, game_id, "before")
    cast.app.extensions["tegami"].now.forward(1000)
    cast.bob.post(at(game_id, "resignation"), status=200)
    say(cast.alice, game_id, "after")
    return game_id


def two(cast: Cast, **wish: Any) -> str:
    """An open table for two where alice, the host, and bob sit."""
    game_id = cast.open(CARAVAN, **wish)
    cast.bob.post(at(game_id, "seats"), {})
    return game_id
