"""Every link of every kind of mail works where it is read: in a browser that is not signed in, without scripts.

It shows before it acts, changes nothing by being opened, and signs nobody in.
"""

from __future__ import annotations

import re

import pytest

from service.core.database.database import transaction
from service.notifications.mail_texts.kinds import KINDS
from service.notifications.receivers.guarded_post import PostOutcome
from service.operations.worker.deadlines import Deadlines
from service.outbox import queue
from tests.support.accounts import PASSWORD
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.circles import found
from tests.support.closing import close_by_operator
from tests.support.dump import dump, execute
from tests.support.post_office import Office, part, to
from tests.support.proposing import PAUSE, propose, vote
from tests.support.receiving import Receiver, made
from tests.support.series import enter, work
from tests.support.series import opened as series_opened
from tests.support.strangers_browser import HOST, Stranger, kind_of, urls
from tests.support.talking import at

pytestmark = sqlite_only


class Opened:
    """Opens every link of delivered mails, and notes their kinds."""

    def __init__(self, app, office):
        self.app, self.office, self.kinds, self.pages = app, office, set(), {}

    def deliver(self):
        letters = self.office.deliver()
        assert letters
        for letter in letters:
            kind = kind_of(self.app, letter)
            self.kinds.add(kind)
            stored = dump(self.app)
            for url in urls(letter):
                assert url[-1].isalnum() or url == f"{HOST}/", (kind, url)
                self.open(kind, url)
            assert dump(self.app) == stored, kind
        return letters

    def open(self, kind, url):
        stranger = Stranger(self.app)
        page = stranger.follow_link(url)
        assert not stranger.is_signed_in, (kind, url)
        if page is not None:
            assert "This link does not work" not in page.text, (kind, url)
            self.pages[kind, url] = page


@pytest.fixture
def office(app, cast):
    """Everybody who sits down has an address."""
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def opened(app, office):
    return Opened(app, office)


def end(app, game_id):
    with app.app_context():
        close_by_operator(app.extensions["tegami"], game_id)


def late(app, clock):
    """Let time pass, so that house players take over."""
    clock.forward(86_400_001)
    execute(app, "UPDATE heartbeats SET at = :now", now=clock())
    with app.app_context():
        Deadlines(app.extensions["tegami"]).meet_all()


def about_tables(app, cast, opened, clock):
    """The tables are private, so a stranger does not find them at all."""
    wish = {"private": True, "pace": "daily"}
    game_id = cast.start(BOOMERANG, **wish)
    opened.deliver()  # turns, reminders
    waited = cast.alice.game(game_id)["waiting"][0]
    clock.forward(13 * 3_600_000)
    slow = cast.holders(game_id)[waited["seat"]]
    other = next(each for each in cast.seated if each is not slow)
    other.post(at(game_id, "nudge"), status=202)
    opened.deliver()
    slow.send("PATCH", "/api/me/settings", json={"digest": "08:00"})
    clock.forward(3_600_000)
    opened.deliver()
    propose(cast.alice, game_id, PAUSE)
    opened.deliver()
    vote(cast.bob, game_id)
    vote(cast.carol, game_id, agrees=False)
    opened.deliver()  # the outcome
    end(app, game_id)
    opened.deliver()  # the result
    again = cast.alice.post(at(game_id, "rematch"), {"nonce": None})["id"]
    opened.deliver()  # places are kept
    cast.alice.post(at(again, "invitations"), {"address": "dora@example.org"})
    letters = opened.deliver()
    decline = next(url for url in urls(letters[0]) if "/invitations/" in url)
    Stranger(app).http.post(decline.removeprefix(HOST))
    opened.deliver()  # it was declined


def about_a_reply(app, cast, opened):
    """The reply to an order that has to be confirmed."""
    person, game = cast.asked(cast.start(BOOMERANG, private=True))
    opened.office.deliver()
    (row,) = execute(app, "SELECT key FROM games WHERE id = :id", id=game["id"])
    about = {"game_key": row.key, "tenure_id": game["tenure"], "number": game["asked"]}
    data = {"what": "confirm", "place": 0}
    with app.app_context(), transaction():
        to_whom = {"player_id": person.id, "data": data}
        queue.put(app.extensions["tegami"], "response", "response x", **to_whom, **about)
    opened.deliver()


def about_a_seat(app, cast, opened, clock):
    cast.start(CARAVAN, private=True, pace="daily", takeover=1)
    opened.office.deliver()
    late(app, clock)
    opened.deliver()


def about_a_series(app, cast, opened, clock):
    series_id = series_opened(cast.alice, found(cast.alice, cast.bob), starts_in=1)
    for person in (cast.alice, cast.bob):
        enter(person, series_id)
    clock.forward(86_400_000)
    work(app)
    opened.deliver()
    clock.forward(8 * 86_400_000)  # past a Sunday
    work(app)
    opened.deliver()


def about_accounts(app, cast, opened, config):
    mallory = cast.mallory
    mallory.post(
        "/api/me/registration", {"handle": "mal", "address": to(cast.alice), "password": PASSWORD}
    )
    opened.deliver()  # to whom the address belongs
    mallory.put(
        "/api/me/address", {"address": "mal@example.org", "current_password": PASSWORD}, 202
    )
    letters = opened.deliver()
    key = re.search(r"/plain/keys/verify/(\S+)", part(letters[0]))[1]
    mallory.post("/api/verifications", {"key": key}, 204)
    for kind in ("sign-in", "reset"):
        Person(app).post("/api/links", {"kind": kind, "who": "mal"}, 202)
    opened.deliver()
    new = {"password": "another " + PASSWORD, "current_password": PASSWORD}
    mallory.put("/api/me/password", new, 204)
    change = {"address": "new@example.org", "current_password": new["password"]}
    mallory.put("/api/me/address", change, 202)
    letters = opened.deliver()
    (mail,) = [each for each in letters if "/plain/keys/verify/" in part(each)]
    key = re.search(r"/plain/keys/verify/(\S+)", part(mail))[1]
    mallory.post("/api/verifications", {"key": key}, 204)
    made(cast.alice)
    receiver = Receiver(app)
    receiver.usually = PostOutcome(status=410)
    cast.start(CARAVAN)
    receiver.fetch()
    opened.deliver()


def test_every_link_of_every_kind_of_mail_works(app, cast, opened, clock, config):
    about_accounts(app, cast, opened, config)
    about_tables(app, cast, opened, clock)
    about_a_reply(app, cast, opened)
    about_a_seat(app, cast, opened, clock)
    about_a_series(app, cast, opened, clock)
    assert opened.kinds == set(KINDS)


def test_no_link_does_anything_for_somebody_who_is_erased(app, cast, office):
    """The links of all their mails are opened, and their buttons pressed; none is an error."""
    game_id = cast.start(BOOMERANG, private=True, pace="daily")
    letters = office.deliver()
    propose(cast.bob, game_id, PAUSE)
    letters += office.deliver()
    end(app, game_id)
    letters += office.deliver()
    links = {url for each in letters if each["To"] == to(cast.alice) for url in urls(each)}
    seats = re.compile(r"/(moves|votes|tables|extensions|vacations|mails|records|rematches)/")
    assert {match[1] for url in links if (match := seats.search(url))} >= {
        "tables",
        "votes",
        "records",
    }
    cast.alice.post("/api/me/erasure", {}, 204)
    stored = dump(app)
    for url in links:
        for method in ("GET", "POST"):
            browser, path = Stranger(app), url.removeprefix(HOST).partition("#")[0]
            answer = browser.http.open(path, method=method, headers=browser.headers)
            expected = {400, 404, 405} if seats.search(url) else {200, 404, 405}
            assert answer.status_code in expected and not browser.is_signed_in, (method, url)
            assert dump(app) == stored, (method, url)


def test_a_link_that_was_cut_off_gets_a_page(app, cast, opened):
    """Some mail programs cut links off. For any remainder, nobody gets a document for programs, and nothing changes."""
    game_id = cast.start(BOOMERANG, private=True)
    letters = [*opened.office.deliver()]
    end(app, game_id)
    letters += opened.office.deliver()
    stored = dump(app)
    for url in {url for letter in letters for url in urls(letter)}:
        path = url.removeprefix(HOST).partition("#")[0]
        for missing in (1, 2, 9):
            for method in ("GET", "HEAD"):
                browser = Stranger(app)
                answer = browser.http.open(path[:-missing], method=method, headers=browser.headers)
                assert answer.status_code in {200, 400, 404, 422}, (path, missing)
                assert answer.mimetype in {"text/html", "application/json"}, (path, missing)
    assert dump(app) == stored
