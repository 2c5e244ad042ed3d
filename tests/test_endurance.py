"""The short form of each run of endurance; with --thorough on each database, and with each fault planted."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.endurance import frame
from tests.endurance.frame import Definition
from tests.support.servers.preloaded import ROOT

pytestmark = pytest.mark.timeout(600)


def kinds() -> list[Any]:
    """Each run with each kind of database."""
    return [
        pytest.param(name, kind, marks=() if known.daily and not n else pytest.mark.thorough)
        for name, known in known_runs()
        for n, kind in enumerate(known.kinds)
    ]


def faults() -> list[tuple[str, str]]:
    """Each run with each fault that can be planted."""
    return [(name, fault) for name, known in known_runs() for fault in known.faults]


def known_runs() -> list[tuple[str, Definition]]:
    """All known runs."""
    return [(name, frame.definition(name)) for name in frame.names()]


def there(name: str) -> None:
    """Skip a run for which this machine lacks something."""
    missing = frame.definition(name).missing()
    if missing:
        pytest.skip(missing)


@pytest.mark.of_service
@pytest.mark.parametrize(("name", "kind"), kinds())
def test_the_short_form_finds_nothing(name: str, kind: str) -> None:
    there(name)
    told = frame.endure(name, kind)
    assert not told.wrong, told.counts


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "fault"), faults())
def test_what_is_planted_is_found(name: str, fault: str) -> None:
    there(name)
    assert frame.endure(name, fault=fault).wrong


@pytest.mark.parametrize("name", frame.names())
def test_each_run_says_what_it_does_and_can_find_something(name: str) -> None:
    known = frame.definition(name)
    assert frame.described(name).strip() and known.faults
    assert 0 < known.quick <= known.rounds and known.kinds


def test_the_command_lists_what_there_is() -> None:
    command = [sys.executable, "-m", "tests.endurance"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in frame.names():
        assert f"\n{name} (" in f"\n{listed}"
