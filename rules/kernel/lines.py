"""Lines: what is told about an event, and the parts of it that each seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.kernel.declarations import Viewer
from rules.kernel.values import Json, JsonValue, plain


class Only(NamedTuple):
    """A value in a line that only these seats may know; the others get the number of its items."""

    value: object
    seats: tuple[int, ...]


def only(value: object, *seats: int) -> Only:
    """A value of a line, marked as known only to `seats`. This is the only way to hide a part of a line."""
    return Only(value, seats)


def heard(lines: Iterable[Json], viewer: Viewer) -> list[Json]:
    """The lines as `viewer` is told them."""
    return [{key: _known(value, viewer) for key, value in line.items()} for line in lines]


def _known(value: object, viewer: Viewer) -> JsonValue:
    if not isinstance(value, Only):
        return plain(value)
    if viewer is not None and viewer in value.seats:
        return plain(value.value)
    return len(value.value) if isinstance(value.value, tuple | list) else 1
