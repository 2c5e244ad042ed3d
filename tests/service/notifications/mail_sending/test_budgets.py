"""Budgets of mails: each holds for its subject, across processes; mails over a budget wait and are not lost."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from service.core.settings.config import ROOT
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import (
    BUDGETS,
    STRANGERS,
    Budget,
    CountedMail,
)
from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_sending.transport import TemporaryFailure, parse_reply
from service.notifications.mail_texts.kinds import KINDS as ALL_KINDS
from service.notifications.mail_texts.kinds import MailKind
from service.web.app import create_app
from tests.support.cast import START, sqlite_only
from tests.support.dump import dump
from tests.support.mail_kinds import outcomes, plain, rows, write
from tests.support.post_office import Letters
from tests.support.sending import send_all
from tests.support.servers.databases import disconnect

HOUR, DAY = 3_600_000, 86_400_000
MANY = 100_000
KINDS = {group: MailKind(plain, group=group) for group in ("turn", "news", "link", "stranger")}


@pytest.fixture
def apps(config, runtime):
    """Two applications, like two processes, on a server that may send very many mails."""
    made = [create_app(replace(config, mails_per_day=MANY), runtime) for _ in "ab"]
    yield made
    for app in made:
        disconnect(app)


@pytest.fixture
def small(config, runtime):
    """A server that may send ten mails a day."""
    app = create_app(replace(config, mails_per_day=10), runtime)
    yield app
    disconnect(app)


def told_apart(budget: Budget, number: int) -> CountedMail:
    """The `number`th of mails that have in common only what this budget counts by."""
    same = {
        "person": {"to": "ann@example.org"},
        "person at table": {"to": "ann@example.org", "game_key": 1},
        "person by network": {"to": "ann@example.org", "network": "n_here"},
        "table": {"game_key": 1},
        "player": {"player": "p_one"},
        "network": {"network": "n_here"},
        "domain": {"to": f"ann{number}@sub{number}.example.org"},
        "provider": {"to": f"ann{number}@gmail.com"},
    }[budget.subject]
    apart = {"to": f"ann@example{number}.org", "game_key": number}
    apart |= {"player": f"p_{number}", "network": f"n_{number}"}
    mail = {**apart, **same}
    cause = f"{mail['player']} {mail['network']}"
    return CountedMail(budget.group, mail["to"], mail["game_key"], cause)


def spent(app, mail):
    with app.app_context():
        return budgets.spend(app.extensions["tegami"], mail)


@pytest.mark.of_service
@sqlite_only
@pytest.mark.parametrize("budget", BUDGETS, ids=lambda each: f"{each.group}-{each.subject}")
def test_a_budget_holds_in_an_hour_across_processes(apps, clock, budget):
    numbers = itertools.count()
    answers = [
        spent(apps[n % 2], told_apart(budget, n))
        for n in itertools.islice(numbers, budget.hour + 2)
    ]
    assert answers == [None] * budget.hour + [START + HOUR] * 2
    assert spent(apps[0], replace_all(told_apart(budget, next(numbers)))) is None
    clock.forward(HOUR)
    assert spent(apps[0], told_apart(budget, next(numbers))) is None


def replace_all(mail):
    """A mail that has nothing in common with others."""
    return mail._replace(to="zoe@elsewhere.example", game_key=999_999, cause="p_zoe n_zoe")


@pytest.mark.of_service
@sqlite_only
@pytest.mark.parametrize(
    "budget",
    [each for each in BUDGETS if each.day and each.day <= 200],
    ids=lambda each: f"{each.group}-{each.subject}",
)
def test_a_budget_holds_in_a_day(apps, clock, budget):
    numbers, sent = itertools.count(), 0
    for _ in range(24):
        while spent(apps[0], told_apart(budget, next(numbers))) is None:
            sent += 1
        clock.forward(HOUR)
    assert sent == budget.day
    assert spent(apps[0], told_apart(budget, next(numbers))) is None


@pytest.mark.both_databases
def test_counts_hold_on_both_databases_and_name_nobody(apps):
    mail = CountedMail("news", "ann@example.org", 1, "p_one n_here")
    assert [spent(apps[n % 2], mail) for n in range(5)] == [None] * 4 + [START + HOUR]
    stored = str(dump(apps[0])["tallies"])
    assert "ann" not in stored and "p_one" not in stored and "n_here" not in stored


@sqlite_only
def test_every_spelling_of_an_address_counts(apps):
    spellings = ("ann@gmail.com", "a.nn@gmail.com", "Ann+1@googlemail.com", "a.n.n+2@gmail.com")
    answers = [spent(apps[0], CountedMail("stranger", each, None, None)) for each in spellings]
    assert answers == [None] * 3 + [START + HOUR]


def sender(app, transport=None):
    post = transport or Letters()
    return Sender(app.extensions["tegami"], post, KINDS), post


def sent(app, made):
    with app.app_context():
        send_all(made)


@pytest.mark.both_databases
def test_what_is_over_a_budget_waits_and_is_sent_later(apps, runtime, clock):
    app = apps[0]
    for n in range(6):
        write(app, runtime, f"m{n}", "news", address="ann@example.org", game_key=1)
    made, post = sender(app)
    sent(app, made)
    assert len(post.take()) == 4
    assert [row.outcome for row in rows(app).values()] == ["sent"] * 4 + [None] * 2
    clock.forward(HOUR - 1)
    sent(app, made)
    assert post.take() == []
    clock.forward(1)
    sent(app, made)
    assert len(post.take()) == 2


def test_news_that_waited_for_days_expire_but_turn_mails_do_not(apps, runtime, clock):
    app = apps[0]
    for kind in ("news", "turn"):
        for n in range(26):
            about = {"address": f"{kind}@example.org", "game_key": 1}
            write(app, runtime, f"{kind}{n}", kind, **about)
    made, post = sender(app)
    for _ in range(3):
        sent(app, made)
        clock.forward(3 * DAY)
    letters = [str(each["To"]) for each in post.take()]
    assert letters.count("turn@example.org") == 26
    assert letters.count("news@example.org") == 4 + 4
    assert list(outcomes(app).values()).count("expired") == 26 - 8


class Busy(Letters):
    """Accepts no mail for now."""

    def send(self, message, still):
        raise TemporaryFailure(parse_reply(450, b"busy", "RCPT"))


class Bored(Letters):
    """Says that its mails no longer matter."""

    def send(self, message, still):
        return False


@pytest.mark.both_databases
@pytest.mark.parametrize("transport", [Busy, Bored])
def test_a_mail_that_did_not_leave_does_not_count(apps, runtime, clock, transport):
    app = apps[0]
    for n in range(4):
        write(app, runtime, f"m{n}", "news", address="ann@example.org", game_key=1)
    sent(app, sender(app, transport())[0])
    clock.forward(5 * 60_000)
    for n in range(4):
        write(app, runtime, f"n{n}", "news", address="ann@example.org", game_key=1)
    made, post = sender(app)
    sent(app, made)
    assert len(post.take()) == 4


def test_all_mails_of_a_server_have_a_budget_which_the_log_names_once(
    small, runtime, clock, capsys
):
    for n in range(14):
        write(small, runtime, f"m{n}", "turn", address=f"ann@example{n}.org")
    made, post = sender(small)
    sent(small, made)
    assert len(post.take()) == 10
    sent(small, made)
    named = [line for line in capsys.readouterr().err.splitlines() if "mail budget" in line]
    assert len(named) == 1 and '"mails of the server"' in named[0]
    clock.forward(DAY)
    sent(small, made)
    assert len(post.take()) == 4


def test_strangers_cannot_use_up_the_budget_of_the_server(small, runtime):
    for n in range(14):
        write(small, runtime, f"m{n}", "stranger", address=f"ann@example{n}.org")
    made, post = sender(small)
    sent(small, made)
    assert len(post.take()) == 10 // STRANGERS
    write(small, runtime, "turn", "turn")
    sent(small, made)
    assert len(post.take()) == 1


@sqlite_only
def test_budgets_can_be_switched_off(app, runtime):
    for n in range(20):
        write(app, runtime, f"m{n}", "stranger", address="ann@example.org")
    made, post = sender(app)
    sent(app, made)
    assert len(post.take()) == 20 and not dump(app)["tallies"]


def test_every_kind_of_mail_has_budgets():
    groups = {budget.group for budget in BUDGETS}
    assert {kind.group for kind in ALL_KINDS.values()} == groups
    for group in groups:
        assert any(each.subject.startswith("person") for each in BUDGETS if each.group == group)
    every = budgets.subjects(CountedMail("news", "ann@example.org", 1, None))
    assert {budget.subject for budget in BUDGETS} == set(every)


def test_the_documentation_has_every_budget():
    guide = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (\d+|–) \| (\d+|–) \|$", guide, flags=re.M)
    assert [
        Budget(group, subject, *(None if n == "–" else int(n) for n in numbers))
        for group, subject, *numbers in found
    ] == list(BUDGETS)


def test_games_leave_some_mails_for_signing_in(config, runtime):
    app = create_app(replace(config, mails_per_day=100), runtime)
    services = app.extensions["tegami"]
    with app.app_context():
        sent = [
            budgets.spend(services, CountedMail("turn", f"p{n}@a{n}.example", n, None))
            for n in range(97)
        ]
        assert sent[:95] == [None] * 95
        assert all(until for until in sent[95:])
        assert budgets.spend(services, CountedMail("link", "ann@example.org", None, None)) is None
    disconnect(app)
