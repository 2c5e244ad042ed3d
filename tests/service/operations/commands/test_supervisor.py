"""Programs that run together, such as web and worker under `tegami serve`: one object on each line, one end for all."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.operations.commands.supervisor import run_together
from tests.support.processes import descendants, runs
from tests.support.servers.server import PATIENCE, wait_until

READY = """
import os, signal, sys
os.write(1, b"ready\\n")  # whole, if two processes say it at once
if os.environ.get("READY"):
    open(os.environ["READY"], "w").close()  # another program waits for that
signal.pause()
"""
CLEANS_UP = f"""
import signal
def stop(*_):
    print("cleaned up", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
{READY}
"""
STUBBORN = f"""
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
{READY}
"""
WAITS = "import os; open(os.environ['READY']).close(); "
"""Waits until the other program is ready."""
SERVES = f"print('serves', flush=True); {WAITS} raise SystemExit(os.EX_TEMPFAIL)"
"""Serves until the other program is ready, then ends, and everything with it."""
DIES_TWICE = """
import os, signal
print("works", flush=True)
with open({lives!r}, "a") as lives:
    lives.write("x")
if os.path.getsize({lives!r}) == 3:
    open(os.environ["READY"], "w").close()
    signal.pause()
{death}
"""
"""Dies in its first and second life, and is ready in the third."""
FORKS = f"""
import os
os.fork()
{STUBBORN}
"""
LAUNCHER = f"""
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may be run by nohup
from service.operations.commands.supervisor import run_together
programs = {{"web": [sys.executable, "-c", {CLEANS_UP!r}], "worker": [sys.executable, "-c", {READY!r}]}}
sys.exit(run_together(programs, {str(Path.cwd())!r}, os.environ, patience={PATIENCE}))
"""


def together(
    pipe: Path | None = None, patience: float = PATIENCE, first_wait: float = 0.01, **sources: str
) -> Any:
    """The exit code, and the lines that were printed."""
    output, environment = io.StringIO(), {**os.environ, "READY": str(pipe or "")}
    programs = {name: [sys.executable, "-c", source] for name, source in sources.items()}
    code = run_together(programs, Path.cwd(), environment, output, patience, first_wait)
    return code, [told(line) for line in output.getvalue().splitlines()]


def told(line: str) -> str:
    """The content of an output line, which is one JSON object, and its program."""
    found = json.loads(line)
    return f"{found['program']}: {found['event']}"


@contextmanager
def launched(source: str) -> Iterator[subprocess.Popen[str]]:
    """A process that runs this source; it does not outlive the test, however that ends."""
    with subprocess.Popen(
        [sys.executable, "-c", source], stdout=subprocess.PIPE, text=True
    ) as launcher:
        try:
            yield launcher
        finally:
            launcher.kill()


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "ready")
    return tmp_path / "ready"


def test_an_end_that_nobody_asked_for_is_an_error():
    output = io.StringIO()
    programs = {"worker": [sys.executable, "-c", "raise SystemExit(3)"]}
    assert run_together(programs, Path.cwd(), dict(os.environ), output) == 3
    (line,) = map(json.loads, output.getvalue().splitlines())
    assert (line["event"], line["level"]) == ("worker ended (3)", "error")


def test_if_one_cannot_start_all_end_and_its_exit_code_counts(pipe):
    code, lines = together(pipe, web=CLEANS_UP, worker=WAITS + "raise SystemExit(3)")
    assert code == 3
    assert [line for line in lines if line.startswith("web")] == ["web: ready", "web: cleaned up"]
    assert sorted(lines)[0] == "system: worker ended (3)" and len(lines) == 3


@pytest.mark.parametrize(
    ("death", "code"), [("os.kill(os.getpid(), 9)", 128 + 9), ("os.abort()", 128 + 6), ("", 0)]
)
def test_one_that_dies_is_started_again_and_the_others_go_on(tmp_path, pipe, death, code):
    """This holds for any death; each one doubles the wait, and is logged."""
    dies = DIES_TWICE.format(lives=str(tmp_path / "lives"), death=death)
    ended, lines = together(pipe, first_wait=0.01, web=SERVES, worker=dies)
    assert ended == os.EX_TEMPFAIL
    assert [line for line in lines if line.startswith("web")] == ["web: serves"], "it went on"
    # what a program has said may be read after its end has been told
    assert [line for line in lines if line.startswith("worker")] == ["worker: works"] * 3
    assert [line for line in lines if line.startswith("system")] == [
        f"system: worker ended ({code}): started again in 0.01 s",
        "system: worker started again",
        f"system: worker ended ({code}): started again in 0.02 s",
        "system: worker started again",
        "system: web ended (75)",
    ]


def test_a_program_whose_code_says_so_ends_all_at_any_time(tmp_path, pipe):
    """Everything has to start again, or its settings are wrong: starting it alone again would be no use."""
    dies = DIES_TWICE.format(lives=str(tmp_path / "lives"), death="raise SystemExit(78)")
    code, lines = together(pipe, web=READY, worker=dies)
    assert code == 78
    assert "system: worker ended (78)" in lines


def test_each_line_names_its_program_whether_out_or_err():
    lines = together(web="import sys; print('äß'); sys.exit('no')")[1]
    assert sorted(lines) == ["system: web ended (1)", "web: no", "web: äß"]


def test_whoever_does_not_end_is_killed(pipe):
    code, lines = together(pipe, patience=0.1, web=STUBBORN, worker=WAITS + "exit('bye')")
    assert code == 1
    assert "worker: bye" in lines


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_all(number):
    with launched(LAUNCHER) as launcher:
        assert launcher.stdout
        first = [told(launcher.stdout.readline()) for _ in range(2)]
        assert sorted(first) == ["web: ready", "worker: ready"]
        launcher.send_signal(number)
        rest = [told(line) for line in launcher.stdout.read().splitlines()]
        assert launcher.wait(PATIENCE) == 128 + number
    assert sorted(rest) == [f"system: {number.name} received", "web: cleaned up"]


@pytest.mark.of_service
@pytest.mark.parametrize("web", [CLEANS_UP, STUBBORN, FORKS])
def test_nothing_is_left_if_we_are_killed_ourselves(web):
    """This covers the programs, the processes that they have started, and the ones that watch them."""
    source = LAUNCHER.replace(repr(CLEANS_UP), repr(web)).replace(f"={PATIENCE})", "=0.5)")
    assert source.endswith("patience=0.5))\n"), "whoever is stubborn is not waited for long"
    with launched(source) as launcher:
        assert launcher.stdout
        for _ in range(2 + (web == FORKS)):
            launcher.stdout.readline()
        started = descendants(launcher.pid)
        assert len(started) >= 4, "two programs, each with what watches it"
        launcher.kill()
        wait_until(lambda: not any(map(runs, started)), "the end of all")


def test_a_line_that_is_an_object_keeps_its_fields_and_an_empty_one_says_nothing():
    source = """
import json
print(json.dumps({"event": "late", "level": "warning", "seconds": 7, "program": "other"}))
print()
print("[1, 2]")
print("7")
raise SystemExit(1)
"""
    output = io.StringIO()
    run_together(
        {"worker": [sys.executable, "-c", source]}, Path.cwd(), dict(os.environ), output, PATIENCE
    )
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    lines = [line for line in lines if line["program"] == "worker"]
    assert lines[0] == {"event": "late", "level": "warning", "seconds": 7, "program": "worker"}
    assert [line["event"] for line in lines[1:]] == ["[1, 2]", "7"]
    assert all(line["timestamp"].endswith("Z") for line in lines[1:])
