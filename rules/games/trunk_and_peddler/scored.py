"""The origin of scores: the contents of the trunk, its loss, its factor, and the bonus for filling it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.trunk_and_peddler.components import SEATS, Table
from rules.games.trunk_and_peddler.phases import Over
from rules.games.trunk_and_peddler.scoring import Account
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for the account of each trunk."""
    if isinstance(after, Over):
        for seat in range(SEATS):
            yield from explained(seat, after.account(seat))


def explained(seat: int, each: Account) -> Iterator[Entry]:
    """5 The entries for the steps of one account, in order."""
    part, sum_ = Part("trunk"), each.worth * each.down
    yield entry(part, seat, "down", sum_, count=each.down, worth=each.worth)
    room = {"capacity": each.capacity, "load": each.load}
    if each.load < each.capacity:
        yield entry(part, seat, "room", -each.loss, **room, left=each.capacity - each.load)
    elif each.load > each.capacity:
        yield entry(part, seat, "too-much", -each.loss, **room, over=each.load - each.capacity)
    if each.times > 1:
        once = sum_ - each.loss
        more = once * (each.times - 1)
        yield entry(part, seat, "times", more, times=each.times, once=once)
    if each.bonus:
        yield entry(part, seat, "full", each.bonus, **room)
