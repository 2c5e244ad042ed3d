"""`tegami serve` as a whole: processes that die are started again, and none outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from service.core.settings.config import ROOT
from tests.support.processes import descendants, runs
from tests.support.servers.server import free_port, wait_until


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def serve(tmp_path: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server as an operator starts it, whose log is a file."""
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "PORT": str(port), "HOST": "127.0.0.1"}
    environment |= {"WEB_CONCURRENCY": "1", "THINKING_TIME": "0.05"}
    environment |= {"INCOMING_MAIL": "reply@tegami.example"}
    environment |= {"INCOMING_LMTP": f"127.0.0.1:{free_port()}"}
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(
            [sys.executable, "-m", "service.operations.commands", "serve"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
    yield running
    running.kill()
    running.wait()


def ready(port: int) -> bool:
    """Whether the server has everything that it needs, including a worker."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def found(serve: subprocess.Popen[bytes], words: str) -> int | None:
    """The process id of the program with this command under `serve`, if it runs."""
    for pid in descendants(serve.pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # it may end meanwhile
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            if words in command and runs(pid):
                return pid
    return None


@pytest.mark.thorough
@pytest.mark.parametrize("words", ["commands work", "gunicorn", "receive-mail --lmtp"])
def test_what_is_killed_is_started_again_and_nothing_outlives_serve(
    serve: subprocess.Popen[bytes], tmp_path: Path, port: int, words: str
) -> None:
    wait_until(lambda: ready(port), "it is ready")
    killed = found(serve, words)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: found(serve, words) not in {killed, None}, "another one runs")
    wait_until(lambda: ready(port), "it is ready again")
    told = (tmp_path / "log").read_text()
    assert "ended (137): started again in 1 s" in told
    left = descendants(serve.pid)
    serve.kill()
    wait_until(lambda: not any(map(runs, left)), "nothing is left")
