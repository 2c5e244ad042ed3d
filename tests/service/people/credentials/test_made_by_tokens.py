"""Everything that a token has made ends with it: a thief of one has nothing left when it is revoked."""

from __future__ import annotations

import pytest

from service.core.database.database import transaction
from service.core.runtime.problems import NotSignedIn
from service.core.runtime.units import DAY
from service.notifications.receivers import receivers
from service.operations.worker.daily_purge import purge
from service.people.credentials import credentials
from tests.support.cast import Person
from tests.support.dump import execute
from tests.support.receiving import PATH, Receiver, made

TOKENS, FEEDS = "/api/me/tokens", "/api/me/feeds"
ALL = ["read", "play", "account"]


@pytest.fixture
def thief(app, cast):
    """Somebody who has a token of alice's; `token` is its id."""
    return holder(app, cast.alice, "stolen")


def holder(app, owner, label, **more):
    """Somebody who holds a new token that `owner` has made."""
    token = owner.post(TOKENS, {"label": label, "scopes": ALL, **more})["token"]
    found = Person(app)
    found.headers["Authorization"] = f"Bearer {token['secret']}"
    found.token = token["id"]
    return found


def feed(person):
    """The path of a new feed."""
    return person.post(FEEDS, {"label": "x"})["feed"]["turns"].removeprefix("http://localhost")


def shown(cast, token):
    """The listed counts of what a token has made."""
    return {each["id"]: each["made"] for each in cast.alice.get(TOKENS)["tokens"]}[token]


@pytest.mark.both_databases
def test_what_a_token_has_made_ends_with_it(app, cast, thief):
    """What was made with those ends too, and so on; what others have made continues."""
    child = holder(app, thief, "child")
    grandchild = holder(app, child, "grandchild")
    other = holder(app, cast.alice, "other")
    feeds = [feed(each) for each in (thief, grandchild, other, cast.alice)]
    hooks = [made(each)["id"] for each in (grandchild, other)]
    assert shown(cast, thief.token) == {"tokens": 2, "feeds": 2, "webhooks": 1}
    assert shown(cast, child.token) == {"tokens": 1, "feeds": 1, "webhooks": 1}
    assert shown(cast, other.token) == {"tokens": 0, "feeds": 1, "webhooks": 1}
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    for each in (thief, child, grandchild):
        each.refused("GET", "/api/me", "not-signed-in")
    other.get("/api/me")
    assert [cast.nobody.send("GET", each).status_code for each in feeds] == [404, 404, 200, 200]
    states = [cast.alice.get(f"{PATH}/{each}")["webhook"] for each in hooks]
    assert [(each["active"], each["off_why"]) for each in states] == [
        (False, "token"),
        (True, None),
    ]


def test_nothing_more_is_sent_to_a_webhook_of_a_revoked_token(app, cast, thief):
    receiver = Receiver(app)
    made(thief, "https://thief.example/")
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    cast.start("caravan")
    assert receiver.fetch() == []


@pytest.mark.both_databases
def test_its_owner_can_keep_what_it_has_made(app, cast, thief):
    """From then on it belongs to the owner, and ends with no other token."""
    child = holder(app, thief, "child")
    further = holder(app, child, "further")
    kept, hook = feed(thief), made(thief)["id"]
    cast.alice.delete(f"{TOKENS}/{thief.token}?keep=true")
    thief.refused("GET", "/api/me", "not-signed-in")
    child.get("/api/me")
    assert cast.nobody.send("GET", kept).status_code == 200
    assert cast.alice.get(f"{PATH}/{hook}")["webhook"]["active"]
    assert shown(cast, child.token) == {"tokens": 1, "feeds": 0, "webhooks": 0}
    cast.alice.delete(f"{TOKENS}/{child.token}?keep=false")
    further.refused("GET", "/api/me", "not-signed-in")


def test_no_token_keeps_what_is_to_end(app, cast, thief):
    """Or a thief's feed would be the owner's own, and go on once the thief's tokens are revoked."""
    child, address = holder(app, thief, "child"), feed(thief)
    for person in (thief, child):
        person.refused("DELETE", f"{TOKENS}/{thief.token}?keep=true", "cookie-only")
    child.delete(f"{TOKENS}/{thief.token}")
    cast.alice.delete(f"{TOKENS}/{child.token}")
    assert cast.nobody.send("GET", address).status_code == 404


def test_whether_it_is_kept_is_yes_or_no(cast, thief):
    cast.alice.refused("DELETE", f"{TOKENS}/{thief.token}?keep=perhaps", "invalid-query")
    thief.get("/api/me")


def test_a_webhook_that_a_token_has_led_elsewhere_ends_with_it(cast, thief):
    elsewhere, mine = made(cast.alice)["id"], made(cast.alice)["id"]
    thief.send("PATCH", f"{PATH}/{elsewhere}", json={"url": "https://thief.example/"})
    thief.send("PATCH", f"{PATH}/{mine}", json={"label": "a bot"})
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    found = {each["id"]: each["active"] for each in cast.alice.get(PATH)["webhooks"]}
    assert found == {elsewhere: False, mine: True}


def test_a_webhook_whose_secret_a_token_knows_ends_with_it(cast, thief):
    """Otherwise whoever has it could go on signing messages to the owner's program."""
    known, mine = made(cast.alice)["id"], made(cast.alice)["id"]
    for person, hook in ((thief, known), (cast.alice, mine)):
        person.post(f"{PATH}/{hook}/secret", {}, 200)
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    found = {each["id"]: each["active"] for each in cast.alice.get(PATH)["webhooks"]}
    assert found == {known: False, mine: True}


def test_what_its_owner_has_switched_on_again_is_the_owners(cast, thief):
    hook = made(thief)["id"]
    for active in (False, True):
        cast.alice.send("PATCH", f"{PATH}/{hook}", json={"active": active})
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    assert cast.alice.get(f"{PATH}/{hook}")["webhook"]["active"]


def test_a_program_replaces_its_token_by_one_that_it_has_made_and_goes_on(app, cast, thief):
    new, sibling = holder(app, thief, "new"), holder(app, thief, "sibling")
    child = holder(app, new, "child")
    new.delete(f"{TOKENS}/{thief.token}")
    for each in (thief, sibling):
        each.refused("GET", "/api/me", "not-signed-in")
    for each in (new, child):
        each.get("/api/me")


def test_a_token_that_revokes_itself_ends_what_it_has_made(app, cast, thief):
    child = holder(app, thief, "child")
    thief.delete(f"{TOKENS}/{thief.token}")
    child.refused("GET", "/api/me", "not-signed-in")


@pytest.mark.both_databases
def test_what_an_expired_token_has_made_still_ends_with_the_one_that_made_it(
    app, cast, thief, clock
):
    """The expired token is kept as long as something made with it works, and is deleted afterwards."""
    child = holder(app, thief, "child", expires_in_days=1)
    address = feed(child)
    clock.forward(3 * DAY)
    with app.app_context():
        purge(clock())
    assert shown(cast, thief.token) == {"tokens": 0, "feeds": 1, "webhooks": 0}
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    assert cast.nobody.send("GET", address).status_code == 404
    for _ in range(3):
        clock.forward(3 * DAY)
        with app.app_context():
            purge(clock())
    assert execute(app, "SELECT id FROM credentials WHERE kind IN ('token', 'feed')") == []


def test_a_strangers_token_is_not_revoked_and_ends_nothing(cast, thief):
    cast.mallory.refused("DELETE", f"{TOKENS}/{thief.token}", "not-found")
    thief.get("/api/me")


@pytest.mark.both_databases
def test_a_request_that_is_under_way_when_its_token_is_revoked_makes_nothing(app, cast, thief):
    services, caller = app.extensions["tegami"], cast.alice.id
    cast.alice.delete(f"{TOKENS}/{thief.token}")
    wish = {"url": "https://thief.example/", "label": "x"}
    with app.app_context():
        with pytest.raises(NotSignedIn), transaction():
            credentials.create(services, caller, "token", "x", made_by=thief.token)
        with pytest.raises(NotSignedIn):
            receivers.make(services, caller, wish, thief.token)
    assert cast.alice.get(TOKENS)["tokens"] == []
