"""The parts of an order that waits for answers of others, as chosen in a form: positions in the offered lists."""

from __future__ import annotations

from typing import NamedTuple

from marshmallow import fields

from rules.kernel import Json
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import like

CONDITIONS = ("first", "second", "third")
"""The form fields for conditions, of which only the first is required."""


def position() -> fields.String:
    """A field for a position in a list, which may be empty."""
    return fields.String(validate=like(r"[0-9]{0,4}\Z", "value"))


class OrderParts(Body):
    """The fields of a form that builds an order."""

    play = position()
    first = position()
    second = position()
    third = position()


class ChosenParts(NamedTuple):
    """The positions of what to play, and of the answers for which to wait."""

    play: int
    conditions: list[int]


def chosen(body: Json) -> ChosenParts | None:
    """The parts that were chosen; None if they do not make up a whole order."""
    if not body.get("play") or not body.get("first"):
        return None
    conditions = [int(body[name]) for name in CONDITIONS if body.get(name)]
    return ChosenParts(int(body["play"]), conditions)
