"""Daily deals: the same for everybody, to the last event; one try each; nothing is told before it."""

from __future__ import annotations

import hashlib
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import rules
from service.core.runtime import days
from service.core.runtime.units import DAY
from service.log.event_log import read
from service.log.events import for_rules
from service.log.verification.check_game import check_game
from service.log.verification.verify_record import verify
from service.tables.play.daily_deals import deals, thoughts, tries
from tests.support import record_verifier as independent
from tests.support.cast import Person
from tests.support.daily import PATH, TODAY, House, begun, drawn, played
from tests.support.dump import dump, execute
from tests.support.record_schema import misfits

TOMORROW = days.after(TODAY, 1)


@pytest.fixture
def house(app):
    """The house players of the application."""
    return House(app)


def key_of(app, game_id):
    [(key, number)] = execute(app, "SELECT key, number FROM games WHERE id = :id", id=game_id)
    return key, number


def log(app, game_id):
    """The log of a game as the rules see it."""
    key, number = key_of(app, game_id)
    with app.app_context():
        return [seen for each in read(key, 0, number) if (seen := for_rules(each)) is not None]


@pytest.mark.of_service
@pytest.mark.parametrize("day", range(7))
def test_the_same_choices_lead_to_the_same_game(app, cast, clock, day):
    """Whoever plays first waits for thoughts, others do not: by other workers, with other seeds of their own."""
    clock.forward(day * DAY)
    path = f"/api/daily-deals/{days.after(TODAY, day)}"
    first_house, second_house = House(app, 1), House(app, 2)
    one = played(first_house, cast.alice, drawn(5), path)
    asked = len(first_house.thoughts.questions)
    two = played(second_house, cast.bob, drawn(5), path)
    assert log(app, one["id"]) == log(app, two["id"])
    assert one["result"] == two["result"]
    assert one["result"]["scores"][0] is not None
    assert asked
    assert not second_house.thoughts.questions
    execute(app, "DELETE FROM daily_thoughts")
    three = played(House(app, 3), cast.carol, drawn(5), path)
    assert log(app, three["id"]) == log(app, one["id"])


def test_house_players_answer_before_the_person_one_after_the_other(app, cast, house):
    """Where all choose in secret, the person is asked last, so that the order of the log is always the same."""
    game = begun(cast.alice)
    seen = 0
    while game["result"] is None:
        waiting = [each["seat"] for each in game["waiting"]]
        assert len(waiting) == 1
        if waiting != [0]:
            assert game["legal"] == []
            seen += 1
            early = {"asked": game["asked"], "action": {"type": "pass"}}
            cast.alice.refused("POST", f"/api/games/{game['id']}/actions", "stale", early)
            house.settle()
            game = cast.alice.game(game["id"])
        else:
            game = cast.alice.answer(game)["game"]
    assert seen
    with app.app_context():
        check_game(game["id"])


@pytest.mark.both_databases
def test_there_is_one_try(app, cast, house):
    game = begun(cast.alice)
    before = dump(app)
    assert begun(cast.alice, status=200)["id"] == game["id"]
    assert dump(app)["games"] == before["games"]
    played(house, cast.bob)
    ended = played_on(house, cast.alice, game)
    assert begun(cast.alice, status=200)["id"] == ended["id"]


def played_on(house, person, game):
    """A game that has begun, played to its end."""
    while game["result"] is None:
        house.settle()
        game = person.game(game["id"])
        if game["legal"]:
            game = person.answer(game)["game"]
    return game


def until_there_is_room(person):
    """The response to somebody who begins a try, and asks again while another request holds the row for long."""
    while (answer := person.send("POST", f"{PATH}/tries", json={})).status_code == 503:
        pass
    return answer


@pytest.mark.both_databases
def test_two_requests_at_the_same_moment_begin_one_try(app, cast):
    who = cast.alice.signed_in()
    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda _: until_there_is_room(Person(app).be(who)), range(4))
        found = [(each.status_code, each.json.get("id")) for each in answers]
    assert len({game for _, game in found}) == 1
    assert sorted(status for status, _ in found) == [200, 200, 200, 201]
    [(count,)] = execute(app, "SELECT count(*) FROM games WHERE deal IS NOT NULL")
    assert count == 3  # with the lines


def test_the_commitment_is_told_a_day_before_and_the_seed_when_the_day_is_over(
    app, cast, clock, house
):
    house.prepare()
    told = cast.alice.get("/api/daily-deals/today")["next"]
    assert told["day"] == TOMORROW
    clock.forward(DAY)
    path = f"/api/daily-deals/{TOMORROW}"
    game = played(house, cast.alice, path=path)
    deal = cast.alice.get(path)
    assert game["commitment"] == deal["commitment"] == told["commitment"]
    assert deal["committed_at"] == told["committed_at"] < deal["begins_at"]
    assert deal["seed"] is None
    clock.forward(DAY)
    seed = cast.nobody.get(path)["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == told["commitment"]
    data = cast.alice.send("GET", f"/api/games/{game['id']}/record").get_data()
    record = verify(data)
    assert record["seed"] == seed
    assert record["events"][0]["deal"] == f"daily-{TOMORROW}"
    assert independent.verify(data) == {**record, "digest": json.loads(data)["digest"]}
    assert misfits(json.loads(data)) == []


def test_while_the_day_lasts_there_is_no_record_not_even_ones_own(cast, clock, house):
    """It holds the seed: with it, whoever has not played would know all cards."""
    game = played(house, cast.alice)
    path = f"/api/games/{game['id']}/record"
    cast.alice.refused("GET", path, "not-over")
    clock.forward(DAY)
    assert cast.alice.send("GET", path).status_code == 200


def test_nobody_else_sees_a_try_at_any_time(app, cast, clock, house):
    game = played(house, cast.alice)
    for _ in range(2):
        for person in (cast.nobody, cast.mallory):
            for part in ("", "/events", "/views", "/views/3", "/deals", "/record"):
                person.refused("GET", f"/api/games/{game['id']}{part}", "not-found")
        lists = ("/api/games", "/api/games?status=over", "/api/records", "/api/games?mine=true")
        for person in (cast.mallory, cast.alice):
            for path in (*lists, "/api/me/turns"):
                assert game["id"] not in person.send("GET", path).get_data(as_text=True), path
        clock.forward(DAY)


SECRETS = ("results", "seed")


def test_nothing_of_the_deal_is_told_before_ones_own_try(app, cast, clock, house):
    """What somebody sees who has not played is the same, to the last byte, whatever others have done."""
    house.prepare()
    before = everything(cast.mallory)
    played(house, cast.alice, drawn(3))
    played(house, cast.bob)
    assert everything(cast.mallory) == before
    deal = cast.mallory.get(PATH)
    assert all(deal[name] is None for name in SECRETS)
    cast.mallory.refused("GET", f"{PATH}/lines", "not-possible")
    cast.nobody.refused("GET", f"{PATH}/lines", "not-possible")
    clock.forward(DAY)
    deal = cast.mallory.get(PATH)
    assert all(deal[name] is not None for name in SECRETS)


def everything(person):
    """All that this person is told of the day, with headers."""
    answers = [person.send("GET", path) for path in (PATH, "/api/daily-deals")]
    told = ("ETag", "Content-Length", "Cache-Control")
    return [(each.get_data(), [each.headers[name] for name in told]) for each in answers]


def test_reading_stores_nothing_and_tells_what_will_be_stored(app, cast, house):
    told = cast.alice.get("/api/daily-deals/today")
    listed = cast.alice.get("/api/daily-deals")["days"]
    assert [each["day"] for each in listed] == [TODAY]
    assert dump(app)["daily_deals"] == []
    house.prepare()
    again = cast.alice.get("/api/daily-deals/today")
    assert (again["commitment"], again["next"]) == (told["commitment"], told["next"])


def test_days_to_come_are_unknown(cast, house):
    house.prepare()
    for day in (TOMORROW, days.after(TODAY, 2), "2026-02-30", "2025-01-01"):
        for part in ("", "/lines"):
            cast.alice.refused("GET", f"/api/daily-deals/{day}{part}", "not-found")
        cast.alice.refused("POST", f"/api/daily-deals/{day}/tries", "not-found", {})


@pytest.mark.both_databases
def test_everybody_counts_once_with_what_they_reached_on_the_day(app, cast, clock, house):
    house.prepare()
    own = [played(house, person, drawn(n)) for n, person in enumerate((cast.alice, cast.bob))]
    begun(cast.carol)
    results = cast.alice.get(PATH)["results"]
    assert (results["begun"], results["finished"]) == (3, 2)
    scores = sorted((game["result"]["scores"][0] for game in own), reverse=True)
    outcomes = results["outcomes"]
    assert [each["score"] for each in outcomes for _ in range(each["people"])] == scores
    mine = [each["score"] for each in outcomes if each["yours"]]
    assert mine == [own[0]["result"]["scores"][0]]
    assert results["best"] is not None
    clock.forward(DAY)
    played(house, cast.mallory)  # too late
    played_on(house, cast.carol, cast.carol.post(f"{PATH}/tries", {}, 200))
    later = cast.alice.get(PATH)["results"]
    assert (later["begun"], later["finished"]) == (3, 2)
    assert cast.mallory.get(PATH)["try"]["counts"] is False


def test_the_best_line_is_shown_beside_ones_own(cast, house):
    house.prepare()
    played(house, cast.alice)
    lines = cast.alice.get(f"{PATH}/lines")
    assert lines["own"] == {name: cast.alice.get(PATH)["try"][name] for name in ("score", "won")}
    assert lines["best"] == cast.alice.get(PATH)["results"]["best"]
    assert all(each["own"] or each["best"] for each in lines["steps"])
    alike = [each["same"] for each in lines["steps"]]
    assert alike == sorted(alike, reverse=True)
    for each in lines["steps"]:
        assert not each["same"] or each["own"] == each["best"]


def test_lines_are_begun_once_with_the_first_try(app, cast, house):
    house.prepare()
    assert dump(app)["daily_tries"] == []
    for person in (cast.alice, cast.bob):
        begun(person)
    found = execute(app, "SELECT who FROM daily_tries WHERE who LIKE 'house:%' ORDER BY who")
    assert [who for (who,) in found] == ["house:1", "house:2"]


def test_past_days_can_be_played_for_a_while_and_do_not_count(cast, clock, house):
    house.prepare()
    clock.forward(29 * DAY)
    assert cast.alice.get(PATH)["open"] is True
    game = played(house, cast.alice)
    own = cast.alice.get(PATH)
    assert (own["try"]["game"], own["try"]["counts"], own["played"]) == (game["id"], False, 0)
    clock.forward(DAY)
    assert cast.bob.get(PATH)["open"] is False
    cast.bob.refused("POST", f"{PATH}/tries", "not-found", {})


def test_the_calendar_lists_days_with_ones_own_tries(cast, clock, house):
    for _ in range(3):
        house.prepare()
        clock.forward(DAY)
    played(house, cast.alice, path="/api/daily-deals/today")
    page = cast.alice.get("/api/daily-deals?limit=3")
    assert [each["day"] for each in page["days"]] == [days.after(TODAY, n) for n in (3, 2, 1)]
    assert [each["try"] is not None for each in page["days"]] == [True, False, False]
    rest = cast.alice.get(f"/api/daily-deals?cursor={page['next']}")
    assert ([each["day"] for each in rest["days"]], rest["next"]) == ([TODAY], None)
    assert cast.nobody.get("/api/daily-deals?limit=1")["days"][0]["try"] is None


@pytest.mark.parametrize(
    ("ago", "count"),
    [
        ([], 0),
        ([0], 1),
        ([1], 1),
        ([0, 1, 2], 3),
        ([1, 2, 4, 5], 4),
        ([2, 3], 2),
        ([3, 4], 0),
        ([0, 3], 1),
    ],
)
def test_a_single_day_that_was_left_out_interrupts_nothing(ago, count):
    played_on_days = [days.after(TODAY, -each) for each in ago]
    assert tries.in_a_row(played_on_days, TODAY) == count


def test_each_ruleset_that_suits_a_day_comes_once_in_a_round():
    found = deals.suitable()
    assert len(found) >= 5
    months = [deals.ruleset_of(days.after(TODAY, n)) for n in range(60)]
    assert all(a != b for a, b in itertools.pairwise(months))
    begins = next(n for n in range(60) if not days.number_of(days.after(TODAY, n)) % len(found))
    assert sorted(months[begins : begins + len(found)]) == found


@pytest.mark.parametrize("slug", deals.suitable())
def test_what_suits_a_day_is_possible(slug):
    ruleset = rules.load(slug)
    daily = ruleset.looks.daily
    assert daily is not None
    assert daily.players in ruleset.players
    options = ruleset.settle(daily.players, daily.options)
    assert not ruleset.live(daily.players, options)


def test_it_has_no_clock_no_mails_and_cannot_be_given_up(app, cast, house):
    game = begun(cast.alice)
    path = f"/api/games/{game['id']}"
    assert game["deal"] == TODAY
    assert (game["pace"]["kind"], game["invitation"]) == ("none", None)
    cast.alice.refused("POST", f"{path}/resignation", "not-possible", {})
    cast.alice.refused(
        "POST", f"{path}/proposals", "not-possible", {"kind": "pause", "seconds": 3600}
    )
    house.settle()
    assert dump(app)["outbox"] == []
    game = played_on(house, cast.alice, game)
    again = cast.alice.post(f"{path}/rematch", {})
    assert again["deal"] is None
    assert dump(app)["outbox"] == []


def test_old_games_are_deleted_and_their_results_stay(app, cast, clock, house):
    game = played(house, cast.alice)
    clock.forward(29 * DAY)
    with app.app_context():
        assert tries.purge(clock(), 100) == 0
    clock.forward(2 * DAY)
    with app.app_context():
        assert tries.purge(clock(), 100) == 3  # with the lines
        assert tries.purge(clock(), 100) == 0
    cast.alice.refused("GET", f"/api/games/{game['id']}", "not-found")
    own = cast.alice.get(PATH)
    assert own["try"]["game"] is None
    assert own["played"] == own["results"]["finished"] == 1
    [(left,)] = execute(app, "SELECT count(*) FROM events")
    assert left == 0
    assert cast.alice.get(f"{PATH}/lines")["steps"] == []


def test_thoughts_are_deleted_after_some_days(app, cast, clock, house):
    played(house, cast.alice)
    with app.app_context():
        clock.forward(3 * DAY)
        assert thoughts.purge(clock(), 1000) == 0
        clock.forward(DAY)
        assert thoughts.purge(clock(), 1000) > 0
    assert dump(app)["daily_thoughts"] == []


@pytest.mark.both_databases
def test_whoever_is_erased_leaves_a_number_and_no_name(app, cast, house):
    ended, running = played(house, cast.alice), begun(cast.mallory)
    exported = cast.alice.get("/api/me/export")["daily_tries"]
    assert [(each["day"], each["game"]) for each in exported] == [(TODAY, ended["id"])]
    for person in (cast.alice, cast.mallory):
        person.post("/api/me/erasure", {}, 204)
    found = dump(app)
    for who in (cast.alice.id, cast.mallory.id):
        assert who not in json.dumps(found["daily_tries"], default=str)
    results = played(house, cast.carol) and cast.carol.get(PATH)["results"]
    assert (results["begun"], results["finished"]) == (2, 2)
    assert execute(app, "SELECT key FROM games WHERE id = :id", id=running["id"]) == []


def test_the_database_is_the_same_as_the_log_says(app, cast, house):
    game = played(house, cast.alice)
    with app.app_context():
        check_game(game["id"])
