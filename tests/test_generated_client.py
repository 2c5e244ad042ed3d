"""A client that a well-known generator makes of openapi.yaml plays, and reads what it does not know yet."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import contract
from tests.support.changed import UNCHANGED, changed
from tests.support.open_sets import later_answers
from tests.support.servers.server import ROOT
from tests.test_open_sets import ADDED, NEW_PROBLEM

pytestmark = pytest.mark.skipif(
    not changed(
        "openapi.yaml",
        "requirements-dev.txt",
        "tests/clients/generated_player.py",
        "tests/support/open_sets.py",
        "tests/test_generated_client.py",
        "tests/test_open_sets.py",
    ),
    reason=UNCHANGED,
)

PLAYER = ROOT / "tests/clients/generated_player.py"

NO_JSON = ("GET /openapi.yaml", "GET /api/records", "GET /feeds/{secret}/turns.atom")
"""Operations whose answers no generated client can read; everything else it must understand."""

READ = """
import json, sys
import httpx
from tegami_client import Client, models
from tegami_client.api.playing import post_action

added, problem = json.load(open(sys.argv[1]))
game = models.Game.from_dict(added["Game"])
assert game.pace.kind == "hourglass" and game.proposals[0].kind == "dance", game
history = models.Events.from_dict(added["Events"]).events
assert [type(each).__name__ for each in history[-4:]] == [
    "OtherEvent", "ActionEvent", "HandoverEvent", "CloseEvent"
], history
assert "dream" in models.Tokens.from_dict(added["Tokens"]).tokens[0].scopes
assert models.Me.from_dict(added["Me"]).player.language == "fr"
answer = httpx.Response(409, json=problem)
refused = post_action._parse_response(client=Client(base_url="http://x"), response=answer)
assert type(refused).__name__ == "Problem" and refused.type_ == "/problems/eclipse", refused
"""

READ_ALL = """
import importlib, json, pkgutil, sys
import httpx
import tegami_client.api
from tegami_client import Client

tags = pkgutil.walk_packages(tegami_client.api.__path__, "tegami_client.api.")
modules = {each.name.rpartition(".")[2]: each.name for each in tags if not each.ispkg}
for name, status, told in json.load(open(sys.argv[1])):
    module = importlib.import_module(modules["".join(f"_{c.lower()}" if c.isupper() else c for c in name)])
    answer = httpx.Response(status, json=told)
    read = module._parse_response(client=Client(base_url="http://x"), response=answer)
    known, kept = json.dumps(told), json.dumps(read.to_dict())
    for new in ("unheard-of", "unheardOf"):
        assert kept.count(new) == known.count(new), name
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the client, made once, and the program on top of it."""
    folder = tmp_path_factory.mktemp("generated")
    programs = Path(sys.executable).parent
    options = ("--meta", "none", "--output-path", folder / "tegami_client")
    made = subprocess.run(
        [programs / "openapi-python-client", "generate", "--path", contract.PATH, *options],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},  # it runs ruff
    )
    assert made.returncode == 0, made.stdout + made.stderr
    told = made.stdout + made.stderr
    left_out = re.findall(r"^WARNING parsing (\w+ \S+)", told, re.M)
    assert sorted(left_out) == sorted(NO_JSON), told
    shutil.copy(PLAYER, folder)
    return folder


def run(folder: Path, *arguments: str) -> str:
    # The folder instead of -I: the client lies beside the program, and nothing else of ours can be imported from it.
    command = [sys.executable, "-P", *arguments]
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, check=False, cwd=folder, env=clean, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@pytest.mark.parametrize(("slug", "house"), [("boomerang-auction", "2"), ("caravan", "1")])
def test_it_plays_a_game_to_the_end(server, folder, slug, house):
    assert run(folder, PLAYER.name, f"{server.url}", slug, house).startswith("g_")


def test_it_reads_what_is_added(folder, tmp_path):
    later = tmp_path / "later.json"
    later.write_text(json.dumps([{name: make() for name, make in ADDED.items()}, NEW_PROBLEM]))
    run(folder, "-c", READ, str(later))


def test_it_reads_new_values_of_every_open_set(folder, tmp_path):
    later = tmp_path / "later.json"
    told = [[each.operation.name, each.status, each.value] for each in later_answers()]
    later.write_text(json.dumps(told))
    run(folder, "-c", READ_ALL, str(later))
