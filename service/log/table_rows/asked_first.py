"""The order of answers in a try at a daily deal: house players answer before the person, one after the other.

So the same choices of the person always lead to the same log, to the last event.
"""

from __future__ import annotations

from collections.abc import Sequence

from service.log.table_rows.table import GameRow

PERSON = 0
"""The seat of the person, who sits down first; seats are numbered in that order."""


def asked_first(game: GameRow, waiting: Sequence[int]) -> tuple[int, ...]:
    """The seats that are asked now, among those for which the rules wait."""
    if game.deal is None:
        return tuple(waiting)
    house = sorted(seat for seat in waiting if seat != PERSON)
    return tuple(house[:1] or waiting)
