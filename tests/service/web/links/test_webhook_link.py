"""The link in a mail that switches a webhook on again, in a browser that is not signed in."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY, MINUTE
from service.notifications.receivers.guarded_post import PostOutcome
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump
from tests.support.post_office import Office
from tests.support.receiving import PATH, Receiver, made
from tests.support.strangers_browser import HOST, Stranger, urls

GONE = PostOutcome(status=410)


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice)
    return office


@pytest.fixture
def receiver(app):
    return Receiver(app)


@pytest.fixture
def switched_off(cast, office, receiver, clock):
    """Lets a webhook of alice be switched off again; returns the path of the link in the mail about it."""

    def off():
        receiver.usually = GONE
        clock.forward(MINUTE)
        cast.start(CARAVAN)
        receiver.fetch()
        letters = office.deliver()
        (path,) = [u for each in letters for u in urls(each) if "/webhooks/" in u]
        return path.removeprefix(HOST)

    return off


@pytest.fixture
def webhook(cast):
    return made(cast.alice)


def is_on(cast, webhook):
    return cast.alice.get(f"{PATH}/{webhook['id']}")["webhook"]["active"]


@pytest.mark.both_databases
def test_a_webhook_is_switched_on_by_a_link(app, cast, webhook, receiver, switched_off):
    path = switched_off()
    stored = dump(app)
    page = Stranger(app).open(path)
    assert "is switched off" in page.text and dump(app) == stored
    stranger = Stranger(app)
    stranger.open(path)
    assert stranger.form("Switch it on again").action == ""
    page = stranger.post(path, {})
    assert "is switched on" in page.text and is_on(cast, webhook)
    assert not stranger.is_signed_in
    stored = dump(app)
    assert Stranger(app).http.post(path).status_code == 200
    assert dump(app) == stored


@sqlite_only
def test_the_link_ends_with_what_it_is_about(app, cast, webhook, receiver, switched_off, clock):
    """An earlier mail does not switch on a webhook that its owner has switched off, or that is gone."""
    path = switched_off()
    assert Stranger(app).http.post(path).status_code == 200
    clock.forward(MINUTE)
    cast.alice.send("PATCH", f"{PATH}/{webhook['id']}", json={"active": False})
    stored = dump(app)
    for method in ("GET", "POST"):
        assert Stranger(app).http.open(path, method=method).status_code == 404
    assert dump(app) == stored
    cast.alice.send("PATCH", f"{PATH}/{webhook['id']}", json={"active": True})
    second = switched_off()
    assert Stranger(app).http.get(second).status_code == 200
    clock.forward(91 * DAY)
    assert Stranger(app).http.get(second).status_code == 404


@sqlite_only
def test_nobody_makes_such_a_link(app, cast, webhook, receiver, switched_off):
    path = switched_off()
    whole, signed, at = path.split(".")
    other = made(cast.bob)["id"]
    for wrong in (
        f"{whole}.{signed}.{int(at) + 1}",
        f"{whole}.{'a' * 43}.{at}",
        f"/webhooks/{other}.{signed}.{at}",
        f"{whole}.{signed}",
        f"/webhooks/{webhook['id']}",
    ):
        assert Stranger(app).http.post(wrong).status_code == 404
    cast.alice.delete(f"{PATH}/{webhook['id']}")
    assert Stranger(app).http.post(path).status_code == 404
