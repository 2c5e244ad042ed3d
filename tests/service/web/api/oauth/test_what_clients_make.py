"""What the token of a site makes stays the site's: named as such, for its time, and ended with what was agreed to."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY
from service.operations.worker.daily_purge import purge
from service.people.credentials.authorization_codes import TOKEN_WORKS_FOR
from tests.support.cast import Person, sqlite_only
from tests.support.oauth_client import ELSEWHERE, OauthClient, agreed, exchanged, program_of
from tests.support.receiving import PATH, made

CLIENT = OauthClient()
NAME = "https://client.example"
TOKENS, FEEDS = "/api/me/tokens", "/api/me/feeds"
SCOPES = "read account"


@pytest.fixture
def site(app, cast):
    """The program of a site to which alice has signed in; `id` is its token's."""
    return identified(program_of(app, cast.alice, CLIENT, scope=SCOPES), cast)


def identified(program, cast):
    """The program, with the `id` of its token, which is alice's only one."""
    (program.id,) = [each["id"] for each in cast.alice.get(TOKENS)["tokens"]]
    return program


def child(app, maker, label="My own phone", **more):
    """A program with a token made with that of `maker`."""
    wish = {"label": label, "scopes": ["read", "account"], **more}
    token = maker.post(TOKENS, wish)["token"]
    found = Person(app)
    found.headers["Authorization"] = f"Bearer {token['secret']}"
    found.id, found.token = token["id"], token
    return found


def feed(program):
    """The path of a new feed."""
    return program.post(FEEDS, {"label": "x"})["feed"]["turns"].removeprefix("http://localhost")


def is_out(*programs):
    """Check that none of these programs is signed in."""
    for each in programs:
        each.refused("GET", "/api/me", "not-signed-in")


@pytest.mark.both_databases
def test_it_is_listed_as_the_sites_and_ends_by_then(app, cast, clock, site):
    """However deep, whatever it is called, and however long it was to work."""
    clock.forward(DAY)
    deep = child(app, child(app, site, expires_in_days=3650))
    tokens = cast.alice.get(TOKENS)["tokens"]
    assert [(each["client"], each["expires_at"]) for each in tokens] == [
        (NAME, "2027-02-19T10:00:00.000Z")
    ] * 3
    assert {each["client"] for each in cast.alice.get("/api/me/export")["tokens"]} == {NAME}
    clock.forward(TOKEN_WORKS_FOR - DAY)
    is_out(site, deep)


@sqlite_only
def test_a_token_of_the_player_makes_no_tokens_of_sites(app, cast, site):
    own = child(app, cast.alice)
    child(app, own)
    clients = {each["id"]: each["client"] for each in cast.alice.get(TOKENS)["tokens"]}
    assert clients.pop(site.id) == NAME
    assert [*clients.values()] == [None, None]


@pytest.mark.both_databases
def test_what_such_a_token_has_made_ends_when_it_expires(app, cast, clock, site):
    short = child(app, site, expires_in_days=1)
    address, hook = feed(short), made(short)["id"]
    clock.forward(DAY)
    with app.app_context():
        purge(clock())
    assert cast.nobody.send("GET", address).status_code == 404
    assert cast.alice.get(f"{PATH}/{hook}")["webhook"]["off_why"] == "token"
    site.get("/api/me")


@pytest.mark.both_databases
def test_a_site_does_not_outlive_its_token_by_replacing_it(app, cast, site):
    """It goes itself, with what it has made."""
    new = child(app, site)
    address = feed(new)
    new.delete(f"{TOKENS}/{site.id}")
    is_out(site, new)
    assert cast.nobody.send("GET", address).status_code == 404
    assert cast.alice.get(TOKENS)["tokens"] == []


@sqlite_only
@pytest.mark.parametrize("which", ["its own", "its maker's", "that of another grant"])
def test_a_site_keeps_nothing(app, cast, site, which):
    """Not even with a second grant, to which the player has agreed, too."""
    by = {"its own": site, "its maker's": child(app, site)}.get(which)
    by = by or program_of(app, cast.alice, CLIENT, scope=SCOPES)
    address = feed(site)
    by.refused("DELETE", f"{TOKENS}/{site.id}?keep=true", "cookie-only")
    site.get("/api/me")
    cast.alice.delete(f"{TOKENS}/{site.id}")
    assert cast.nobody.send("GET", address).status_code == 404


@sqlite_only
def test_what_the_player_keeps_stays_listed_as_the_sites(app, cast, clock, site):
    """And works no longer than was agreed."""
    kept = child(app, site)
    cast.alice.delete(f"{TOKENS}/{site.id}?keep=true")
    (token,) = cast.alice.get(TOKENS)["tokens"]
    assert (token["id"], token["client"]) == (kept.id, NAME)
    clock.forward(TOKEN_WORKS_FOR)
    is_out(kept)


@sqlite_only
def test_the_site_itself_ends_what_it_has_made(app, site):
    """By RFC 7009, with its name."""
    new = child(app, site)
    for name, status in (("other.example", 400), (CLIENT.client_id, 200)):
        form = {"token": new.token["secret"], "client_id": name}
        answer = app.test_client().post("/oauth/revoke", data=form, headers=ELSEWHERE)
        assert answer.status_code == status
    is_out(new)
    site.get("/api/me")


@sqlite_only
def test_a_replayed_code_ends_what_was_made_after_trying_everything(app, cast):
    """Whatever a thief of a code has done with its token in the meantime."""
    code = agreed(cast.alice, CLIENT, scope=SCOPES)
    thief = Person(app)
    thief.headers["Authorization"] = f"Bearer {exchanged(app, CLIENT, code).json['access_token']}"
    identified(thief, cast)
    new = child(app, child(app, thief))
    new.refused("DELETE", f"{TOKENS}/{thief.id}?keep=true", "cookie-only")
    assert exchanged(app, CLIENT, code).status_code == 400
    is_out(thief, new)
    assert cast.alice.get(TOKENS)["tokens"] == []
