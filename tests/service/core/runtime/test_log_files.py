"""The log: everything continues even if no line can be written."""

from __future__ import annotations

import errno
import io
import json
import subprocess
import sys
from contextlib import redirect_stderr
from typing import Any

import structlog

from service.core.runtime import log_files
from service.core.settings.config import ROOT

LOGS = """
import sys, structlog
from service.core.runtime import log_files
log_files.set_up()
structlog.get_logger().info("this one finds no room")
print("went on", flush=True)
"""


class SmallDisk(io.StringIO):
    """A log file on a disk that may be full."""

    full = False

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


def lines(file: SmallDisk) -> list[Any]:
    return [json.loads(line) for line in file.getvalue().splitlines()]


def test_work_goes_on_on_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        told = subprocess.run(
            [sys.executable, "-c", LOGS],
            check=False,  # the line that stderr still holds finds no room at the end either: 120
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
        )
    assert told.stdout == "went on\n"


def test_how_many_lines_could_not_be_written_is_said_once() -> None:
    log_files.set_up()
    log, file = structlog.get_logger(), SmallDisk()
    with redirect_stderr(file):
        log.info("first")
        file.full = True
        log.info("second")
        log.info("third")
        file.full = False
        log.info("fourth")
        log.info("fifth")
    told = lines(file)
    assert [line["event"] for line in told] == [
        "first",
        "log lines late or lost",
        "fourth",
        "fifth",
    ]
    assert told[1]["lines"] == 2
    assert told[1].keys() == {"event", "lines", "level", "timestamp"}
