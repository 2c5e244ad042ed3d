"""A clock that was set is not trusted for some minutes; the database's clock takes precedence over the machine's."""

from __future__ import annotations

import pytest

from service.core.runtime.judged_clock import LEAST_JUMP, OF_WEB, OF_WORKER, JudgedClock
from service.core.runtime.units import DAY, MINUTE, SECOND

JUMP = 500 * DAY


class Machine:
    """The machine's clock, the steady one, and the database's, all of which are moved by hand."""

    def __init__(self) -> None:
        self.steady, self.ahead, self.database_ahead = 5_000, 1_000_000, 0

    def now(self):
        return self.steady + self.ahead

    def in_database(self):
        return self.now() + self.database_ahead

    @property
    def right(self):
        """The time, if nobody sets a clock."""
        return self.steady + 1_000_000


@pytest.fixture
def machine():
    return Machine()


def judged(machine, believed_after=OF_WEB):
    clock = JudgedClock(machine.now, lambda: machine.steady, believed_after)
    clock()
    return clock


def test_small_steps_are_followed(machine):
    clock = judged(machine)
    for _ in range(100):
        machine.steady += SECOND
        machine.ahead += LEAST_JUMP - 1
        assert clock() == machine.now()
    assert clock.jump == 0


@pytest.mark.parametrize("jump", [JUMP, -JUMP, LEAST_JUMP, -LEAST_JUMP])
def test_a_clock_that_comes_back_was_never_wrong(machine, jump):
    clock = judged(machine)
    machine.ahead += jump
    for _ in range(12):
        machine.steady += SECOND
        assert (clock(), clock.jump) == (machine.right, jump)
    machine.ahead -= jump
    machine.steady += SECOND
    assert (clock(), clock.jump) == (machine.right, 0)


@pytest.mark.parametrize("believed_after", [OF_WEB, OF_WORKER])
@pytest.mark.parametrize("jump", [JUMP, -JUMP])
def test_a_clock_that_stays_is_believed(machine, believed_after, jump):
    """The process that plays for seats that are out of time is the last to believe that it is later."""
    clock, patience = (
        judged(machine, believed_after),
        (believed_after.ahead if jump > 0 else believed_after.back),
    )
    machine.ahead += jump
    clock()
    machine.steady += patience - 1
    assert clock() == machine.right
    machine.steady += 1
    assert (clock(), clock.jump) == (machine.now(), 0)
    assert OF_WORKER.ahead > OF_WEB.ahead and OF_WORKER.back < OF_WEB.back


def test_a_clock_that_is_set_again_is_doubted_anew(machine):
    clock = judged(machine)
    machine.ahead += JUMP
    clock()
    machine.steady += OF_WEB.ahead - 1
    clock()
    machine.ahead += DAY
    clock()
    machine.steady += MINUTE
    assert (clock(), clock.jump) == (machine.right, JUMP + DAY)


@pytest.mark.parametrize("ahead", [4 * SECOND, -4 * SECOND, JUMP, -JUMP])
def test_the_database_knows_better(machine, ahead):
    clock = judged(machine)
    machine.ahead += ahead
    machine.database_ahead = -ahead
    clock.look(machine.in_database)
    assert clock() == machine.right
    machine.ahead += JUMP
    machine.database_ahead -= JUMP
    machine.steady += MINUTE
    assert (clock(), clock.jump) == (machine.right, 0), "the machine is not asked any more"


def test_a_database_whose_clock_was_set_is_doubted_too(machine):
    clock = judged(machine)
    clock.look(machine.in_database)
    machine.database_ahead = JUMP
    machine.steady += SECOND
    clock.look(machine.in_database)
    assert (clock(), clock.jump) == (machine.right, JUMP)
    machine.database_ahead = 0
    clock.look(machine.in_database)
    assert (clock(), clock.jump) == (machine.right, 0)


def test_a_database_that_says_nothing_or_too_late(machine):
    clock = judged(machine)
    clock.look(machine.in_database)
    clock.look(lambda: None)

    def late():
        machine.steady += 2 * SECOND
        return machine.in_database() - 30 * SECOND

    clock.look(late)
    assert clock() == machine.right
