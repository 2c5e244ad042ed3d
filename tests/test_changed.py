"""What an everyday run proves again: everything that has changed since its last full proof."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import changed
from tests.support.changed import EVERYTHING, IN_FULL, OTHERS, ROOT
from tests.support.shared_folder import FOLDER

pytestmark = pytest.mark.of_service

ASKING = """
import json, sys
from tests.support import changed
found = sorted(changed.games_in_full()), changed.changed("rules/common", "tests/support")
due = {
    "page": changed.is_due(changed.of_page("tests/web/test_talk.py")),
    "service": changed.is_due(changed.of_service("tests/service/test_kills.py")),
    "turns": [n for n in range(50) if changed.is_its_turn(f"tests/service/test_{n}.py")],
    "digest": changed.digest(*changed.of_service("tests/service/test_kills.py").paths),
}
if sys.argv[1:] == ["record"]:
    changed.record(changed.asked())
print(json.dumps(due.get(sys.argv[1], found) if sys.argv[1:] else found))
"""
OF_THE_PAGE = (
    "web/talk/talk.js",
    "service/web/page/shell.py",
    "service/core/words/en.po",
    "openapi.yaml",
    "tests/web/conftest.py",
    "tests/web/support/visitor.py",
)
"""Files that the page depends on."""
OF_THE_SERVICE = (
    "service/tables/play/moves.py",
    "rules/kernel/ruleset.py",
    "openapi.yaml",
    "requirements.txt",
    "requirements-dev.txt",
    "tests/conftest.py",
    "tests/support/cast.py",
    "tests/endurance/frame.py",
    "tests/service/web/conftest.py",
    "tests/service/core/models/earlier_game.json",
)
"""Files that long tests of the service depend on."""


class Clone:
    """A copy of the files in question, with its own record."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("rules", "tests/support"):
            shutil.copytree(ROOT / folder, root / folder)
        for folder in (ROOT / "tests/rules/games").iterdir():
            (root / "tests/rules/games" / folder.name).mkdir(parents=True)
            (root / "tests/rules/games" / folder.name / "test_rules.py").touch()
        own = ("tests/rules/properties.py", "tests/web/test_talk.py", "tests/service/test_kills.py")
        for file in (*own, *OF_THE_PAGE, *OF_THE_SERVICE):
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).touch()

    def asked(self, *words: str, in_full: str = "") -> Any:
        """The games in full, and whether `rules/common` or `tests/support` changed."""
        own = {IN_FULL: in_full, FOLDER: str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", ASKING, *words],
            cwd=self.root,
            env={**os.environ, **own, "PYTHONPATH": str(self.root)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def write(self, path: str) -> None:
        with (self.root / path).open("a") as file:
            file.write("\n# changed\n")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone in which everything is recorded as proven."""
    clone = Clone(tmp_path)
    clone.asked("record", in_full=EVERYTHING)
    return clone


def test_without_a_record_everything_is_run(tmp_path: Path) -> None:
    games, others = Clone(tmp_path).asked()
    assert len(games) == len([*(ROOT / "tests/rules/games").iterdir()]) and others


def test_what_did_not_change_is_not_run_but_for_some_games(clone: Clone) -> None:
    games, others = clone.asked()
    assert len(games) == OTHERS and not others
    assert clone.asked() == [games, others], "the same in every process"


@pytest.mark.parametrize("path", ["rules/games/caravan/phases.py", "tests/rules/games/caravan/x"])
def test_a_game_that_changed_is_played_in_full_beside_others(clone: Clone, path: str) -> None:
    clone.write(path)
    games, others = clone.asked()
    assert "caravan" in games and len(games) == 1 + OTHERS and not others


@pytest.mark.parametrize(
    "path", ["rules/kernel/new.py", "rules/common/cards.py", "tests/rules/properties.py"]
)
def test_what_all_games_stand_on_lets_all_be_played(clone: Clone, path: str) -> None:
    clone.write(path)
    games, others = clone.asked()
    assert len(games) > 1 + OTHERS and others == ("common" in path)


def test_what_is_proven_by_itself_is_recorded_by_itself(clone: Clone) -> None:
    clone.write("rules/games/caravan/phases.py")
    clone.write("rules/games/joretsu/phases.py")
    assert clone.asked("record", in_full="rules/games/caravan") == [["caravan"], False]
    games, _ = clone.asked()
    assert "joretsu" in games and len(games) == 1 + OTHERS


def test_the_page_is_looked_at_in_detail_if_it_changed(clone: Clone) -> None:
    assert not clone.asked("page")
    for path in ("rules/games/caravan/phases.py", "tests/web/test_lobby.py"):
        clone.write(path)
        assert not clone.asked("page")
    clone.write("tests/web/test_talk.py")
    assert clone.asked("page")


def test_the_page_hangs_on_its_files_its_server_its_words_and_the_contract(clone: Clone) -> None:
    for path in OF_THE_PAGE:
        assert any(f"{path}/".startswith(f"{each}/") for each in changed.OF_THE_PAGE), path
    clone.write("service/web/page/shell.py")
    assert clone.asked("page")


def test_long_tests_of_the_service_run_if_anything_of_it_changed(clone: Clone) -> None:
    assert not clone.asked("service")
    clone.write("web/talk/talk.js")
    assert not clone.asked("service")
    clone.write("service/tables/play/moves.py")
    assert clone.asked("service")
    for path in OF_THE_SERVICE:
        before = clone.asked("digest")
        clone.write(path)
        assert clone.asked("digest") != before, path


def test_an_unchanged_service_runs_a_share_on_postgresql_that_varies_with_it(clone: Clone) -> None:
    first = clone.asked("turns")
    assert 5 < len(first) < 20 and clone.asked("turns") == first
    clone.write("service/tables/play/moves.py")
    assert clone.asked("turns") != first


def test_what_a_run_proves_because_it_was_due_is_recorded(clone: Clone) -> None:
    clone.write("rules/games/caravan/phases.py")
    games, _ = clone.asked("record")
    assert "caravan" in games and len(games) == 1 + OTHERS
    assert len(clone.asked()[0]) == OTHERS


@pytest.mark.parametrize("option", ["collectonly", "keyword", "maxfail", None])
def test_only_a_run_of_all_tests_proves_anything(
    pytestconfig: pytest.Config, option: str | None
) -> None:
    class Given:
        args_source = pytest.Config.ArgsSource.TESTPATHS

        def getoption(self, name: str, *_: object) -> object:
            return name == option

    (conftest,) = (
        each for each in pytestconfig.pluginmanager.get_plugins() if hasattr(each, "is_whole")
    )
    given = Given()
    assert conftest.is_whole(given) == (option is None)
    given.workerinput = {}  # type: ignore[attr-defined]
    assert not conftest.is_whole(given), "a process of xdist: others may have failed"


def test_a_file_that_was_taken_away_or_renamed_is_a_change(clone: Clone) -> None:
    (clone.root / "tests/support/clock.py").rename(clone.root / "tests/support/time.py")
    assert clone.asked()[1]
