"""Thinkers as processes: they are replaced, end with their starter, and know only the rules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from service.core.settings.config import ROOT
from service.operations.thinking.processes import COMMAND, HUNG, Processes
from tests.service.operations.thinking.games import first_question
from tests.support.cast import Clock, sqlite_only
from tests.support.servers.server import PATIENCE, wait_until

pytestmark = pytest.mark.of_service

ASKED = first_question(share=0.02)
LONG = first_question(level="strong")
SILENT = "print(flush=True); input(); import time; time.sleep(600)"
TELLS = """
print(flush=True)
input()
import json, os
print(json.dumps({"action": dict(os.environ), "failure": None, "appraisal": None}))
"""


def python(program: str) -> tuple[str, ...]:
    """The command of a thinker that does something else."""
    return (sys.executable, "-c", program)


@pytest.fixture
def thinkers():
    """Two thinkers that have started."""
    with closing(Processes(2, Clock())) as processes:
        await_start(processes)
        yield processes


def await_start(processes):
    running = processes._running.values()
    wait_until(lambda: all(each.started for each in running), "their start")


def give(processes, question):
    thinker = wait_until(lambda: processes.free(question.agent), "a free thinker")
    thinker.give(question)


def answers(processes, number):
    """The next answers, this number of them."""
    found = []

    def come():
        processes.wait(0.1)
        found.extend(processes.answers())
        return len(found) >= number

    wait_until(come, f"{number} answers")
    assert len(found) == number
    return found


def answer(processes):
    """The next answer, which is the only one."""
    (found,) = answers(processes, 1)
    return found


def pids(processes) -> set[int]:
    """The ids of the processes that run."""
    return {each._process.pid for each in processes._running.values()}


def is_gone(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(") ")[2].startswith("Z")


def test_questions_are_answered_one_by_one_and_nobody_waits(thinkers):
    give(thinkers, ASKED)
    give(thinkers, ASKED._replace(game="g_2"))
    assert thinkers.free(ASKED.agent) is None
    assert {each.question.game for each in answers(thinkers, 2)} == {"g_1", "g_2"}
    assert thinkers.answers() == []
    known = thinkers.free(ASKED.agent)
    assert known.told_until(ASKED.agent) == (ASKED.number, ASKED.head), "it remembers the game"
    known.give(ASKED._replace(after=ASKED.number, events=[]))
    assert answer(thinkers).action


def test_an_answer_wakes_whoever_waits_once(thinkers):
    """This holds in any order of the wait and the answer, even if a wait ends for another reason at that moment."""
    assert not thinkers.wait(0)
    give(thinkers, ASKED)
    assert thinkers.wait(PATIENCE)
    assert not thinkers.wait(0), "the same answer wakes nobody twice, who may not want it now"
    assert thinkers.answers()
    assert not thinkers.wait(0)


def test_other_processes_go_first(thinkers):
    give(thinkers, ASKED)
    answer(thinkers)
    for pid in pids(thinkers):
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        assert int(stat[16]) == min(19, os.nice(0) + 5)


def test_a_killed_thinker_is_replaced_and_its_question_comes_back(thinkers):
    before = pids(thinkers)
    give(thinkers, ASKED)
    answer(thinkers)
    give(thinkers, LONG)
    busy = [each for each in thinkers._running.values() if each.busy]
    os.kill(busy[0]._process.pid, signal.SIGKILL)
    lost = answer(thinkers)
    assert lost == (LONG, None, None, None)
    give(thinkers, ASKED)
    give(thinkers, ASKED)
    assert all(each.action for each in answers(thinkers, 2))
    assert len(pids(thinkers)) == 2 and len(pids(thinkers) & before) == 1


def test_one_that_is_killed_while_it_rests_is_replaced(thinkers):
    (pid, _) = sorted(pids(thinkers))
    give(thinkers, ASKED)
    answer(thinkers)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: is_gone(pid), "its end")
    assert thinkers.alive() == [1, 2]
    give(thinkers, ASKED)
    give(thinkers, ASKED)
    assert all(each.action for each in answers(thinkers, 2))


def test_one_that_hangs_is_ended():
    time = Clock()
    with closing(Processes(1, Clock(), python(SILENT), clock=lambda: time() / 1000)) as processes:
        await_start(processes)
        give(processes, ASKED)
        time.forward(int(HUNG * 1000))
        assert processes.answers() == []
        time.forward(1)
        assert answer(processes)[1:] == (None, None, None)
        assert processes.free(ASKED.agent), "another one is there"


@pytest.mark.parametrize("told", ["nonsense", "[]", "{}", '{"action": null}'])
def test_one_that_tells_nonsense_has_ended(told):
    program = f"print(flush=True); input(); print({told!r}, flush=True); input()"
    with closing(Processes(1, Clock(), python(program))) as processes:
        give(processes, ASKED)
        assert answer(processes)[1:] == (None, None, None)
        assert processes.free(ASKED.agent), "another one is there"


@sqlite_only
def test_one_that_cannot_start_is_tried_again_later_and_named_once(app, clock, capsys):
    failing = python("raise SystemExit(3)")
    with app.app_context(), closing(Processes(1, clock, failing)) as processes:
        for _ in range(4):
            wait_until(lambda: not processes.alive(), "its end")
            clock.forward(60_000)
            assert processes.alive() == [1]
    assert capsys.readouterr().err.count("thinker ended") == 1


def test_they_know_no_settings(monkeypatch):
    monkeypatch.setenv("SIGNING_KEY", "0" * 64)
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:hidden@db/tegami")
    with closing(Processes(1, Clock(), python(TELLS))) as processes:
        give(processes, ASKED)
        assert set(answer(processes).action) <= {
            "PATH",
            "PYTHONPATH",
            "LD_LIBRARY_PATH",
            "LANG",
            "LC_CTYPE",
        }


def test_they_end_when_they_are_not_needed_any_more():
    with closing(Processes(1, Clock())) as processes:
        give(processes, LONG)
        (pid,) = pids(processes)
    assert is_gone(pid)


STARTER = f"""
import json, time
from service.operations.thinking.processes import Processes
from service.operations.thinking.questions import Question
processes = Processes(2, lambda: 0)
processes.free(("", 0, 0)).give(Question(*json.loads({json.dumps(json.dumps(LONG))})))
print(*(each._process.pid for each in processes._running.values()), flush=True)
time.sleep(60)
"""


def test_they_end_with_a_worker_that_is_killed():
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with starter:
        thinking = [int(pid) for pid in starter.stdout.readline().split()]
        assert len(thinking) == 2 and not any(map(is_gone, thinking))
        starter.kill()
    wait_until(lambda: all(map(is_gone, thinking)), "their end")


def test_the_system_ends_a_thought_that_no_worker_waits_for():
    """A thinker's thought is limited even without its worker: an alarm is set while it thinks."""
    asking = subprocess.Popen(COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with asking:
        assert asking.stdout.readline() == b"\n"
        asking.stdin.write(LONG.line())
        asking.stdin.flush()
        os.kill(asking.pid, signal.SIGALRM)
        assert asking.wait(PATIENCE) == -signal.SIGALRM
