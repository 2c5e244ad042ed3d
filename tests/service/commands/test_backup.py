"""`tegami backup`: a complete copy of a database in use, which only its owner can read."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from service.app import create_app
from service.commands.backup import CannotSave, save
from service.commands.main import main
from service.core.database import db, transaction
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
    """The writer is not disturbed, and what it has not committed is not in the copy."""
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


@postgresql_only
def test_other_databases_are_refused(config, tmp_path):
    with pytest.raises(CannotSave, match="pg_dump"):
        save(config, tmp_path / "copy")


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
