"""`tegami backup`: a complete copy of a database in use, which only its owner can read."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from service.core.database.database import db, transaction
from service.operations.commands.main import main
from service.operations.stored_data.backup import CannotSave, save
from service.web.app import create_app
from tests.support.cast import CARAVAN, postgresql_only, sqlite_only
from tests.support.dump import dump


@sqlite_only
def test_a_copy_holds_all_that_was_committed(config, app, cast, tmp_path):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=5)
    copy = tmp_path / "copy.sqlite3"
    save(config, copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = dump(app)
    again = create_app(replace(config, database_url=f"sqlite:///{copy}"))
    assert dump(again) == before
    assert [each.name for each in tmp_path.glob("copy*.part*")] == []


@sqlite_only
def test_a_backup_while_another_process_writes(config, app, cast, tmp_path):
    """The writer is not disturbed, and its uncommitted changes are not in the copy."""
    cast.alice.get("/api/me")
    before = dump(app)
    copy = tmp_path / "copy.sqlite3"
    with app.app_context(), transaction():
        db.session.execute(text("UPDATE players SET name = 'Eve'"))
        thread = threading.Thread(target=save, args=(config, copy))
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
    again = create_app(replace(config, database_url=f"sqlite:///{copy}"))
    assert dump(again) == before
    assert dump(app) != before


@sqlite_only
def test_no_file_is_overwritten(config, app, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    copy.write_text("precious")
    with pytest.raises(CannotSave, match="already"):
        save(config, copy)
    assert copy.read_text() == "precious"


@sqlite_only
def test_a_failed_backup_leaves_nothing(config, app, tmp_path):
    missing = tmp_path / "no such folder" / "copy.sqlite3"
    with pytest.raises(CannotSave, match="could not be written"):
        save(config, missing)
    assert not missing.parent.exists()
    nothing = replace(config, database_url=f"sqlite:///{tmp_path}/none.sqlite3")
    with pytest.raises(CannotSave, match="no database"):
        save(nothing, tmp_path / "copy.sqlite3")


@sqlite_only
def test_a_folder_is_no_name_for_a_copy(config, app, database, tmp_path):
    """A link that leads nowhere is not followed either."""
    dangling = tmp_path / "dangling.sqlite3"
    dangling.symlink_to(tmp_path / "elsewhere")
    file = tmp_path / "file"
    file.write_text("")
    environment = {"DATA_DIR": str(config.data_dir), "DATABASE_URL": database}
    for copy, told in (
        (tmp_path, "is a folder: name the file to be made in it."),
        (Path(), "is a folder"),
        (Path(), "is a folder"),
        (tmp_path / "none" / "copy", "could not be written: no such file or folder."),
        (file / "copy", "could not be written: no such file or folder."),
        (dangling, "already exists."),
        (tmp_path / ("x" * 300), "could not be written: OSError."),
        (Path("/dev/full/copy"), "could not be written: no such file or folder."),
    ):
        done = CliRunner().invoke(main, ["backup", str(copy)], env=environment)
        assert done.exit_code == 1 and "Traceback" not in done.output, copy
        assert done.stderr.splitlines()[-1].startswith("Error: ") and told in done.stderr
    assert not (tmp_path / "elsewhere").exists()


@sqlite_only
def test_a_copy_for_which_there_is_no_room(config, app, cast, tmp_path):
    """The limit on the size of files stands for a full disk."""
    cast.start(CARAVAN)
    copy = tmp_path / "copy.sqlite3"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(CannotSave, match="could not be written: disk"):
            save(config, copy)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(tmp_path.glob("copy*")) == []


@postgresql_only
def test_the_password_is_no_argument_of_pg_dump(config, database, tmp_path, monkeypatch):
    """Everybody on a machine can list the arguments of its processes."""
    fake = tmp_path / "bin/pg_dump"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$@" "$PGPASSWORD" "$(umask)" >"${2#--file=}"\n[ -z "$FAIL" ]\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    for number, url in enumerate(
        (
            "postgresql+psycopg://tegami:hidden-word@db.example/tegami?sslmode=require",
            "postgresql+psycopg://tegami@db.example/tegami?password=hidden-word&sslmode=require",
        )
    ):
        copy = tmp_path / f"copy{number}"
        save(replace(config, database_url=url), copy)
        *arguments, password, _ = copy.read_text().splitlines()
        assert password == "hidden-word" and "hidden-word" not in str(arguments)
        assert arguments[0] == "--format=custom"
        address, _, query = arguments[-1].partition("?")
        assert address == "--dbname=postgresql://tegami@db.example/tegami"
        assert {"sslmode=require", "connect_timeout=3"} < set(query.split("&"))
        assert "--lock-wait-timeout=60000" in arguments
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    monkeypatch.setenv("FAIL", "yes")
    with pytest.raises(CannotSave, match="pg_dump failed"):
        save(config, tmp_path / "other")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotSave, match="pg_dump is missing"):
        save(config, tmp_path / "other")
    assert not list(tmp_path.glob("other*"))


@sqlite_only
def test_the_command_warns_that_a_copy_is_secret(config, database, app, cast, tmp_path):
    cast.start(CARAVAN)
    copy = tmp_path / "copy.sqlite3"
    environment = {"DATA_DIR": str(config.data_dir), "DATABASE_URL": database}
    done = CliRunner().invoke(main, ["backup", str(copy)], env=environment)
    assert done.exit_code == 0 and "seeds" in done.output
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone()[0] > 0
    again = CliRunner().invoke(main, ["backup", str(copy)], env=environment)
    assert again.exit_code == 1 and "already" in again.output
