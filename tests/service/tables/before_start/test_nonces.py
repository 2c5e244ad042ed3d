"""Nonces: what people contribute to the shuffles, after the commitment and before the start."""

from __future__ import annotations

import pytest

from service.log.events import MOST_NONCES
from service.tables.before_start.table_setup import AT_A_TABLE
from tests.support.cast import BOOMERANG, CARAVAN, Cast, Clock, Person, sqlite_only
from tests.support.dump import dump, execute

pytestmark = sqlite_only

FIRST, OTHER, THIRD = "ab" * 8, "cd" * 32, "0123456789abcdef01"


def nonce_of(game_id: str) -> str:
    """The address at which a nonce is brought."""
    return f"/api/games/{game_id}/nonce"


def seat(person: Person, game_id: str, nonce: str | None = None) -> str:
    """Sit down, with a nonce or without; returns the tenure."""
    body = {"nonce": nonce} if nonce else {}
    tenure: str = person.post(f"/api/games/{game_id}/seats", body)["tenure"]
    return tenure


def brought(app, game_id):
    """The nonces that are stored, in the order of sitting down."""
    query = """
        SELECT nonce FROM tenures JOIN games ON games.key = game_key
        WHERE games.id = :game AND nonce IS NOT NULL ORDER BY place
    """
    return [row.nonce for row in execute(app, query, game=game_id)]


def test_everybody_seated_may_bring_a_nonce_until_the_game_starts(app, cast):
    game_id = cast.open()
    for person in cast.seated[1:]:
        seat(person, game_id)
    for person, nonce in zip(cast.seated, (FIRST, OTHER, THIRD), strict=True):
        before = person.game(game_id)["revision"]
        game = person.put(nonce_of(game_id), {"nonce": nonce})
        assert (game["status"], game["id"]) == ("open", game_id)
        assert game["revision"] > before
    assert brought(app, game_id) == [FIRST, OTHER, THIRD]


def test_a_nonce_cannot_be_changed_but_brought_again(app, cast):
    game_id = cast.open(nonce=FIRST)
    seat(cast.bob, game_id, OTHER)
    for person, nonce in ((cast.alice, FIRST), (cast.bob, OTHER)):
        before = dump(app)
        person.put(nonce_of(game_id), {"nonce": nonce})
        person.refused("PUT", nonce_of(game_id), "other-nonce", {"nonce": THIRD})
        assert dump(app) == before


def test_only_who_sits_there_may_bring_one(app, cast):
    game_id = cast.open()
    cast.mallory.refused("PUT", nonce_of(game_id), "not-seated", {"nonce": FIRST})
    cast.nobody.refused("PUT", nonce_of(game_id), "not-signed-in", {"nonce": FIRST})
    private = cast.open(private=True)
    cast.mallory.refused("PUT", nonce_of(private), "not-found", {"nonce": FIRST})
    assert brought(app, game_id) == brought(app, private) == []


def test_who_has_left_brings_none(app, cast):
    game_id = cast.open()
    tenure = seat(cast.bob, game_id)
    cast.bob.delete(f"/api/games/{game_id}/seats/{tenure}")
    cast.bob.refused("PUT", nonce_of(game_id), "not-seated", {"nonce": FIRST})
    assert brought(app, game_id) == []


def test_who_comes_back_may_bring_another_one_and_takes_none_away(cast):
    game_id = cast.open()
    first = seat(cast.bob, game_id, FIRST)
    cast.bob.delete(f"/api/games/{game_id}/seats/{first}")
    second = seat(cast.bob, game_id)
    both = [{"tenure": first, "nonce": FIRST}, {"tenure": second, "nonce": OTHER}]
    assert cast.bob.put(nonce_of(game_id), {"nonce": OTHER})["nonces"] == both
    game = cast.alice.post(f"/api/games/{game_id}/start", {"house": True}, status=200)
    assert game["nonces"] == both


def test_after_the_start_it_is_too_late_but_for_the_same_again(app, cast):
    game_id = cast.start(nonce=FIRST)
    before = dump(app)
    assert cast.alice.put(nonce_of(game_id), {"nonce": FIRST})["status"] == "running"
    cast.alice.refused("PUT", nonce_of(game_id), "not-open", {"nonce": OTHER})
    cast.bob.refused("PUT", nonce_of(game_id), "not-open", {"nonce": OTHER})
    assert dump(app) == before


@pytest.mark.parametrize(
    "body", [{}, {"nonce": None}, {"nonce": "AB" * 8}, {"nonce": "ab" * 7}, {"nonce": 7}]
)
def test_a_nonce_is_hexadecimal_digits(app, cast, body):
    game_id = cast.open()
    before = dump(app)
    cast.alice.refused("PUT", nonce_of(game_id), "invalid-body", body)
    assert dump(app) == before


def test_a_program_needs_the_scope_to_play(cast):
    game_id = cast.bob.post("/api/games", {"ruleset": CARAVAN})["id"]
    made = cast.bob.post("/api/me/tokens", {"label": "reader", "scopes": ["read"]})
    headers = {"Authorization": f"Bearer {made['token']['secret']}"}
    body = {"nonce": FIRST}
    cast.nobody.refused("PUT", nonce_of(game_id), "missing-scope", body, headers=headers)


def test_the_host_may_bring_one_with_the_start(app, cast):
    game_id = cast.open()
    start = f"/api/games/{game_id}/start"
    body = {"house": True, "nonce": FIRST}
    game = cast.alice.post(start, body, status=200)
    assert (game["status"], brought(app, game_id)) == ("running", [FIRST])
    cast.alice.refused("POST", start, "not-open", body)


def test_a_start_with_another_nonce_is_refused(app, cast):
    game_id = cast.open(nonce=FIRST)
    start = f"/api/games/{game_id}/start"
    before = dump(app)
    cast.alice.refused("POST", start, "other-nonce", {"house": True, "nonce": OTHER})
    cast.alice.refused("POST", start, "not-full", {"nonce": FIRST})
    cast.alice.refused("POST", start, "invalid-body", {"house": True, "nonce": "x"})
    assert dump(app) == before
    game = cast.alice.post(start, {"house": True, "nonce": FIRST}, status=200)
    assert game["status"] == "running"


def test_a_start_that_is_refused_brings_no_nonce(app, cast):
    game_id = cast.open()
    cast.alice.refused("POST", f"/api/games/{game_id}/start", "not-full", {"nonce": FIRST})
    assert brought(app, game_id) == []


def crowded(cast: Cast, clock: Clock) -> str:
    """A table at which others have brought as many nonces as they can, as often as one may sit down."""
    game_id = cast.open(BOOMERANG)
    for number in range(MOST_NONCES - 1):
        if number % AT_A_TABLE.most == 0:
            clock.forward(AT_A_TABLE.window)
        tenure = seat(cast.bob, game_id, f"{number:016x}")
        cast.bob.delete(f"/api/games/{game_id}/seats/{tenure}")
    return game_id


def test_a_table_takes_64_nonces_of_which_one_is_kept_for_the_opener(app, cast, clock):
    game_id = crowded(cast, clock)
    clock.forward(AT_A_TABLE.window)
    cast.bob.game(game_id)  # notes when he was last seen
    seats, start = f"/api/games/{game_id}/seats", f"/api/games/{game_id}/start"
    before = dump(app)
    cast.bob.refused("POST", seats, "too-many-nonces", {"nonce": FIRST})
    assert dump(app) == before
    seat(cast.bob, game_id)
    cast.bob.refused("PUT", nonce_of(game_id), "too-many-nonces", {"nonce": FIRST})
    cast.alice.put(nonce_of(game_id), {"nonce": OTHER})
    cast.carol.refused("POST", seats, "too-many-nonces", {"nonce": FIRST})
    assert len(brought(app, game_id)) == MOST_NONCES == 64
    other = cast.carol.post("/api/games", {"ruleset": BOOMERANG})["id"]
    cast.carol.put(nonce_of(other), {"nonce": FIRST})
    cast.alice.delete(f"{seats}/{cast.alice.game(game_id)['tenure']}")
    cast.bob.refused("POST", start, "too-many-nonces", {"house": True, "nonce": FIRST})
    assert cast.bob.post(start, {"house": True}, status=200)["status"] == "running"


def test_whoever_opens_a_table_may_say_that_no_nonce_comes(cast):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None}
    game = cast.alice.post("/api/games", wish)
    assert (game["status"], game["starts_at"]) == ("running", None)


# The commitment comes first


ALONE = {"ruleset": BOOMERANG, "house": 2, "start": "full"}
"""A table that is full as soon as it is open."""


def test_a_nonce_cannot_come_before_the_commitment(app, cast):
    cast.open()
    before = dump(app)
    for nonce in (FIRST, "", "x", 7):
        problem = cast.alice.refused("POST", "/api/games", "invalid-body", ALONE | {"nonce": nonce})
        assert list(problem["errors"]) == ["nonce"]
    assert dump(app) == before


def rematch_of(cast, **wish):
    """The address at which a rematch of a finished game is requested."""
    game_id = cast.open(CARAVAN, **wish) if wish else cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, status=200)
    return f"/api/games/{game_id}/rematch"


def test_a_rematch_takes_a_nonce_only_if_its_table_is_there(app, cast):
    path = rematch_of(cast)
    before = dump(app)
    cast.alice.refused("POST", path, "no-commitment", {"nonce": FIRST})
    assert dump(app) == before
    game = cast.alice.post(path, {})
    assert cast.alice.put(nonce_of(game["id"]), {"nonce": FIRST})["status"] == "open"
    assert cast.bob.post(path, {"nonce": OTHER}, status=200)["id"] == game["id"]
    assert brought(app, game["id"]) == [FIRST, OTHER]


def test_a_rematch_that_starts_by_itself_waits_too(app, cast):
    path = rematch_of(cast, house=1, start="full")
    game = cast.alice.post(path, {})
    assert (game["status"], game["starts_at"] is None) == ("open", False)
    game = cast.alice.put(nonce_of(game["id"]), {"nonce": FIRST})
    assert (game["status"], brought(app, game["id"])) == ("running", [FIRST])
    cast.alice.post(f"/api/games/{game['id']}/resignation", {}, status=200)
    again = cast.alice.post(f"/api/games/{game['id']}/rematch", {"nonce": None})
    assert again["status"] == "running"
