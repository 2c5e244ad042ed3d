"""In which order the processes of a run take the tests: the longest groups first, so that none works alone at the end.

A group is run by one process, one test after the other (xdist's `--dist loadgroup`). Tests of the page are two groups,
so that two browsers and two servers are started and no more; every other module is one, unless it is long and nothing
in it is made for a module as a whole. How long tests take is kept in pytest's cache; a fresh clone has what
`python -m tests.record_durations` has last written to `tests/durations.json`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

RECORD = Path(__file__).parents[1] / "durations.json"
KEPT = "tegami/durations"
"""Where pytest's cache keeps them."""
UNKNOWN = 0.1
"""Seconds that a test is taken to need if nothing is known of it."""
LONG = 15.0
"""Seconds beyond which a module is cut."""
BROWSERS = 2

Durations = dict[str, float]
"""Seconds that all tests of a function took, by `module::function`."""


def function(nodeid: str) -> str:
    """The module and the function of a test, without its parameters and its group."""
    return nodeid.partition("@")[0].partition("[")[0]


def known(config: pytest.Config) -> Durations:
    """How long the tests took."""
    recorded: Durations = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    cache: Any = getattr(config, "cache", None)
    return recorded | (cache.get(KEPT, {}) if cache else {})


class Timekeeper:
    """Sums up how long the tests of a run take, and keeps that for the next."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._taken = defaultdict[str, float](float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._taken[function(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        cache: Any = getattr(self._config, "cache", None)
        if cache:
            taken = {name: round(seconds, 1) for name, seconds in self._taken.items()}
            cache.set(KEPT, cache.get(KEPT, {}) | taken)


def put_in_order(items: list[pytest.Item], durations: Durations) -> None:
    """Mark the group of each test, and sort the groups: the longest first."""
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
    items[:] = []
    for name in sorted(groups, key=lambda name: (-taken[name], name)):
        for item in groups[name]:
            item.add_marker(pytest.mark.xdist_group(name))
        items += groups[name]


def _parts(
    module: str, own: list[pytest.Item], seconds: dict[pytest.Item, float], taken: dict[str, float]
) -> list[tuple[str, list[pytest.Item]]]:
    """The groups to which the tests of a module belong."""
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
    """Whether the test uses what is made once for its module."""
    found: Any = getattr(item, "_fixtureinfo", None)
    made = found.name2fixturedefs.values() if found else ()
    return any(one.scope in {"class", "module", "package"} for each in made for one in each)


def _seconds(items: list[pytest.Item], durations: Durations) -> dict[pytest.Item, float]:
    """How long each test takes: its part of what its function took."""
    number = defaultdict[str, int](int)
    for item in items:
        number[function(item.nodeid)] += 1

    def of(item: pytest.Item) -> float:
        name = function(item.nodeid)
        return durations[name] / number[name] if name in durations else UNKNOWN

    return {item: of(item) for item in items}


def _sum(items: list[pytest.Item], seconds: dict[pytest.Item, float]) -> float:
    return sum(seconds[item] for item in items)
