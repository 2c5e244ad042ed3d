"""The rooms of the service: none is too full, no module too long, and pure modules load no web framework."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from service.core.settings.config import ROOT

MODULES = [
    path for path in sorted((ROOT / "service").rglob("*.py")) if "migrations" not in path.parts
]
MOST_MODULES = 16
"""The most modules in one room, including `__init__`."""
MOST_LINES = 450
MOST_ANY = 60
"""Lines of the service that may mention `Any`."""

PURE = (
    "service.tables.clocks.arithmetic",
    "service.tables.clocks.paces",
    "service.core.settings.config",
    "service.core.runtime.problems",
    "service.core.runtime.units",
    "service.core.words.words",
    "service.tables.drawing.html",
    "service.tables.drawing.layout",
    "service.tables.drawing.text",
    "service.log.events",
    "service.log.shuffles",
    "service.log.verification.verify_service_events",
)
"""Modules that compute, and touch neither the database nor HTTP."""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_room_has_more_modules_than_a_reader_can_hold() -> None:
    rooms = Counter(path.parent for path in MODULES)
    assert {named(room): n for room, n in rooms.items() if n > MOST_MODULES} == {}


def test_no_module_is_longer_than_a_few_screens() -> None:
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_the_core_is_typed() -> None:
    """A type is followed by no word, unlike the first one of a sentence."""
    lines = [line for path in MODULES for line in path.read_text("utf-8").splitlines()]
    assert sum(bool(re.search(r"\bAny\b(?! [a-z])", line)) for line in lines) <= MOST_ANY


def test_pure_modules_load_no_web_framework() -> None:
    program = f"import sys, {', '.join(PURE)}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "flask" not in loaded.stdout.split()
