"""Workers and thinkers are told apart: if one of several has ended, it is reported by name while the others work on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pytest

from service.core.readiness import heartbeats
from service.core.readiness.checks import worker
from service.core.readiness.heartbeats import AHEAD, INTERVAL, KEPT, SILENCE, WorkerProcess
from service.core.runtime.units import DAY
from service.operations.commands import doctor
from service.operations.worker.daily_purge import purge
from service.operations.worker.deadlines import Deadlines
from service.operations.worker.loop import work
from service.operations.worker.process_beats import ProcessBeats
from service.web.serving.metrics import present
from tests.support.thinking import in_turn

pytestmark = pytest.mark.both_databases

HERE, THERE = WorkerProcess("w_here", "home", 1), WorkerProcess("w_there", "attic", 7)


class Thinkers:
    """Thinkers, some of which are at work."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def at_work(self):
        return self.numbers


class Worker:
    """The worker's part in its heartbeats."""

    def __init__(self, app, process, thinkers):
        services = app.extensions["tegami"]
        self.app, self.thinkers = app, thinkers
        self.deadlines = Deadlines(services)
        self.beats = ProcessBeats(services, thinkers, 2, process)

    def works(self):
        with self.app.app_context():
            self.deadlines.beat()
            self.beats.beat()

    def ends(self):
        with self.app.app_context():
            self.beats.end()


@pytest.fixture
def here(app):
    return Worker(app, HERE, Thinkers(1, 2))


@pytest.fixture
def there(app):
    return Worker(app, THERE, Thinkers(1, 2))


@pytest.fixture
def counts(app, clock):
    """The number of workers and thinkers that are alive and silent, in Prometheus's form."""

    def count():
        with app.app_context():
            found = {each.name.removeprefix("tegami_"): each.number for each in present(clock())}
        kinds = ("workers_alive", "workers_silent", "thinkers_alive", "thinkers_silent")
        return tuple(found[kind] for kind in kinds)

    return count


def ready(cast):
    answer = cast.nobody.send("GET", "/readyz")
    return answer.status_code, answer.json["checks"]["worker"]


def found_by_doctor(app, about):
    (found,) = [each for each in doctor.examine(app) if each.about == about]
    return found.level, found.told


def test_one_dead_worker_of_two_is_seen_by_name_while_the_server_is_ready(
    app, cast, clock, here, there, counts, capsys
):
    here.works()
    there.works()
    assert counts() == (2, 0, 4, 0) and ready(cast) == (200, "ok")
    clock.forward(SILENCE)
    here.works()
    assert counts() == (2, 0, 4, 0)
    clock.forward(1)
    assert counts() == (1, 1, 2, 2) and ready(cast) == (200, "degraded")
    level, told = found_by_doctor(app, "worker")
    assert level == "bad"
    assert "worker 7 on attic, 2 min ago; thinker 1 of worker 7 on attic, 2 min ago" in told
    assert "home" not in told
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (line,) = [line for line in lines if line["event"] == "failing"]
    assert line["cause"] == "one of several workers silent" and "attic" in line["told"]
    there.works()
    assert counts() == (2, 0, 4, 0) and ready(cast) == (200, "ok")


def test_whoever_ends_as_it_should_is_not_missed(app, cast, clock, here, there, counts):
    here.works()
    there.works()
    there.ends()
    clock.forward(SILENCE + 1)
    here.works()
    assert counts() == (1, 0, 2, 0) and ready(cast) == (200, "ok")


def test_a_worker_that_is_stopped_takes_its_heartbeats_with_it(app, counts):
    stop, seen = threading.Event(), []

    def wait(seconds):
        seen.append(counts())
        if seen[-1][0]:
            stop.set()
        stop.wait(min(seconds, 0.01))

    work(app, stop, wait, thinking=in_turn())
    assert seen[-1] == (1, 0, 1, 0)
    assert counts() == (0, 0, 0, 0)


def test_no_worker_at_all_is_worse_than_one_of_two(cast, clock, here, counts):
    here.works()
    clock.forward(SILENCE + 1)
    assert counts() == (0, 1, 0, 2) and ready(cast) == (503, "bad")


def test_a_thinker_that_does_not_come_back_is_seen(app, cast, clock, here, counts):
    """A thinker that never started is missed too: it is known that there should be two."""
    here.thinkers.numbers = (1,)
    here.works()
    clock.forward(SILENCE + 1)
    here.works()
    assert counts() == (1, 0, 1, 1) and ready(cast) == (200, "degraded")
    assert "thinker 2 of worker 1 on home" in found_by_doctor(app, "worker")[1]
    assert "1 thinkers alive" in found_by_doctor(app, "house")[1]


def test_a_beat_every_half_minute(here, clock, counts, app):
    here.works()
    clock.forward(INTERVAL - 1)
    here.works()
    clock.forward(SILENCE - INTERVAL + 2)
    assert counts() == (0, 1, 0, 2)


def test_a_worker_that_begins_knows_who_ran_on_its_machine_and_does_no_more(app, clock, counts):
    """As after a crash, or after the machine was switched off; others on the machine, and other machines, stay."""
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], check=True, stdout=-1
    )
    gone, runs = int(ended.stdout), os.getppid()
    with app.app_context():
        for name, machine, pid in (
            ("w_runs", "home", runs),
            ("w_before", "home", 1),
            ("w_far", "attic", gone),
            ("w_killed", "home", gone),
        ):
            WorkerProcess(name, machine, pid).begin([1], clock())
    assert counts() == (4, 0, 4, 0)
    with app.app_context():
        HERE.begin([1], clock())
        found = heartbeats.processes(clock()).alive
    assert {(each.machine, each.pid) for each in found} == {
        ("home", 1),
        ("home", runs),
        ("attic", gone),
    }


def test_whoever_is_silent_for_days_is_forgotten(app, clock, here, there, counts):
    here.works()
    there.works()
    clock.forward(KEPT - 1)
    here.works()
    with app.app_context():
        purge(clock())
    assert counts() == (1, 1, 2, 2)
    clock.forward(1)
    assert counts() == (1, 0, 2, 0)
    with app.app_context():
        assert heartbeats.purge(clock(), 9) == 3


def test_a_clock_that_is_ahead_hides_nobody(app, clock, here, there, counts):
    """Its row does not outlive its worker forever, and a worker whose clock is set right beats as before."""
    clock.forward(500 * DAY)
    there.works()
    clock.forward(-500 * DAY)
    here.works()
    assert counts() == (1, 1, 2, 2)
    with app.app_context():
        assert "in the future" in heartbeats.processes(clock()).silent[0].told(clock())
        assert heartbeats.purge(clock(), 9) == 3
    there.works()
    assert counts() == (2, 0, 4, 0)
    clock.forward(-AHEAD)
    assert counts() == (2, 0, 4, 0)


def test_the_check_names_each_that_is_silent(app, clock, here, there):
    here.works()
    there.works()
    clock.forward(SILENCE + 1)
    here.works()
    with app.app_context():
        assert worker(clock()).told.count("attic") == 3
