"""The Prometheus queries in docs/monitoring/: the alert rules, and the expressions of the dashboard."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.core.settings.config import ROOT

FOLDER = ROOT / "docs/monitoring"
ALERTS = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))["groups"]
BOARD = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
METRIC = re.compile(r"\btegami_[a-z_]+")
needs_promtool = pytest.mark.skipif(
    not shutil.which("promtool"), reason="promtool is not installed"
)


def alerts() -> dict[str, Any]:
    """The rules, by name."""
    return {rule["alert"]: rule for group in ALERTS for rule in group["rules"]}


def asked_by_dashboard(job: str = "tegami") -> Iterator[tuple[str, str]]:
    """Each expression of the dashboard for this job, after the title of its panel."""
    for panel in BOARD["panels"]:
        for target in panel.get("targets", ()):
            known = target["expr"].replace("$job", job).replace("$__rate_interval", "1m")
            yield panel["title"], known


def named_metrics() -> set[str]:
    """The metrics that rules and dashboard name."""
    texts = [rule["expr"] for rule in alerts().values()]
    texts += [expression for _, expression in asked_by_dashboard()]
    return {name for each in texts for name in METRIC.findall(each)}


def promtool(*words: str | Path, given: str = "") -> str:
    """Run promtool, which has to succeed; returns its output."""
    done = subprocess.run(
        ["promtool", *map(str, words)], input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout
