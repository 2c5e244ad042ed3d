"""Requests made out of openapi.yaml, right and wrong ones: is every answer described, every wrong one refused?"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import schemathesis
from requests.structures import CaseInsensitiveDict
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

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


class Stage(NamedTuple):
    """What there is to be found: a player's sign-in, and games where the player sits."""

    client: Any
    headers: dict[str, str]
    games: dict[str, Any]

    def asked(self, game: Any) -> int:
        """What the player is asked now."""
        now = self.client.get(f"/api/games/{game['id']}", headers=self.headers)
        asked: int = now.json["asked"]
        return asked


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
def stage(app):
    """The host of an open table, who is on turn in a running game."""
    client = app.test_client(use_cookies=False)
    made = client.post("/api/players", json={"name": "Aki", "token": "schemathesis"})
    headers = {"Authorization": f"Bearer {made.json['token']['secret']}"}
    wish = {"ruleset": "boomerang-auction", "seating": "order"}
    full = wish | {"house": 2, "start": "full"}
    games = {
        "open": client.post("/api/games", json=wish, headers=headers).json,
        "running": client.post("/api/games", json=full, headers=headers).json,
    }
    assert games["running"]["legal"]
    return Stage(client, headers, games)


AT_OPEN_TABLES = {"takeSeat", "leaveSeat", "startGame"}
FOUND = {"getRuleset": "caravan", "getRules": "caravan", "getProblem": "stale"}
"""A slug that there is."""


def aim(case: Any, stage: Stage) -> None:
    """Let a request that is right so far meet something that is there."""
    name = case.operation.definition.raw["operationId"]
    game = stage.games["open" if name in AT_OPEN_TABLES else "running"]
    wrong = {place for place, each in case.meta.components.items() if each.mode.is_negative}
    if ParameterLocation.PATH not in wrong:
        there = {"game_id": game["id"], "slug": FOUND.get(name)}
        for parameter in (case.path_parameters or {}).keys() & there.keys():
            case.path_parameters[parameter] = there[parameter]
    if name == "postAction" and ParameterLocation.BODY not in wrong:
        case.body["asked"] = stage.asked(game)


@schema.parametrize()
def test_the_service_keeps_the_contract(case, stage):
    aim(case, stage)
    answer = case.call_and_validate(headers=stage.headers)
    headers = CaseInsensitiveDict({name: values[0] for name, values in answer.headers.items()})
    contract.check(case.method, case.formatted_path, answer.status_code, headers, answer.content)
