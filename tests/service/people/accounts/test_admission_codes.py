"""Registration by invitation only, and the operator's commands about players."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.operations.commands.main import main
from service.people.accounts import admission_codes
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.accounts import PASSWORD, Bag, register
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.servers.databases import disconnect


@pytest.fixture
def tegami(config, database):
    """The command, on the same database."""
    environment = {
        "DATA_DIR": str(config.data_dir),
        "DATABASE_URL": database,
        "PUBLIC_URL": "http://localhost",
    }

    def run(*words, status=0, **more):
        done = CliRunner().invoke(main, ["people", *words], env=environment, **more)
        assert done.exit_code == status, (done.output, done.exception)
        return done.output if status else done.stdout

    return run


@pytest.fixture
def closed(app, config, runtime):
    """The application with registration by invitation, and with the clock of the commands."""
    closed = create_app(replace(config, registration="invited"))
    closed.test_client_class = CheckedClient
    yield closed
    disconnect(closed)


def code_in(output):
    return output.strip().partition("/#invited=")[2]


@pytest.mark.both_databases
def test_without_a_code_nobody_becomes_a_player(closed, tegami):
    visitor = Person(closed)
    stored = dump(closed)
    for body in ({"name": "Eve"}, {"name": "Eve", "invitation": "x" * 43}):
        visitor.refused("POST", "/api/players", "invitation-needed", body)
    assert dump(closed) == stored
    code = code_in(tegami("invite"))
    visitor.post("/api/players", {"name": "Eve", "invitation": code})
    visitor.refused(
        "POST", "/api/players", "invitation-needed", {"name": "Eve", "invitation": code}
    )
    visitor.get("/api/me")


@sqlite_only
def test_a_code_expires(app, config, runtime, clock):
    with app.app_context():
        first, second = (
            admission_codes.create(runtime, days=3),
            admission_codes.create(runtime, days=3),
        )
    closed = create_app(replace(config, registration="invited"), runtime)
    clock.forward(3 * DAY - 1)
    Person(closed).post("/api/players", {"name": "Eve", "invitation": first})
    clock.forward(1)
    body = {"name": "Eve", "invitation": second}
    Person(closed).refused("POST", "/api/players", "invitation-needed", body)


@sqlite_only
def test_several_codes_at_once(tegami):
    assert len(set(tegami("invite", "--number", "3").split())) == 3


@sqlite_only
def test_codes_are_not_stored(app, tegami):
    assert code_in(tegami("invite")) not in str(dump(app))


@sqlite_only
def test_a_code_is_ignored_where_registration_is_open(app):
    Person(app).post("/api/players", {"name": "Eve", "invitation": "x" * 43})


@pytest.mark.parametrize("said", ["closed", "Open", "yes"])
def test_registration_is_open_or_invited(tmp_path, said):
    with pytest.raises(ValueError, match="REGISTRATION"):
        Config.from_environment({"DATA_DIR": str(tmp_path), "REGISTRATION": said})


def test_registration_is_read_from_the_environment(tmp_path):
    environment = {"DATA_DIR": str(tmp_path)}
    assert Config.from_environment(environment).registration == "open"
    invited = Config.from_environment({**environment, "REGISTRATION": "invited"})
    assert invited.registration == "invited"


@pytest.mark.both_databases
def test_people_are_listed_and_shown(app, cast, tegami):
    register(Bag(app), cast.alice, "alice")
    carol, listed = cast.carol.id, tegami("list")
    assert f"{cast.alice.id}  @alice" in listed
    assert carol not in listed
    assert carol in tegami("list", "--guests")
    for who in (cast.alice.id, "alice", "ALICE@example.org"):
        shown = tegami("show", who)
        assert "alice@example.org" in shown
        assert PASSWORD not in shown and "argon2" not in shown
    assert "no player" in tegami("show", "zed", status=1)


@sqlite_only
def test_a_terminal_obeys_no_name(app, cast, tegami):
    command = "UPDATE players SET name = :n WHERE id = :id"
    execute(app, command, n="\x1b[2J\x9b1m\r\n\u202eevil", id=cast.carol.id)
    for said in (tegami("list", "--guests"), tegami("show", cast.carol.id)):
        assert r"\x1b[2J\x9b1m\r\n\u202eevil" in said
        assert not {"\x1b", "\x9b", "\r", "\u202e"} & set(said)


def test_erasing_asks_for_confirmation(app, cast, tegami):
    game_id = cast.start()
    tegami("erase", cast.carol.id, status=1, input="n\n")
    cast.carol.get("/api/me")
    tegami("erase", cast.carol.id, input="y\n")
    cast.carol.refused("GET", "/api/me", "not-signed-in")
    assert cast.alice.game(game_id)["seats"][2]["house"]
    assert "no player" in tegami("show", cast.carol.id, status=1)
