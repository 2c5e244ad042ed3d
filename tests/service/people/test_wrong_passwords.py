"""Wrong passwords slow down guessing, across processes, and keep nobody out whose browser is known."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Guess, Waits
from service.core.runtime.problems import TooManyRequests, Unavailable, WrongPassword
from service.web.app import create_app
from service.web.http.limits import attempt_limits
from tests.contract import CheckedClient
from tests.support.accounts import OTHER, PASSWORD, Bag, register
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump
from tests.support.servers.databases import disconnect

SECRET = bytes(32)
SECOND, MINUTE, DAY = 1000, 60_000, 86_400_000


@pytest.fixture
def apps(config, runtime):
    """Two applications, like two processes: they share nothing that is counted in memory."""
    made = [
        create_app(
            replace(config, rate_limits=True, attempt_limits=True, trusted_proxies=1), runtime
        )
        for _ in "ab"
    ]
    for app in made:
        app.test_client_class = CheckedClient
    yield made
    for app in made:
        disconnect(app)


@pytest.fixture
def alice(apps):
    """alice, registered, in her browser."""
    alice = Person(apps[0], "Alice")
    register(Bag(apps[0]), alice, "alice")
    return alice


def guess(person, who="alice", password=OTHER, network=1):
    """The answer to a password that is typed somewhere."""
    body = {"who": who, "password": password}
    headers = {"X-Forwarded-For": f"192.0.2.{network}"}
    return person.send("POST", "/api/sign-ins", json=body, headers=headers)


def status(*args, **more):
    return guess(*args, **more).status_code


@pytest.mark.both_databases
@pytest.mark.usefixtures("alice")
@pytest.mark.parametrize("who", ["alice", "nobody", "alice@example.org", "nobody@example.org"])
def test_after_five_wrong_passwords_each_further_one_waits_longer(apps, clock, who):
    """This holds whether or not there is such an account."""
    assert [status(Person(apps[n % 2]), who) for n in range(5)] == [401] * 5
    for seconds in (30, 60, 120):
        early = guess(Person(apps[0]), who.upper())
        assert (early.status_code, early.headers["Retry-After"]) == (429, str(seconds + 1))
        clock.forward(seconds * SECOND)
        assert status(Person(apps[1]), who) == 401
    assert status(Person(apps[0]), who, network=2) == 401
    clock.forward(DAY)
    assert [status(Person(apps[0]), who) for _ in range(5)] == [401] * 5


@sqlite_only
@pytest.mark.usefixtures("alice")
def test_many_networks_together_are_slowed_down_too(apps, clock):
    statuses = [status(Person(apps[n % 2]), network=n) for n in range(21)]
    assert statuses == [401] * 20 + [429]
    assert guess(Person(apps[0]), network=99).headers["Retry-After"] == "61"
    clock.forward(MINUTE)
    assert status(Person(apps[0]), network=99) == 401


@sqlite_only
def test_one_network_has_thirty_tries_at_all_names(apps, clock):
    """Counted without the rate limit of each process, which would be reached first."""

    def wrong(n, address="192.0.2.1"):
        with apps[n % 2].test_request_context(environ_base={"REMOTE_ADDR": address}):
            guesses = attempt_limits.sign_in(f"somebody-{n}", None)
            with contextlib.suppress(WrongPassword), attempt_limits.guessing(guesses):
                raise WrongPassword

    for n in range(30):
        wrong(n)
    with pytest.raises(TooManyRequests):
        wrong(30)
    wrong(30, "192.0.2.2")
    clock.forward(MINUTE)
    wrong(31)


@sqlite_only
@pytest.mark.usefixtures("alice")
def test_while_it_has_to_wait_even_the_right_password_is_refused(apps, clock):
    for _ in range(5):
        guess(Person(apps[0]))
    assert status(Person(apps[0]), password=PASSWORD) == 429
    clock.forward(30 * SECOND)
    assert status(Person(apps[0]), password=PASSWORD) == 201
    assert [status(Person(apps[0])) for _ in range(5)] == [401] * 5, "the wrong ones are forgotten"


@sqlite_only
@pytest.mark.usefixtures("alice")
def test_right_passwords_do_not_count(apps):
    answers = [status(Person(apps[n % 2]), password=PASSWORD) for n in range(12)]
    assert answers == [201] * 12


def test_strangers_keep_nobody_out_whose_browser_is_known(apps, alice):
    alice.delete("/api/sign-ins/current")
    for n in range(25):
        guess(Person(apps[n % 2]), network=n // 5)
    assert status(Person(apps[0]), password=PASSWORD, network=9) == 429
    assert status(alice, password=PASSWORD, network=1) == 201
    assert alice.get("/api/me")["player"]["handle"] == "alice"


@sqlite_only
def test_a_known_browser_has_to_wait_for_its_own_wrong_passwords(apps, alice, clock):
    assert [status(alice) for _ in range(6)] == [401] * 5 + [429]
    assert status(alice, "alice@example.org", network=2) == 429
    assert status(Person(apps[0])) == 401, "others are counted apart"
    clock.forward(30 * SECOND)
    assert status(alice, password=PASSWORD) == 201
    assert status(alice) == 401


@sqlite_only
def test_every_way_to_sign_in_makes_the_browser_known(apps, alice):
    link = Person(apps[0])
    link.post("/api/sign-ins", {"key": alice.post("/api/me/link")["link"]["key"]})
    mail = Person(apps[0])
    mail.post("/api/links", {"kind": "sign-in", "who": "alice"}, 202)
    mail.post("/api/sign-ins", {"mailed": Bag(apps[0]).key("sign-in")})
    for _ in range(5):
        guess(Person(apps[1]))
    for person in (alice, link, mail):
        person.delete("/api/sign-ins/current")
        assert status(person, password=PASSWORD, network=1) == 201


@sqlite_only
def test_a_browser_is_known_to_whoever_signed_in_there_alone(apps, alice):
    """mallory's browser is known to mallory, and does not help with the password of alice."""
    mallory = Person(apps[0], "Mallory")
    register(Bag(apps[0]), mallory, "mallory")
    assert [status(mallory) for _ in range(6)] == [401] * 5 + [429]
    assert status(Person(apps[0])) == 429, "it is counted among the strangers"
    alice.delete("/api/sign-ins/current")
    assert status(alice, "mallory", PASSWORD) == 201
    for who in ("mallory", "alice"):
        assert status(alice, who, PASSWORD) == 201, "a browser knows several people"
    assert status(alice) == 401


@sqlite_only
@pytest.mark.parametrize("change", ["altered", "expired"])
def test_only_a_cookie_that_was_signed_here_makes_a_browser_known(apps, alice, clock, change):
    cookie = alice.http.get_cookie("tegami-browser").value
    browser = Person(apps[0])
    if change == "expired":
        clock.forward(400 * DAY + SECOND)
    else:
        cookie = cookie[:-1] + ("A" if cookie[-1] != "A" else "B")
    browser.http.set_cookie("tegami-browser", cookie)
    for _ in range(5):
        guess(Person(apps[1]))
    assert status(browser, password=PASSWORD) == 429


@sqlite_only
def test_the_cookie_signs_nobody_in_and_has_safe_attributes(apps, alice):
    answer = guess(alice, password=PASSWORD)
    (cookie,) = (each for each in answer.headers.getlist("Set-Cookie") if "-browser=" in each)
    wanted = {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"}
    assert wanted <= set(cookie.split("; "))
    browser = Person(apps[0])
    browser.http.set_cookie("tegami-browser", alice.http.get_cookie("tegami-browser").value)
    browser.refused("GET", "/api/me", "not-signed-in")
    alice.delete("/api/sign-ins/current")
    assert alice.http.get_cookie("tegami-browser")
    guess(alice, password=PASSWORD)
    alice.post("/api/me/erasure", {"current_password": PASSWORD}, 204)
    assert not alice.http.get_cookie("tegami-browser")


@sqlite_only
def test_a_password_that_confirms_is_counted_for_each_sign_in(apps, alice, clock):
    """Somebody who has taken one over cannot prevent the owner from doing something about it."""
    thief = Person(apps[0])
    thief.post("/api/sign-ins", {"key": alice.post("/api/me/link")["link"]["key"]})
    wrong = {"password": OTHER, "current_password": "wrong"}
    for _ in range(5):
        thief.refused("PUT", "/api/me/password", "wrong-password", wrong)
    refused = thief.send("POST", "/api/me/erasure", json={"current_password": PASSWORD})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "31")
    body = {"password": OTHER, "current_password": PASSWORD}
    assert alice.send("PUT", "/api/me/password", json=body).status_code == 204


@sqlite_only
def test_what_was_not_checked_does_not_count(apps):
    with apps[0].test_request_context(environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        for _ in range(9):
            with (
                pytest.raises(Unavailable),
                attempt_limits.guessing(attempt_limits.sign_in("alice", None)),
            ):
                raise Unavailable
    assert status(Person(apps[0])) == 401


@sqlite_only
def test_stored_counts_name_nobody(apps):
    guess(Person(apps[0]), "alice@example.org", network=77)
    stored = str(dump(apps[0])["tallies"])
    assert stored != "[]"
    assert "alice" not in stored and "192.0.2.77" not in stored


@pytest.mark.both_databases
def test_many_guesses_at_once_are_not_more(app, runtime):
    waits = Waits("test", 7, MINUTE, MINUTE, DAY)

    def once(_):
        with app.app_context():
            try:
                attempt_counts.count_wrong(
                    runtime, SECRET, [Guess(waits, "alice"), Guess(waits, "here")]
                )
            except TooManyRequests:
                return False
            return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(once, range(20))) == 7


def test_waits_double_up_to_the_longest():
    waits = Waits("test", 3, 10, 45, 100)
    assert [waits.after(number) for number in (0, 2, 3, 4, 5, 6, 999)] == [0, 0, 10, 20, 40, 45, 45]


@sqlite_only
def test_browsers_that_are_known_are_slowed_down_together(app, runtime):
    """Somebody who was signed in once can make many of them."""

    def guess(browser):
        attempt_counts.count_wrong(runtime, SECRET, attempt_limits.sign_in("alice", browser))

    with app.app_context():
        for number in range(attempt_limits.BY_BROWSERS.free):
            guess(f"browser {number}")
        with pytest.raises(TooManyRequests):
            guess("another one")
