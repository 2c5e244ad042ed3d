"""Schemathesis sends 20,000 invented requests to a server, and 20,000 that follow from responses: it finds nothing.

They run with --thorough: two processes take half an hour.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from bin import bundle
from tests.support.servers.server import ROOT

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(4500)]

REQUESTS = 20_000
SHARES = 2
"""The shares of those that follow from each other, one for each process."""
SUITES = 12
"""The number of suites of five minutes for a share; fewer are enough on an idle machine."""
HOOKS = ROOT / "tests/support/schemathesis_ids.py"
SETTINGS = (ROOT / "schemathesis.toml").read_text("utf-8")
OUT_OF_REACH = ("revokeToken",)
"""Operations that would end the run, because later requests would have no sign-in."""


@pytest.fixture
def token(server) -> str:
    """The token of a player who waits at a table, plays at two, and has finished a game."""
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


def ran(folder: Path, url: str, token: str, examples: int, *options: str) -> int:
    """The number of requests of a run that has found nothing."""
    settings = folder / "schemathesis.toml"
    written = SETTINGS.replace("max-examples = 20", f"max-examples = {examples}")
    if "--seed" in options:
        written = written.replace("deterministic = true", "deterministic = false")
    settings.write_text(f"hooks = {str(HOOKS)!r}\n{written}", "utf-8")
    command = [Path(sys.executable).with_name("schemathesis"), "--config-file", settings, "run"]
    complete = folder / "complete.yaml"  # in it each operation lists all of its answers
    complete.write_text(bundle.complete(), "utf-8")
    command += [complete, "--url", url, "-H", f"Authorization: Bearer {token}"]
    command += [*options, "--suppress-health-check", "all", "--continue-on-failure"]
    command += [word for name in OUT_OF_REACH for word in ("--exclude-operation-id", name)]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    (folder / "told.txt").write_text(done.stdout + done.stderr, "utf-8")
    assert done.returncode == 0, done.stdout[-6000:]
    made = re.search(r"(\d+) generated", done.stdout)
    assert made
    return int(made[1])


def test_it_finds_nothing_in_20_000_requests(server, token, tmp_path):
    assert ran(tmp_path, server.url, token, 130, "--phases", "coverage,fuzzing") >= REQUESTS
    assert '"level": "error"' not in server.logged()


@pytest.mark.parametrize("share", range(SHARES))
def test_it_finds_nothing_in_20_000_requests_that_follow_from_each_other(
    server, token, tmp_path, share
):
    """A suite ends when a repeated request gets another response, as it has to; so there are many suites."""
    made = 0
    for seed in range(share, SHARES * SUITES, SHARES):
        if made < REQUESTS / SHARES:
            limit = ("--phases", "stateful", "--max-time", "300", "--seed", str(seed))
            made += ran(tmp_path, server.url, token, 400, *limit)
    assert made >= REQUESTS / SHARES
    assert '"level": "error"' not in server.logged()
