"""Ratings and leaderboards without scripts."""

from __future__ import annotations

import re

import pytest

import rules
from rules.players.house import VERSION
from tests.service.people.ratings.test_answers import change, sure
from tests.service.web.page.test_plain_forms import reading
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.form_reader import FormReader, Page
from tests.support.proposing import registered

pytestmark = sqlite_only

BOARD = f"/plain/ratings/{CARAVAN}"


def shown(person, path) -> Page:
    answer = person.send("GET", path, headers={"Accept": "text/html", "Accept-Language": "en"})
    assert answer.status_code == 200
    return Page(answer.text)


def rows(page) -> list[str]:
    """The entries of a leaderboard in words."""
    found = re.findall(r"<tr[^>]*>(<td>.*?)</tr>", page.html)
    return [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in found]


def test_ratings_and_leaderboards_without_scripts(cast):
    registered(*cast.seated)
    sure(cast.app, **{cast.alice.id: 1_700_000, cast.bob.id: 1_800_000})
    sure(cast.app, **{f"house:caravan:strong:{VERSION}": 1_720_000})
    change(cast.alice, on_leaderboards=True)
    page = shown(cast.alice, "/plain/ratings")
    assert {f"/plain/ratings/{slug}" for slug in rules.slugs()} <= {path for path, _ in page.links}
    assert "Your rating: 1700 ± 60." in page.text
    board = shown(cast.alice, BOARD)
    assert rows(board) == [
        "1 House players, strong 1720 ± 60 50",
        "2 Alice (you) 1700 ± 60 50",
    ]
    assert "Your place: 2." in board.text
    assert "± 100 or less" in board.text
    assert "(you)" not in shown(cast.nobody, BOARD).text


def test_names_link_the_pages_that_the_reader_may_see(cast):
    registered(*cast.seated)
    sure(cast.app, **{cast.alice.id: 1_700_000, cast.carol.id: 1_800_000})
    for person in (cast.alice, cast.carol):
        change(person, on_leaderboards=True)
    change(cast.alice, page_for="everyone")
    change(cast.carol, page_for="nobody")
    named = dict.fromkeys(
        path for path, _ in shown(cast.nobody, BOARD).links if "/players/" in path
    )
    assert [*named] == ["/plain/players/alice"]
    page = shown(cast.carol, BOARD)
    assert ("/plain/players/carol", "Carol") in page.links
    assert "1 Carol (you)" in rows(page)[0]


@pytest.mark.parametrize("path", ["/plain/ratings", BOARD])
def test_whoever_has_no_rating_is_told_how_to_get_one(cast, path):
    registered(cast.alice)
    assert "play at rated tables to get one" in shown(cast.alice, path).text
    guest = FormReader(cast.app)
    guest.arrive("Aki")
    for way, page in (("/plain/me", guest.open(path)), ("/plain/enter", shown(cast.nobody, path))):
        assert "Ratings are for people with an account." in page.text
        assert (way, "Register" if guest.page is page else "Sign in") in page.links


def test_whoever_is_not_listed_is_told_why(cast):
    registered(cast.alice)
    sure(cast.app, **{cast.alice.id: 1_700_000})
    assert "You have not asked to be listed." in shown(cast.alice, BOARD).text
    change(cast.alice, on_leaderboards=True)
    execute(cast.app, "UPDATE ratings SET seen_deviation = 101000")
    assert "Your rating is not certain enough for a place yet" in shown(cast.alice, BOARD).text
    assert "Nobody is listed yet." in shown(cast.alice, BOARD).text


def test_a_long_leaderboard_goes_on_without_scripts(cast):
    execute(
        cast.app,
        "INSERT INTO players (id, name, language, created_at, listed) "
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60) "
        "SELECT 'p_' || n, 'Person ' || n, 'en', 0, TRUE FROM n",
    )
    sure(cast.app, **{f"p_{n}": 1_500_000 + n for n in range(1, 61)})
    first = shown(cast.nobody, BOARD)
    further = next(path for path, words in first.links if words == "More places")
    second = shown(cast.nobody, further)
    places = [int(each.split()[0]) for each in rows(first) + rows(second)]
    assert places == list(range(1, 61))
    assert "More places" not in second.text


def test_there_is_no_leaderboard_of_a_game_that_is_not_there(cast):
    assert cast.nobody.send("GET", "/plain/ratings/chess").status_code == 404


def test_who_sees_ratings_is_chosen_without_scripts(cast):
    registered(cast.alice)
    alice = reading(cast.alice)

    def form():
        return next(
            each for each in alice.open("/plain/me").forms if each.fields.get("do") == "ratings"
        )

    def settings():
        found = cast.alice.get("/api/me/settings")["settings"]
        return found["ratings_for"], found["on_leaderboards"]

    assert form().options["ratings_for"] == ["played", "everyone", "nobody"]
    assert form().fields["ratings_for"] == "played"
    chosen = {**form().fields, "ratings_for": "nobody", "on_leaderboards": "yes"}
    alice.post("/plain/me", chosen)
    assert settings() == ("nobody", True)
    assert form().fields == {**chosen, "form": form().fields["form"]}
    alice.post("/plain/me", {**form().fields, "ratings_for": "friends"}, 400)
    assert settings() == ("nobody", True)
    fields = {**form().fields, "ratings_for": "everyone"}
    del fields["on_leaderboards"]
    alice.post("/plain/me", fields)
    assert settings() == ("everyone", False)


def test_guests_have_no_settings_of_ratings(cast):
    alice = reading(cast.alice)
    assert "/plain/ratings" not in [path for path, _ in alice.open("/plain/me").links]


MEANING = "the result counts for the ratings of everybody who has an account"


@pytest.mark.parametrize(
    ("seats", "chosen", "rated"),
    [
        ("public", "usual", True),
        ("private", "usual", False),
        ("private", "yes", True),
        ("public", "no", False),
    ],
)
def test_whether_a_table_is_rated_is_chosen_and_said_without_scripts(cast, seats, chosen, rated):
    registered(cast.alice)
    alice = reading(cast.alice)
    alice.open(f"/plain/new/{CARAVAN}")
    page = alice.send("Open the table", seats=seats, rated=chosen)
    assert (MEANING in page.text) == rated
    assert cast.alice.game(alice.path.rpartition("/")[2])["rated"] == rated
    assert ("Rated" in shown(cast.nobody, "/plain").text) == (rated and seats == "public")


def test_guests_are_not_asked_whether_a_table_is_rated(cast):
    alice = reading(cast.alice)
    alice.open(f"/plain/new/{CARAVAN}")
    assert "rated" not in alice.form("Open the table").fields
