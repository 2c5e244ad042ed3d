"""Where all programs are required, no test is skipped because one is missing."""

from __future__ import annotations

import pytest

from tests.support import programs
from tests.support.changed import UNCHANGED


def skipped(reason: str) -> pytest.TestReport:
    """A report in the form of `.ci/run`."""
    why = ("tests/test_x.py", 1, f"Skipped: {reason}")
    return pytest.TestReport("tests/test_x.py::test_y", why, {}, "skipped", why, "setup")


@pytest.mark.parametrize("reason", ["nginx is not installed", "npm did not install the packages"])
def test_what_is_missing_is_a_failure_that_says_so(
    monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    monkeypatch.setenv(programs.REQUIRED, "1")
    report = skipped(reason)
    programs.refuse_to_skip(report)
    assert report.failed and reason in str(report.longrepr)


@pytest.mark.parametrize(("required", "reason"), [("1", UNCHANGED), ("", "nginx is not installed")])
def test_other_tests_may_be_skipped(
    monkeypatch: pytest.MonkeyPatch, required: str, reason: str
) -> None:
    monkeypatch.setenv(programs.REQUIRED, required)
    report = skipped(reason)
    programs.refuse_to_skip(report)
    assert report.skipped
