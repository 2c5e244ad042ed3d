"""A running game of version 1 next to version 2, which renamed an action and a line, and has other words and rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import rules
from service.log.verification.verify_record import verify
from service.operations.worker.house_players import HousePlayers
from tests.support.cast import BOOMERANG, CARAVAN, Cast, sqlite_only
from tests.support.newer_games import EDITION, offered
from tests.support.post_office import Office, moves, part
from tests.support.thinking import in_turn

pytestmark = sqlite_only

NAMES = {BOOMERANG: ("pass", "decline"), CARAVAN: ("discard", "drop")}
"""The name of an action in version 1 and in version 2."""
both = pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])


@pytest.fixture
def old(app: Any, cast: Cast, second_editions: dict[str, rules.Found]) -> Iterator[dict[str, str]]:
    """Games of version 1 by slug, which run while version 2 is released."""
    games = {slug: cast.start(slug) for slug in second_editions}
    for slug, language in product(second_editions, EDITION):
        described(
            cast, f"/rules/{slug}", language
        )  # what is kept of it must not be taken for the newer one
    with offered(*second_editions.values()):
        yield games


def described(cast: Cast, address: str, language: str = "en", status: int = 200) -> Any:
    return cast.nobody.get(address, status, headers={"Accept-Language": language})


@both
def test_a_ruleset_is_described_in_the_version_that_is_asked_for(
    cast: Cast, old: dict[str, str], slug: str
) -> None:
    first, second = (described(cast, f"/api/rulesets/{slug}?version={n}") for n in (1, 2))
    assert [each["version"] for each in (first, second)] == [1, 2]
    assert first["versions"] == second["versions"] == [1, 2]
    before, after = NAMES[slug]
    assert before in first["actions"].keys() - second["actions"].keys()
    assert after in second["actions"].keys() - first["actions"].keys()
    lines = {"pass": ("passed", "declined"), "discard": ("discarded", "dropped")}[before]
    for version, line, other in ((first, *lines), (second, *reversed(lines))):
        known = version["vocabulary"]["lines"]
        assert line in known and other not in known
    players = str(first["players"][0])
    new = second["options"][players]["properties"].keys()
    assert new - first["options"][players]["properties"].keys()
    newest = described(cast, f"/api/rulesets/{slug}")
    assert newest == {**second, "page": f"/rules/{slug}"}
    assert second["page"] == f"/rules/{slug}?version=2"
    summaries = described(cast, "/api/rulesets")["rulesets"]
    assert [each["version"] for each in summaries if each["slug"] == slug] == [2]


@pytest.mark.parametrize(("language", "edition"), EDITION.items())
@both
def test_the_page_of_rules_is_that_of_the_version_that_is_asked_for(
    cast: Cast, old: dict[str, str], slug: str, language: str, edition: str
) -> None:
    told = {
        query: described(cast, f"/rules/{slug}{query}", language).decode()
        for query in ("", "?version=1", "?version=2")
    }
    assert '"version":2,' in told[""], (
        "the worked turn that comes with it, though the page was kept"
    )
    assert edition not in told["?version=1"]
    assert edition in told["?version=2"]
    onward = {"?version=2&amp;": "?", 'data-version="2"': 'data-version=""'}
    onward["/example?version=2"] = "/example"
    for asked, newest in onward.items():
        told["?version=2"] = told["?version=2"].replace(asked, newest)
    assert told["?version=2"] == told[""], "but for what leads onward"


@both
def test_the_lesson_is_that_of_the_newest_version(old: dict[str, str], slug: str) -> None:
    assert rules.lesson(slug) is rules.lesson(slug, 2)


@pytest.mark.parametrize("address", ["/api/rulesets/", "/rules/"])
def test_versions_that_do_not_exist_are_not_found(cast: Cast, old: Any, address: str) -> None:
    for version in (3, 99, 2**31 - 1):
        cast.nobody.refused("GET", f"{address}{CARAVAN}?version={version}", "not-found")
    for version in ("0", "-1", "x", "", "1.0", "2147483648", "1&version=2"):
        cast.nobody.refused("GET", f"{address}{CARAVAN}?version={version}", "invalid-query")
    cast.nobody.refused("GET", f"{address}none-such?version=1", "not-found")


@both
def test_a_running_game_is_played_by_its_own_version_to_the_end(
    cast: Cast, old: dict[str, str], slug: str
) -> None:
    types = described(cast, f"/api/rulesets/{slug}?version=1")["actions"]
    for move in cast.moves(old[slug], random.Random(2).choice):
        game = move.played["game"]
        assert game["ruleset"]["version"] == 1
        assert all(each["action"]["type"] in types for each in game["legal"])
    record = cast.alice.send("GET", f"/api/games/{old[slug]}/record").get_data()
    assert verify(record)["events"][0]["version"] == 1
    events = cast.alice.get(f"/api/games/{old[slug]}/events?limit=200")["events"]
    done = {event["lines"][0]["line"] for event in events if event["kind"] == "action"}
    assert {"passed", "discarded"} & done and not {"declined", "dropped"} & done


@both
def test_new_tables_and_rematches_are_of_the_newest_version(
    cast: Cast, old: dict[str, str], slug: str
) -> None:
    cast.play(old[slug])
    new = cast.start(slug)
    assert cast.alice.game(new)["ruleset"]["version"] == 2
    again = cast.alice.post(f"/api/games/{old[slug]}/rematch", {})
    assert again["ruleset"]["version"] == 2
    listed = cast.alice.get("/api/games?mine=true")["games"]
    assert {each["id"]: each["ruleset"]["version"] for each in listed}.items() >= {
        (old[slug], 1),
        (new, 2),
        (again["id"], 2),
    }
    cast.play(new, random.Random(2).choice)
    verify(cast.alice.send("GET", f"/api/games/{new}/record").get_data())


def test_mails_word_moves_as_the_version_of_their_game_does(
    app: Any, cast: Cast, old: dict[str, str]
) -> None:
    office = Office(app)
    office.address(cast.alice)
    new = cast.start(BOOMERANG)
    (mail,) = office.deliver()  # that of the old game was due before there was an address
    assert "Decline" in part(mail) and "Pass\n" not in part(mail)
    shown = [cast.nobody.get(link).decode() for link in moves(mail)]
    assert any("Decline" in page for page in shown)
    cast.alice.answer(cast.alice.game(new), {"type": "decline"})
    for person in cast.seated:
        game = cast.asked(old[BOOMERANG])[1]
        if person is not cast.alice:
            person.answer(game, {"type": "pass"})
        else:
            person.answer(game)
    (mail,) = office.deliver()
    assert "Bob passes." in part(mail) and "Pass\n" in part(mail)
    played = cast.nobody.post(moves(mail)[-1], status=200).decode()
    assert "Pass" in played and "You pass." in played


def test_invitations_lead_to_the_rules_of_the_table(
    app: Any, cast: Cast, second_editions: Any
) -> None:
    office = Office(app)
    office.address(cast.alice)
    table = cast.open(CARAVAN)
    with offered(second_editions[CARAVAN]):
        wish = {"address": "dora@example.org", "language": "en"}
        cast.alice.post(f"/api/games/{table}/invitations", wish)
        (mail,) = office.deliver()
    assert f"/rules/{CARAVAN}?version=1&lang=en" in part(mail)


def test_what_not_to_talk_about_is_that_of_the_version(cast: Cast, old: dict[str, str]) -> None:
    new = cast.start(BOOMERANG)
    rule = {
        game: cast.alice.get(f"/api/games/{game}/talk")["rule"] for game in (new, old[BOOMERANG])
    }
    assert rule == {new: "Do not talk about bids.", old[BOOMERANG]: None}


def test_house_players_play_by_the_version_of_the_game(
    app: Any, cast: Cast, second_editions: dict[str, rules.Found]
) -> None:
    games = [cast.open(slug) for slug in second_editions]
    for game in games:
        cast.alice.post(f"/api/games/{game}/start", {"house": True}, 200)
    with offered(*second_editions.values()), app.app_context():
        house = HousePlayers(app.extensions["tegami"], random.Random(5), in_turn())
        for game in games:
            while cast.alice.game(game)["status"] == "running":
                while house.move_all():
                    pass
                shown = cast.alice.game(game)
                if shown["legal"]:
                    cast.alice.answer(
                        shown, random.Random(shown["number"]).choice(shown["legal"])["action"]
                    )
            record = cast.alice.send("GET", f"/api/games/{game}/record").get_data()
            assert verify(record)["events"][0]["version"] == 1
