"""Polling: for each viewer, equal tags mean equal bodies; a poll without news costs one SELECT."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from service.core.database.database import db
from service.web.app import create_app
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.watching import watched

LANGUAGES = ("en", "ja")


def poll(person, game_id, tag=None, **headers):
    headers |= {"If-None-Match": tag} if tag else {}
    return person.send("GET", f"/api/games/{game_id}", headers=headers)


def viewers(cast):
    """Every person with the headers of every language."""
    people = (*cast.seated, cast.mallory, cast.nobody)
    return [(person, {"Accept-Language": each}) for person in people for each in LANGUAGES]


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_equal_tags_mean_equal_bodies_for_each_viewer(cast, clock, slug):
    bodies = {}

    def look(game_id):
        for person, headers in viewers(cast):
            answer = poll(person, game_id, **headers)
            key = person.name, headers["Accept-Language"], answer.headers["ETag"]
            assert bodies.setdefault(key, answer.data) == answer.data
            assert poll(person, game_id, answer.headers["ETag"], **headers).status_code == 304
            clock.forward(7)

    game_id = cast.open(slug)
    look(game_id)
    for person in cast.seated[1 : cast.alice.game(game_id)["players"]]:
        person.post(f"/api/games/{game_id}/seats", {})
        look(game_id)
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    look(game_id)
    rng = random.Random(7)
    for _ in itertools.islice(cast.moves(game_id, rng.choice), 4):
        look(game_id)
    cast.bob.send("PATCH", "/api/me", json={"name": "Robert"})
    look(game_id)
    assert len(bodies) > 50


def test_a_poll_without_news_is_304_without_a_body(cast):
    game_id = cast.start()
    first = poll(cast.bob, game_id)
    again = poll(cast.bob, game_id, first.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert again.headers[name] == first.headers[name]
    assert first.headers["Cache-Control"] == "private, no-cache"
    cast.alice.answer(cast.alice.game(game_id))
    assert poll(cast.bob, game_id, first.headers["ETag"]).status_code == 200


def test_the_middleware_and_the_application_agree(cast):
    """The middleware handles one plain tag; Flask handles all other forms of the header."""
    game_id = cast.start()
    for person in (cast.alice, cast.bob, cast.nobody):
        tag = poll(person, game_id).headers["ETag"]
        for written in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = poll(person, game_id, written)
            assert (answer.status_code, answer.headers["ETag"]) == (304, tag)
        assert poll(person, game_id, '"other"').status_code == 200
        head = person.send("HEAD", f"/api/games/{game_id}", headers={"If-None-Match": tag})
        assert head.status_code == 304


@sqlite_only
def test_language_seat_and_sign_in_change_the_tag(app, cast):
    game_id = cast.start()
    tags = [poll(person, game_id, **headers).headers["ETag"] for person, headers in viewers(cast)]
    assert len(set(tags)) == 4 * len(LANGUAGES), "strangers share theirs"
    for person, tag in itertools.product((cast.alice, cast.bob, cast.nobody), set(tags)):
        mine = poll(person, game_id).headers["ETag"]
        assert poll(person, game_id, tag).status_code == (304 if tag == mine else 200)


@sqlite_only
def test_another_signing_key_changes_the_tag(app, cast, config, runtime):
    """After the operator has replaced the key, nobody keeps a signature of the old one."""
    game_id = cast.start()
    before = poll(cast.bob, game_id)
    replaced = create_app(replace(config, signing_key=bytes([1]) * 32), runtime)
    bob = replaced.test_client(use_cookies=False)
    headers = {**cast.bob.headers, "If-None-Match": before.headers["ETag"]}
    after = bob.get(f"/api/games/{game_id}", headers=headers)
    assert after.status_code == 200
    assert after.json["head"] == before.json["head"]
    assert after.json["head_signature"] != before.json["head_signature"]
    headers["If-None-Match"] = after.headers["ETag"]
    assert bob.get(f"/api/games/{game_id}", headers=headers).status_code == 304


def test_sitting_down_leaving_and_signing_out_change_the_tag(cast):
    game_id = cast.open()
    tag = poll(cast.carol, game_id).headers["ETag"]
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    seated = poll(cast.carol, game_id, tag)
    assert seated.status_code == 200
    cast.carol.delete("/api/sign-ins/current")
    assert poll(cast.carol, game_id, seated.headers["ETag"]).json["tenure"] is None


def test_a_revoked_token_is_refused_at_its_next_poll(cast):
    game_id = cast.start()
    tag = poll(cast.bob, game_id).headers["ETag"]
    (token,) = cast.bob.get("/api/me/tokens")["tokens"]
    cast.bob.delete(f"/api/me/tokens/{token['id']}")
    for known in (tag, poll(cast.nobody, game_id).headers["ETag"]):
        assert poll(cast.bob, game_id, known).status_code == 401


@sqlite_only
@pytest.mark.parametrize("strange", ['x={"a":1}', "a[b]=c", "é=1", "tegami=", ";;=", "a=b=c"])
def test_other_cookies_do_not_hide_ours(app, cast, strange):
    """Whatever else is in the header, the middleware sees the same player as Flask."""
    game_id = cast.start()
    ours = f"tegami={cast.alice.http.get_cookie('tegami').value}"
    browser = Person(app, "Browser", program=True)
    browser.headers = {"Cookie": f"{strange}; {ours}".encode().decode("latin-1")}
    answer = poll(browser, game_id)
    visitor = poll(cast.nobody, game_id).headers["ETag"]
    with watched(app) as seen:
        assert poll(browser, game_id, answer.headers["ETag"]).status_code == 304
        assert len(seen.statements) == 1
        assert poll(browser, game_id, visitor).headers["ETag"] == answer.headers["ETag"]


def test_an_idle_poll_is_one_select_and_loads_no_state(app, cast):
    game_id = cast.start()
    people = (cast.alice, cast.bob, cast.mallory, cast.nobody)
    tags = {person: poll(person, game_id).headers["ETag"] for person in people}
    states = app.extensions["tegami"].states
    states.load = None
    with watched(app) as seen:
        for person, tag in tags.items():
            seen.clear()
            assert poll(person, game_id, tag).status_code == 304
            assert seen.commits == 0
            (statement,) = seen.statements
            assert statement.startswith("SELECT")


def test_who_may_not_look_is_refused_whatever_tag_they_bring(cast):
    """tests/support/both_ways.py tries all tags that are known."""
    game_id = cast.start(private=True)
    tags = [poll(person, game_id).headers["ETag"] for person in cast.seated]
    label = {"label": "x", "scopes": ["talk"]}
    secret = cast.bob.post("/api/me/tokens", label)["token"]["secret"]
    for bearer, status in ((secret, 403), ("tgm_unknown", 401), ("", 401)):
        for tag in tags:
            refused = poll(cast.nobody, game_id, tag, Authorization=f"Bearer {bearer}")
            assert refused.status_code == status
    for tag in tags:
        assert poll(cast.mallory, game_id, tag).status_code == 404
        assert poll(cast.nobody, game_id, tag, Authorization="Basic x").status_code == 404


def test_whoever_has_left_is_shown_more_than_a_stranger(cast):
    """This includes those who know the tag of strangers."""
    game_id = cast.start()
    cast.bob.post(f"/api/games/{game_id}/resignation", {}, status=200)
    stranger = poll(cast.mallory, game_id)
    assert stranger.json["held"] is None
    mine = poll(cast.bob, game_id, stranger.headers["ETag"])
    assert (mine.status_code, mine.json["held"]["seat"]) == (200, 1)
    assert poll(cast.bob, game_id, mine.headers["ETag"]).status_code == 304


@sqlite_only
def test_a_use_that_is_to_be_noted_is_noted(app, cast, clock):
    """Then the application responds; for the next minute it need not."""
    game_id = cast.start()
    tag = poll(cast.alice, game_id).headers["ETag"]
    clock.forward(61_000)
    with watched(app) as seen:
        for commits in (1, 0):
            seen.clear()
            assert poll(cast.alice, game_id, tag).status_code == 304
            assert seen.commits == commits


def test_an_idle_poll_reads_by_index(app, cast):
    game_id = cast.start()
    tag = poll(cast.alice, game_id).headers["ETag"]
    with watched(app) as seen:
        poll(cast.alice, game_id, tag)
    with app.app_context(), db.engine.connect() as connection:
        if connection.dialect.name != "sqlite":
            return  # PostgreSQL scans a table that is this small
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {seen.statements[0]}")
        steps = [row.detail for row in plan]
    assert len(steps) == 3
    assert all(step.startswith("SEARCH") and "INDEX" in step for step in steps)


def test_a_move_is_one_commit(app, cast):
    game_id = cast.start(CARAVAN)
    with watched(app) as seen:
        for move in itertools.islice(cast.moves(game_id), 4):
            assert seen.commits == 1
            inserts = [each for each in seen.statements if each.startswith("INSERT")]
            assert len(inserts) == 1
            seen.clear()
            assert move.person.answer(move.shown, move.action, status=200)
            assert seen.commits <= 1
            assert not [each for each in seen.statements if each.startswith(("INSERT", "UPDATE"))]
            seen.clear()


def test_the_start_is_one_commit(app, cast):
    game_id = cast.open(CARAVAN)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    with watched(app) as seen:
        cast.alice.post(f"/api/games/{game_id}/start", status=200)
        assert seen.commits == 1


def test_a_poll_writes_nothing(app, cast):
    game_id = cast.start()
    with watched(app) as seen:
        for path in ("", "/events"):
            cast.alice.get(f"/api/games/{game_id}{path}")
        cast.alice.get("/api/me/turns")
        cast.alice.get("/api/games?mine=true")
        assert seen.commits == 0
        reading = ("select ", "show ", ";")  # the last one is the ping of a pooled connection
        assert all(each.lower().startswith(reading) for each in seen.statements)


@sqlite_only
@pytest.mark.parametrize("path", ["/api/rulesets", "/api/rulesets/caravan", "/api/words/ja"])
def test_answers_that_rarely_change_have_a_tag_too(client, path):
    answer = client.get(path)
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert client.get(path, headers=tag).status_code == 304
    if "words" not in path:
        assert client.get(path, headers={**tag, "Accept-Language": "ja"}).status_code == 200


@sqlite_only
def test_poll_after_is_longer_after_the_end(cast):
    game_id = cast.start()
    assert cast.alice.game(game_id)["poll_after"] == 0.05
    cast.play(game_id)
    assert cast.alice.game(game_id)["poll_after"] > 0.05
