"""Links in mails that vote on a proposal: a GET shows, a POST votes, for one seat and one proposal."""

from __future__ import annotations

import re

import pytest

from tests.service.tables.play.test_hidden_information import cards, known
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import HOUR, hours
from tests.support.dump import dump
from tests.support.mail_kinds import rows
from tests.support.post_office import Office, to
from tests.support.proposing import DRAW, PAUSE, last, links, propose, vote

__all__ = ["hours"]


@pytest.fixture
def office(app, cast):
    """An outbox; everybody has an address."""
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def game_id(cast, office):
    """A game with a clock in which alice proposes a pause."""
    game_id = cast.start(pace="daily")
    office.deliver()
    propose(cast.alice, game_id, PAUSE)
    return game_id


@pytest.fixture
def mailed(cast, office, game_id):
    """The links that were mailed to bob and carol, by name."""
    letters = {str(letter["To"]): links(letter) for letter in office.deliver()}
    return {person.name: letters[to(person)] for person in (cast.bob, cast.carol)}


def shown(cast, path, method="GET"):
    """The page at a path, for anybody who has the link."""
    answer = cast.nobody.http.open(path, method=method)
    assert answer.status_code == 200, answer.get_data(as_text=True)[:500]
    return answer.get_data(as_text=True)


def test_a_get_shows_what_is_proposed_and_changes_nothing(app, cast, game_id, mailed):
    stored, words = dump(app), last(cast.bob, game_id)["words"]
    for answer, title in (("agree", "Do you agree?"), ("refuse", "Do you reject it?")):
        page = shown(cast, mailed["Bob"][answer])
        assert words in page and title in page
        assert '<form method="post">' in page
        assert "Tuesday, 24 November 2026, 10:00" in page
    assert dump(app) == stored


@pytest.mark.both_databases
def test_a_post_votes_like_the_api(cast, game_id, mailed):
    page = shown(cast, mailed["Bob"]["agree"], "POST")
    assert "You agree" in page and "Carol" in page
    made = last(cast.alice, game_id)
    assert (made["votes"], made["missing"]) == ([{"seat": 1, "agrees": True}], [2])
    page = shown(cast, mailed["Carol"]["agree"], "POST")
    assert "The table has agreed" in page
    assert cast.alice.game(game_id)["paused"]


def test_what_a_link_leads_to_counts_for_whoever_it_was_mailed_to(app, cast, game_id, mailed):
    for person in (cast.bob, cast.carol):
        shown(cast, mailed[person.name]["agree"], "POST")
    caused = [row.cause for row in rows(app).values() if row.done_at is None]
    assert caused and {cause.split()[0] for cause in caused} == {cast.carol.id}


@pytest.mark.both_databases
def test_the_same_vote_again_changes_nothing(app, cast, game_id, mailed):
    shown(cast, mailed["Bob"]["agree"], "POST")
    before = {**dump(app), "games": None}
    page = shown(cast, mailed["Bob"]["agree"])
    assert "You agree" in page and "<form" not in page
    assert "You agree" in shown(cast, mailed["Bob"]["agree"], "POST")
    assert {**dump(app), "games": None} == before


def test_a_vote_can_be_changed_until_the_proposal_is_decided(cast, game_id, mailed):
    shown(cast, mailed["Bob"]["agree"], "POST")
    page = shown(cast, mailed["Bob"]["refuse"])
    assert "Your answer so far: you agree." in page and "<form" in page
    assert "The table has not agreed" in shown(cast, mailed["Bob"]["refuse"], "POST")
    assert last(cast.alice, game_id)["status"] == "refused"


def assert_decided(app, cast, mailed, words):
    """Check that every link only shows the outcome of the proposal."""
    stored = dump(app)
    for paths in mailed.values():
        for path in paths.values():
            for method in ("GET", "POST"):
                page = shown(cast, path, method)
                assert words in page and "<form" not in page
                assert re.search("(Alice proposes|You have proposed) a pause", page)
    assert dump(app) == stored


def test_links_to_a_refused_proposal(app, cast, game_id, mailed):
    vote(cast.bob, game_id, agrees=False)
    assert_decided(app, cast, mailed, "Somebody has rejected it, so nothing changes.")


def test_links_to_an_accepted_proposal(app, cast, game_id, mailed):
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert_decided(app, cast, mailed, "and the proposal has taken effect.")


def test_links_to_a_withdrawn_proposal(app, cast, game_id, mailed):
    cast.alice.delete(f"/api/games/{game_id}/proposals/{last(cast.alice, game_id)['id']}")
    assert_decided(app, cast, mailed, "The player who made it has withdrawn it.")


def test_links_to_a_proposal_after_72_hours(app, cast, game_id, mailed, hours):
    hours.later(72 * HOUR)
    assert_decided(app, cast, mailed, "Not everybody answered in time")


def test_the_last_vote_may_end_the_game(cast, office):
    game_id = cast.start(CARAVAN, pace="daily")
    office.deliver()
    propose(cast.alice, game_id, DRAW)
    (letter,) = office.deliver()
    page = shown(cast, links(letter)["agree"], "POST")
    assert "The table has agreed" in page
    assert cast.alice.game(game_id)["result"]["reason"] == "agreed"
    assert "The table has agreed" in shown(cast, links(letter)["refuse"], "POST")


def test_links_end_when_the_seat_changes_hands(app, cast, game_id, mailed):
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    cast.bob.post(f"/api/games/{game_id}/return", status=200)
    stored = dump(app)
    for path in mailed["Bob"].values():
        for method in ("GET", "POST"):
            cast.nobody.refused(method, path, "not-found")
    assert dump(app) == stored
    assert "<form" in shown(cast, mailed["Carol"]["agree"])


def test_altered_links_are_not_found(app, cast, game_id, mailed):
    token = mailed["Bob"]["agree"].rpartition("/")[2]
    tenure, signature, proposal, answer = token.split(".")
    other = cast.carol.game(game_id)["tenure"]
    swapped = signature[:5] + ("A" if signature[5] != "A" else "B") + signature[6:]
    propose(cast.carol, game_id, DRAW)
    another = last(cast.carol, game_id)["id"]
    wrong = [
        (other, signature, proposal, answer),
        (tenure, swapped, proposal, answer),
        (tenure, signature, another, answer),
        (tenure, signature, "q_" + "x" * 22, answer),
        (tenure, signature, proposal, "refuse"),
        (tenure, signature, proposal, "maybe"),
        ("t_" + "x" * 22, signature, proposal, answer),
    ]
    stored = dump(app)
    for parts in wrong:
        for method in ("GET", "POST"):
            cast.nobody.refused(method, "/votes/" + ".".join(parts), "not-found")
    headers = {"Accept": "text/html,*/*;q=0.8"}
    page = cast.nobody.send("GET", "/votes/x", headers=headers)
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "This link does not work" in page.text
    assert dump(app) == stored


@sqlite_only
def test_a_vote_link_plays_no_move(cast, game_id, mailed):
    token = mailed["Bob"]["agree"].rpartition("/")[2]
    cast.nobody.refused("POST", f"/moves/{token}", "not-found")


@sqlite_only
def test_the_page_needs_no_script_and_no_sign_in(cast, mailed):
    answer = cast.nobody.http.get(mailed["Bob"]["agree"])
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(r"<script|\sstyle=|\son\w+=", answer.text)
    headers = {"Origin": "null", "Sec-Fetch-Site": "cross-site"}
    path = mailed["Bob"]["agree"]
    assert cast.nobody.send("POST", path, headers=headers).status_code == 200


@sqlite_only
def test_the_page_is_in_the_players_language(cast, mailed):
    cast.bob.send("PATCH", "/api/me", json={"language": "ja"})
    answer = cast.nobody.send("GET", mailed["Bob"]["agree"], headers={"Accept-Language": "en"})
    assert answer.headers["Content-Language"] == "ja"
    assert "この提案に賛成しますか" in answer.text


@pytest.mark.parametrize("slug", ["boomerang-auction", CARAVAN, "joretsu"])
@sqlite_only
def test_mails_and_pages_show_what_their_seat_sees_and_nothing_else(app, cast, office, slug):
    game_id = cast.start(slug, pace="daily")
    cast.play(game_id, most=4)
    office.deliver()
    for wish in (PAUSE, DRAW):
        propose(cast.alice, game_id, wish)
        letters = office.deliver()
        assert letters
        for letter in letters:
            person = next(each for each in cast.seated if to(each) == letter["To"])
            mail = [letter.as_string(), str(letter["Subject"])]
            parts = [each.get_content() for each in letter.iter_parts()]
            assert not cards([*mail, *parts]), "mails name no card"
            seat = person.game(game_id)["seat"]
            for path in links(letter).values():
                assert not cards([path.replace("/", " ").replace(".", " ")])
                assert cards(shown(cast, path)) <= known(app, game_id, seat)
            assert cards(shown(cast, links(letter)["refuse"], "POST")) <= known(app, game_id, seat)
        for letter in office.deliver():
            assert not cards([each.get_content() for each in letter.iter_parts()])
