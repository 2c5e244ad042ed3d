"""Paths that do not exist, and the existing paths that are most similar to them."""

from __future__ import annotations

import difflib
import re

from flask import current_app

from service.web.http.routes import without_converters

LONGEST = 100
"""The most characters of a path that is compared, so that the time does not grow with the input."""
MOST = 3
_ALIKE = 0.75
_VALUE = "{}"
"""The placeholder for a value when paths are compared."""
_TEMPLATES = "tegami.templates"
_SECRET = re.compile(r"{(?:token|secret|mail_id)}")
"""Paths that are never suggested."""


def nearest_paths(path: str) -> list[str] | None:
    """The paths of operations most similar to this one; None if it is one of them, apart from its values."""
    if len(path) > LONGEST:
        return []
    parts, found = path.split("/"), dict[str, float]()
    for template in _templates():
        known = template.split("/")
        if len(parts) == len(known) and all(map(_fits, parts, known)):
            return None
        if not _SECRET.search(template):
            found[template] = _likeness(parts, known)
    ranked = sorted(found, key=lambda each: (-found[each], each))
    return [each for each in ranked if found[each] > _ALIKE][:MOST]


def _templates() -> set[str]:
    """The paths of the application, as openapi.yaml writes them."""
    known: set[str] | None = current_app.extensions.get(_TEMPLATES)
    if known is None:
        known = {without_converters(each.rule) for each in current_app.url_map.iter_rules()}
        current_app.extensions[_TEMPLATES] = known
    return known


def _fits(part: str, known: str) -> bool:
    return part == known or (known.startswith("{") and part != "")


def _likeness(parts: list[str], known: list[str]) -> float:
    """The similarity of two paths, from 0 to 1, without comparing values."""
    asked = [
        _VALUE if each and i < len(known) and known[i][:1] == "{" else each
        for i, each in enumerate(parts)
    ]
    compared = [_VALUE if each[:1] == "{" else each for each in known]
    matcher = difflib.SequenceMatcher(None, "/".join(asked).lower(), "/".join(compared))
    if min(matcher.real_quick_ratio(), matcher.quick_ratio()) <= _ALIKE:
        return 0.0
    return matcher.ratio()
