"""The program of `examples/` plays every game to the end, alone and at tables with others."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests

import rules
from tests.support.changed import UNCHANGED, changed
from tests.support.servers.server import ROOT, wait_until

BOT = ROOT / "examples/bot.py"
PATIENCE = 120
"""The seconds for all games together."""


def start(folder: Path, address: str, *more: str, name: str = "Bot") -> subprocess.Popen[str]:
    """The program in an isolated process, so that it can import neither our code nor installed packages."""
    command = [sys.executable, "-I", "-S", BOT, address, "--name", name, *more]
    kept = folder / f"{name}.json"
    return subprocess.Popen(
        [*command, "--token-file", str(kept)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(program: subprocess.Popen[str]) -> list[str]:
    """The lines that the program printed."""
    try:
        told, errors = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert (program.returncode, errors) == (0, "")
    return told.splitlines()


def asked(address: str, path: str, folder: Path, name: str = "Bot") -> Any:
    """The response to the program, with the token that it kept."""
    token = json.loads((folder / f"{name}.json").read_text())["token"]
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get(address + path, headers=headers, timeout=30).json()


@pytest.mark.skipif(
    not changed("examples/bot.py", "openapi.yaml", "tests/test_examples.py"), reason=UNCHANGED
)
def test_the_program_plays_every_game_at_once(server, tmp_path):
    tables = [word for slug in rules.slugs() for word in ("--open", slug)]
    told = ended(start(tmp_path, server.url, *tables))
    assert len(told) == len(rules.slugs())
    games = [re.findall(r"\bg_\w+", line)[0] for line in told]
    over = [asked(server.url, f"/api/games/{each}", tmp_path) for each in games]
    assert {game["status"] for game in over} == {"over"}
    assert {game["ruleset"]["slug"] for game in over} == set(rules.slugs())
    assert (tmp_path / "Bot.json").stat().st_mode & 0o077 == 0


def test_the_program_sits_down_at_the_table_of_a_person(server, tmp_path):
    host = requests.Session()
    made = host.post(f"{server.url}/api/players", json={"name": "Hana", "token": "x"}).json()
    host.headers["Authorization"] = f"Bearer {made['token']['secret']}"
    wish = {"ruleset": "caravan", "start": "full", "nonce": None}
    table = host.post(f"{server.url}/api/games", json=wish).json()
    address = f"{server.url}/api/games/{table['id']}"
    program = start(tmp_path, server.url, "--sit", table["id"])

    def over() -> bool:
        game = host.get(address).json()
        if game["legal"]:
            answer = {"asked": game["asked"], "action": game["legal"][0]["action"]}
            host.post(f"{address}/actions", json=answer)
        return game["status"] == "over" or program.poll() is not None

    wait_until(over, "the end of the game", PATIENCE)
    (line,) = ended(program)
    assert table["id"] in line


@pytest.mark.parametrize(
    "more", [["--open", "no-such-game"], ["--sit", "g_0123456789abcdefABCDEF"]]
)
def test_what_is_refused_is_said(server, tmp_path, more):
    program = start(tmp_path, server.url, *more)
    told, errors = program.communicate(timeout=PATIENCE)
    assert program.returncode == 1 and told == ""
    assert errors.startswith("/problems/not-found: ")
