"""Schemathesis follows what answers lead to, over 20,000 requests to a running server, and finds nothing.

It runs with --thorough: it takes a quarter of an hour.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.support.servers.server import ROOT

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(3600)]

REQUESTS = 20_000
SETTINGS = (ROOT / "schemathesis.toml").read_text("utf-8")
OUT_OF_REACH = ("revokeToken",)
"""Operations that would end the run: what comes after has no sign-in."""


@pytest.fixture
def token(server) -> str:
    """Of a player who waits at a table, plays at two, and has finished a game."""
    program = {"name": "Aki", "token": "schemathesis", "scopes": ["talk", "account"]}
    made = requests.post(f"{server.url}/api/players", json=program, timeout=30).json()
    secret: str = made["token"]["secret"]
    headers = {"Authorization": f"Bearer {secret}"}
    wish = {"ruleset": "caravan", "seating": "order"}
    full = {**wish, "house": 1, "start": "full", "nonce": None}
    for body in (wish, full, full, full):
        answer = requests.post(f"{server.url}/api/games", json=body, headers=headers, timeout=30)
        assert answer.status_code == 201, answer.text
    path = f"{server.url}/api/games/{answer.json()['id']}/resignation"
    assert requests.post(path, json={}, headers=headers, timeout=30).status_code == 200
    return secret


def ran(folder: Path, url: str, token: str, examples: int, phases: str) -> str:
    """What a run printed that has found nothing."""
    settings = folder / "schemathesis.toml"
    settings.write_text(
        SETTINGS.replace("max-examples = 20", f"max-examples = {examples}"), "utf-8"
    )
    command = [Path(sys.executable).with_name("schemathesis"), "--config-file", settings, "run"]
    command += [ROOT / "openapi.yaml", "--url", url, "-H", f"Authorization: Bearer {token}"]
    command += ["--phases", phases, "--suppress-health-check", "all", "--continue-on-failure"]
    command += [word for name in OUT_OF_REACH for word in ("--exclude-operation-id", name)]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    (folder / "told.txt").write_text(done.stdout + done.stderr, "utf-8")
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def test_it_finds_nothing_in_20_000_requests(server, token, tmp_path):
    told = ran(tmp_path, server.url, token, 130, "coverage,fuzzing,stateful")
    made = re.search(r"(\d+) generated", told)
    assert made and int(made[1]) >= REQUESTS
    assert '"level": "error"' not in server.logged()
