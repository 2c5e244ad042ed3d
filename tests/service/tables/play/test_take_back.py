"""Taking back: a sealed choice is changed while others choose; a seen action needs the consent of the table."""

from __future__ import annotations

import json

import pytest

from service.log.table_rows.table import find
from service.log.table_rows.taking_back import MOST_OF_A_SEAT
from service.log.verification.check_game import check_game
from service.log.verification.verify_record import verify
from service.notifications.mail_texts.game_for_reader import GameForReader
from tests.support import record_verifier
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.clock import HOUR, history, hours
from tests.support.dump import execute
from tests.support.form_reader import FormReader

__all__ = ["hours"]

pytestmark = pytest.mark.both_databases


@pytest.fixture
def game_id(cast):
    """A running game of alice and bob, who both choose in secret."""
    return cast.start(CARAVAN)


def path(game_id):
    return f"/api/games/{game_id}/take-back"


def taken_back(person, game_id, status=201):
    return person.post(path(game_id), {"event": person.game(game_id)["take_back"]["event"]}, status)


def test_a_sealed_choice_is_changed(app, cast, game_id):
    before = cast.alice.game(game_id)
    first, other = (each["action"] for each in before["legal"][:2])
    played = cast.alice.answer(before, first)
    assert played["game"]["take_back"] == {"event": played["number"], "free": True}
    back = taken_back(cast.alice, game_id)
    after = back["game"]
    assert after == cast.alice.game(game_id)
    assert (after["view"], after["legal"]) == (before["view"], before["legal"])
    assert (after["number"], after["asked"]) == (back["number"], played["number"] + 1)
    assert after["take_back"] is None
    cast.alice.answer(after, other)
    cast.bob.answer(cast.bob.game(game_id))
    rows = [
        zone["cards"]
        for zone in cast.nobody.game(game_id)["view"]["zones"]
        if zone["name"] == "row" and zone["seat"] == 0
    ]
    assert rows == [[card] for card in other["cards"]]
    with app.app_context():
        assert check_game(game_id) is None


def changed(person, game_id, event, action, status=201):
    return person.post(path(game_id), {"event": event, "action": action}, status)


def test_a_choice_is_changed_for_another_in_one_request(app, cast, game_id):
    before = cast.alice.game(game_id)
    first, other = (each["action"] for each in before["legal"][:2])
    played = cast.alice.answer(before, first)
    possible = cast.alice.get(f"{path(game_id)}?event={played['number']}")
    shown = possible["game"]
    assert (shown["legal"], shown["view"]) == (before["legal"], before["view"])
    assert possible["event"] == shown["number"] == played["number"]
    new = changed(cast.alice, game_id, played["number"], other)
    assert new["number"] == played["number"] + 2
    again = changed(cast.alice, game_id, played["number"], other, status=200)
    assert again == new
    wish = {"event": played["number"], "action": first}
    problem = cast.alice.refused("POST", path(game_id), "other-answer", wish)
    assert problem["number"] == new["number"]
    cast.bob.answer(cast.bob.game(game_id))
    assert own_row(cast, game_id) == [[card] for card in other["cards"]]
    with app.app_context():
        assert check_game(game_id) is None


def own_row(cast, game_id):
    zones = cast.nobody.game(game_id)["view"]["zones"]
    return [each["cards"] for each in zones if (each["name"], each["seat"]) == ("row", 0)]


def test_what_cannot_be_chosen_instead_leaves_the_choice_as_it_was(cast, game_id):
    """Both happen or neither: somebody who sends nonsense has taken nothing back."""
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    shown = [each.game(game_id) for each in cast.everybody]
    nonsense = {"type": "open", "cards": ["Xx", "Yy"]}
    wish = {"event": number, "action": nonsense}
    problem = cast.alice.refused("POST", path(game_id), "illegal-action", wish)
    assert (problem["asked"], problem["legal"]) == (shown[0]["asked"], [])
    assert [each.game(game_id) for each in cast.everybody] == shown
    assert len(history(cast.bob, game_id)) == number


def test_a_choice_that_was_taken_back_is_made_by_the_same_request(cast, game_id):
    before = cast.alice.game(game_id)
    first, other = (each["action"] for each in before["legal"][:2])
    number = cast.alice.answer(before, first)["number"]
    taken_back(cast.alice, game_id)
    assert changed(cast.alice, game_id, number, other)["number"] == number + 2


def test_others_cannot_see_by_what_a_choice_was_changed(cast, game_id):
    """They may not ask either what somebody could choose instead."""
    before = cast.alice.game(game_id)
    first, other = (each["action"] for each in before["legal"][:2])
    number = cast.alice.answer(before, first)["number"]
    bob = cast.bob.game(game_id)
    changed(cast.alice, game_id, number, other)
    for member in ("view", "legal", "asked", "waiting"):
        assert cast.bob.game(game_id)[member] == bob[member]
    lines = json.dumps(history(cast.bob, game_id)[number - 1 :])
    assert not [card for card in {*first["cards"], *other["cards"]} if f'"{card}"' in lines]
    asking = f"{path(game_id)}?event={number + 2}"
    cast.bob.refused("GET", asking, "not-possible")
    cast.mallory.refused("GET", asking, "not-seated")
    cast.nobody.refused("GET", asking, "not-signed-in")
    cast.alice.refused("GET", f"{path(game_id)}?event={number}", "not-possible")
    for person in (cast.alice, cast.bob):
        body = {"event": number, "action": before["legal"][0]["action"]}
        assert person.send("POST", path(game_id), json=body).status_code == 409


def test_the_other_seat_goes_on_choosing_undisturbed(cast, game_id):
    bob = cast.bob.game(game_id)
    cast.alice.answer(cast.alice.game(game_id))
    chosen = cast.bob.game(game_id)
    taken_back(cast.alice, game_id)
    later = cast.bob.game(game_id)
    assert (bob["view"]["committed"], chosen["view"]["committed"]) == ([], [0])
    for member in ("view", "legal", "asked", "take_back"):
        assert later[member] == bob[member]
    cast.bob.answer(bob)
    assert cast.alice.game(game_id)["view"]["committed"] == [1]


def test_what_was_said_to_the_question_before_fits_no_more(cast, game_id):
    before = cast.alice.game(game_id)
    cast.alice.answer(before)
    after = taken_back(cast.alice, game_id)["game"]
    body = {"asked": before["asked"], "action": before["legal"][0]["action"]}
    assert cast.alice.refused("POST", f"/api/games/{game_id}/actions", "stale", body)
    assert cast.alice.game(game_id)["number"] == after["number"]


def test_a_take_back_that_is_repeated_is_one_event(cast, game_id):
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    first = cast.alice.post(path(game_id), {"event": number})
    again = cast.alice.post(path(game_id), {"event": number}, 200)
    assert again == first
    cast.bob.refused("POST", path(game_id), "not-possible", {"event": number})


def test_what_was_opened_is_not_taken_back(cast, game_id):
    for person in (cast.alice, cast.bob):
        number = person.answer(person.game(game_id))["number"]
    for person in (cast.alice, cast.bob):
        assert person.game(game_id)["take_back"] is None
        for event in (number - 1, number, 1, 2, 0, 99):
            person.refused("POST", path(game_id), "not-possible", {"event": event})


def test_a_stranger_takes_nothing_back(cast, game_id):
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    assert cast.mallory.game(game_id)["take_back"] is None
    cast.mallory.refused("POST", path(game_id), "not-seated", {"event": number})
    cast.bob.refused("POST", path(game_id), "not-possible", {"event": number})
    cast.nobody.refused("POST", path(game_id), "not-signed-in", {"event": number})


def test_what_others_have_seen_has_to_be_asked_for(cast):
    game_id = cast.start(BOOMERANG)
    person, shown = cast.asked(game_id)
    played = person.answer(shown)
    if played["game"]["take_back"] is not None:
        assert played["game"]["take_back"] == {"event": played["number"], "free": False}
        person.refused("POST", path(game_id), "not-possible", {"event": played["number"]})


def test_the_history_tells_that_and_not_what_was_taken_back(cast, game_id):
    before = cast.alice.game(game_id)
    first, other = (each["action"] for each in before["legal"][:2])
    number = cast.alice.answer(before, first)["number"]
    cast.alice.answer(taken_back(cast.alice, game_id)["game"], other)
    cast.bob.answer(cast.bob.game(game_id))
    hidden = set(first["cards"]) - set(other["cards"])
    for person in (cast.alice, cast.bob, cast.mallory, cast.nobody):
        events = person.get(f"/api/games/{game_id}/events?after={number - 1}")["events"]
        undone, void, chosen, opened = events[:4]
        assert (undone["undone"], undone["action"], undone["lines"]) == (number + 1, None, [])
        assert (void["kind"], void["seat"], void["event"]) == ("void", 0, number)
        assert (void["why"], len(void["lines"])) == ("free", 1)
        assert (void["news"], "undone" in chosen) == (person is not cast.alice, False)
        assert opened["opened"]
        views = person.get(f"/api/games/{game_id}/views?after={number - 1}")["views"]
        assert views[0]["view"]["committed"] == views[1]["view"]["committed"] == []
        if person is not cast.alice:
            assert not [card for card in hidden if f'"{card}"' in str(views[:3])]


def test_records_with_what_was_taken_back_are_verified(cast, game_id):
    cast.alice.answer(cast.alice.game(game_id))
    taken_back(cast.alice, game_id)
    cast.alice.answer(cast.alice.game(game_id))
    cast.bob.answer(cast.bob.game(game_id))
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    record = cast.bob.send("GET", f"/api/games/{game_id}/record").get_data()
    assert verify(record)["events"][4]["kind"] == "void"
    record_verifier.verify(record)


def test_the_clock_gets_back_what_the_choice_had_taken(cast, clock):
    pace = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 72_000}
    game_id = cast.start(CARAVAN, pace=pace)
    before = seat_of(cast.alice.game(game_id))
    clock.forward(7_200_000)
    cast.alice.answer(cast.alice.game(game_id))
    charged = seat_of(cast.alice.game(game_id))
    clock.forward(600_000)
    game = taken_back(cast.alice, game_id)["game"]
    assert charged["reserve"] == before["reserve"] - 7200 + 3600
    assert seat_of(game)["reserve"] == before["reserve"]
    entries = cast.alice.get(f"/api/games/{game_id}/clock")["entries"]
    assert [each["kind"] for each in entries if each["seat"] == 0][:3] == [
        "asked",
        "given-back",
        "answered",
    ]
    assert entries[1]["seconds"] == 7200
    assert entries[0]["seconds"] == 36_000 - 7200, "what it took to think is not given twice"
    clock.forward(1_000_000)
    cast.alice.answer(game)
    assert seat_of(cast.alice.game(game_id))["reserve"] == before["reserve"] - 8200 + 3600


def seat_of(game):
    return game["seats"][0]


def test_whoever_is_first_decides_a_take_back_or_a_time_out(cast, hours):
    """The last seat that chooses runs out of time, which opens all choices."""
    pace = {"kind": "decision", "seconds": 3600}
    for is_first in (True, False):
        game_id = cast.start_anew(CARAVAN, pace=pace)
        number = cast.alice.answer(cast.alice.game(game_id))["number"]
        if is_first:
            taken_back(cast.alice, game_id)
        hours.later(HOUR)
        if not is_first:
            cast.alice.refused("POST", path(game_id), "not-possible", {"event": number})
        kinds = [(each["kind"], each.get("by")) for each in history(cast.bob, game_id)[number:]]
        late = ("action", "timeout")
        assert kinds == ([("void", None), late, late] if is_first else [late])


def test_a_choice_of_the_rules_is_not_taken_back(cast, hours, clock):
    game_id = cast.start(CARAVAN, pace={"kind": "decision", "seconds": 3600})
    clock.forward(HOUR)
    cast.bob.post(f"/api/games/{game_id}/proposals", {"kind": "extend", "seconds": 9, "seat": 1})
    hours.look()
    assert cast.alice.game(game_id)["take_back"] is None


def test_programs_and_waiting_pages_are_told(cast, game_id):
    cast.bob.get("/api/me/changes")
    number = cast.bob.get("/api/me/changes")["next"]
    cast.alice.answer(cast.alice.game(game_id))
    revision = cast.bob.game(game_id)["revision"]
    taken_back(cast.alice, game_id)
    assert cast.bob.game(game_id)["revision"] > revision
    told = cast.bob.get(f"/api/me/changes?after={number}")["changes"]
    assert "void" in [each["kind"] for each in told]


def test_a_choice_is_changed_behind_the_link_of_a_mail(app, cast, game_id):
    with app.app_context():
        game = GameForReader(app.extensions["tegami"], find(game_id), cast.alice.id, "en")
        played = game.choice(0).url.removeprefix("http://localhost")
    page = cast.nobody.send("POST", played).text
    assert f'action="{played}/take-back"' in page and "Change my choice" in page
    assert f'action="{played}/take-back"' in cast.nobody.send("GET", played).text
    choices = cast.nobody.send("POST", f"{played}/take-back")
    assert choices.status_code == 200 and "/moves/" in choices.text
    after = cast.alice.game(game_id)
    assert (after["view"]["committed"], bool(after["legal"])) == ([], True)
    again = cast.nobody.send("POST", f"{played}/take-back")
    assert again.status_code == 200 and cast.alice.game(game_id)["number"] == after["number"]
    assert cast.nobody.send("POST", "/moves/x/take-back").status_code == 404


def test_a_choice_is_changed_without_scripts(app, cast, game_id):
    reader = FormReader(app)
    reader.http = cast.alice.http
    cast.alice.answer(cast.alice.game(game_id))
    reader.open(f"/plain/games/{game_id}")
    page = reader.send("Change my choice")
    assert cast.alice.game(game_id)["view"]["committed"] == []
    assert any("/move?asked=" in path for path, _ in page.links)


def test_a_table_takes_back_so_much_and_no_more(app, cast, game_id):
    cast.alice.answer(cast.alice.game(game_id))
    many = [[0, 0]] * (MOST_OF_A_SEAT * 2 - 1)
    execute(app, "UPDATE games SET undone = :many", many=json.dumps(many))
    assert cast.alice.game(game_id)["take_back"] is not None
    execute(app, "UPDATE games SET undone = :many", many=json.dumps([*many, [0, 0]]))
    assert cast.alice.game(game_id)["take_back"] is None
