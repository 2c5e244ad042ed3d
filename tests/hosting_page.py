"""The commands that docs/hosting.md tells operators to run, and its examples of settings."""

from __future__ import annotations

import re

from service.core.settings.config import ROOT

PAGE = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)
_PROGRAMS = (
    "bin/",
    "sqlite3 ",
    "systemd-analyze ",
    "systemctl ",
    "xxd ",
    "pg_dump ",
    "pg_restore ",
    "install ",
    "python -m ",
    "timedatectl",
    "docker ",
)
"""The beginnings of commands in backquotes."""


def example(text: str) -> str:
    """The only example that contains this text."""
    (found,) = (body for _, body in _FENCED.findall(PAGE) if text in body)
    return str(found)


def commands() -> set[str]:
    """Every command on the page: the lines of its shell examples, and the commands in backquotes."""
    found = set()
    for language, body in _FENCED.findall(PAGE):
        if language == "sh" and not re.match(r"[A-Z_]+=", body):
            lines = re.sub(r"\\\n\s*", "", body).splitlines()
            found |= {re.sub(r"\s+# .*", "", line).strip() for line in lines}
    prose = _FENCED.sub("", PAGE)
    spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose))
    found |= {span for span in spans if span.startswith(_PROGRAMS)}
    return {each for each in found if each}
