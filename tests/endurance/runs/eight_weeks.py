"""Weeks in the life of a town that plays by day and by mail, with time as an argument.

Up to 200 people live in Berlin, New York, Tokyo and Sydney; three of these cities change to or from daylight saving
meanwhile. They look at their own hours, play by the API or by the links in their mails, open tables of every game and
pace and sit down at others', have quiet hours and digests, go on vacation, resign, run out of time and take their seats
back, propose pauses and draws, and some never come again. An independent judge (`weeks/judging.py`) holds that nobody
was timed out without notice, on vacation or at night, that no deadline came earlier, and that in the end every game is
over or rightly waiting. Each log is whole, and memory, rows and files stay within bounds.

Eight weeks of 200 people take some 30 minutes on one slow core, the short form seconds. It counts visits, moves, mails,
time-outs and other actions, the least notice that anybody had, and what was kept in the end.
"""

from __future__ import annotations

from pathlib import Path

from service.core.database.tables import Base
from service.log.verification import log_checks
from service.outbox.queue import MAILS_KEPT
from tests.endurance.frame import Definition, Run
from tests.endurance.weeks.world import BEGIN, World
from tests.support.clock import DAY
from tests.support.dump import execute

PEOPLE, PEOPLE_A_DAY = 200, 4
"""The number of people in the town, and how many more for each day that is played: short forms have small towns."""
ROWS_OF_EVENT = 12
"""The most rows of other tables for each event of a log, including those of people."""
ROWS_OF_PERSON = 60
FILES = 12
"""The most files in the data folder."""
GROWTH = 96
"""The MiB by which the process may grow from the first quarter of the time to its end: only caches fill."""


def endure(run: Run) -> None:
    """Live this number of days."""
    people = min(PEOPLE, 8 + PEOPLE_A_DAY * run.rounds)
    world = World(run, people)
    run.counts["people"] = people
    plant(world)
    first = run.rounds // 4
    world.live(first)
    before = memory()
    world.live(run.rounds - first)
    world.hours.look()  # house players answer what the last visits have asked them
    world.judge.judge_the_end()
    run.counts["MiB grown"] = round(memory() - before)
    assert memory() - before <= GROWTH, f"the process has grown by {memory() - before} MiB"
    judge_what_is_kept(world)


def plant(world: World) -> None:
    """Let the fault happen that is to be found, at the end of the first day."""
    waiting = "WHERE waiting AND due IS NOT NULL"
    statements = {
        "early-deadlines": f"UPDATE seats SET due = due - 3600000 {waiting}",
        "stopped-clocks": f"UPDATE seats SET due = NULL {waiting}",
        "forgotten-turns": "UPDATE seats SET waiting = false",
    }
    statement = statements.get(world.run.fault)
    if statement:
        world.daily.append(lambda: execute(world.app, statement) and None)


def judge_what_is_kept(world: World) -> None:
    """Check that logs are whole, and that there are no more rows and files than stated."""
    app, now, run = world.app, world.now, world.run
    with app.app_context():
        for game_id in list(log_checks.all_games()):
            damage = log_checks.check_and_note(game_id, now)
            assert damage is None, damage
            run.count("logs checked")
    counted = "SELECT count(*) FROM "
    tables = {table.name for table in Base.metadata.sorted_tables} - {"events"}
    events = execute(app, f"{counted} events")[0][0]
    others = sum(execute(app, f"{counted} {name}")[0][0] for name in tables)
    run.counts |= {"events": events, "other rows": others, "days": (now - BEGIN) // DAY}
    bound = ROWS_OF_EVENT * events + ROWS_OF_PERSON * len(world.lives)
    assert others <= bound, f"{others} rows for {events} events"
    kept = now - MAILS_KEPT - 2 * DAY
    old = execute(app, f"{counted} outbox WHERE coalesce(done_at, run_at) < :kept", kept=kept)
    assert old[0][0] == 0, f"{old[0][0]} mails are kept for too long"
    files = [each for each in run.folder.iterdir() if each.is_file()]
    run.counts["files"] = len(files)
    assert len(files) <= FILES, files


def memory() -> float:
    """MiB of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


DEFINITION = Definition(
    endure,
    rounds=56,
    quick=1,
    unit="days",
    faults=("lost-mails", "early-deadlines", "stopped-clocks", "forgotten-turns"),
    planted=5,
)
