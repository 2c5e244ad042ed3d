"""Without scripts: vacations, reminders, own paces, looking back, notes, blocks, verification, pasted links."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader
from tests.service.tables.play.test_hidden_information import cards, known
from tests.service.web.page.test_plain_forms import reading
from tests.service.web.page.test_plain_setting_up import about_mails
from tests.support.cast import BOOMERANG, CARAVAN, Cast, sqlite_only
from tests.support.closing import close_by_operator
from tests.support.dump import dump
from tests.support.form_reader import FormReader
from tests.support.post_office import Office
from tests.support.strangers_browser import urls
from tests.support.talking import say

pytestmark = sqlite_only


@pytest.fixture
def reader(app: Flask) -> FormReader:
    """Aki, with a text browser."""
    reader = FormReader(app)
    reader.arrive("Aki")
    return reader


def test_a_vacation_is_planned_and_cancelled(reader: FormReader) -> None:
    reader.open("/plain/me")
    reader.follow("Vacation")
    assert "30 days left in 2026." in reader.page.text
    days = {"first": "2026-12-24", "last": "2026-12-26"}
    page = reader.send("Plan a vacation", **days, answers="orders")
    assert "Only my standing orders answer" in page.text
    assert "From 2026-12-24 to 2026-12-26" in page.text and "27 days left in 2026." in page.text
    (planned,) = reader.http.get("/api/me/vacations").json["vacations"]
    assert planned["answers"] == "orders"
    reader.send("Cancel the vacation")
    assert reader.http.get("/api/me/vacations").json["vacations"] == []
    page = reader.send("Plan a vacation", 422, first="2026-11-20", last="2026-11-22")
    assert "You cannot take this vacation" in page.text
    reader.open("/plain/vacations")
    reader.send("Plan a vacation", 400, first="soon", last="2026-12-26")


def test_reminders_are_chosen(app: Flask, cast: Cast) -> None:
    Office(app).address(cast.alice)
    alice = reading(cast.alice)

    def chosen() -> list[int]:
        leads: list[int] = cast.alice.get("/api/me/settings")["settings"]["reminders"]
        return leads

    fields = about_mails(alice).fields
    assert {name for name in fields if name.startswith("remind-")} == {
        "remind-2880",
        "remind-1440",
        "remind-180",
    }
    before = chosen()
    alice.post("/plain/me", fields)
    assert chosen() == before
    del fields["remind-2880"]
    alice.post("/plain/me", {**fields, "remind-15": "yes"})
    assert chosen() == [1440, 180, 15]
    cast.alice.send("PATCH", "/api/me/settings", json={"reminders": [7, 15]})
    fields = about_mails(alice).fields
    alice.post("/plain/me", fields)
    assert chosen() == [15, 7], "what has no box stays"


@pytest.mark.parametrize(
    ("typed", "pace"),
    [
        (
            {"pace": "own-decision", "seconds": "3", "unit": "hours"},
            {"kind": "decision", "seconds": 10_800},
        ),
        (
            {
                "pace": "own-reserve",
                "reserve": "2",
                "increment": "1",
                "cap": "4",
                "unit": "days",
            },
            {"kind": "reserve", "reserve": 172_800, "increment": 86_400, "cap": 345_600},
        ),
        ({"pace": "daily", "seconds": "3"}, {"preset": "daily"}),
    ],
)
def test_a_table_has_a_pace_of_ones_own(
    reader: FormReader, typed: dict[str, str], pace: dict[str, object]
) -> None:
    reader.open("/plain/new/caravan")
    reader.send("Open the table", seats="public", **typed)
    game = reader.http.get(f"/api{reader.path.removeprefix('/plain')}").json
    assert pace.items() <= game["pace"].items()


@pytest.mark.parametrize(
    "typed",
    [
        {"pace": "own-decision"},
        {"pace": "own-decision", "seconds": "91", "unit": "days"},
        {"pace": "own-decision", "seconds": "0"},
        {"pace": "own-reserve", "reserve": "2", "increment": "1"},
        {"pace": "own-decision", "seconds": "3", "unit": "years"},
    ],
)
def test_a_pace_that_is_none_opens_no_table(
    app: Flask, reader: FormReader, typed: dict[str, str]
) -> None:
    reader.open("/plain/new/caravan")
    stored = dump(app)
    reader.send("Open the table", 400, seats="public", **typed)
    assert dump(app) == stored


def test_one_looks_back_event_by_event(app: Flask, cast: Cast) -> None:
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=5)
    for person, seat in ((cast.alice, 0), (cast.nobody, None)):
        looker = reading(person)
        looker.open(f"/plain/games/{game_id}")
        page = looker.follow("Looking back")
        last = cast.alice.game(game_id)["number"]
        for event in range(1, last + 1):
            assert f"Event {event} of {last}" in page.text
            assert cards(page.html) <= known(app, game_id, seat)
            if event < last:
                page = looker.follow("Forward one event")
        assert all(words != "Forward one event" for _, words in page.links)
        looker.follow("First event")
        looker.open(f"/plain/games/{game_id}/replay?event={last + 1}", 404)


def test_notes_are_for_their_writer(app: Flask, cast: Cast) -> None:
    game_id = cast.start(CARAVAN)
    alice = reading(cast.alice)
    alice.open(f"/plain/games/{game_id}")
    alice.follow("My notes")
    alice.send("Save", text="Bob has <the> jack.\nKeep the queen.")
    note = cast.alice.get(f"/api/games/{game_id}/notes")["text"]
    assert note == "Bob has <the> jack.\nKeep the queen."
    assert "&lt;the&gt;" in alice.page.html
    carol = reading(cast.carol)
    assert "jack" not in carol.open(f"/plain/games/{game_id}/notes").html
    alice.send("Save", text="")
    assert cast.alice.get(f"/api/games/{game_id}/notes")["text"] == ""
    assert FormReader(app).open(f"/plain/games/{game_id}/notes", 401)


def test_people_are_blocked_and_unblocked(app: Flask, cast: Cast) -> None:
    game_id = cast.start(BOOMERANG)
    say(cast.mallory, game_id, "Hello", "spectators")
    alice = reading(cast.alice)
    alice.open(f"/plain/games/{game_id}/talk")
    page = alice.send("Block Bob")
    assert "Unblock Bob" in [form.button for form in page.forms]
    (block,) = cast.alice.get("/api/me/blocks")["blocks"]
    assert block["name"] == "Bob"
    alice.send("Unblock Bob")
    assert cast.alice.get("/api/me/blocks")["blocks"] == []
    assert "Block Mallory" not in [form.button for form in alice.page.forms]
    with app.app_context():
        close_by_operator(app.extensions["tegami"], game_id)
    alice.open(f"/plain/games/{game_id}/talk")
    alice.send("Block Mallory")
    assert [each["name"] for each in cast.alice.get("/api/me/blocks")["blocks"]] == ["Mallory"]
    stored, form = dump(app), alice.page.forms[0].fields
    for wrong in (
        {"lift": "b_" + "x" * 22},
        {"game": game_id, "tenure": "t_" + "x" * 22},
        {"game": game_id, "tenure": cast.alice.game(game_id)["tenure"]},
    ):
        alice.post("/plain/blocks", {"form": form["form"], **wrong}, 404)
    alice.post("/plain/blocks", {"form": form["form"], "game": game_id}, 400)
    assert dump(app) == stored


def test_a_record_is_verified_and_a_line_of_a_mail_held_against_it(app: Flask, cast: Cast) -> None:
    game_id, other = cast.start(CARAVAN), cast.start(CARAVAN)
    cast.play(game_id, most=4)
    seals = [seal(app, cast, each) for each in (game_id, other)]
    alice = reading(cast.alice)
    path = f"/plain/games/{game_id}/verification"
    assert "When the game is over" in alice.open(path).text
    cast.play(game_id, most=2)
    with app.app_context():
        close_by_operator(app.extensions["tegami"], game_id)
    alice.open(f"/plain/games/{game_id}")
    page = alice.follow("Check the record")
    number = cast.alice.game(game_id)["number"]
    assert f"Verified: {number} events, " in page.text

    def fits(line: str) -> str:
        return alice.open(path + "?seal=" + line).text

    assert "The record matches this line" in fits(seals[0])
    assert "The record matches this line" in fits(seals[0][:60] + "%20" + seals[0][60:])
    assert "does not match" in fits(seals[1])
    first, _, rest = seals[0].partition(".")
    assert "does not match" in fits(f"{int(first) + 1}.{rest}")
    assert "incomplete" in fits(seals[0][:-1])


def seal(app: Flask, cast: Cast, game_id: str) -> str:
    """The signed head of a game, as mailed to alice."""
    with app.app_context():
        game = GameForReader(app.extensions["tegami"], find(game_id), cast.alice.id, "en")
        found = game.signed_head
    assert found is not None
    return found


def test_any_link_is_taken_that_is_pasted(app: Flask, cast: Cast) -> None:
    """Links of a turn mail lead to their pages, even without a sign-in; pasting a link changes nothing."""
    office = Office(app)
    office.address(*cast.seated)
    cast.start(BOOMERANG, private=True, pace="daily")
    letter = office.deliver()[0]
    stored = dump(app)
    taken = 0
    for url in urls(letter):
        for entrance in ("/plain/invited", "/plain/enter"):
            visitor = FormReader(app)
            visitor.open(entrance)
            form = next(each for each in visitor.page.forms if "link" in each.fields)
            page = visitor.post(entrance, {**form.fields, "link": f" <{url}>"})
            assert visitor.path.split("?")[0] in url, (url, visitor.path)
            assert "This link does not work" not in page.text
            taken += 1
    assert taken >= 10 and dump(app) == stored
    for wrong in ("https://evil.example/x", "/api/me", "//evil.example/", "/plain/../api/me", "x"):
        visitor = FormReader(app)
        visitor.open("/plain/invited")
        form = visitor.page.forms[0]
        answer = visitor.http.post(
            "/plain/invited", data={**form.fields, "link": wrong}, headers=visitor.headers
        )
        assert answer.status_code == 401, (wrong, answer.headers)


def test_the_link_of_a_table_is_taken_too(cast: Cast, reader: FormReader) -> None:
    game_id = cast.open(CARAVAN)
    reader.open("/plain/invited")
    page = reader.send("Continue", link=f"http://localhost/games/{game_id}?panel=talk")
    assert reader.path == f"/plain/games/{game_id}" and "Alice" in page.text


def test_whoever_has_a_mailed_invitation_enters_a_name_and_sits_down(
    app: Flask, cast: Cast
) -> None:
    office = Office(app)
    office.address(cast.alice)
    game_id = cast.open(CARAVAN, private=True)
    cast.alice.post(f"/api/games/{game_id}/invitations", {"address": "dora@example.org"})
    (letter,) = office.deliver()
    link = next(url for url in urls(letter) if "/invited/" in url).removeprefix("http://localhost")
    dora = FormReader(app)
    assert f'href="/plain{link}"' in dora.open(link).html
    page = dora.open(f"/plain{link}")
    assert "Alice" in page.text and "Caravan" in page.title
    assert dora.http.get("/api/me").status_code == 401
    dora.send("Enter a name to sit down", name="Dora")
    page = dora.follow("Continue")
    assert dora.path == f"/plain{link}" and "You sit down as Dora" in page.text
    dora.send("Sit down")
    assert dora.path == f"/plain/games/{game_id}"
    names = [each["name"] for each in cast.alice.game(game_id)["seats"]]
    assert names == ["Alice", "Dora"]
    assert dora.http.get("/api/me").json["player"]["proven_address"] == "d…@example.org"
    late = FormReader(app)
    assert late.open(f"/plain{link}", 404) and late.open(f"/plain{link}0", 404)
    assert re.search("/plain/invited", late.page.html)
