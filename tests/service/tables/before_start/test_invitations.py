"""Invitations by mail: who may send them, who gets them, and how they are declined."""

from __future__ import annotations

import re

import pytest

from service import personal_data
from service.outbox import unsubscriptions
from service.tables.before_start import invitations
from tests.support.cast import BOOMERANG, CARAVAN, START, sqlite_only
from tests.support.clock import HOUR
from tests.support.dump import dump, execute
from tests.support.post_office import Office, part
from tests.support.talking import at, two

DORA = {"address": "Dora@example.org"}
DECLINE = re.compile(r"http://localhost(/invitations/\S+)")


@pytest.fixture
def office(app, cast):
    """The mails sent; alice has a verified address."""
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


def test_the_mail_links_to_the_table(cast, office, game_id):
    made = invite(cast.alice, game_id)
    assert (made["address"], made["name"], made["declined"]) == ("dora@example.org", None, False)
    (letter,) = office.deliver()
    assert letter["To"] == "Dora@example.org"
    assert f"/invited/{game_id}/{made['id']}." in part(letter), "it has a key of its own"
    assert str(letter["Subject"]).startswith("Invitation to a game of")


def test_the_inviter_chooses_the_language_unless_the_recipient_has(cast, office, game_id):
    invite(cast.alice, game_id, language="ja")
    office.address(cast.bob, language="ja")
    invite(cast.alice, game_id, address="bob@example.org", language="en")
    subjects = [str(letter["Subject"]) for letter in office.deliver()]
    assert len(subjects) == 2
    assert all(subject.endswith("への招待：Aliceさんより") for subject in subjects)


def test_only_seated_players_with_a_verified_address_can_invite(cast, office, game_id):
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    path = at(game_id, "invitations")
    cast.bob.refused("POST", path, "not-seated", DORA, headers=headers)
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    cast.bob.refused("POST", path, "not-verified", DORA)
    cast.mallory.refused("POST", path, "not-found", DORA)
    assert office.deliver() == []


def test_nobody_can_be_invited_to_a_full_table_or_a_running_game(cast, office):
    game_id = two(cast)
    cast.alice.refused("POST", at(game_id, "invitations"), "table-full", DORA)
    cast.alice.post(at(game_id, "start"), status=200)
    cast.alice.refused("POST", at(game_id, "invitations"), "not-open", DORA)


@pytest.mark.both_databases
def test_an_address_gets_one_mail_for_each_table(cast, office, game_id):
    office.address(cast.bob)
    made = invite(cast.alice, game_id)
    assert invite(cast.alice, game_id, 200, address="DORA@example.org") == made
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    assert invite(cast.bob, game_id)["id"] != made["id"]
    assert len(office.deliver()) == 1


def test_the_response_does_not_reveal_who_is_registered(cast, office, game_id):
    office.address(cast.bob)
    made = [invite(cast.alice, game_id, address=f"{who}@example.org") for who in ("bob", "eve")]
    for each in made:
        assert each.pop("id").startswith("i_")
        assert each.pop("address").endswith("@example.org")
    assert made[0] == made[1]


def test_people_who_blocked_the_inviter_are_not_told(cast, office):
    met = two(cast)
    office.address(cast.bob)
    cast.bob.post("/api/me/blocks", {"game": met, "tenure": cast.alice.game(met)["tenure"]})
    invite(cast.alice, cast.open(), address="bob@example.org")
    assert office.deliver() == []
    assert asked(cast.bob) == []


def test_unsubscribed_addresses_get_no_invitations(app, client, cast, office, game_id):
    link = unsubscriptions.address_unsubscribe_link(
        app.extensions["tegami"].config, "dora@example.org"
    )
    client.post(link.removeprefix("http://localhost"))
    invite(cast.alice, game_id)
    assert office.deliver() == []


def test_the_table_sees_who_declined_but_only_the_inviter_sees_the_address(
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


def test_looking_at_the_page_declines_nothing_and_declining_works_once(
    app, client, cast, office, game_id
):
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
        assert "This invitation is no longer open" in answer.text
    assert dump(app) == stored


def test_the_link_to_decline_is_signed_with_sha_256(cast, office, game_id):
    invite(cast.alice, game_id)
    link = DECLINE.search(part(office.deliver()[0]))[1]
    assert len(link.rpartition(".")[2]) == 43, "256 bits in Base64"


def test_a_registered_recipient_sees_the_invitation_and_may_sit_down(cast, office, game_id):
    office.address(cast.bob)
    invite(cast.alice, game_id, address="bob@example.org")
    (found,) = asked(cast.bob)
    assert (found["by"], found["game"]["id"]) == ("Alice", game_id)
    assert asked(cast.mallory) == []
    cast.bob.post(at(game_id, "seats"), {})
    assert asked(cast.bob) == listed(cast.alice, game_id) == []


def test_declining_ends_access_to_a_private_table(cast, office, game_id):
    office.address(cast.bob)
    made = invite(cast.alice, game_id, address="bob@example.org")
    cast.carol.refused("DELETE", f"/api/me/invitations/{made['id']}", "not-found")
    cast.bob.game(game_id)
    cast.bob.delete(f"/api/me/invitations/{made['id']}")
    cast.bob.refused("GET", f"/api/games/{game_id}", "not-found")
    assert asked(cast.bob) == []


def test_a_withdrawn_invitation_is_not_sent(cast, office, game_id):
    made = invite(cast.alice, game_id)
    path = at(game_id, f"invitations/{made['id']}")
    headers = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    cast.bob.post(at(game_id, "seats"), {}, headers=headers)
    cast.bob.refused("DELETE", path, "not-found")
    cast.alice.delete(path)
    cast.alice.refused("DELETE", path, "not-found")
    assert office.deliver() == []


@pytest.mark.both_databases
@pytest.mark.parametrize("sent", [False, True])
def test_withdrawing_and_inviting_again_sends_one_mail(cast, office, game_id, sent):
    made = invite(cast.alice, game_id)
    before = office.deliver() if sent else []
    cast.alice.delete(at(game_id, f"invitations/{made['id']}"))
    invite(cast.alice, game_id)
    assert len(before + office.deliver()) == 1


@pytest.mark.both_databases
def test_invited_addresses_are_deleted_when_the_game_starts(app, cast, office):
    game_id = cast.open(CARAVAN)
    invite(cast.alice, game_id)
    cast.bob.post(at(game_id, "seats"), {})
    cast.alice.post(at(game_id, "start"), status=200)
    assert execute(app, "SELECT * FROM invitations") == []
    assert listed(cast.alice, game_id) == []
    assert not [each for each in office.deliver() if each["To"] == "Dora@example.org"]


@pytest.mark.both_databases
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_both_lists_are_paged(cast, office, limit):
    office.address(cast.bob)
    cast.open()  # so that invitations and tables are numbered differently
    tables = [cast.open() for _ in range(3)]
    for game_id in tables:
        invite(cast.alice, game_id, address="bob@example.org")
    pages = [cast.bob.get(f"/api/me/invitations?limit={limit}")]
    while following := pages[-1]["next"]:
        pages.append(cast.bob.get(f"/api/me/invitations?limit={limit}&cursor={following}"))
    assert [len(page["invitations"]) for page in pages] == {1: [1, 1, 1], 2: [2, 1], 3: [3]}[limit]
    found = [each["game"]["id"] for page in pages for each in page["invitations"]]
    assert found == tables[::-1]
    made = [invite(cast.alice, tables[0], address=f"x{n}@example.org")["id"] for n in range(2)]
    first = cast.alice.get(at(tables[0], "invitations?limit=1"))
    rest = cast.alice.get(at(tables[0], f"invitations?cursor={first['next']}"))
    assert [each["id"] for each in first["invitations"] + rest["invitations"]][:2] == made[::-1]


@sqlite_only
def test_one_invitation_is_declined_and_once(app, cast, clock, office):
    office.address(cast.bob)
    first, second = (
        invite(cast.alice, cast.open(), address="bob@example.org")["id"] for _ in range(2)
    )
    query = "SELECT declined_at FROM invitations WHERE id = :id"
    cast.bob.refused("DELETE", "/api/me/invitations/i_" + "0" * 22, "not-found")
    for _ in range(2):
        cast.bob.delete(f"/api/me/invitations/{first}")
        assert [execute(app, query, id=each)[0].declined_at for each in (first, second)] == [
            START,
            None,
        ]
        clock.forward(HOUR)
    (left,) = asked(cast.bob)
    assert left["id"] == second
    with app.app_context():
        known = [invitations.find_one(each) is not None for each in (first, second)]
        found = [invitations.find_one(each, declined=True) for each in (first, second)]
    declined = [each is not None for each in found]
    assert (known, declined) == ([False, True], [True, False])


@sqlite_only
def test_an_invitation_is_withdrawn_where_it_was_made(cast, office):
    tables = [cast.open(), cast.open()]
    made = [invite(cast.alice, game_id)["id"] for game_id in tables]
    for wrong in (made[1], "i_" + "0" * 22):
        cast.alice.refused("DELETE", at(tables[0], f"invitations/{wrong}"), "not-found")
    cast.alice.delete(at(tables[0], f"invitations/{made[0]}"))
    assert [len(listed(cast.alice, game_id)) for game_id in tables] == [0, 1]
    assert len(office.deliver()) == 1


@sqlite_only
def test_people_who_are_not_the_host_withdraw_their_own(cast, office):
    game_id = cast.open()
    cast.bob.post(at(game_id, "seats"), {})
    office.address(cast.bob)
    hosts, own = invite(cast.alice, game_id)["id"], invite(cast.bob, game_id)["id"]
    cast.bob.refused("DELETE", at(game_id, f"invitations/{hosts}"), "not-found")
    cast.bob.delete(at(game_id, f"invitations/{own}"))
    assert [each["id"] for each in listed(cast.alice, game_id)] == [hosts]


@pytest.mark.both_databases
def test_erasing_a_player_deletes_their_invitations(app, cast, office):
    office.address(cast.bob)
    invite(cast.alice, cast.open(), address="bob@example.org")
    with app.app_context():
        services = app.extensions["tegami"]
        personal_data.erase(services, cast.bob.id)
    assert execute(app, "SELECT * FROM invitations") == []
