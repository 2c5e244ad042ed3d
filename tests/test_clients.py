"""Three programs that know only openapi.yaml play each other on a real server, with a spectator."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner

import rules
from service.operations.commands.main import main
from tests import contract
from tests.support.changed import changed
from tests.support.servers.server import ROOT

FOLDER = Path(__file__).parent / "clients"
PROGRAMS = ("urllib_player.py", "narrowing_player.py", "turns_player.py")
PATIENCE = 280
"""The seconds for one game, however busy the machine is."""
pytestmark = pytest.mark.timeout(3 * PATIENCE)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A folder with only the programs and the document."""
    folder = tmp_path_factory.mktemp("alone")
    for program in PROGRAMS:
        shutil.copy(FOLDER / program, folder)
    shutil.copy(contract.PATH, folder)
    return folder


class Program:
    """One of the programs in an isolated process, so that it cannot import our code."""

    def __init__(self, folder: Path, name: str, address: str, *more: str) -> None:
        command = [sys.executable, "-I", name, "--server", address, "--spec", "openapi.yaml"]
        self.name = name
        self._process = subprocess.Popen(
            [*command, "--patience", str(PATIENCE), *more],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def seated(self) -> str:
        """The id of the game, once the program is seated."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        return json.loads(line)["game"] if line else pytest.fail(self.ended())

    def ended(self) -> str:
        """Its last output, after it has ended successfully."""
        told, errors = self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == 0, f"{self.name}: {errors[-2000:]}"
        return told

    @property
    def failed(self) -> bool:
        """Whether the program has failed."""
        return bool(self._process.poll())

    def stop(self) -> None:
        """Kill the program if it is still running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


class Spectator:
    """Polls a game without a sign-in; every answer is checked against the document."""

    def __init__(self, address: str, game_id: str) -> None:
        self._address, self._at = address, f"/api/games/{game_id}"
        self._http, self._tag = requests.Session(), ""
        self.seen: list[Any] = []
        self.unchanged = 0

    def get(self, path: str = "", **headers: str) -> requests.Response:
        """The answer, checked."""
        path = self._at + path
        answer = self._http.get(self._address + path, headers=headers, timeout=30)
        contract.check("GET", path, answer.status_code, answer.headers, answer.content)
        return answer

    def watch(self, programs: list[Program]) -> Any:
        """Poll until the game is over or a program has failed; returns the last state."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not any(program.failed for program in programs):
            answer = self.get(**{"If-None-Match": self._tag} if self._tag else {})
            if answer.status_code == 304:
                self.unchanged += 1
            else:
                self._tag = answer.headers["ETag"]
                self.seen.append(answer.json())
            if self.seen[-1]["status"] == "over":
                return self.seen[-1]
            time.sleep(self.seen[-1]["poll_after"])
        return pytest.fail("\n".join(program.ended() for program in programs if program.failed))


def cast(slug: str) -> list[str]:
    """The programs that play; the last is another one in each ruleset with fewer than three players."""
    players = rules.load(slug).players[0]
    return [PROGRAMS[(number + (players < 3)) % 3] for number in range(players)]


OFTEN = {"boomerang-auction", "caravan", "blame-the-magic", "2459n"}
"""Games with turns, a board, sealed choices and many actions; the others need --thorough (examples/bot.py plays all).
"""
ALWAYS = OFTEN if changed("openapi.yaml", "docs/clients.md", "tests/clients") else {"2459n"}


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if slug in ALWAYS else [pytest.mark.thorough])
        for slug in rules.slugs()
    ],
)
def test_programs_play_a_game_to_the_end_while_a_spectator_polls(server, alone, tmp_path, slug):
    first, *others = cast(slug)
    programs = [Program(alone, first, server.url, "--ruleset", slug)]
    try:
        game_id = programs[0].seated()
        programs += [Program(alone, other, server.url, "--game", game_id) for other in others]
        spectator = Spectator(server.url, game_id)
        over = spectator.watch(programs)
        results = [result_told(program.ended(), game_id) for program in programs]
    finally:
        for program in programs:
            program.stop()
    expected = {key: over["result"][key] for key in ("winners", "scores", "reason")}
    assert results == [expected] * len(programs)
    assert_nothing_was_shown(spectator.seen)
    assert_record_is_valid(spectator, over, tmp_path)


def result_told(told: str, game_id: str) -> Any:
    """The result that a program printed, without words."""
    told_last = json.loads(told.splitlines()[-1])
    result = told_last.get(game_id, told_last)
    return {key: result[key] for key in ("winners", "scores", "reason")}


def assert_nothing_was_shown(seen: list[Any]) -> None:
    """Check that a spectator is asked nothing and sees nobody's hand while the game runs."""
    assert {game["status"] for game in seen} >= {"running", "over"}
    for game in seen:
        assert game["legal"] == []
        assert game["seat"] is game["tenure"] is game["asked"] is None
        if game["status"] == "running":
            hands = [zone for zone in game["view"]["zones"] if zone["kind"] == "hand"]
            assert hands
            assert not any(card for hand in hands for card in hand.get("cards", ()))


def assert_record_is_valid(spectator: Spectator, over: Any, folder: Path) -> None:
    """The record can be downloaded, matches the game that was seen, and passes verification."""
    answer = spectator.get("/record")
    record = answer.json()
    assert (record["game"], record["head"]) == (over["id"], over["head"])
    assert {game["commitment"] for game in spectator.seen} == {over["commitment"]}
    file = folder / "record.json"
    file.write_bytes(answer.content)
    told = CliRunner().invoke(main, ["verify", str(file)])
    assert told.exit_code == 0, told.output
    events = spectator.get("/events?limit=200").json()
    assert len(events["events"]) == over["number"] == len(record["events"])


def test_the_loop_of_the_documentation_plays_a_game(server):
    text = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
    loop = text.partition("```python\n")[2].partition("```")[0]
    assert "http://127.0.0.1:8000" in loop
    program = [sys.executable, "-I", "-c", loop.replace("http://127.0.0.1:8000", server.url)]
    ended = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert ended.stdout.strip()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_do_not_import_our_code(name):
    ours = {path.name.removesuffix(".py") for path in ROOT.iterdir()}
    tree = ast.parse((FOLDER / name).read_text(encoding="utf-8"))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        str(node.module).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert not imported & (ours | {"tests"})


def test_a_program_that_fails_prints_the_problem(server, alone):
    """For an unknown game the program ends with the title of the problem."""
    program = Program(alone, PROGRAMS[0], server.url, "--game", "g_0123456789abcdefABCDEF")
    with pytest.raises(AssertionError, match=r"no seat: .+"):
        program.ended()
