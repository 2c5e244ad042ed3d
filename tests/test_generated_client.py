"""A client generated from openapi.yaml by a well-known generator plays, and reads values that it does not know yet."""

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
from tests.test_clients_document import snippet
from tests.test_open_sets import ADDED, NEW_PROBLEM

pytestmark = pytest.mark.skipif(
    not changed(
        "openapi.yaml",
        "requirements-dev.txt",
        "tests/clients/generated_player.py",
        "tests/support/open_sets.py",
        "tests/test_generated_client.py",
        "docs/clients.md",
        "tests/test_open_sets.py",
    ),
    reason=UNCHANGED,
)

PLAYER = ROOT / "tests/clients/generated_player.py"

NO_JSON = (
    *("GET /openapi.yaml", "GET /openapi-playing.yaml", "GET /openapi-pages.yaml"),
    *("GET /api/records", "GET /feeds/{secret}/turns.atom"),
    "GET /feeds/{secret}/series/{series_id}/news.atom",
    "GET /api/games/{game_id}/invitation.svg",
)
"""Operations whose responses no generated client can read; it must understand all others."""

EXPIRED = {"type": "/problems/not-signed-in", "title": "x", "status": 401, "why": "expired"}
READ = """
import json, sys
import httpx
from tegami_client import Client, models
from tegami_client.api.playing import post_action

added, problem, known = json.load(open(sys.argv[1]))
game = models.Game.from_dict(added["Game"])
assert game.pace.kind == "hourglass" and game.proposals[0].kind == "dance", game
history = models.EventList.from_dict(added["Events"]).events
assert [type(each).__name__ for each in history[-4:]] == [
    "OtherEvent", "ActionEvent", "HandoverEvent", "CloseEvent"
], history
assert "dream" in models.TokenList.from_dict(added["Tokens"]).tokens[0].scopes
assert models.Me.from_dict(added["Me"]).player.language == "fr"
answer = httpx.Response(409, json=problem)
refused = post_action._parse_response(client=Client(base_url="http://x"), response=answer)
assert type(refused).__name__ == "Problem" and refused.type_ == "/problems/eclipse", refused
tired = httpx.Response(418, json={**problem, "status": 418})
refused = post_action._parse_response(client=Client(base_url="http://x"), response=tired)
assert type(refused).__name__ == "Problem" and refused.type_ == "/problems/eclipse", refused
answer = httpx.Response(401, json=known)
refused = post_action._parse_response(client=Client(base_url="http://x"), response=answer)
assert type(refused).__name__ == "NotSignedIn" and refused.why == "expired", refused
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
    """A folder with only the client, made once, and the program on top of it."""
    folder = tmp_path_factory.mktemp("generated")
    programs = Path(sys.executable).parent
    shutil.copy(contract.PATH, folder / "openapi.yaml")
    made = subprocess.run(
        ["sh", "-e", "-c", snippet("openapi-python-client generate")],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
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


def test_the_snippet_of_the_guide_is_typed_strictly(folder):
    """This includes the client that it imports; problems are distinguished by their classes."""
    (folder / "of_the_guide.py").write_text(snippet("from tegami_client"))
    assert mypy(folder, "of_the_guide.py") == ""
    wrong = snippet("from tegami_client").replace("answer.legal", "answer.game")
    (folder / "wrong.py").write_text(wrong)
    assert '"IllegalAction" has no attribute "game"' in mypy(folder, "wrong.py")


@pytest.mark.thorough
def test_all_of_the_client_is_typed_strictly(folder):
    assert mypy(folder, "tegami_client") == ""


def test_the_file_that_is_the_same_for_every_contract_is_typed_strictly(folder):
    assert mypy(folder, "tegami_client/client.py") == ""


def mypy(folder: Path, what: str) -> str:
    """The findings of mypy."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--config-file=",
        what,
    ]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_it_reads_what_is_added(folder, tmp_path):
    later = tmp_path / "later.json"
    later.write_text(
        json.dumps([{name: make() for name, make in ADDED.items()}, NEW_PROBLEM, EXPIRED])
    )
    run(folder, "-c", READ, str(later))


def test_it_reads_new_values_of_every_open_set(folder, tmp_path):
    later = tmp_path / "later.json"
    told = [[each.operation.name, each.status, each.value] for each in later_answers()]
    later.write_text(json.dumps(told))
    run(folder, "-c", READ_ALL, str(later))
