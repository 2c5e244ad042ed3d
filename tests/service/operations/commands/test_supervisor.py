"""Programs that run together, as `tegami serve` runs web and worker: one object a line, one end for all."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.operations.commands.supervisor import run_together
from tests.support.servers.server import PATIENCE

READY = """
import os, signal, sys
print("ready", flush=True)
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
LAUNCHER = f"""
import os, sys
from service.operations.commands.supervisor import run_together
programs = {{"web": [sys.executable, "-c", {CLEANS_UP!r}], "worker": [sys.executable, "-c", {READY!r}]}}
sys.exit(run_together(programs, {str(Path.cwd())!r}, os.environ))
"""


def together(pipe: Path | None = None, patience: float = PATIENCE, **sources: str) -> Any:
    """The exit code, and the lines that were printed."""
    output, environment = io.StringIO(), {**os.environ, "READY": str(pipe or "")}
    programs = {name: [sys.executable, "-c", source] for name, source in sources.items()}
    code = run_together(programs, Path.cwd(), environment, output, patience)
    return code, [told(line) for line in output.getvalue().splitlines()]


def told(line: str) -> str:
    """What a line of the output, which is one JSON object, says, and of which program."""
    found = json.loads(line)
    return f"{found['program']}: {found['event']}"


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "ready")
    return tmp_path / "ready"


def test_an_end_that_nobody_asked_for_is_an_error():
    output = io.StringIO()
    programs = {"worker": [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]}
    assert run_together(programs, Path.cwd(), dict(os.environ), output) == 128 + 9
    (line,) = map(json.loads, output.getvalue().splitlines())
    assert (line["event"], line["level"]) == ("worker ended (137)", "error")


def test_if_one_ends_all_end_and_its_exit_code_counts(pipe):
    code, lines = together(pipe, web=CLEANS_UP, worker=WAITS + "raise SystemExit(3)")
    assert code == 3
    assert [line for line in lines if line.startswith("web")] == ["web: ready", "web: cleaned up"]
    assert sorted(lines)[0] == "system: worker ended (3)" and len(lines) == 3


def test_a_program_that_was_killed_counts_as_in_a_shell():
    assert together(web="import os; os.kill(os.getpid(), 9)")[0] == 128 + 9


def test_each_line_names_its_program_whether_out_or_err():
    lines = together(web="import sys; print('äß'); print('no', file=sys.stderr)")[1]
    assert sorted(lines) == ["system: web ended (0)", "web: no", "web: äß"]


def test_whoever_does_not_end_is_killed(pipe):
    code, lines = together(pipe, patience=0.1, web=STUBBORN, worker=WAITS + "print('bye')")
    assert code == 0
    assert "worker: bye" in lines


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all(number):
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER], stdout=subprocess.PIPE, text=True
    ) as launcher:
        assert launcher.stdout
        first = [told(launcher.stdout.readline()) for _ in range(2)]
        assert sorted(first) == ["web: ready", "worker: ready"]
        launcher.send_signal(number)
        rest = [told(line) for line in launcher.stdout.read().splitlines()]
        assert launcher.wait(PATIENCE) == 128 + number
    assert sorted(rest) == [f"system: {number.name} received", "web: cleaned up"]


def test_a_line_that_is_an_object_keeps_its_fields_and_an_empty_one_says_nothing():
    source = """
import json
print(json.dumps({"event": "late", "level": "warning", "seconds": 7, "program": "other"}))
print()
print("[1, 2]")
print("7")
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
