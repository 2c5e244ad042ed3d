"""Whether tests may be skipped because a program is missing: a browser, a web server, a package from npm."""

from __future__ import annotations

import os

import pytest

from tests.support.changed import UNCHANGED

REQUIRED = "TEGAMI_REQUIRE_PROGRAMS"
"""The environment variable that forbids skipping a test if it is 1; `.ci/run` sets it."""
ALLOWED = (
    UNCHANGED,
    "the history of this clone does not reach back",  # no program brings it
    "every action is as likely as the others",
    "it notes nothing of its own",
    "there is nothing to remember",
    "needs everybody to be online at once, which is not offered",
    "not played here yet",
    "a disk of its own cannot be mounted here",
)
"""The reasons for which a test may be skipped nevertheless."""


def are_required() -> bool:
    """Whether every test has to find the programs that it needs."""
    return os.environ.get(REQUIRED) == "1"


def refuse_to_skip(report: pytest.TestReport) -> None:
    """Fail a skipped test where skipping is forbidden, with the reason for skipping."""
    if not report.skipped or hasattr(report, "wasxfail") or not are_required():
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not any(allowed in reason for allowed in ALLOWED):
        report.outcome = "failed"
        report.longrepr = f"{reason}: install what is missing (tests/support/programs.py)"
