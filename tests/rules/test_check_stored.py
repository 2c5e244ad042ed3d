"""The check before a release: a change of shared code is found in the stored games that it alters."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.rules.check_stored import ROOT, export, main
from tests.support.changed import UNCHANGED, changed

pytestmark = pytest.mark.skipif(
    not changed(
        "rules/kernel",
        "rules/common",
        "tests/rules/check_stored.py",
        "tests/rules/test_check_stored.py",
    ),
    reason=UNCHANGED,
)
GAME = "boomerang-auction"
Plant = Callable[[str, str, str], None]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the present rules."""
    folder = tmp_path_factory.mktemp("repository")
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "rules", folder / "rules", ignore=compiled)
    somebody = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*somebody, "commit", "-qm", "Rules"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


@pytest.fixture
def plant(repository: Path) -> Iterator[Plant]:
    """Changes a file of the repository, until the end of the test."""
    changed: dict[Path, str] = {}

    def planted(file: str, old: str, new: str) -> None:
        path = repository / file
        source = changed.setdefault(path, path.read_text("utf-8"))
        assert old in source
        path.write_text(source.replace(old, new), "utf-8")

    yield planted
    for path, source in changed.items():
        path.write_text(source, "utf-8")


def told(repository: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The command's output about the stored games of one ruleset; the exit code says whether one differs."""
    code = main(["--against", "HEAD", GAME], repository)
    lines = capsys.readouterr().out.splitlines()
    assert code == (len(lines) > 1)
    return lines


def test_nothing_is_printed_if_nothing_differs(
    repository: Path, plant: Plant, capsys: pytest.CaptureFixture[str]
) -> None:
    plant("rules/common/cards.py", "def canonical", "# another comment\ndef canonical")
    assert told(repository, capsys) == ["0 stored games differ from HEAD"]


@pytest.mark.parametrize(
    ("file", "old", "new", "parts"),
    [
        ("kernel/ruleset.py", "heard(state.told, seat)", "heard(state.told[:1], seat)", "lines"),
        (
            "kernel/ruleset.py",
            "[*self._legal(state, seat)]",
            "[*self._legal(state, seat)][::-1]",
            "legal",
        ),
        (
            "common/cards.py",
            "key=_ORDER.__getitem__",
            "key=lambda card: -_ORDER[card]",
            "state, view",
        ),
        (
            "kernel/ruleset.py",
            "state = state.silent()",
            "raise OSError",
            "state, view, legal, lines",
        ),
    ],
    ids=["lines", "legal", "cards", "a failure"],
)
def test_a_change_of_shared_code_is_printed(
    repository: Path,
    plant: Plant,
    capsys: pytest.CaptureFixture[str],
    file: str,
    old: str,
    new: str,
    parts: str,
) -> None:
    """It prints the first event at which a stored game differs, and how."""
    plant(f"rules/{file}", old, new)
    *differences, summary = told(repository, capsys)
    (found,) = [line for line in differences if line.startswith("boomerang_auction/end: ")]
    assert re.fullmatch(rf".*: at (event \d+|the start), in {parts}", found)
    assert summary == f"{len(differences)} stored games differ from HEAD"


def test_a_version_that_the_ref_does_not_have_is_left_out(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ref without rules is an error."""
    earlier = tmp_path / "earlier"
    shutil.copytree(repository, earlier)
    somebody = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (
        ["rm", "-qr", "rules/games/boomerang_auction"],
        [*somebody, "commit", "-qm", "Without"],
    ):
        subprocess.run(["git", "-C", str(earlier), *command], check=True)
    shutil.copytree(repository / "rules", earlier / "rules", dirs_exist_ok=True)
    assert told(earlier, capsys) == ["0 stored games differ from HEAD"]
    with pytest.raises((LookupError, tarfile.ReadError)):
        export(earlier, "no-such-ref", tmp_path / "nothing")
