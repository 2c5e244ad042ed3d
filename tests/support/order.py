"""The order in which the processes of a run take the tests: the longest groups first, so that none works alone at the
end.

One process runs a whole group, one test after the other. It is not an `xdist_group`, because pytest 9.2 does not keep
the suffix that xdist 3.8 adds to a test's id. So the processes write down the groups, and the scheduler reads them.
Tests of the page form two groups, so that only two browsers and two servers are started. Every other module is one
group, unless it is long and shares nothing among its tests. The durations of tests are kept in pytest's cache; a fresh
clone has those that `python -m tests.record_durations` last wrote to `tests/durations.json`.
"""

from __future__ import annotations

import functools
import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.support.shared_folder import shared_folder

RECORD = Path(__file__).parents[1] / "durations.json"
KEPT = "tegami/durations"
"""The key of the durations in pytest's cache."""
UNKNOWN = 0.1
"""The assumed duration (seconds) of an unknown test."""
LONG = 15.0
"""The duration (seconds) above which a module is divided."""
BROWSERS = 2

Durations = dict[str, float]
"""The seconds that all tests of a function took, by `module::function`."""


def function(nodeid: str) -> str:
    """The module and the function of a test, without its parameters."""
    return nodeid.partition("[")[0]


def known(config: pytest.Config) -> Durations:
    """The known durations of tests."""
    recorded: Durations = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    cache: Any = getattr(config, "cache", None)
    return recorded | (cache.get(KEPT, {}) if cache else {})


class Timekeeper:
    """Sums up the durations of a run's tests, keeps them for the next, and checks that groups stay together."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._taken = defaultdict[str, float](float)
        self._processes = defaultdict[str, set[str]](set)
        """The processes that have run tests of each group."""

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._taken[function(report.nodeid)] += report.duration
        self._processes[groups().get(report.nodeid, report.nodeid)].add(report.node.gateway.id)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        cache: Any = getattr(self._config, "cache", None)
        if cache:
            taken = {name: round(seconds, 1) for name, seconds in self._taken.items()}
            cache.set(KEPT, cache.get(KEPT, {}) | taken)
        if self._torn():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._torn():
            terminalreporter.write_line(f"✗ several processes, each with a server: {self._torn()}")

    def _torn(self) -> list[str]:
        """The groups that several processes have run."""
        if self._config.getoption("dist") != "loadgroup":
            return []
        return [name for name, processes in self._processes.items() if len(processes) > 1]


class GroupScheduling(LoadScopeScheduling):
    """Gives each group to one process, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return groups()[nodeid]


@functools.cache
def groups() -> dict[str, str]:
    """The group of each test, by its id, as written down by the processes."""
    found: dict[str, str] = json.loads(_groups_file().read_text("utf-8"))
    return found


def _groups_file() -> Path:
    return shared_folder() / "groups.json"


def put_in_order(items: list[pytest.Item], durations: Durations) -> None:
    """Sort the groups of the tests, the longest first, and write down the group of each test for the scheduler."""
    seconds = _seconds(items, durations)
    modules = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        modules[item.nodeid.partition("::")[0]].append(item)
    groups = defaultdict[str, list[pytest.Item]](list)
    taken = defaultdict[str, float](float)
    for module, own in sorted(modules.items(), key=lambda each: -_sum(each[1], seconds)):
        for name, part in _parts(module, own, seconds, taken):
            groups[name] += part
            taken[name] += _sum(part, seconds)
    ordered = sorted(groups, key=lambda name: (-taken[name], name))
    items[:] = [item for name in ordered for item in groups[name]]
    written = _groups_file().with_suffix(f".{os.getpid()}")
    written.write_text(json.dumps({i.nodeid: name for name in ordered for i in groups[name]}))
    written.replace(_groups_file())  # the same, whichever process was the last


def _parts(
    module: str, own: list[pytest.Item], seconds: dict[pytest.Item, float], taken: dict[str, float]
) -> list[tuple[str, list[pytest.Item]]]:
    """The groups of a module's tests."""
    if module.startswith("tests/web/"):
        return [(min((f"browser-{n}" for n in range(BROWSERS)), key=lambda n: (taken[n], n)), own)]
    name = module.removeprefix("tests/").removesuffix(".py").replace("/", ".")
    if _sum(own, seconds) <= LONG or any(map(_shares, own)):
        return [(name, own)]
    parts: list[tuple[str, list[pytest.Item]]] = []
    for item in own:
        if not parts or _sum(parts[-1][1], seconds) + seconds[item] > LONG:
            parts.append((f"{name}-{len(parts)}", []))
        parts[-1][1].append(item)
    return parts


def _shares(item: pytest.Item) -> bool:
    """Whether the test uses something that is made once for its module."""
    found: Any = getattr(item, "_fixtureinfo", None)
    made = found.name2fixturedefs.values() if found else ()
    return any(one.scope in {"class", "module", "package"} for each in made for one in each)


def _seconds(items: list[pytest.Item], durations: Durations) -> dict[pytest.Item, float]:
    """The duration of each test: its share of the duration of its function."""
    number = defaultdict[str, int](int)
    for item in items:
        number[function(item.nodeid)] += 1

    def of(item: pytest.Item) -> float:
        name = function(item.nodeid)
        return durations[name] / number[name] if name in durations else UNKNOWN

    return {item: of(item) for item in items}


def _sum(items: list[pytest.Item], seconds: dict[pytest.Item, float]) -> float:
    return sum(seconds[item] for item in items)
