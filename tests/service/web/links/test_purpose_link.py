"""Links in turn mails and results that do one thing for one seat: they show it, a button does it, and they expire."""

from __future__ import annotations

import re

import pytest

from service.notifications.mail_texts import mail_links
from service.tables.before_start.table_setup import MOST_OPEN
from tests.service.web.links.test_every_mail import end, late
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office, part
from tests.support.proposing import last
from tests.support.strangers_browser import HOST, Stranger, urls
from tests.support.talking import at

pytestmark = sqlite_only

PURPOSES = ("extensions", "vacations", "mails", "records", "rematches")
VACATION = "?first=2026-12-24&last=2026-12-26"
POSTED = {
    "extensions": "?days=2",
    "vacations": VACATION,
    "mails": "?stop=turn",
    "records": None,
    "rematches": "",
}
"""What the button of each page sends; a record is only fetched."""


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def game_id(cast, office):
    """A private game in which alice is asked first."""
    return cast.start(BOOMERANG, private=True, pace="daily", takeover=1)


def path_of(letters, purpose, whose="alice"):
    """The path of a link of this purpose in the mail to somebody."""
    mail = next(each for each in letters if whose in each["To"] and f"/{purpose}/" in part(each))
    return next(url for url in urls(mail) if f"/{purpose}/" in url).removeprefix(HOST)


def seat_link(app, purpose, game):
    """The link for this purpose, of the seat whose view this is."""
    config = app.extensions["tegami"].config
    return mail_links.purpose_link(config, purpose, game["tenure"]).removeprefix(HOST)


@pytest.fixture
def reader(app):
    return Stranger(app)


def press(reader, path, words):
    """Send the form with this button to its address, which differs from the page's."""
    form = reader.form(words)
    action = form.action if form.action.startswith("/") else path + form.action
    return reader.post(action, {})


def test_the_table_is_asked_for_more_time(app, cast, office, game_id, reader):
    path = path_of(office.deliver(), "extensions")
    page = reader.open(path)
    assert "Ask the table for more time" in page.title and "3 days" in page.text
    page = press(reader, path, "3 days")
    assert "The table has been asked" in page.title
    proposed = last(cast.bob, game_id)
    assert (proposed["kind"], proposed["yours"], proposed["asks_you"]) == ("extend", False, True)
    assert (
        proposed["seconds"] == 3 * 86_400 and proposed["seat"] == cast.alice.game(game_id)["seat"]
    )
    stored = dump(app)
    page = press(reader, path, "1 day") if reader.open(path).forms else None
    assert "already" in page.text.lower() and dump(app) == stored


def test_with_house_players_alone_time_is_granted_at_once(app, cast, office, reader):
    game_id = cast.alice.post(
        "/api/games",
        {"ruleset": CARAVAN, "house": 1, "pace": "daily", "start": "full", "nonce": None},
    )["id"]
    path = seat_link(app, "extensions", cast.alice.game(game_id))
    due = cast.alice.game(game_id)
    page = press(reader, path, "1 day") if reader.open(path) else None
    assert "You have more time" in page.title and due


def test_a_vacation_is_planned_and_cancelled(app, cast, office, game_id, reader):
    path = path_of(office.deliver(), "vacations")
    page = reader.open(path)
    assert "First day" in page.text and page.forms[0].method == "get"
    stored = dump(app)
    page = reader.open(f"{path}?first=2026-11-21&last=2026-11-22")
    assert "You cannot take this vacation" in page.text
    page = reader.open(f"{path}?first=24.12.2026&last=")
    assert "First day" in page.text
    page = reader.open(f"{path}?first=24.12.2026&last=26.12.2026")
    assert "You cannot take this vacation" in page.text and "2026-12-24" in page.text
    page = reader.open(path + VACATION + "&answers=orders")
    assert "Only my standing orders answer" in page.text
    assert "From 2026-12-24 to 2026-12-26" in page.text and dump(app) == stored
    press(reader, path, "Plan a vacation")
    planned = cast.alice.get("/api/me/vacations")["vacations"]
    said = [(each["first"], each["last"], each["answers"]) for each in planned]
    assert said == [("2026-12-24", "2026-12-26", "orders")]
    assert "2026-12-24" in reader.page.text
    press(reader, path, "Cancel the vacation")
    assert cast.alice.get("/api/me/vacations")["vacations"] == []


def test_kinds_of_mail_are_stopped_and_sent_again(cast, office, game_id, reader):
    path = path_of(office.deliver(), "mails")
    settings = "/api/me/settings"
    reader.open(path)
    press(reader, path, "Stop emails when a game is over")
    assert cast.alice.get(settings)["settings"]["unwanted"] == ["over"]
    press(reader, path, "Send emails again when a game is over")
    assert cast.alice.get(settings)["settings"]["unwanted"] == []
    press(reader, path, "Instead: one email a day, with every game that waits for you")
    assert cast.alice.get(settings)["settings"]["digest"] == "08:00"
    press(reader, path, "Instead: an email for each turn")
    assert cast.alice.get(settings)["settings"]["digest"] is None


def test_the_result_leads_back_through_the_game_and_to_its_record(
    app, cast, office, game_id, reader
):
    cast.play(game_id, most=6)
    office.deliver()
    end(app, game_id)
    letters = office.deliver()
    record = path_of(letters, "records")
    assert reader.http.get(record).data == cast.alice.send("GET", at(game_id, "record")).data
    path = path_of(letters, "tables")
    page, number = reader.open(path), cast.alice.game(game_id)["number"]
    assert "Event 1 of" in page.text and "The game begins" in page.text
    for event in range(2, number + 1):
        page = reader.follow("Forward one event")
        assert f"Event {event} of {number}" in page.text
        shown = cast.alice.get(at(game_id, f"views/{event}"))["view"]
        for zone in shown["zones"]:
            assert zone["words"].split(" ")[0] in page.text or not zone["count"]
    assert all(words != "Forward one event" for _, words in page.links)
    reader.open(path.partition("?")[0])
    assert "removed" in reader.page.text or "operator" in reader.page.text
    reader.open(f"{path.partition('?')[0]}?event={number + 1}", status=404)


def test_looking_back_shows_what_the_seat_saw(app, cast, office, game_id, reader):
    """It shows nothing of another seat, even while the game goes on."""
    path = path_of(office.deliver(), "tables").partition("?")[0]
    cast.play(game_id, most=6)
    number = cast.alice.game(game_id)["number"]
    for event in (1, number // 2, number):
        seen = set(re.findall(r"[A2-9TJQK]{1,2}[♠♥♦♣]", reader.open(f"{path}?event={event}").text))
        text = str(cast.alice.get(at(game_id, f"views/{event}")))
        known = {f"{rank}{suit}" for rank, suit in re.findall(r"'([A2-9TJQK])([shdc])'", text)}
        signs = {each.replace("T", "10").translate(str.maketrans("shdc", "♠♥♦♣")) for each in known}
        assert {each.replace("T", "10") for each in seen} <= signs


def test_the_same_game_is_played_again_by_the_link(cast, office, app, game_id, reader):
    office.deliver()
    end(app, game_id)
    office.deliver()
    path = seat_link(app, "rematches", cast.alice.game(game_id))
    assert "Play again" in reader.open(path).title
    press(reader, path, "Play again")
    assert "You have a place at the table" in reader.page.title
    letters = office.deliver()
    offers = {whose: path_of(letters, "offers", whose) for whose in ("bob", "carol")}
    for whose, offer in offers.items():
        fresh = Stranger(app)
        page = fresh.open(offer)
        assert whose.title() in page.text and "Alice" in page.text
        press(fresh, offer, "Sit down")
        assert "You have a place at the table" in fresh.page.title
        table = next(way for way, words in fresh.page.links if words == "Open the table")
        assert "Boomerang" in fresh.follow_link(table).text
        assert not fresh.is_signed_in
    mine = cast.alice.get("/api/games?mine=true&status=open")["games"]
    assert [sorted(each["names"]) for each in mine] == [["Alice", "Bob", "Carol"]]
    stored = dump(app)
    assert "You have a place" in reader.post(offers["bob"], {}).title and dump(app) == stored
    cast.alice.post(at(mine[0]["id"], "start"), status=200)
    for used in (path, offers["bob"]):
        page = reader.post(used, {})
        assert "The game has begun" in page.text
        assert not [way for way, _ in page.links if "/tables/" in way], "its mails lead there"


def test_an_offer_ends_with_its_invitation(app, cast, office, game_id, reader):
    office.deliver()
    end(app, game_id)
    office.deliver()
    again = cast.alice.post(at(game_id, "rematch"), {"nonce": None})["id"]
    path = path_of(office.deliver(), "offers", "bob")
    (invitation,) = cast.bob.get("/api/me/invitations")["invitations"]
    cast.bob.delete(f"/api/me/invitations/{invitation['id']}")
    reader.open(path, status=404)
    reader.post(path, {}, status=404)
    assert len(cast.alice.game(again)["seats"]) == 1


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_link_is_dead_when_the_seat_has_changed_hands(
    app, cast, clock, office, game_id, reader, purpose
):
    office.deliver()
    tenure = cast.alice.game(game_id)
    path = seat_link(app, purpose, tenure)
    late(app, clock)
    stored = dump(app)
    page = reader.open(path, 404 if purpose == "records" else 200)
    gone = "This link does not work" if purpose == "records" else "A house player has your seat"
    assert gone in page.title
    if POSTED[purpose] is not None:
        reader.post(path + POSTED[purpose], {})
    assert dump(app) == stored
    for secret in ("mail-settings", "2026-12", "days left"):
        assert secret not in page.text


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_link_does_only_what_it_is_for(app, cast, office, game_id, reader, purpose):
    office.deliver()
    path = seat_link(app, purpose, cast.alice.game(game_id))
    stored = dump(app)
    for other in (*PURPOSES, "tables", "seats", "votes", "moves", "offers"):
        if other != purpose:
            wrong = path.replace(f"/{purpose}/", f"/{other}/")
            for method in ("GET", "POST"):
                query = {"days": 1} if other == "extensions" and method == "POST" else None
                answer = reader.http.open(wrong, method=method, query_string=query)
                assert answer.status_code in {404, 405}, (method, wrong)
    bobs = seat_link(app, purpose, cast.bob.game(game_id))
    mixed = path.split(".")[0] + "." + bobs.split(".", 1)[1]
    reader.open(mixed, status=404)
    assert dump(app) == stored


@pytest.mark.parametrize("purpose", ["records", "rematches", "mails"])
def test_links_of_a_finished_game_end(app, cast, clock, office, game_id, reader, purpose):
    office.deliver()
    shown = cast.alice.game(game_id)
    if purpose == "records":
        reader.open(seat_link(app, purpose, shown), status=404)
    end(app, game_id)
    letters = office.deliver()
    path, table = seat_link(app, purpose, shown), path_of(letters, "tables")
    assert reader.http.get(path, headers=reader.headers).status_code == 200
    clock.forward(mail_links.KEPT + 1)
    stored = dump(app)
    for each in (path, table):
        reader.open(each, status=404)
    if purpose != "records":
        reader.post(path + POSTED[purpose], {}, status=404)
    assert dump(app) == stored


def test_what_cannot_be_done_is_said_and_changes_nothing(app, cast, office, game_id, reader):
    office.deliver()
    end(app, game_id)
    office.deliver()
    path = seat_link(app, "rematches", cast.alice.game(game_id))
    for _ in range(MOST_OPEN):
        cast.alice.post("/api/games", {"ruleset": CARAVAN, "nonce": None})
    stored = dump(app)
    page = reader.post(path, {})
    assert "Play again" in page.title and page.forms
    assert {k: v for k, v in dump(app).items() if "attempt" not in k} == {
        k: v for k, v in stored.items() if "attempt" not in k
    }
    for wrong in ("?days=4", "?days=x", "", "?days=1&days=2", "?seat=1&days=1"):
        answer = reader.http.post(seat_link(app, "extensions", cast.alice.game(game_id)) + wrong)
        assert answer.status_code == 400


def test_the_page_is_in_the_language_of_the_player(app, cast, office, game_id, reader):
    office.change("UPDATE players SET language = 'ja'", cast.alice)
    office.deliver()
    shown = cast.alice.game(game_id)
    for purpose in ("extensions", "vacations", "mails"):
        answer = reader.http.get(seat_link(app, purpose, shown), headers=reader.headers)
        assert answer.headers["Content-Language"] == "ja"


def test_a_place_before_the_start_is_shown(app, cast, office, reader):
    """A declined invitation leads its sender to their table."""
    game_id = cast.open(BOOMERANG, private=True)
    cast.alice.post(at(game_id, "invitations"), {"address": "dora@example.org"})
    (mail,) = office.deliver()
    decline = next(url for url in urls(mail) if "/invitations/" in url).removeprefix(HOST)
    reader.open(decline)
    reader.post(decline, {})
    path = path_of(office.deliver(), "tables")
    page = reader.open(path)
    assert "Alice" in page.text and "Boomerang Auction" in page.title
    execute(app, "UPDATE tenures SET ended_at = 1")
    reader.open(path, status=404)
