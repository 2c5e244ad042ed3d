"""Whatever is for people comes in the language they ask for; programs read the same in both."""

from __future__ import annotations

import pytest

from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only

pytestmark = sqlite_only


def told(person, path, language, method="GET", **more):
    answer = person.send(method, path, headers={"Accept-Language": language}, **more)
    assert answer.headers["Content-Language"] == language[:2]
    return answer


def wordless(value):
    """`value` without what is worded."""
    worded = ("words", "title", "detail", "name", "names", "short", "summary", "author")
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if not key.endswith(worded)}
        lists = ("reasons", "values")
        return {key: wordless(each) for key, each in kept.items() if key not in lists}
    return [wordless(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_words_differ_and_nothing_else(cast, slug):
    game_id = cast.start(slug)
    cast.play(game_id, most=3)
    for path in ("", "/events"):
        english, japanese = (
            told(cast.alice, f"/api/games/{game_id}{path}", language).json
            for language in ("en", "ja")
        )
        assert english != japanese
        assert wordless(english) == wordless(japanese)


def test_results_are_worded(cast):
    game_id = cast.start()
    cast.play(game_id)
    english, japanese = (
        told(cast.nobody, f"/api/games/{game_id}", language).json["result"]
        for language in ("en", "ja")
    )
    assert english["words"] != japanese["words"]
    assert english["scores"] == japanese["scores"]


def test_problems_are_worded(cast):
    documents = [told(cast.nobody, "/api/me", language).json for language in ("en", "ja")]
    assert documents[0]["type"] == documents[1]["type"]
    assert documents[0]["title"] != documents[1]["title"]


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ("en-GB,en;q=0.9,ja;q=0.8", "en"),
        ("de,fr;q=0.9", "en"),
        ("de,ja;q=0.5,en;q=0.4", "ja"),
        ("ja;q=0,*", "en"),
        ("*", "en"),
        ("ja;q=x", None),
        ("\x00;;,=", "en"),
        ("ja," * 500, "ja"),
    ],
)
def test_the_language_is_the_best_of_ours(client, wanted, language):
    answer = client.get("/api/rulesets", headers={"Accept-Language": wanted})
    assert answer.status_code == 200
    assert language in (None, answer.headers["Content-Language"])


@pytest.mark.parametrize("path", ["/api/rulesets", "/api/rulesets/caravan"])
def test_rulesets_are_worded(cast, path):
    english, japanese = (told(cast.nobody, path, language).json for language in ("en", "ja"))
    assert english != japanese
    assert wordless(english) == wordless(japanese)


@pytest.mark.parametrize("path", ["/rules/caravan", "/rules/boomerang-auction", "/problems/stale"])
def test_pages_take_the_language_of_the_link(client, path):
    english = client.get(f"{path}?lang=en", headers={"Accept-Language": "ja"})
    japanese = client.get(f"{path}?lang=ja", headers={"Accept-Language": "en"})
    assert '<html lang="en"' in english.text and '<html lang="ja"' in japanese.text
    assert client.get(path, headers={"Accept-Language": "ja"}).text == japanese.text
    assert client.get(f"{path}?lang=de").status_code == 400
    assert client.get(f"{path}?language=en").status_code == 400


def test_the_pages_own_words_are_the_same_keys_in_both(client):
    english, japanese = (client.get(f"/api/words/{each}").json for each in ("en", "ja"))
    assert english.keys() == japanese.keys()
    assert client.get("/api/words/de").status_code == 404


def test_house_players_have_names_in_the_callers_language(cast):
    game_id = cast.open(house=1)
    names = [
        told(cast.nobody, f"/api/games/{game_id}", each).json["seats"][1]["name"]
        for each in ("en", "ja")
    ]
    assert len(set(names)) == 2
