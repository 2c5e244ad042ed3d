"""Texts for people are in the language that they ask for; the fields for programs are the same in both."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only

pytestmark = sqlite_only


def answer_in(person, path, language, method="GET", **more):
    answer = person.send(method, path, headers={"Accept-Language": language}, **more)
    assert answer.headers["Content-Language"] == language[:2]
    return answer


def without_words(value):
    """`value` without texts for people."""
    worded = ("words", "title", "detail", "name", "names", "short", "summary", "author")
    worded += ("meaning", "variants")
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if not key.endswith(worded)}
        lists = ("reasons", "values", "pieces")
        return {key: without_words(each) for key, each in kept.items() if key not in lists}
    return [without_words(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_only_words_differ(cast, slug):
    game_id = cast.start(slug)
    cast.play(game_id, most=3)
    for path in ("", "/events"):
        english, japanese = (
            answer_in(cast.alice, f"/api/games/{game_id}{path}", language).json
            for language in ("en", "ja")
        )
        assert english != japanese
        assert without_words(english) == without_words(japanese)


def test_results_are_worded(cast):
    game_id = cast.start()
    cast.play(game_id)
    english, japanese = (
        answer_in(cast.nobody, f"/api/games/{game_id}", language).json["result"]
        for language in ("en", "ja")
    )
    assert english["words"] != japanese["words"]
    assert english["scores"] == japanese["scores"]


def test_problems_are_worded(cast):
    documents = [answer_in(cast.nobody, "/api/me", language).json for language in ("en", "ja")]
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
def test_the_best_language_is_chosen(client, wanted, language):
    answer = client.get("/api/rulesets", headers={"Accept-Language": wanted})
    assert answer.status_code == 200
    assert language in (None, answer.headers["Content-Language"])


@pytest.mark.parametrize("path", ["/api/rulesets", "/api/rulesets/caravan"])
def test_rulesets_are_worded(cast, path):
    english, japanese = (answer_in(cast.nobody, path, language).json for language in ("en", "ja"))
    assert english != japanese
    assert without_words(english) == without_words(japanese)


@pytest.mark.parametrize("path", ["/rules/caravan", "/rules/boomerang-auction", "/problems/stale"])
def test_the_query_overrides_the_language_of_a_page(client, path):
    english = client.get(f"{path}?lang=en", headers={"Accept-Language": "ja"})
    japanese = client.get(f"{path}?lang=ja", headers={"Accept-Language": "en"})
    assert '<html lang="en"' in english.text and '<html lang="ja"' in japanese.text
    assert client.get(path, headers={"Accept-Language": "ja"}).text == japanese.text
    assert client.get(f"{path}?lang=de").status_code == 400
    assert client.get(f"{path}?language=en").status_code == 400


def test_the_words_of_the_page_have_the_same_keys_in_both_languages(client):
    english, japanese = (client.get(f"/api/words/{each}").json for each in ("en", "ja"))
    first, other = ({key.partition("[")[0] for key in each} for each in (english, japanese))
    assert first == other
    assert client.get("/api/words/de").status_code == 404


def test_house_players_are_named_in_the_callers_language(cast):
    game_id = cast.open(house=1)
    names = [
        answer_in(cast.nobody, f"/api/games/{game_id}", each).json["seats"][1]["name"]
        for each in ("en", "ja")
    ]
    assert len(set(names)) == 2
