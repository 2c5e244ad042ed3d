"""Valid and invalid requests generated from openapi.yaml: all answers are described, invalid requests are refused.

They are made when they are sent, a tag of the document at a time: to make them takes seconds, in every process. They
are the same each time: where nothing changed that answers them, they are not sent again.
"""

from __future__ import annotations

import copy
import itertools
import re
from typing import Any, NamedTuple

import pytest
import schemathesis
from requests.structures import CaseInsensitiveDict
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.pytest.lazy import get_all_tests

from service.core.settings.config import Config
from service.operations.commands.main import migrate_database
from service.web.app import create_app
from tests import contract
from tests.support.changed import UNCHANGED, changed
from tests.support.in_one_go import case as case_of

pytestmark = pytest.mark.skipif(
    not changed(
        "service",
        "rules",
        "openapi.yaml",
        "schemathesis.toml",
        "requirements-dev.txt",
        "tests/contract.py",
        "tests/test_schemathesis.py",
    ),
    reason=UNCHANGED,
)

SETTINGS = contract.PATH.with_name("schemathesis.toml").read_text("utf-8")
QUICK = 2
"""The number of invented requests of each kind and operation, unless --thorough is given: then the settings state it.

Those at the limits that a schema states, nine in ten of all, are sent in any case; more of these take long to invent.
"""
OTHER_METHODS = """
[phases.coverage]
unexpected-methods = ["PATCH"]
"""
"""The number of unsupported methods that are tried for each operation; all with --thorough."""


class Stage(NamedTuple):
    """Data for valid requests: a signed-in player, and games in which the player is seated."""

    client: Any
    headers: dict[str, str]
    games: dict[str, Any]

    def asked(self, game: Any) -> int:
        """The number of the player's current question."""
        now = self.client.get(f"/api/games/{game['id']}", headers=self.headers)
        asked: int = now.json["asked"]
        return asked

    def said(self, game: Any) -> str:
        """The id of a new message by the player in this game."""
        path, body = f"/api/games/{game['id']}/messages", {"channel": "seats", "text": "Hello"}
        message: str = self.client.post(path, json=body, headers=self.headers).json["id"]
        return message

    def newcomer(self, handle: str | None) -> dict[str, str]:
        """The cookie of a new guest, registered if `handle` is given, for operations that change the account."""
        made = self.client.post("/api/players", json={"name": "Bo"})
        cookie = {"Cookie": made.headers["Set-Cookie"].partition(";")[0]}
        if handle:
            wish = {"handle": handle, "address": f"{handle}@example.org"}
            self.client.post("/api/me/registration", json=wish, headers=cookie)
        return cookie


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemathesis")
    config = Config(
        data_dir=folder,
        database_url=f"sqlite:///{folder / 'tegami.sqlite3'}",
        secret_key=bytes(32),
        signing_key=bytes(32),
        rate_limits=False,
        attempt_limits=False,
        hash_memory=8,
        hash_rounds=1,
        hash_lanes=1,
    )
    migrate_database(config)
    return create_app(config)


@pytest.fixture(params=[tag["name"] for tag in contract.document()["tags"]])
def schema(request, app):
    """The document's description of the operations with a tag, and how to send requests to them."""
    written = SETTINGS
    if not request.config.getoption("--thorough"):
        written = (
            re.sub("(?m)^max-examples = .*", f"max-examples = {QUICK}", SETTINGS) + OTHER_METHODS
        )
    schema = schemathesis.openapi.from_dict(
        described(request.param), config=SchemathesisConfig.from_str(written)
    )
    schema.app = app
    return schema


def described(tag: str) -> contract.Json:
    """The document without operations that have another tag."""
    document = copy.deepcopy(contract.document())
    for path, item in document["paths"].items():
        others = [
            name for name in contract.METHODS if tag not in item.get(name, {}).get("tags", [])
        ]
        document["paths"][path] = {key: item[key] for key in item if key not in others}
    return document


@pytest.fixture(scope="module")
def stage(app):
    """A player who is the host of an open table and has to move in a running game."""
    client = app.test_client(use_cookies=False)
    program = {"name": "Aki", "token": "schemathesis", "scopes": ["talk", "account"]}
    made = client.post("/api/players", json=program)
    headers = {"Authorization": f"Bearer {made.json['token']['secret']}"}
    wish = {"ruleset": "boomerang-auction", "seating": "order"}
    full = wish | {"house": 2, "start": "full", "nonce": None}
    games = {
        "open": client.post("/api/games", json=wish, headers=headers).json,
        **{
            name: client.post("/api/games", json=full, headers=headers).json
            for name in ("running", "left", "asked")
        },
        "starting": client.post("/api/games", json=wish, headers=headers).json,
    }
    assert games["running"]["legal"]
    return Stage(client, headers, games)


AT_TABLES_OF_THEIR_OWN = {
    "resign": "left",
    "comeBack": "left",
    "makeProposal": "asked",
    "startGame": "starting",
}
"""Operations that change a game too much for other operations to use it."""
BY_COOKIE = [{"cookie": []}]
"""The security of operations that need a browser."""
HANDLES = (f"player-{number}" for number in itertools.count())
AT_OPEN_TABLES = {"takeSeat", "leaveSeat", "putNonce", "makeInvitation", "listInvitations"}
FOUND = {
    "getRuleset": "caravan",
    "getRules": "caravan",
    "getRulesExample": "caravan",
    "getProblem": "stale",
}
"""Existing slugs."""


def aim(case: Any, stage: Stage) -> None:
    """Replace the valid parts of a request with ids of existing things."""
    name = case.operation.definition.raw["operationId"]
    usual = "open" if name in AT_OPEN_TABLES else "running"
    game = stage.games[AT_TABLES_OF_THEIR_OWN.get(name, usual)]
    wrong = {place for place, each in case.meta.components.items() if each.mode.is_negative}
    if ParameterLocation.PATH not in wrong:
        there = {"game_id": game["id"], "slug": FOUND.get(name)}
        if "message_id" in (case.path_parameters or {}):
            there["message_id"] = stage.said(game)
        for parameter in (case.path_parameters or {}).keys() & there.keys():
            case.path_parameters[parameter] = there[parameter]
    if ParameterLocation.QUERY not in wrong and case.query:
        case.query.pop("cursor", None)  # only the service can make one
    if name in ("postAction", "previewAction") and ParameterLocation.BODY not in wrong:
        case.body["asked"] = stage.asked(game)


def sign_in(case: Any, stage: Stage) -> dict[str, str]:
    """The headers of a player who may do this."""
    operation = case.operation.definition.raw
    if operation.get("security") != BY_COOKIE:
        return stage.headers
    return stage.newcomer(None if operation["operationId"] == "registerMe" else next(HANDLES))


@pytest.mark.timeout(600)
def test_the_service_keeps_the_contract(schema, stage):
    made = get_all_tests(schema=schema, test_func=keeps_it, settings=None, given_kwargs=None)
    for each in made:
        operation, send_all = each.ok()
        with case_of(operation.label):
            send_all(stage=stage)


def keeps_it(case, stage):
    """Send a request, and hold the answer to the document."""
    aim(case, stage)
    plain = {"Accept-Encoding": "identity"}  # what is compressed is not read there
    answer = case.call_and_validate(headers=sign_in(case, stage) | plain)
    headers = CaseInsensitiveDict({name: values[0] for name, values in answer.headers.items()})
    body = contract.UNPACKED[headers.get("Content-Encoding")](answer.content)
    contract.check(case.method, case.formatted_path, answer.status_code, headers, body)
