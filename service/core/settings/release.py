"""The digest of the release. It is part of every ETag, because another release may word or draw a state differently."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from service.core.settings.config import ROOT

SOURCES = ("openapi.yaml", "rules", "service", "web")
"""The parts of the clone from which responses are made."""
_COMPILED = "__pycache__"


@functools.cache
def release(root: Path = ROOT) -> str:
    """A digest of the sources, computed when it was first asked for: the same in every process of one clone."""
    digest = hashlib.sha256()
    places = [root / name for name in SOURCES]
    found = [path for place in places for path in (place, *place.rglob("*"))]
    for path in sorted(each for each in found if each.is_file() and _COMPILED not in each.parts):
        content = hashlib.sha256(path.read_bytes()).digest()
        digest.update(f"{path.relative_to(root)}\n".encode() + content)
    return digest.hexdigest()[:16]
