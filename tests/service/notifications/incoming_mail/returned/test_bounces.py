"""Returned mails: which address pauses, who is told, and who cannot cause it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from service.core.database.database import transaction
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY, HOUR
from service.notifications.incoming_mail.returned import bounces
from service.outbox.addresses import return_addresses, undelivered
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.dump import execute
from tests.support.post_office import Office, part
from tests.support.returned import complaint, dsn, plain

OURS = "reply@tegami.example"


@pytest.fixture
def config(config):
    return replace(config, incoming_mail=OURS)


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    return office


@pytest.fixture
def game_id(cast, office):
    game_id = cast.start(CARAVAN)
    office.deliver()
    return game_id


@pytest.fixture
def back_to(office, game_id):
    """The address to which the last mail to somebody is returned."""
    return lambda name="alice": office.post.returns[f"{name}@example.org"]


@pytest.fixture
def comes(app):
    """Hand over a message for an address; returns its outcome."""

    def came(message, to):
        with app.app_context():
            services = app.extensions["tegami"]
            if not bounces.is_one(services.config, message, [to]):
                return "an answer"
            return bounces.receive(services, message, [to])

    return came


def told(person):
    return person.get("/api/me")["player"]["undelivered"]


def seen(person, game_id, name):
    """Whether somebody is shown that no mail reaches the person with this name."""
    seats = person.game(game_id)["seats"]
    return next(seat.get("unreachable", False) for seat in seats if seat["name"] == name)


def turn_again(office, person):
    """Make a turn mail to somebody due once more."""
    office.change(
        "UPDATE outbox SET done_at = NULL, outcome = NULL, lease_until = 0", person, "player_id"
    )


@pytest.mark.both_databases
def test_an_address_pauses_and_everybody_concerned_is_told(
    app, cast, office, game_id, back_to, comes, clock
):
    revision = cast.bob.game(game_id)["revision"]
    assert not seen(cast.bob, game_id, "Alice")
    assert comes(dsn(back_to()), back_to()) == "no-mailbox"
    assert told(cast.alice) == {"why": "no-mailbox", "since": rfc3339(clock())}
    assert seen(cast.bob, game_id, "Alice") and not seen(cast.alice, game_id, "Bob")
    assert cast.bob.game(game_id)["revision"] > revision, "whoever looks on is told"
    turn_again(office, cast.alice)
    assert office.deliver() == [], "nothing more is sent"
    rows = execute(app, "SELECT outcome, refusal FROM outbox WHERE player_id = :p", p=cast.alice.id)
    assert ("failed", "no such mailbox") in [tuple(row) for row in rows]


@sqlite_only
def test_the_mail_that_came_back_says_so(app, cast, game_id, back_to, comes):
    comes(dsn(back_to()), back_to())
    (row,) = execute(app, "SELECT outcome, refusal FROM outbox WHERE refusal IS NOT NULL")
    assert tuple(row) == ("failed", "5.1.1 in a mail that came back")


@sqlite_only
@pytest.mark.parametrize(
    ("message", "why"),
    [
        (lambda to: dsn(to, "5.4.4", code="Host or domain name not found"), "no-mailbox"),
        (lambda to: complaint(to, to), "complaint"),
        (lambda to: dsn(to, "4.2.2", "delayed"), "over-quota"),
        (lambda to: dsn(to, "5.2.2"), "over-quota"),
        (lambda to: dsn(to, "5.7.26"), "refused"),
        (lambda to: dsn(to, "5.1.8"), "refused"),
        (lambda to: dsn(to, "4.4.1", "delayed"), None),
        (lambda to: dsn(to, "2.0.0", "delivered"), None),
        (lambda to: plain(to, "I am on vacation."), None),
    ],
)
def test_why_no_mail_arrives(cast, game_id, back_to, comes, message, why):
    comes(message(back_to()), back_to())
    found = told(cast.alice)
    assert (found and found["why"]) == why
    assert seen(cast.bob, game_id, "Alice") == (why in {"no-mailbox", "complaint"})


@sqlite_only
def test_a_complaint_that_comes_to_where_the_operator_has_it_sent(cast, back_to, comes):
    assert comes(complaint("abuse@tegami.example", back_to()), OURS) == "complaint"
    assert told(cast.alice)["why"] == "complaint"


@pytest.mark.both_databases
def test_a_mailbox_that_is_full_for_three_days_pauses_for_a_week(
    cast, office, game_id, back_to, comes, clock
):
    began = clock()
    late = dsn(back_to(), "4.2.2", "delayed")
    assert comes(late, back_to()) == "over-quota"
    clock.forward(2 * DAY)
    assert comes(late, back_to()) == "over-quota"
    turn_again(office, cast.alice)
    assert len(office.deliver()) == 1, "it is tried on"
    assert told(cast.alice)["why"] == "over-quota", "our own mail server takes everything"
    clock.forward(DAY)
    assert comes(late, back_to()) == "full"
    assert told(cast.alice) == {"why": "full", "since": rfc3339(began)}
    assert seen(cast.bob, game_id, "Alice")
    turn_again(office, cast.alice)
    assert office.deliver() == []
    clock.forward(undelivered.FULL_FOR)
    turn_again(office, cast.alice)
    assert len(office.deliver()) == 1, "perhaps there is room again"
    assert told(cast.alice) is None and not seen(cast.bob, game_id, "Alice")


@sqlite_only
def test_a_mail_that_could_not_be_delivered_for_days_counts_from_when_it_was_sent(
    cast, back_to, comes, clock
):
    """A relay says nothing for days, and then that it has given up."""
    clock.forward(5 * DAY)
    assert comes(dsn(back_to(), "4.2.2", "failed"), back_to()) == "full"


@sqlite_only
def test_a_full_mailbox_that_has_room_again_is_forgotten(cast, office, back_to, comes, clock):
    comes(dsn(back_to(), "4.2.2", "delayed"), back_to())
    clock.forward(undelivered.LAST_WORD)
    turn_again(office, cast.alice)
    office.deliver()
    assert told(cast.alice) is None


@sqlite_only
def test_what_comes_back_twice_without_a_reason_pauses(cast, office, back_to, comes):
    text = "Delivery to the following recipient failed permanently:\n\n   a@example.org\n"
    assert comes(plain(back_to(), text), back_to()) == "refused"
    first = back_to()
    assert comes(plain(first, text), first) == "known already", "each mail counts once"
    office.change("DELETE FROM outbox", cast.alice, "player_id")
    game_id = cast.start(CARAVAN)
    office.deliver()
    assert back_to() != first
    assert comes(plain(back_to(), text), back_to()) == "no-mailbox"
    assert seen(cast.bob, game_id, "Alice")


# A first address


def registered(person, address):
    body = {"handle": person.name.lower(), "address": address}
    person.post("/api/me/registration", body)


@pytest.mark.both_databases
def test_a_typo_in_a_first_address_is_told_at_once(cast, office, comes):
    registered(cast.carol, "carol@gmial.example")
    office.deliver(now=False)
    assert "unverified_undelivered" not in cast.carol.get("/api/me")["player"]
    to = office.post.returns["carol@gmial.example"]
    comes(dsn(to, "5.4.4"), to)
    me = cast.carol.get("/api/me")["player"]
    assert me["unverified_undelivered"]["why"] == "no-mailbox"
    assert me["undelivered"] is None
    page = cast.carol.send("GET", "/plain/me").text
    assert "No email reaches carol@gmial.example" in page
    cast.carol.put("/api/me/address", {"address": "carol@gmail.example"}, 202)
    assert "unverified_undelivered" not in cast.carol.get("/api/me")["player"]


# Who cannot bring it about


def untouched(cast, game_id):
    return told(cast.alice) is None and not seen(cast.bob, game_id, "Alice")


@sqlite_only
def test_every_letter_of_a_return_address_counts(cast, game_id, back_to, comes):
    local, _, domain = back_to().partition("@")
    token = local.rpartition("+")[2]
    for at in range(0, len(token) - 1, 3):
        other = "a" if token[at] != "a" else "b"
        forged = f"reply+{token[:at]}{other}{token[at + 1 :]}@{domain}"
        assert comes(dsn(forged), forged) != "no-mailbox"
    assert untouched(cast, game_id)


@sqlite_only
def test_a_return_address_is_of_one_recipient(cast, office, game_id, back_to, comes):
    """Somebody who returns their own mails stops only their own, whatever the report says."""
    message = dsn(back_to("bob")).replace(b"somebody@example.org", b"alice@example.org")
    assert comes(message, back_to("bob")) == "no-mailbox"
    assert untouched(cast, game_id)
    office.change(
        "UPDATE accounts SET address = 'new@example.org', folded = 'new@example.org'",
        cast.alice,
        "player_id",
    )
    assert comes(dsn(back_to()), back_to()) == "not ours"


@sqlite_only
def test_a_return_address_ends(cast, game_id, back_to, comes, clock):
    clock.forward((return_addresses.VALID + 1) * DAY)
    assert comes(dsn(back_to()), back_to()) == "not ours"
    assert untouched(cast, game_id)


@sqlite_only
def test_capitals_do_not_count(back_to, comes):
    assert comes(dsn(back_to()), back_to().upper()) == "no-mailbox"


@pytest.mark.both_databases
def test_what_was_sent_before_an_address_was_lifted_says_nothing(
    app, cast, office, game_id, back_to, comes, clock
):
    first = back_to()
    assert comes(dsn(first), first) == "no-mailbox"
    clock.forward(HOUR)
    with app.app_context(), transaction():
        services = app.extensions["tegami"]
        assert undelivered.lift(services, services.config, "alice@example.org")
    assert untouched(cast, game_id)
    assert comes(dsn(first), first) == "known already"
    execute(app, "UPDATE outbox SET refusal = NULL")
    assert comes(dsn(first), first) == "of before it was lifted"
    assert untouched(cast, game_id)


@sqlite_only
def test_a_sign_in_link_gets_to_an_address_that_pauses_and_ends_that(
    app, cast, office, game_id, back_to, comes
):
    comes(dsn(back_to()), back_to())
    cast.mallory.post("/api/links", {"kind": "sign-in", "who": "alice"}, 202)
    (mail,) = office.deliver()
    assert told(cast.alice)["why"] == "no-mailbox", "our mail server takes everything"
    key = re.search(r"/keys/sign-in/(\S+)", part(mail))
    assert key is not None
    Person(app).post("/api/sign-ins", {"mailed": key[1]})
    assert untouched(cast, game_id)


@sqlite_only
def test_nobody_silences_what_happens_to_an_account(app, cast, office, game_id, back_to, comes):
    comes(complaint(back_to(), back_to()), back_to())
    execute(
        app,
        "INSERT INTO outbox (key, kind, player_id, address, created_at, run_at, lease_until, attempts) "
        "VALUES ('w', 'password-changed', :p, 'alice@example.org', 0, 0, 0, 0)",
        p=cast.alice.id,
    )
    assert [mail["To"] for mail in office.deliver()] == ["alice@example.org"]


@sqlite_only
def test_reports_about_one_address_have_a_budget(cast, back_to, comes):
    late = dsn(back_to(), "4.2.2", "delayed")
    outcomes = [comes(late, back_to()) for _ in range(bounces.OF_PERSON.most + 1)]
    assert outcomes[-2:] == ["over-quota", "over the budget of a person"]


@sqlite_only
def test_few_addresses_pause_in_a_day(app, cast, office, game_id, back_to, comes, clock):
    """A mail server of ours that returns everything must not silence everybody."""
    services = app.extensions["tegami"]
    limit = bounces.most_pauses(services.config)
    with app.app_context():
        for _ in range(limit.most):
            bounces.within_budget(services, undelivered.Found(undelivered.COMPLAINT, "abuse"))
    assert comes(dsn(back_to()), back_to()) == "refused"
    assert told(cast.alice)["why"] == "refused" and not seen(cast.bob, game_id, "Alice")
    clock.forward(DAY)
    assert comes(dsn(back_to("bob")), back_to("bob")) == "no-mailbox"
