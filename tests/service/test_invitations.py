"""Invitations by mail: who may send them, who gets one, and how it is declined."""

from __future__ import annotations

import re

import pytest

from service import erasure
from service.mail import links
from tests.service.cast import BOOMERANG, CARAVAN
from tests.service.correspondence import Office, part
from tests.service.dump import dump, execute
from tests.service.talking import at, two

DORA = {"address": "Dora@example.org"}
DECLINE = re.compile(r"http://localhost(/invitations/\S+)")


@pytest.fixture
def office(app, cast):
    """alice has a verified address."""
    office = Office(app)
    office.address(cast.alice)
    return office


@pytest.fixture
def game_id(cast):
    return cast.open(BOOMERANG, private=True)


def invite(person, game_id, status=201, **wish):
    return person.post(at(game_id, "invitations"), DORA | wish, status)


def listed(person, game_id):
    return person.get(at(game_id, "invitations"))["invitations"]


def asked(person):
    return person.get("/api/me/invitations")["invitations"]


def test_a_mail_leads_to_the_table(cast, office, game_id):
    made = invite(cast.alice, game_id)
    assert (made["address"], made["name"], made["declined"]) == ("dora@example.org", None, False)
    (letter,) = office.deliver()
    assert letter["To"] == "Dora@example.org"
    key = cast.alice.game(game_id)["invitation"]["key"]
    assert f"/#/games/{game_id}?invitation={key}" in part(letter)
    assert str(letter["Subject"]).startswith("Alice invites you")


def test_the_inviter_chooses_the_language_unless_the_reader_has(cast, office, game_id):
    invite(cast.alice, game_id, language="ja")
    office.address(cast.bob, language="ja")
    invite(cast.alice, game_id, address="bob@example.org", language="en")
    subjects = [str(letter["Subject"]) for letter in office.deliver()]
    assert len(subjects) == 2
    assert all(subject.startswith("Aliceさん") for subject in subjects)


def test_only_who_sits_there_with_a_verified_address_invites(cast, office, game_id):
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    path = at(game_id, "invitations")
    cast.bob.refused("POST", path, "not-seated", DORA, headers=headers)
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    cast.bob.refused("POST", path, "not-verified", DORA)
    cast.mallory.refused("POST", path, "not-found", DORA)
    assert office.deliver() == []


def test_to_a_full_table_or_a_game_that_runs_nobody_is_invited(cast, office):
    game_id = two(cast)
    cast.alice.refused("POST", at(game_id, "invitations"), "table-full", DORA)
    cast.alice.post(at(game_id, "start"), status=200)
    cast.alice.refused("POST", at(game_id, "invitations"), "not-open", DORA)


def test_an_address_gets_one_mail_for_each_table(cast, office, game_id):
    office.address(cast.bob)
    made = invite(cast.alice, game_id)
    assert invite(cast.alice, game_id, 200, address="DORA@example.org") == made
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    assert invite(cast.bob, game_id)["id"] != made["id"]
    assert len(office.deliver()) == 1


def test_an_answer_does_not_tell_who_is_registered(cast, office, game_id):
    office.address(cast.bob)
    made = [invite(cast.alice, game_id, address=f"{who}@example.org") for who in ("bob", "eve")]
    for each in made:
        assert each.pop("id").startswith("i_")
        assert each.pop("address").endswith("@example.org")
    assert made[0] == made[1]


def test_who_has_blocked_the_inviter_hears_nothing(cast, office):
    met = two(cast)
    office.address(cast.bob)
    cast.bob.post("/api/me/blocks", {"game": met, "tenure": cast.alice.game(met)["tenure"]})
    invite(cast.alice, cast.open(), address="bob@example.org")
    assert office.deliver() == []
    assert asked(cast.bob) == []


def test_who_wants_no_invitations_gets_none(app, client, cast, office, game_id):
    link = links.for_address(app.extensions["tegami"].config, "dora@example.org")
    client.post(link.removeprefix("http://localhost"))
    invite(cast.alice, game_id)
    assert office.deliver() == []


def test_people_at_the_table_see_who_declined_and_only_the_inviter_the_address(
    client, cast, office, game_id
):
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    made = invite(cast.alice, game_id)
    assert listed(cast.alice, game_id) == [made]
    assert listed(cast.bob, game_id) == [{**made, "address": None, "yours": False}]
    cast.mallory.refused("GET", at(game_id, "invitations"), "not-seated", headers=headers)
    (letter,) = office.deliver()
    revision = cast.alice.game(game_id)["revision"]
    client.post(DECLINE.search(part(letter))[1])
    assert listed(cast.bob, game_id)[0]["declined"] is True
    assert cast.alice.game(game_id)["revision"] > revision


def test_to_look_at_the_page_declines_nothing_and_twice_is_once(app, client, cast, office, game_id):
    invite(cast.alice, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    stored = dump(app)
    page = client.get(path)
    assert page.status_code == 200 and "Alice" in page.text and "<form" in page.text
    assert dump(app) == stored
    assert "Declined" in client.post(path, headers={"Sec-Fetch-Site": "cross-site"}).text
    stored = dump(app)
    for answer in (client.post(path), client.get(path), client.get("/invitations/forged.x")):
        assert answer.status_code == 404
        assert "This invitation has ended" in answer.text
    assert dump(app) == stored


def test_a_registered_reader_finds_it_and_may_look_and_sit_down(cast, office, game_id):
    office.address(cast.bob)
    invite(cast.alice, game_id, address="bob@example.org")
    (found,) = asked(cast.bob)
    assert (found["by"], found["game"]["id"]) == ("Alice", game_id)
    assert asked(cast.mallory) == []
    cast.bob.post(at(game_id, "seats"), {})
    assert asked(cast.bob) == listed(cast.alice, game_id) == []


def test_who_declined_does_not_see_a_private_table_any_more(cast, office, game_id):
    office.address(cast.bob)
    made = invite(cast.alice, game_id, address="bob@example.org")
    cast.carol.refused("DELETE", f"/api/me/invitations/{made['id']}", "not-found")
    cast.bob.game(game_id)
    cast.bob.delete(f"/api/me/invitations/{made['id']}")
    cast.bob.refused("GET", f"/api/games/{game_id}", "not-found")
    assert asked(cast.bob) == []


def test_what_is_taken_back_is_not_sent(cast, office, game_id):
    made = invite(cast.alice, game_id)
    path = at(game_id, f"invitations/{made['id']}")
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    cast.bob.refused("DELETE", path, "not-found")
    cast.alice.delete(path)
    cast.alice.refused("DELETE", path, "not-found")
    assert office.deliver() == []


@pytest.mark.parametrize("sent", [False, True])
def test_what_is_taken_back_and_sent_anew_is_one_mail(cast, office, game_id, sent):
    made = invite(cast.alice, game_id)
    before = office.deliver() if sent else []
    cast.alice.delete(at(game_id, f"invitations/{made['id']}"))
    invite(cast.alice, game_id)
    assert len(before + office.deliver()) == 1


def test_no_address_is_kept_once_the_game_has_started(app, cast, office):
    game_id = cast.open(CARAVAN)
    invite(cast.alice, game_id)
    cast.bob.post(at(game_id, "seats"), {})
    cast.alice.post(at(game_id, "start"), status=200)
    assert execute(app, "SELECT * FROM invitations") == []
    assert listed(cast.alice, game_id) == []
    assert not [each for each in office.deliver() if each["To"] == "Dora@example.org"]


def test_both_lists_are_read_by_page(cast, office):
    office.address(cast.bob)
    tables = [cast.open() for _ in range(3)]
    for game_id in tables:
        invite(cast.alice, game_id, address="bob@example.org")
    first = cast.bob.get("/api/me/invitations?limit=2")
    rest = cast.bob.get(f"/api/me/invitations?limit=2&cursor={first['next']}")
    told = [each["game"]["id"] for each in first["invitations"] + rest["invitations"]]
    assert (told, rest["next"]) == (tables[::-1], None)
    made = [invite(cast.alice, tables[0], address=f"x{n}@example.org")["id"] for n in range(2)]
    first = cast.alice.get(at(tables[0], "invitations?limit=1"))
    rest = cast.alice.get(at(tables[0], f"invitations?cursor={first['next']}"))
    assert [each["id"] for each in first["invitations"] + rest["invitations"]][:2] == made[::-1]


def test_erasure_takes_invitations_along(app, cast, office):
    office.address(cast.bob)
    invite(cast.alice, cast.open(), address="bob@example.org")
    with app.app_context():
        kit = app.extensions["tegami"]
        erasure.erase(kit.outside, kit.states, cast.bob.id)
    assert execute(app, "SELECT * FROM invitations") == []
