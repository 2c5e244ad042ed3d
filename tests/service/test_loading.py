"""The modules that a server loads at its start: none that only some pages, commands or databases need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from service.core.settings.config import ROOT

WHEN_NEEDED = {
    "alembic": "/readyz, and what migrates",
    "brotli": "a start at which files of the page are new, and who wants the others",
    "cryptography": "whoever shows a table, and Web Push",
    "css_inline": "mails",
    "fsspec": "COLD_STORAGE",
    "flask_migrate": "what migrates",
    "icalendar": "calendars",
    "markdown_it": "pages of rules and documents",
    "prometheus_client": "METRICS",
    "psycopg": "PostgreSQL",
    "pywebpush": "Web Push",
    "requests": "webhooks",
    "smtplib": "mails",
    "standardwebhooks": "webhooks",
    "zxcvbn": "new passwords",
}
"""Modules, and the code that needs them: they are imported where it begins."""
LOADED = "import sys; from service.web.app import create_app; create_app(); print(*sys.modules)"


def test_an_application_on_sqlite_loads_nothing_that_it_may_do_without(tmp_path: Path) -> None:
    command, settings = [sys.executable, "-c", LOADED], {"DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "service.web.app" in loaded
    assert loaded.isdisjoint(WHEN_NEEDED)
