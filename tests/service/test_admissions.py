"""A server for the invited, and the operator's commands about people."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from service import admissions, create_app
from service.cli import main
from service.config import Config
from tests.contract import CheckedClient
from tests.service.accounts import PASSWORD, Bag, register
from tests.service.cast import Person, sqlite_only
from tests.service.databases import disconnect
from tests.service.dump import dump

DAY = 86_400_000


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
        return done.output

    return run


@pytest.fixture
def closed(app, config, outside):
    """The application for the invited alone, and with the clock of the commands."""
    closed = create_app(replace(config, registration="invited"))
    closed.test_client_class = CheckedClient
    yield closed
    disconnect(closed)


def code_in(output):
    return output.strip().partition("/#invited=")[2]


def test_only_the_invited_become_players(closed, tegami):
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
def test_a_code_ends(app, config, outside, clock):
    with app.app_context():
        first, second = admissions.make(outside, days=3), admissions.make(outside, days=3)
    closed = create_app(replace(config, registration="invited"), outside)
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
def test_where_anybody_may_come_a_code_is_not_read(app):
    Person(app).post("/api/players", {"name": "Eve", "invitation": "x" * 43})


@pytest.mark.parametrize("said", ["closed", "Open", "yes"])
def test_registration_is_one_of_two(tmp_path, said):
    with pytest.raises(ValueError, match="REGISTRATION"):
        Config.from_environment({"DATA_DIR": str(tmp_path), "REGISTRATION": said})


def test_registration_is_read_from_the_environment(tmp_path):
    environment = {"DATA_DIR": str(tmp_path)}
    assert Config.from_environment(environment).registration == "open"
    invited = Config.from_environment({**environment, "REGISTRATION": "invited"})
    assert invited.registration == "invited"


def test_people_are_listed_and_shown(app, cast, tegami):
    register(Bag(app), cast.alice, "alice")
    listed = tegami("list")
    assert f"{cast.alice.id}  @alice" in listed
    assert "Carol" not in listed
    assert "Carol" in tegami("list", "--guests")
    for who in (cast.alice.id, "alice", "ALICE@example.org"):
        shown = tegami("show", who)
        assert "alice@example.org" in shown
        assert PASSWORD not in shown and "argon2" not in shown
    assert "nobody called" in tegami("show", "zed", status=1)


def test_somebody_is_erased_after_a_question(app, cast, tegami):
    game_id = cast.start()
    tegami("erase", cast.carol.id, status=1, input="n\n")
    cast.carol.get("/api/me")
    tegami("erase", cast.carol.id, input="y\n")
    cast.carol.refused("GET", "/api/me", "not-signed-in")
    assert cast.alice.game(game_id)["seats"][2]["house"]
    assert "nobody called" in tegami("show", cast.carol.id, status=1)
