"""Findings of `tegami doctor`, by subject."""

from __future__ import annotations

from collections.abc import Iterable

from service.operations.commands.doctor import Finding


def levels(found: Iterable[Finding]) -> list[tuple[str, str]]:
    """The subject and the level of each finding."""
    return [(each.about, each.level) for each in found]


def told(found: Iterable[Finding], about: str) -> tuple[str, str]:
    """The level and the text of the only finding about this."""
    (finding,) = [each for each in found if each.about == about]
    return finding.level, finding.told
