"""Helpers for tests of circles: founding one, and joining it."""

from __future__ import annotations

from typing import Any

from tests.support.cast import Person


def found(host: Person, *members: Person, name: str = "Monday club") -> str:
    """Found a circle with these members, all of whom have verified addresses; returns its id."""
    circle: dict[str, Any] = host.post("/api/circles", {"name": name})
    for person in members:
        join(person, circle)
    return str(circle["id"])


def join(person: Person, circle: Any, status: int = 201) -> Any:
    """Join a circle, as its host or another member sees it."""
    return person.post(path(circle["id"], "members"), None, status, headers=key_of(circle))


def key_of(circle: Any) -> dict[str, str]:
    """The header with the key of the link."""
    return {"Invitation": circle["link"]["key"]}


def path(circle_id: str, more: str = "") -> str:
    """The path of a circle, or of something in it."""
    return f"/api/circles/{circle_id}" + (more and f"/{more}")


def names(circle: Any, which: str = "members") -> list[str]:
    """The names of the members of a circle, or of those who were removed."""
    return [each["name"] for each in circle[which]]


def member(circle: Any, name: str, which: str = "members") -> str:
    """The id of the member with this name."""
    return str(next(each["id"] for each in circle[which] if each["name"] == name))
