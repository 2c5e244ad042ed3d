"""Nobody can make the service send mail to somebody at will: the attempts, and the number of mails that each causes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from service.web.app import create_app
from tests.support.accounts import PASSWORD, Bag, register
from tests.support.cast import sqlite_only
from tests.support.clock import HOUR, hours
from tests.support.post_office import Office, to
from tests.support.proposing import DRAW
from tests.support.servers.databases import disconnect

__all__ = ["hours"]
pytestmark = sqlite_only


@pytest.fixture
def app(config, runtime):
    """A server on which the budgets of mails apply."""
    app = create_app(replace(config, mails_per_day=5000), runtime)
    yield app
    disconnect(app)


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def game_id(cast, office):
    """A public game of three people, whose first mails have been sent."""
    game_id = cast.start(pace="daily")
    office.deliver()
    return game_id


def arrived(office, clock, days=1):
    """The number of mails that each person has received after this number of days, if the worker sends everything
    allowed.
    """
    found = Counter()
    for _ in range(24 * days):
        clock.forward(HOUR)
        found.update(str(mail["To"]) for mail in office.deliver())
    return found


def test_resigning_and_returning_writes_a_few_mails(cast, office, game_id, clock):
    tried = 0
    while cast.alice.send("POST", f"/api/games/{game_id}/resignation").status_code == 200:
        tried += 1
        if cast.alice.send("POST", f"/api/games/{game_id}/return").status_code != 200:
            break
    assert 3 <= tried <= 4
    mails = arrived(office, clock)
    assert mails[to(cast.bob)] <= 4
    assert mails[to(cast.carol)] <= 4


def test_proposing_and_withdrawing_writes_a_few_mails(cast, office, game_id, clock):
    path, tried = f"/api/games/{game_id}/proposals", 0
    while cast.alice.send("POST", path, json=DRAW).status_code == 201:
        proposal = cast.alice.get(path)["proposals"][-1]["id"]
        cast.alice.send("DELETE", f"{path}/{proposal}")
        tried += 1
        for mail in office.deliver():
            assert mail["To"] in (to(cast.bob), to(cast.carol))
    assert tried == 10
    assert arrived(office, clock)[to(cast.bob)] <= 12


def test_entering_the_addresses_of_strangers_writes_a_few_mails(app, cast, clock):
    bag = Bag(app)
    register(bag, cast.mallory, "mallory")
    sent = Counter()
    for number in range(40):
        change = {"address": f"stranger{number}@example.com", "current_password": PASSWORD}
        cast.mallory.send("PUT", "/api/me/address", json=change)
        sent.update(str(mail["To"]) for mail in bag.fetch())
        clock.forward(HOUR // 60)
    assert sum(sent.values()) <= 10
    assert max(sent.values()) == 1


def test_one_mailbox_is_not_asked_again_under_its_other_spellings(app, cast, clock):
    bag = Bag(app)
    register(bag, cast.mallory, "mallory")
    mails = 0
    for spelling in (
        "zoe@gmail.com",
        "Z.oe@gmail.com",
        "zoe+1@gmail.com",
        "z.o.e+2@googlemail.com",
    ):
        change = {"address": spelling, "current_password": PASSWORD}
        cast.mallory.send("PUT", "/api/me/address", json=change)
        mails += len(bag.fetch())
    assert mails <= 3
