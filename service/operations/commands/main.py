"""The `tegami` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
from sqlalchemy.exc import DBAPIError

from rules.kernel import Json
from service.core.database.failures import SchemaIsNewer, cause_of
from service.core.database.schema import OURS
from service.core.readiness import clock_repair, key_checks
from service.core.readiness.key_checks import OtherKeys, note_keys, refuse_other_keys
from service.core.readiness.key_checks import accept_keys as accept
from service.core.readiness.newer_release import EXIT_CODE
from service.core.runtime.judged_clock import OF_WORKER
from service.core.runtime.log_files import with_program
from service.core.runtime.time_and_random import Runtime, steady_clock
from service.core.settings.config import ROOT, Config
from service.core.settings.database_address import FOR_COMMANDS
from service.core.settings.environment import WrongSettings
from service.log.records.record_text import VerificationError
from service.log.verification.verify_record import verify as verify_record
from service.log.verification.verify_seen import SeenGame, check_seen, parse_seen
from service.operations.audited import AuditedCommand
from service.operations.commands import (
    outbox,
    people,
    ratings,
    receive_mail,
    reported_messages,
    series,
)
from service.operations.commands.doctor import BAD, examine
from service.operations.commands.supervisor import run_together
from service.operations.stored_data import check, copy_database, partition_events, upgrade_games
from service.operations.stored_data.backup import save
from service.operations.worker import half_new_rows
from service.operations.worker.loop import stop_on_signals
from service.operations.worker.loop import work as work_until
from service.tables.clocks import wrong_times
from service.tables.play import proposals
from service.web.app import create_app, own_app

CLOCKS = (wrong_times.set_back, proposals.set_back)
"""The functions with which `repair-clock` sets back times that depend on several columns; each returns how many it set
back, by name.
"""
NEWER = f"The database is newer than this release, which knows it up to {OURS.last}"


class KeysDiffer(click.ClickException):
    """The keys do not belong to the database. Starting again would not help."""

    exit_code = key_checks.EXIT_CODE


class NewerRelease(click.ClickException):
    """The code is of an earlier release than the database. It has to be started again once the newer code is there."""

    exit_code = EXIT_CODE


class Commands(click.Group):
    """A group of commands that reports wrong settings and failures of the database in one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the subcommand and return its result. Raises ClickException for wrong settings and failures of the
        database.
        """
        with _in_one_line():
            return super().invoke(ctx)


@contextmanager
def _in_one_line() -> Iterator[None]:
    """A block in which wrong settings, wrong keys, newer tables and database failures become messages of the command.

    Raises ClickException.
    """
    try:
        yield
    except WrongSettings as wrong:
        raise click.ClickException(str(wrong)) from None
    except OtherKeys as other:
        raise KeysDiffer(str(other)) from None
    except DBAPIError as error:  # the text of the error may contain a password
        told = f"The database cannot be used: {cause_of(error)}. See bin/tegami doctor."
        raise click.ClickException(told) from None
    except SchemaIsNewer:
        raise NewerRelease(f"{NEWER}: nothing was changed. See docs/hosting.md, Update.") from None


@click.group(cls=Commands)
def main() -> None:
    """A play-by-post table for card games."""
    os.umask(0o077)  # the database contains seeds: whatever is made here is for its owner alone


@main.command()
def serve() -> None:
    """Run everything: migrate the database, then web and worker together."""
    try:
        with _in_one_line():
            config = Config.from_environment()
            migrate_database(config)
    except click.ClickException as failed:
        click.echo(with_program("serve", failed.message, "error"))
        sys.exit(failed.exit_code)
    click.echo(with_program("serve", f"Tegami is at {config.public_url} (stop it with Ctrl-C)"))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "DATA_DIR": str(config.data_dir)}
    wanted = PROGRAMS | (RECEIVING if config.incoming_mail and config.incoming_lmtp else {})
    programs = {name: [sys.executable, "-m", *words.split()] for name, words in wanted.items()}
    sys.exit(run_together(programs, ROOT, environment))


PROGRAMS = {
    "web": "gunicorn --config service/web/serving/gunicorn.py service.web.app:create_app()",
    "worker": "service.operations.commands work",
}
"""The programs that `serve` runs, as in the Procfile: the web processes and the worker, with the modules to run."""
RECEIVING = {"mail": "service.operations.commands receive-mail --lmtp"}
"""The program that accepts mail by LMTP; it runs if the settings have an address for it."""


@main.command(cls=AuditedCommand)
@click.option(
    "--to",
    metavar="NUMBER",
    default=OURS.last,
    help="Up to this migration, also back to it: before an earlier release is started again.",
)
def migrate(to: str) -> None:
    """Create the database, or bring it up to date."""
    migrate_database(Config.from_environment(), to)


def migrate_database(config: Config, to: str = OURS.last) -> None:
    """Run all missing migrations, and repair what an earlier release has written since then.

    Raises OtherKeys and ClickException.
    """
    # It loads Alembic, which no other command needs.
    from service.operations.stored_data import migrating

    app = create_app(replace(config, patience=FOR_COMMANDS))
    try:
        migrating.upgrade(app, to)
    except migrating.MigrationStopped as stopped:
        raise click.ClickException(stopped.told) from None
    except migrating.UnknownRevision:
        told = f"No migration of this release is called {to}: the last one is {OURS.last}."
        raise click.ClickException(told) from None
    if to != OURS.last:
        return
    with app.app_context():
        half_new_rows.repair()
        note_keys(config)
        refuse_other_keys(config)


@main.command("accept-keys", cls=AuditedCommand)
def accept_keys() -> None:
    """Accept the present keys for this database, after you have replaced one on purpose."""
    config = Config.from_environment()
    with create_app(config).app_context():
        accept(config)
    click.echo("The present keys belong to this database now.")


@main.command("repair-clock", cls=AuditedCommand)
def repair_clock() -> None:
    """Set back times that lie in the future because the clock of a machine was wrong for a while."""
    app = own_app()
    with app.app_context():
        try:
            found = clock_repair.repair(app.extensions["tegami"], CLOCKS)
        except clock_repair.ClocksDiffer as differ:
            raise click.ClickException(f"Set the clock first: {differ}.") from None
    for name, number in found.items():
        click.echo(f"{name}: {number}")


@main.command()
def work() -> None:
    """Run the worker: house players, deadlines, emails and the daily purge."""
    runtime = Runtime(steady=steady_clock, believed_after=OF_WORKER)
    sys.exit(work_until(own_app(runtime, wait=True), stop_on_signals()))


@main.command()
def doctor() -> None:
    """Check the server, one line for each finding; the exit code is 1 if anything is bad."""
    found = []
    for finding in examine(create_app()):
        click.echo(f"{finding.level:<5} {finding.about:<11} {finding.told}")
        found.append(finding.level)
    sys.exit(BAD in found)


@main.command(cls=AuditedCommand)
@click.argument("copy", type=click.Path(path_type=Path))
def backup(copy: Path) -> None:
    """Copy the database, as it is at one moment, while the server runs."""
    save(Config.from_environment(), copy)
    click.echo(f"{copy} holds the seeds of running games: keep it where only you can read it.")


@main.command()
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--seen",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What was kept of the game, from before its start on: the record has to fit it.",
)
def verify(record: Path, seen: Path | None) -> None:
    """Check the record of a finished game: digests, shuffles, every event and the result."""
    try:
        checked = verify_record(record.read_bytes())
        compared = seen and compare(checked, parse_seen(seen.read_bytes()))
    except VerificationError as refused:
        raise click.ClickException(str(refused)) from None
    start = checked["events"][0]
    told = f"{start['ruleset']}, {len(checked['events'])} events, head {checked['head']}"
    click.echo(f"This record is right: {told}")
    if compared:
        click.echo(compared)


def compare(record: Json, seen: SeenGame) -> str:
    """The result, in words, of comparing the record with what somebody has kept. Raises VerificationError."""
    key = check_seen(record, seen)
    told = f"It is what was seen: {len(seen.heads)} heads, {len(seen.actions)} actions"
    others = {
        "the commitment": seen.commitment,
        "the nonce": seen.nonce,
        "what was agreed on": seen.agreed,
        "the order of sitting down": seen.sat,
        f"{len(seen.nonces)} nonces of tenures": seen.nonces,
    }
    told += "".join(f", {name}" for name, kept in others.items() if kept)
    if key is None:
        return f"{told}. The signatures were not checked: neither file has a key."
    whose = (
        "in the file of what was seen" if seen.key else "in the record, for the other file has none"
    )
    return f"{told}. The signatures are right under the key {whose}: {key}"


main.add_command(outbox.group)
main.add_command(partition_events.partition_events)
main.add_command(people.group)
main.add_command(series.series_for_all, "series")
main.add_command(ratings.ratings)
main.add_command(ratings.played)
main.add_command(receive_mail.receive_mail)
main.add_command(reported_messages.group)
main.add_command(upgrade_games.upgrade_games)
main.add_command(check.bring_back)
main.add_command(check.check)
main.add_command(copy_database.copy_database)
