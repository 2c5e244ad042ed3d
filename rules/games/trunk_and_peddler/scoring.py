"""5 The calculation of a seat's score."""

from __future__ import annotations

from typing import NamedTuple

SIDE = 3
"""5 The amount that a valuable at the side adds to the capacity (H)."""
BONUS = 3
"""5 The bonus for a load that fills the trunk exactly."""
VALUE, VALUE_C = 2, 3
"""5 The value of a face-down valuable, and its value with C (R11)."""


class Account(NamedTuple):
    """5 The parts of one seat's score."""

    capacity: int
    load: int
    worth: int
    down: int
    loss: int
    times: int
    bonus: int
    value: int


def account(capacity: int, load: int, worth: int, down: int, up: int) -> Account:
    """5 The account of a trunk: `worth` is the value of each of its `down` valuables; `up` includes the joker.

    With nothing face up, the score is not multiplied (R3).
    """
    room, times = capacity - load, max(1, up)
    loss = room if room >= 0 else -2 * room
    bonus = BONUS if room == 0 else 0
    score = (worth * down - loss) * times + bonus
    return Account(capacity, load, worth, down, loss, times, bonus, score)
