"""Many people come from one address, such as a school: they do not obstruct each other, and guessing is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask

from service.core.runtime.time_and_random import rfc3339
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import CountedMail
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.accounts import OTHER, PASSWORD, Bag, register
from tests.support.cast import START, Person, sqlite_only
from tests.support.form_reader import FormReader
from tests.support.servers.databases import disconnect

pytestmark = [sqlite_only, pytest.mark.of_service]

HOUR = 3_600_000
Made = Callable[..., Flask]


@pytest.fixture
def made(config, runtime) -> Iterator[Made]:
    """Makes a server with these settings."""
    apps: list[Flask] = []

    def make(**settings: object) -> Flask:
        app = create_app(replace(config, **{"attempt_limits": True, **settings}), runtime)
        app.test_client_class = CheckedClient
        apps.append(app)
        return app

    yield make
    for app in apps:
        disconnect(app)


def sign_in(person: Person, **wish: str) -> int:
    return int(person.send("POST", "/api/sign-ins", json=wish).status_code)


def ask(person: Person, who: str) -> int:
    wish = {"kind": "sign-in", "who": who}
    return int(person.send("POST", "/api/links", json=wish).status_code)


def waits(app: Flask, who: str) -> object:
    return Person(app).post("/api/links", {"kind": "sign-in", "who": who}, 202)["waits_until"]


@pytest.mark.parametrize("rate_limits", [True, False])
def test_what_no_proxy_can_count_is_never_switched_off(made: Made, rate_limits: bool) -> None:
    app = made(rate_limits=rate_limits)
    wrong = [sign_in(Person(app), who="alice", password=OTHER) for _ in range(6)]
    assert wrong == [401] * 5 + [429]
    assert [ask(Person(app), "alice") for _ in range(6)] == [202] * 5 + [429]
    for n in range(60):
        Person(app, f"Guest {n}")
    Person(app).refused("POST", "/api/players", "too-many-requests", {"name": "Late"})


def test_without_rate_limits_a_proxy_counts_requests(made: Made) -> None:
    app = made(rate_limits=False)
    answers = [Person(app).send("POST", "/api/sign-ins", json={"key": "x" * 43}) for _ in range(30)]
    assert {each.status_code for each in answers} == {401}
    assert "RateLimit" not in answers[-1].headers


def test_right_sign_ins_do_not_count_for_the_address(made: Made) -> None:
    """The thirty pupils of a class sign in within a minute, with the usual settings."""
    app = made(rate_limits=True)
    class_of_thirty = [Person(app, f"Pupil {n}") for n in range(30)]
    assert {sign_in(Person(app), key=each.key) for each in class_of_thirty} == {201}
    assert [sign_in(Person(app), key="x" * 43) for n in range(21)] == [401] * 20 + [429]


def test_right_sign_ins_of_one_player_count_from_the_sixth_on(made: Made) -> None:
    app = made(rate_limits=True)
    key = Person(app, "Aki").key
    assert [sign_in(Person(app), key=key) for _ in range(26)] == [201] * 25 + [429]


def test_others_at_the_address_keep_no_known_browser_out(made: Made) -> None:
    app = made(rate_limits=True)
    alice = Person(app, "Alice")
    register(Bag(app), alice, "alice")
    alice.delete("/api/sign-ins/current")
    for n in range(21):
        last = sign_in(Person(app), who=f"somebody-{n}", password=OTHER)
    assert last == 429
    assert [ask(Person(app), f"somebody-{n}") for n in range(3)] == [429] * 3
    assert ask(alice, "alice") == 202
    assert sign_in(alice, who="alice", password=PASSWORD) == 201


def test_further_sign_ins_bring_no_further_allowance(made: Made) -> None:
    """Each of them is another known browser, but of the same person."""
    app = made(rate_limits=True)
    key, answers = Person(app, "Aki").key, []
    for _ in range(3):
        browser = Person(app)
        assert sign_in(browser, key=key) == 201
        answers += [sign_in(browser, key="x" * 43) for _ in range(10)]
    assert answers.count(401) == 20 and answers[-1] == 429


def test_links_for_a_known_browser_are_not_refused_for_those_of_others(made: Made) -> None:
    app = made(rate_limits=False)
    alice = Person(app, "Alice")
    register(Bag(app), alice, "alice")
    asked = [ask(Person(app), f"somebody-{n}") for n in range(21)]
    assert asked[-1] == 429
    assert ask(alice, "alice") == 202
    assert [ask(alice, "alice") for _ in range(5)] == [202] * 4 + [429], "it has limits of its own"
    assert ask(alice, "bob") == 429, "and only for those who have signed in there"


def test_a_school_of_sixty_signs_in_registers_and_makes_guests(made: Made) -> None:
    app = made(rate_limits=True, people_per_address=60, mails_per_day=100_000)
    school = [Person(app, f"Pupil {n}") for n in range(90)]
    for n, pupil in enumerate(school[:60]):
        wish = {"handle": f"pupil{n}", "address": f"pupil{n}@school.example"}
        told = pupil.post("/api/me/registration", wish)
        assert "verification_waits_until" not in told["player"]
    assert len(Bag(app).fetch()) == 60


def test_a_larger_school_gets_no_more_tries_at_one_password(made: Made) -> None:
    app = made(rate_limits=True, people_per_address=10_000)
    wrong = [sign_in(Person(app), who="alice", password=OTHER) for _ in range(6)]
    assert wrong == [401] * 5 + [429]


@pytest.mark.parametrize("address", ["late@example.org", "taken@example.org"])
def test_whoever_registers_is_told_that_the_mail_waits(made: Made, clock, address: str) -> None:
    """This holds even if the address belongs to somebody else, of whom they learn nothing."""
    app = made(mails_per_day=100_000, trusted_proxies=1)
    bag, late = Bag(app), Person(app, "Late")
    register(bag, Person(app, "Taken"), "taken")
    with app.app_context():
        for n in range(29):
            mail = CountedMail("stranger", f"pupil{n}@example.org", None, f"n_{n}")
            assert budgets.spend(app.extensions["tegami"], mail) is None
    told = late.post("/api/me/registration", {"handle": "late", "address": address})
    assert told["player"]["verification_waits_until"] == rfc3339(START + HOUR)
    assert bag.fetch() == []
    assert late.get("/api/me")["player"] == told["player"]
    clock.forward(HOUR)
    assert len(bag.fetch()) == 1
    assert "verification_waits_until" not in late.get("/api/me")["player"]


def test_a_link_that_waits_says_so_to_everybody_alike(made: Made) -> None:
    app = made(mails_per_day=100_000)
    bag = Bag(app)
    register(bag, Person(app, "Alice"), "alice")
    until = rfc3339(START + HOUR)
    for who in ("alice", "alice@example.org", "nobody", "nobody@example.org"):
        told = [waits(app, who) for _ in range(4)]
        assert told == [None] * 3 + [until], who
        bag.fetch()


def test_a_server_that_has_sent_its_mails_says_so(made: Made) -> None:
    app = made(mails_per_day=20)
    with app.app_context():
        for n in range(20):
            budgets.spend(app.extensions["tegami"], CountedMail("link", f"a@b{n}.org", None, None))
    assert waits(app, "nobody") == rfc3339(START + 24 * HOUR)
    reader = FormReader(app)
    reader.open("/plain/enter")
    form = next(each for each in reader.page.forms if each.fields.get("do") == "mail")
    reader.post("/plain/enter", {**form.fields, "who": "nobody"})
    assert "too many were requested" in reader.page.text
