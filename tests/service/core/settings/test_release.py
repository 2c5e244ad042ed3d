"""The release in ETags: it depends only on the content of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from service.core.settings.config import ROOT
from service.core.settings.release import release


@pytest.fixture
def clone(tmp_path):
    """A folder with a source of each kind; its release each time it is called."""
    (tmp_path / "openapi.yaml").write_text("openapi: 3.1.0")
    for name in ("rules", "service/core/words", "web"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "rules/caravan.py").write_text("ruleset = 1")
    (tmp_path / "service/core/words/en.po").write_text("msgid")
    (tmp_path / "web/app.js").write_text("app()")
    return tmp_path, lambda: release.__wrapped__(tmp_path)


@pytest.mark.parametrize(
    "name", ["openapi.yaml", "rules/caravan.py", "service/core/words/en.po", "web/app.js"]
)
def test_every_change_of_a_source_changes_it(clone, name):
    folder, digest = clone
    before = digest()
    (folder / name).write_text("other")
    assert digest() != before


def test_moving_a_source_changes_it(clone):
    folder, digest = clone
    before = digest()
    (folder / "web/app.js").rename(folder / "web/page.js")
    assert digest() != before


def test_times_and_compiled_files_do_not_change_it(clone):
    folder, digest = clone
    before = digest()
    os.utime(folder / "web/app.js", (0, 0))
    (folder / "rules/__pycache__").mkdir()
    (folder / "rules/__pycache__/caravan.pyc").write_bytes(b"compiled")
    (folder / "data").mkdir()
    (folder / "data/tegami.sqlite3").touch()
    assert digest() == before


def test_a_copy_of_the_clone_has_the_same_release(clone, tmp_path_factory):
    folder, digest = clone
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("other") / "clone")
    assert release.__wrapped__(copy) == digest()


def test_two_processes_agree():
    code = "from service.core.settings.release import release; print(release())"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert told.stdout.decode().strip() == release()
