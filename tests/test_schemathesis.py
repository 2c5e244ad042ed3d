"""Requests made out of openapi.yaml, right ones and wrong ones: is every answer described, every wrong request refused?"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig

from service import create_app
from service.cli import migrate_database
from service.config import Config
from tests import contract

schema = schemathesis.openapi.from_path(
    contract.PATH,
    config=SchemathesisConfig.from_path(str(contract.PATH.with_name("schemathesis.toml"))),
)


class Late:
    """The application for requests that are made before there is one: collecting asks for it, a fixture brings it."""

    app: Any = None

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self.app(environ, start_response)


schema.app = Late()


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemathesis")
    config = Config(
        data_dir=folder,
        database_url=f"sqlite:///{folder / 'tegami.sqlite3'}",
        secret_key=bytes(32),
        rate_limits=False,
    )
    migrate_database(config)
    schema.app.app = create_app(config)
    return schema.app.app


@pytest.fixture(scope="module")
def signed_in(app):
    """Headers of a player."""
    made = app.test_client().post("/api/players", json={"name": "Aki", "token": "schemathesis"})
    return {"Authorization": f"Bearer {made.json['token']['secret']}"}


@pytest.fixture(scope="module")
def game_id(app, signed_in):
    """A running game of the player against the house."""
    wish = {"ruleset": "boomerang-auction", "house": 2, "start": "full"}
    game = app.test_client().post("/api/games", json=wish, headers=signed_in)
    assert game.json["status"] == "running"
    return game.json["id"]


@schema.parametrize()
def test_the_service_keeps_the_contract(case, signed_in, game_id):
    if case.meta.generation.mode.is_positive and "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = game_id
    case.call_and_validate(headers=signed_in)
