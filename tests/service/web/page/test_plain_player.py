"""The page of a player without scripts."""

from __future__ import annotations

import pytest

from tests.service.people.ratings.played.test_counting import count_all
from tests.service.people.ratings.test_answers import change
from tests.service.people.ratings.test_ratings import rate_all
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import MINUTE
from tests.support.proposing import registered

pytestmark = sqlite_only

PAGE = "/plain/players/alice"


@pytest.fixture
def played(cast, clock):
    """alice and bob have played four games, one of them at a private table; everybody sees alice's page."""
    registered(*cast.everybody)
    for private in (False, False, False, True):
        for _ in cast.moves(cast.start_anew(CARAVAN, private=private)):
            clock.forward(2 * MINUTE)
    count_all(cast.app)
    rate_all(cast.app)
    change(cast.alice, page_for="everyone", ratings_for="everyone", show_hours=True)
    return cast


def read(person, path=PAGE, status=200, language="en"):
    answer = person.send("GET", path, headers={"Accept": "text/html", "Accept-Language": language})
    assert answer.status_code == status
    return answer.get_data(as_text=True)


def test_the_page_of_a_player_needs_no_scripts(played):
    others, own = read(played.mallory), read(played.alice)
    for page in (others, own):
        assert "<h1>Alice</h1>" in page
        assert "half of the answers within 2 minutes" in page
    assert others.count("/plain/games/g_") == 3
    assert own.count("/plain/games/g_") == 4
    assert "(private)" in own
    assert "(private)" not in others
    assert 'href="/players/alice"' in others, "the same with scripts"


def test_it_is_read_in_japanese(played):
    assert "半数は2分以内" in read(played.nobody, language="ja")


def test_a_page_that_one_may_not_see_is_not_there(played):
    change(played.alice, page_for="nobody")
    hidden = read(played.mallory, status=404)
    assert hidden == read(played.mallory, "/plain/players/nobody-is-called-so", status=404)


def test_ones_own_is_linked_from_the_settings(played):
    assert f'href="{PAGE}"' in read(played.alice, "/plain/me")
