"""openapi.yaml is valid, complete, and describes the service as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from service.core.runtime import problems
from service.core.settings.config import ROOT, Config
from service.web.app import create_app
from service.web.http.limits.rate_limits import LIMITS
from tests import contract
from tests.contract import (
    PROBLEM,
    Json,
    Operation,
    bodies,
    document,
    operations,
    problem_schemas,
    resolved,
)
from tests.support.in_one_go import in_one_go

SCHEMAS: Json = document()["components"]["schemas"]
BY_LINK = {
    *("unsubscribe", "playMove", "castBallot", "refuseInvitation", "takeSeatBack"),
    *("askForExtension", "changeVacation", "changeMails", "takeOffer", "playRematch"),
    *("takeChoiceBack", "leaveLinkedOrder", "switchWebhookOn"),
}
"""Operations that check a signed link instead of a sign-in, so other sites may send them."""
OAUTH = {"exchangeCode", "endGivenToken"}
"""Operations that clients of others send from anywhere; they refuse with 400 in OAuth's words instead of problems."""
FEEDS = {"getTurnsFeed", "getSeriesFeed", "getDeadlines"}
"""Operations outside /api that are fetched by programs, and limited."""
SHOWN_BY_LINK = {
    *(
        "getMove",
        "getLinkedOrder",
        "getBallot",
        "getInvitation",
        "getSeatedTable",
        "getSeat",
        "getExtension",
    ),
    *("getVacation", "getMails", "getOffer", "getRematch", "getLinkedRecord", "getLinkedWebhook"),
}
AT_HOME = {"getReadiness"} | SHOWN_BY_LINK | BY_LINK | OAUTH | FEEDS
"""Operations outside /api that need the database."""
SOMEWHERE = {"getMailbox"}
"""Operations that only some servers have."""
every_operation = in_one_go("operation", operations(), ids=lambda each: each.name)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contract")
    address = f"sqlite:///{folder / 'tegami.sqlite3'}"
    return create_app(
        Config(data_dir=folder, database_url=address, secret_key=bytes(32), signing_key=bytes(32))
    )


def rule_paths(app: Any) -> set[tuple[str, str]]:
    """Methods and paths of the application, in the form of the document."""
    return {
        (method, re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }


# The document and the service


def test_paths_and_routes_are_equal(app):
    described = {(each.method.upper(), each.path) for each in operations()}
    assert described == rule_paths(app)


def test_operations_are_named_like_their_endpoints(app):
    def in_camel_case(endpoint: str) -> str:
        head, *rest = endpoint.rpartition(".")[2].split("_")
        return head + "".join(map(str.capitalize, rest))

    named = {in_camel_case(rule.endpoint) for rule in app.url_map.iter_rules()}
    assert {operation.name for operation in operations()} == named


def test_the_document_and_the_service_have_the_same_problems():
    def below(kind: type[problems.Problem]) -> Iterator[type[problems.Problem]]:
        yield kind
        for each in kind.__subclasses__():
            yield from below(each)

    known = {(f"/problems/{each.slug}", each.status) for each in below(problems.Problem)}
    described = {
        (schema["properties"]["type"]["const"], schema["properties"]["status"]["const"])
        for schema in problem_schemas().values()
    }
    assert described == known


def test_the_document_lists_the_limits():
    listed = re.findall(
        r"^\* `([a-z-]+)`: ([0-9]+) an? (minute|hour), for .+[;.]$",
        document()["info"]["description"],
        re.MULTILINE,
    )
    assert {name: f"{most} per {length}" for name, most, length in listed} == LIMITS


# The check itself finds violations

WELL = {"Content-Type": "application/json"}
REFUSED = {"Content-Type": PROBLEM, "Content-Language": "en", "Allow": "GET"}
NOT_FOUND = b'{"type": "/problems/not-found", "title": "No", "status": 404}'
NOT_ALLOWED = b'{"type": "/problems/method-not-allowed", "title": "No", "status": 405}'


@pytest.mark.parametrize(
    ("method", "path", "status", "headers", "body"),
    [
        ("GET", "/healthz", 200, WELL, b'{"status": "ok"}'),
        ("HEAD", "/healthz", 200, WELL, b""),
        ("GET", "/healthz?x=1", 200, WELL, b'{"status": "ok"}'),
        ("PUT", "/healthz", 405, REFUSED, NOT_ALLOWED),
        ("GET", "/nowhere", 404, REFUSED, NOT_FOUND),
        ("GET", "/app.js", 200, {"Content-Type": "text/javascript"}, b"export {}"),
    ],
)
def test_a_described_answer_is_allowed(method, path, status, headers, body):
    contract.check(method, path, status, headers, body)


@pytest.mark.parametrize(
    ("path", "status", "headers", "body"),
    [
        pytest.param("/healthz", 200, WELL, b'{"status": "well"}', id="another value"),
        pytest.param("/healthz", 200, WELL, b'{"status": "ok", "x": 1}', id="an undeclared field"),
        pytest.param("/healthz", 200, {"Content-Type": "text/html"}, b"ok", id="another type"),
        pytest.param("/healthz", 404, REFUSED, NOT_FOUND, id="a status that is not described"),
        pytest.param("/api/me", 404, REFUSED, NOT_FOUND, id="a problem that is not described"),
        pytest.param("/api/me", 401, REFUSED, NOT_FOUND, id="a header is missing"),
        pytest.param("/api/nowhere", 200, WELL, b"{}", id="a path that is not described"),
        pytest.param("/api/rulesets", 304, {"ETag": '"a"'}, b"{}", id="an unexpected body"),
        pytest.param("/api/rulesets", 304, {"ETag": "a"}, b"", id="a malformed header"),
    ],
)
def test_an_undescribed_answer_is_found(path, status, headers, body):
    with pytest.raises(contract.ContractViolation):
        contract.check("GET", path, status, headers, body)


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        ("POST", "/api/players", "", b'{"name": "Aki", "age": 7}'),
        ("POST", "/api/players", "", b'{"name": " Aki"}'),
        ("POST", "/api/games", "", b'{"ruleset": "caravan", "players": true}'),
        ("GET", "/api/games", "limit=51", b""),
        ("GET", "/api/games", "sort=name", b""),
    ],
)
def test_an_invalid_request_that_was_accepted_is_found(method, path, query, body):
    with pytest.raises(contract.ContractViolation):
        contract.check_request(method, path, query, body)


# Every operation is described in full


@every_operation
def test_an_operation_is_described(operation):
    spec = operation.spec
    assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", operation.name)
    assert re.fullmatch(r"[A-Z].{8,110}\.", spec["summary"])
    assert len(spec["tags"]) == 1
    assert spec["tags"][0] in {tag["name"] for tag in document()["tags"]}
    assert all(each.get("description") for each in operation.parameters)


def test_ten_operations_play_every_game():
    """The addresses that the program in `examples/` uses are theirs."""
    first = {each.path for each in operations() if each.spec["tags"] == ["playing"]}
    program = (ROOT / "examples/bot.py").read_text(encoding="utf-8")
    used = {re.sub("/{.*?}", "/{}", path) for path in re.findall(r'"(/api/[^"?]*)', program)}
    assert len([each for each in operations() if each.spec["tags"] == ["playing"]]) == 10
    assert used and used <= {re.sub("/{.*?}", "/{}", path) for path in first}
    assert document()["tags"][0]["name"] == "playing"


def test_the_words_of_the_glossary_are_fields():
    words = re.findall(r"^\* \*(\w+)\*: ", document()["info"]["description"], re.M)
    assert words == "tenure asked held extra misses revision number head".split()
    fields = SCHEMAS["Game"]["properties"].keys() | SCHEMAS["Seat"]["properties"].keys()
    assert set(words) <= fields


@in_one_go("slug", rules.slugs())
def test_every_card_has_a_code_that_the_introduction_explains(slug):
    ruleset = rules.load(slug)
    players = ruleset.players[0]
    state = ruleset.initial(players, ruleset.settle(players, {}))
    due, zones = ruleset.turn(state).chance, ruleset.open_view(state)["zones"]
    cards = due.items if due else [card for zone in zones for card in zone["cards"]]
    assert cards
    codes = re.compile("[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+")
    assert [each for each in cards if not codes.fullmatch(each)] == []


def test_every_operation_is_explained():
    for operation in operations():
        assert len(operation.spec["description"]) > 20, operation.name


def test_what_any_path_may_answer_is_said_once():
    shared = document()["components"]["responses"]
    anywhere = document()["x-any-path"]["responses"]
    assert {int(status) for status in anywhere} == {401, 404, 405, 414, 431}
    for answer in (
        "NotSignedIn",
        "NothingThere",
        "MethodNotAllowed",
        "UriTooLong",
        "HeadersTooLarge",
    ):
        assert shared[f"{answer}Answer"] in [resolved(each) for each in anywhere.values()]


def test_names_of_operations_are_unique():
    names = [operation.name for operation in operations()]
    assert len(names) == len(set(names))


def is_plain(operation: Operation) -> bool:
    """Whether this is a page without scripts, or one of its forms."""
    return operation.path.startswith(("/plain", "/oauth/authorize"))


def due(operation: Operation) -> set[int]:
    """The statuses that an operation of this kind has to describe."""
    spec, api = operation.spec, operation.path.startswith("/api/")
    changes = operation.method != "get"
    places = {parameter["in"] for parameter in operation.parameters}
    asks_who = spec["security"] != []
    form = is_plain(operation) and changes
    query = 400 if api or form or "query" in places else None
    conditional = any(each["name"] == "If-None-Match" for each in operation.parameters)
    statuses = {
        500,
        query,
        304 if conditional else None,
        401 if api else None,
        403
        if asks_who or is_plain(operation) or (changes and operation.name not in BY_LINK | OAUTH)
        else None,
        404 if "path" in places or operation.name in SOMEWHERE else None,
        429 if api or operation.name in FEEDS | OAUTH else None,
        503 if api or is_plain(operation) or operation.name in AT_HOME else None,
    }
    body = {400, 413, 415} if form or "requestBody" in spec else set()
    return {status for status in statuses if status} | body


@every_operation
def test_every_status_is_described(operation):
    described = set(operation.responses)
    assert due(operation) <= described
    sent_on = {303} if is_plain(operation) else set()
    assert len([each for each in described if each < 300 or each in sent_on]) in {1, 2}
    unexplained = {each for each in described if each >= 300} - due(operation) - sent_on
    limited = {429} if is_plain(operation) else set()
    # 404: for what a body names; 405, 414, 431: of any path, said where there is no other 4xx
    assert unexplained <= {401, 403, 404, 405, 409, 410, 414, 422, 431} | limited


@every_operation
def test_problems_are_listed_under_their_status(operation):
    for status, names in operation.problems.items():
        for name in names:
            assert SCHEMAS[name]["properties"]["status"]["const"] == status
    own = {400} if operation.name in OAUTH else set()
    failing = {status for status in operation.responses if status >= 400} - own
    assert set(operation.problems) == failing


@every_operation
def test_changing_operations_can_answer_cross_site(operation):
    cross_site = "CrossSite" in operation.problems.get(403, [])
    assert cross_site == (operation.method != "get" and operation.name not in BY_LINK | OAUTH)


@every_operation
def test_every_body_has_valid_examples(operation):
    for name, media in bodies(operation):
        assert media["examples"], name
        for example in media["examples"].values():
            assert example.keys() == {"$ref"}, "examples are recorded, not written"
            value = resolved(example)["value"]
            assert contract.errors(media["schema"], value) == [], (name, example)


@every_operation
def test_every_kind_of_problem_has_its_example(operation):
    for status, names in operation.problems.items():
        examples = operation.responses[status]["content"][PROBLEM]["examples"]
        shown = [resolved(each)["value"]["type"] for each in examples.values()]
        assert shown == [SCHEMAS[name]["properties"]["type"]["const"] for name in names]
        assert [f"/problems/{key}" for key in examples] == shown
