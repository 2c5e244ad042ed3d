"""The page that asks whether a site may act for somebody: without scripts, and for the player alone."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from service.web.http.headers.headers import CSP
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump
from tests.support.form_reader import FormReader
from tests.support.oauth_client import (
    ELSEWHERE,
    SITE,
    OauthClient,
    agreed,
    answer_in,
    answered,
    code_in,
    exchanged,
    form_token_in,
    program_of,
)

pytestmark = sqlite_only
CLIENT = OauthClient()
PATH = "/oauth/authorize"


def told(person, address, status=200):
    """The text of a page."""
    answer = person.send("GET", address, headers={"Accept": "text/html"})
    assert answer.status_code == status, answer.get_data(as_text=True)
    return unescape(re.sub(r"<[^>]+>", "", answer.get_data(as_text=True)))


def forms(app):
    """How many codes there are."""
    return len(dump(app)["authorization_codes"])


def test_somebody_signs_in_to_a_site_with_a_text_browser(app):
    """From the site's link, by way of a new name, back to the site; then the token plays."""
    reader = FormReader(app)
    page = reader.open(CLIENT.address())
    assert "The site https://client.example asks you" in page.text
    reader.send("Play with this name", name="Dora")
    page = reader.follow("Continue")
    assert page.title.startswith("Sign in to https://client.example")
    assert "You are signed in as Dora." in page.text
    form = reader.form("Sign in to https://client.example")
    sent = {**form.fields, "agreed": "yes"}
    answer = reader.http.post(form.action, data=sent, headers=reader.headers)
    given = exchanged(app, CLIENT, code_in(answer.headers["Location"])).json
    program = Person(app)
    program.headers["Authorization"] = f"Bearer {given['access_token']}"
    assert program.get("/api/me")["player"]["name"] == "Dora"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_names_who_asks_and_every_scope_in_words(cast, language):
    cast.alice.send("PATCH", "/api/me", json={"language": language})
    page = told(cast.alice, CLIENT.address(scope="account talk play read"))
    assert "https://client.example" in page and "Alice" in page and "90" in page
    words = {
        "en": ("your email address", "sit down, play", "write in the talk", "further tokens"),
        "ja": ("メールアドレス", "席に着く", "会話に書き込む", "ほかのトークン"),
    }
    assert all(each in page for each in words[language])
    few = told(cast.alice, CLIENT.address(scope="read"))
    assert words[language][0] in few and not any(each in few for each in words[language][1:])


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("http://127.0.0.1:8123/cb", "A program on this device, at http://127.0.0.1:8123,"),
        ("com.example.app:/cb", "An app on this device, com.example.app,"),
    ],
)
def test_programs_and_apps_on_the_device_are_named(cast, uri, said):
    assert said in told(cast.alice, CLIENT.address(redirect_uri=uri))


def test_without_a_wish_it_reads_and_plays(app, cast):
    program = program_of(app, cast.alice, CLIENT, scope=None)
    (token,) = cast.alice.get("/api/me/tokens")["tokens"]
    assert token["scopes"] == ["read", "play"]
    program.refused("PATCH", "/api/me", "missing-scope", {"name": "Eve"})


def test_the_answer_has_the_state_and_says_who_answers(cast):
    state = "a&b=c%20 d+é".replace("é", "~")
    answer = answer_in(answered(cast.alice, CLIENT, state=state))
    assert answer.keys() == {"code", "state", "iss"}
    assert (answer["state"], answer["iss"]) == (state, "http://localhost")
    assert answer_in(answered(cast.alice, CLIENT, state=None)).keys() == {"code", "iss"}


def test_other_parameters_are_ignored(app):
    """Whatever libraries add; and none of them gets into the way back after signing in."""
    http = FlaskClient(app, app.response_class)
    page = http.get(f"{CLIENT.address()}&nonce=1&nonce=2&prompt=none&then=//evil").text
    assert "client.example asks you" in page and "evil" not in page and "prompt" not in page


def test_the_longest_request_finds_its_way(app, cast):
    """Through signing in and back."""
    longest = {"state": "%" * 1000, "client_id": "%" * 200}
    longest["redirect_uri"] = f"{SITE}?a={'%25' * 150}"
    reader = FormReader(app)
    reader.open(CLIENT.address(**longest))
    reader.send("Play with this name", name="Dora")
    assert reader.follow("Continue").title.startswith("Sign in to https://client.example")
    assert answer_in(answered(cast.alice, CLIENT, **longest))["state"] == "%" * 1000


def test_the_redirect_uri_keeps_its_own_parameters(cast):
    location = answered(cast.alice, CLIENT, redirect_uri=f"{SITE}?a=b&c=%2Fd")
    assert location.startswith(f"{SITE}?a=b&c=%2Fd&code=")


def test_a_refusal_is_told_and_makes_no_code(app, cast):
    answer = answer_in(answered(cast.alice, CLIENT, do="refuse"))
    assert (answer["error"], answer["iss"]) == ("access_denied", "http://localhost")
    assert answer["state"] == CLIENT.request()["state"] and "code" not in answer
    assert forms(app) == 0


WRONG = {
    "unsupported_response_type": {"response_type": "token"},
    "invalid_scope": {"scope": "read admin"},
    "invalid_scope of blanks": {"scope": "  "},
    "invalid_request": {"code_challenge_method": "plain"},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whoever_asks_wrongly_gets_no_browser_by_itself(cast, wrong):
    """Otherwise anybody could send people from Tegami to any address: a link that names it is all there is."""
    address, error = CLIENT.address(**WRONG[wrong]), wrong.split()[0]
    answer = cast.alice.send("GET", address, headers={"Accept": "text/html"})
    assert answer.status_code == 400 and "Location" not in answer.headers
    page = answer.get_data(as_text=True)
    (back,) = [unescape(each) for each in re.findall(r'href="(https://[^"]+)"', page)]
    given = answer_in(back)
    assert back.startswith(f"{SITE}?") and "Back to https://client.example" in page
    assert (given["error"], given["iss"]) == (error, "http://localhost")
    assert given["state"] == CLIENT.request()["state"]
    assert cast.alice.refused("GET", address, "invalid-authorization-request")["error"] == error


@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge": None},
        {"code_challenge_method": None},
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge": "x" * 42},
        {"code_challenge": "x" * 44},
        {"code_challenge": "x" * 42 + "."},
        {"code_challenge_method": "s256"},
        {"state": "é"},
        {"state": "x" * 1001},
        {"client_id": None},
        {"client_id": "a\tb"},
        {"client_id": "x" * 201},
        {"response_type": None},
        {"response_type": "code token"},
        {"scope": "read\tplay"},
        {"scope": "Read"},
    ],
)
def test_a_request_without_proof_or_form_is_refused(app, cast, changed):
    cast.alice.refused("GET", CLIENT.address(**changed), "invalid-authorization-request")
    token = form_token_in(cast.alice.get(CLIENT.address()).decode())
    form = {"form": token, **CLIENT.consent(**changed)}
    cast.alice.refused("POST", PATH, "invalid-authorization-request", data=form)
    assert forms(app) == 0


@pytest.mark.parametrize("uri", [None, "https://client.example@evil.example/", "//evil.example"])
def test_nobody_is_led_to_an_address_that_is_not_allowed(cast, uri):
    answer = cast.alice.send(
        "GET", CLIENT.address(redirect_uri=uri), headers={"Accept": "text/html"}
    )
    page = answer.get_data(as_text=True)
    assert answer.status_code == 400 and "Location" not in answer.headers
    assert not re.findall(r'href="[^"/]*//', page)


def test_our_own_pages_are_no_client(cast):
    """The page would say that Tegami itself asks."""
    http = cast.nobody.http
    for own in ("https://tegami.example/plain", "https://tegami.example:443/plain"):
        answer = http.get(CLIENT.address(redirect_uri=own), base_url="https://tegami.example")
        assert answer.status_code == 400


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "scope", "state", "code_challenge"])
def test_a_repeated_parameter_is_refused(cast, name):
    twice = f"{CLIENT.address()}&{urlencode({name: CLIENT.request()[name]})}"
    cast.alice.refused("GET", twice, "invalid-authorization-request")


def test_the_page_cannot_be_framed_and_leads_nowhere_else(cast):
    for uri, source in (
        (SITE, "https://client.example"),
        ("com.example.app:/cb", "com.example.app:"),
    ):
        headers = cast.alice.send("GET", CLIENT.address(redirect_uri=uri)).headers
        own = CSP.replace("form-action 'self'", f"form-action 'self' {source}")
        assert headers.getlist("Content-Security-Policy") == [own]
        assert "frame-ancestors 'none'" in own and headers["X-Frame-Options"] == "DENY"
        assert (
            headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
        )
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_press_that_was_meant_for_another_window_allows_nothing(app, cast):
    """Whoever is made to press twice at one place has not ticked the box."""
    token = form_token_in(cast.alice.get(CLIENT.address()).decode())
    form = {"form": token, **CLIENT.consent(), "agreed": ""}
    assert "agreed" in cast.alice.refused("POST", PATH, "invalid-body", data=form)["errors"]
    assert forms(app) == 0


def test_no_other_site_and_no_program_agrees(app, cast):
    token = form_token_in(cast.alice.get(CLIENT.address()).decode())
    form = {"form": token, **CLIENT.consent()}
    cast.alice.refused("POST", PATH, "cross-site", data=form, headers=ELSEWHERE)
    cast.alice.refused("POST", PATH, "wrong-form", data={**form, "form": ""})
    cast.carol.refused("POST", PATH, "wrong-form", data=form)
    cast.bob.refused("POST", PATH, "cookie-only", data=form)
    cast.bob.refused("GET", CLIENT.address(), "cookie-only")
    cast.nobody.refused("POST", PATH, "not-signed-in", data=form)
    assert forms(app) == 0


def test_looking_at_the_page_changes_nothing(app, cast):
    cast.alice.get("/api/me")
    before = dump(app)
    cast.alice.get(CLIENT.address())
    cast.nobody.get(CLIENT.address())
    assert dump(app) == before


def test_the_way_back_after_signing_in_leads_to_this_page_alone(cast):
    page = cast.nobody.get(CLIENT.address()).decode()
    token = form_token_in(page)
    for then in (f"{CLIENT.address()}#x", "/oauth/authorize", "//evil.example", "/oauth/token?a"):
        form = {"form": token, "do": "guest", "name": "Eve", "then": then}
        assert (
            "then"
            in cast.nobody.refused("POST", "/plain/enter", "invalid-body", data=form)["errors"]
        )


def test_a_code_is_not_in_logs(cast, capsys):
    code = agreed(cast.alice, CLIENT, state="a-secret-state")
    said = "".join(capsys.readouterr())
    assert "POST /oauth/authorize" in said
    assert code not in said and "a-secret-state" not in said and "client.example" not in said
