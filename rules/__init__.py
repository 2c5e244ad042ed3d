"""Rules: a kernel and one module a ruleset.

    rules.slugs()                      every ruleset that can be played
    rules.load("caravan")              its newest version
    rules.load("caravan", version=1)   the version that a running game started with

Pure functions from (state, event) to state.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from rules.kernel import Illegal, Invalid, Result, Ruleset, Turn

__all__ = ["Illegal", "Invalid", "Result", "Ruleset", "Turn", "load", "slugs"]


def slugs() -> tuple[str, ...]:
    """The rulesets, by name."""
    return tuple(sorted({slug for slug, _ in _rulesets()}))


def load(slug: str, version: int | None = None) -> Ruleset:
    """The ruleset of this name, the newest version if none is named. Raises LookupError."""
    versions = {found: ruleset for (name, found), ruleset in _rulesets().items() if name == slug}
    if not versions or (version is not None and version not in versions):
        raise LookupError(f"no ruleset {slug!r} in version {version}")
    return versions[max(versions) if version is None else version]


@functools.cache
def _rulesets() -> dict[tuple[str, int], Ruleset]:
    """Every module here that has a `ruleset`: an old version lives on beside the new one in a module of its own."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        ruleset = getattr(importlib.import_module(f"rules.{module.name}"), "ruleset", None)
        if isinstance(ruleset, Ruleset):
            found[ruleset.slug, ruleset.version] = ruleset
    return found
