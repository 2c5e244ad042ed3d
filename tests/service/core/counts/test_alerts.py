"""Prometheus itself, with docs/monitoring/, reads a running server: every panel shows something, no rule fails, and a
worker that is dead is seen.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.web.app import create_app
from tests.service.core.counts.test_metrics import Watched, play_a_move, verify_an_address
from tests.support.dump import execute
from tests.support.monitoring import FOLDER, alerts, asked_by_dashboard, needs_promtool, promtool
from tests.support.servers.databases import Databases, disconnect
from tests.support.servers.server import PATIENCE, free_port, wait_until
from tests.support.servers.smtp_server import MailServer

OF_STANDBY = {"Standby servers behind", "Not shown yet by a standby server"}
"""Panels that stay empty on SQLite."""


class Prometheus:
    """A Prometheus that reads a server twice a second, unlike docs/monitoring/prometheus.yml."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def get(self, path: str) -> Any:
        """The data of a response of its API."""
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}", timeout=PATIENCE) as answer:
            return json.loads(answer.read())["data"]

    def is_reading(self) -> bool:
        """Whether it has read the server, and has evaluated each rule without a failure."""
        try:
            targets = self.get("targets")["activeTargets"]
            rules = [rule for group in self.get("rules")["groups"] for rule in group["rules"]]
        except OSError:
            return False
        assert not [rule for rule in rules if rule["health"] == "err"], rules
        health = {each["health"] for each in (*targets, *rules)}
        return len(targets) == 1 and health == {"up", "ok"}

    def alerts(self) -> dict[str, str]:
        """The alerts that fire or are about to, with their texts."""
        found = self.get("alerts")["alerts"]
        return {each["labels"]["alertname"]: each["annotations"]["summary"] for each in found}


@contextmanager
def prometheus(target: str, folder: Path) -> Iterator[Prometheus]:
    settings = yaml.safe_load((FOLDER / "prometheus.yml").read_text(encoding="utf-8"))
    settings["global"] = {"scrape_interval": "500ms", "evaluation_interval": "500ms"}
    settings["rule_files"] = [str(FOLDER / name) for name in settings["rule_files"]]
    settings["scrape_configs"][0]["static_configs"] = [{"targets": [target]}]
    file, port = folder / "prometheus.yml", free_port()
    file.write_text(json.dumps(settings))
    command = [
        *("prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}"),
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        started = Prometheus(port)
        wait_until(started.is_reading, f"{folder / 'prometheus.log'}")
        yield started
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.thorough
@needs_promtool
@pytest.mark.skipif(not shutil.which("prometheus"), reason="prometheus is not installed")
def test_prometheus_reads_a_running_server(databases: Databases, tmp_path: Path) -> None:
    database = databases.fresh("sqlite", tmp_path)
    with MailServer() as mail, Watched(tmp_path, database, SMTP_URL=mail.url) as server:
        target = f"127.0.0.1:{server.metrics}"
        with prometheus(target, tmp_path) as reading:
            play_a_move(server)
            verify_an_address(server, "asked")
            for panel, expression in asked_by_dashboard():
                if panel not in OF_STANDBY:
                    wait_until(lambda asked=expression: shows(reading, asked), f"{panel} shows")
            assert reading.alerts() == {}
            server.kill("worker")
            app = create_app(server.config)
            execute(app, "UPDATE heartbeats SET at = at - 600000 WHERE name = 'worker'")
            execute(app, "UPDATE process_beats SET at = at - 600000")
            disconnect(app)
            found = wait_until(
                lambda: len(told := reading.alerts()) > 1 and told, "the dead worker is seen"
            )
            assert found.keys() <= {"TegamiWorkerSilent", "TegamiProcessSilent"} <= alerts().keys()
            assert found["TegamiWorkerSilent"].startswith("No worker has run for 10m")


def shows(reading: Prometheus, expression: str) -> bool:
    """Whether a panel would show something."""
    return bool(promtool("query", "instant", reading.url, expression).strip())
