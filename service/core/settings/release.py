"""The release: part of every ETag, because another one may word or draw the same state differently."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from service.core.settings.config import ROOT

SOURCES = ("openapi.yaml", "rules", "service", "web")
"""What answers are made of, in the clone."""


@functools.cache
def release(root: Path = ROOT) -> str:
    """A digest of the sources as they were when it was first asked for: the same in every process of one clone."""
    digest = hashlib.sha256()
    for path in sorted(path for name in SOURCES for path in _files(root / name)):
        content = hashlib.sha256(path.read_bytes()).digest()
        digest.update(f"{path.relative_to(root)}\n".encode() + content)
    return digest.hexdigest()[:16]


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    compiled = "__pycache__"
    return [each for each in path.rglob("*") if each.is_file() and compiled not in each.parts]
