"""Orders that wait for answers of others are built of parts in words: on the website, without scripts, behind mails, by
reply and by programs.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import islice
from urllib.parse import urlencode, urlsplit

import pytest

import rules
from service.core.words.words import Reader, phrases
from service.notifications.incoming_mail.answers import Outcome
from service.notifications.incoming_mail.words_of_choosing import folded
from service.tables.play.orders import answers_of_others, trees
from service.tables.views.orders import orders_view, trees_view
from service.tables.views.orders.orders_view import Offer
from service.tables.views.orders.trees_view import Condition
from tests.rules.playouts import RULESETS, called, playout
from tests.service.notifications.incoming_mail.test_replies_that_play import SERVER, Table
from tests.service.tables.play.orders.test_answers_of_others import bid, until_bob_is_asked
from tests.service.tables.play.orders.test_orders import acted, path, to_bob
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.clock import MINUTE, hours
from tests.support.post_office import Office, part

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 86400}
PASS = {"type": "pass"}
IF_CAROL_PASSES, IF_CAROL_BIDS = "if Carol answers “Pass”", "if Carol answers “Bid”"


def standing(person, game_id):
    """The orders in force, in words."""
    return [each["words"] for each in person.get(path(game_id))["orders"]]


def places(shown):
    """The positions of parts by their words."""
    played = {each["words"]: at for at, each in enumerate(shown["plays"])}
    return played, {each["words"]: at for at, each in enumerate(shown["conditions"])}


@pytest.mark.both_databases
@pytest.mark.parametrize(("carol", "line"), [(PASS, "bid"), (bid(4, "d"), "passed")])
def test_a_program_builds_a_tree_of_the_parts_on_offer(cast, hours, carol, line):
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    shown = cast.bob.get(path(game_id))
    plays = {each["words"]: each["terms"] for each in shown["plays"]}
    conditions = {each["words"]: each["condition"] for each in shown["conditions"]}
    tree = {IF_CAROL_PASSES: "Bid the lowest card that is enough", IF_CAROL_BIDS: "Pass"}
    for condition, play in tree.items():
        order = {**plays[play], "when": [conditions[condition]]}
        made = cast.bob.post(path(game_id), {"asked": shown["asked"], "order": order})["order"]
        assert made["words"] == f"{play} 1 time at most, {condition}"
    until_bob_is_asked(cast, game_id, carol)
    before = len(acted(cast.carol, game_id))
    hours.later(20 * MINUTE)
    assert acted(cast.carol, game_id)[before][::2] == (1, line)


@sqlite_only
def test_what_is_on_offer_can_be_left_and_says_which_answer_counts(cast):
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    shown = cast.bob.get(path(game_id))
    assert [each["words"] for each in shown["plays"]][:2] == [
        "Pass",
        "Bid the lowest card that is enough",
    ]
    assert any(each["words"].startswith("Bid 5") for each in shown["plays"])
    assert [each["words"] for each in shown["conditions"]] == [
        *(IF_CAROL_BIDS, IF_CAROL_PASSES),
        *("if Alice answers “Bid”", "if Alice answers “Pass”"),
        *("if answer 2 of Carol is “Bid”", "if answer 2 of Carol is “Pass”"),
        *("if answer 2 of Alice is “Bid”", "if answer 2 of Alice is “Pass”"),
    ]
    for each in shown["conditions"]:
        order = {**shown["plays"][0]["terms"], "when": [each["condition"]]}
        made = cast.bob.post(path(game_id), {"asked": shown["asked"], "order": order})["order"]
        assert made["words"].endswith(each["words"])
    assert cast.alice.get(path(game_id))["conditions"] == [], "she is not asked"


@pytest.mark.parametrize("game", RULESETS, ids=called)
def test_every_part_of_every_game_can_be_left_and_has_words_in_both_languages(game):
    """The possible answers to wait for do not depend on the hands: they follow from declarations."""
    rng = random.Random(7)
    steps = playout(game, game.players[0], {}, rng.randrange)
    for state in [each.before for each in islice(steps, 60)][::3]:
        for seat in game.turn(state).waiting:
            conditions = trees.conditions(game, state, seat)
            for each in conditions:
                assert answers_of_others.can_be_asked(game, state.players, seat, each)
            for language in ("en", "ja"):
                words = phrases(language, game.slug, game.version)
                reader = Reader([f"N{n}" for n in range(state.players)], seat)
                said = [orders_view.condition(each, words, reader) for each in conditions]
                assert len(said) == len(set(said))
                for each in trees.played(game, state, seat):
                    assert orders_view.what(each, words, reader)
                    assert orders_view.what(each, words), "in the list of all tables, too"


def test_there_are_conditions_only_where_answers_of_a_game_differ():
    kinds = {}
    for slug in rules.slugs():
        ruleset = rules.load(slug)
        found = trees.open_types(ruleset)
        kinds[slug] = found
    assert kinds["market-price"] == ["play"]
    assert kinds["boomerang-auction"] == ["bid", "pass"]
    assert "open" not in kinds["caravan"], "it is sealed"


@sqlite_only
def test_an_order_that_waits_is_built_without_scripts(cast, hours):
    game_id = cast.start(BOOMERANG, pace=PACE)
    shown = cast.alice.get(path(game_id))
    page = f"/plain/games/{game_id}/orders"
    text = cast.alice.send("GET", page).get_data(as_text=True)
    assert "If somebody answers" in text and IF_CAROL_PASSES in text
    token = re.search(r'name="form" value="([^"]+)"', text)
    assert token
    played, conditions = places(shown)
    fields = {
        "form": token[1],
        "do": "build",
        "asked": str(shown["asked"]),
        "play": str(played["Pass"]),
        "first": str(conditions[IF_CAROL_BIDS]),
        "second": str(conditions["if Bob answers “Bid”"]),
        "third": "",
    }
    for _ in range(2):
        assert cast.alice.send("POST", page, data=fields).status_code == 303
    said = f"Pass 1 time at most, {IF_CAROL_BIDS} and if Bob answers “Bid”"
    assert standing(cast.alice, game_id) == [said]
    for wrong in ({"first": "999"}, {"play": "9999"}, {"asked": str(shown["asked"] + 1)}):
        answer = cast.alice.send("POST", page, data={**fields, **wrong})
        assert "The table has moved on" in answer.get_data(as_text=True)
    assert cast.alice.send("POST", page, data={**fields, "first": "x"}).status_code == 400
    assert standing(cast.alice, game_id) == [said]


@sqlite_only
def test_an_order_that_waits_is_built_behind_the_link_of_a_mail(app, cast, hours):
    office = Office(app)
    office.address(*cast.seated)
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    hours.later(10 * MINUTE)
    mail = [each for each in office.deliver(now=False) if each["To"] == "bob@example.org"][-1]
    text = part(mail)
    at = text.index("Leave an order that waits for somebody’s answer")
    link = urlsplit(re.findall(r"http\S+/moves/\S+/orders", text[at:])[0]).path
    anybody = Person(app)
    shown = anybody.send("GET", link).get_data(as_text=True)
    assert IF_CAROL_BIDS in shown
    played, conditions = places(cast.bob.get(path(game_id)))
    query = {"play": played["Pass"], "first": conditions[IF_CAROL_BIDS], "second": "", "third": ""}
    address = f"{link}?{urlencode(query)}"
    said = f"Pass 1 time at most, {IF_CAROL_BIDS}"
    assert said in anybody.send("GET", address).get_data(as_text=True)
    assert standing(cast.bob, game_id) == [], "looking leaves nothing"
    for _ in range(2):
        left = anybody.send("POST", address)
        assert left.status_code == 200 and said in left.get_data(as_text=True)
    assert standing(cast.bob, game_id) == [said]
    beyond = f"{link}?{urlencode({**query, 'first': 999})}"
    assert "The table has moved on" in anybody.send("POST", beyond).get_data(as_text=True)
    cast.bob.answer(cast.bob.game(game_id), PASS)
    late = anybody.send("POST", f"{link}?{urlencode({**query, 'first': 1})}")
    assert "The table has moved on" in late.get_data(as_text=True)
    assert standing(cast.bob, game_id) == [said]


@sqlite_only
def test_a_change_of_an_order_that_waits_forgets_no_answer(cast, hours):
    """What was answered since it was left still counts; and it is not offered to last for the whole game."""
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    condition = {"answer": {"type": "pass"}, "of": 2}
    wish = {"name": "pass", "when": [condition]}
    asked = cast.bob.game(game_id)["asked"]
    made = cast.bob.post(path(game_id), {"asked": asked, "order": wish})["order"]
    untils = [each["terms"]["until"] for each in made["alternatives"]]
    assert {"part": "lot"} in untils and {} not in untils
    until_bob_is_asked(cast, game_id, PASS)
    changed = {"order": {**wish, "until": {"times": 2}}}
    cast.bob.put(path(game_id, made["id"]), changed)
    before = len(acted(cast.carol, game_id))
    hours.later(20 * MINUTE)
    assert acted(cast.carol, game_id)[before][::2] == (1, "passed")


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ann", "Bob"], ["Ann", "Bob"]),
        (["★", "Bob", "☆"], ["★ (1)", "Bob", "☆ (3)"]),
        (["somebody", "Somebody", "Bob"], ["somebody (1)", "Somebody (2)", "Bob"]),
    ],
)
def test_in_orders_names_that_are_read_alike_have_numbers(names, shown):
    assert orders_view.told_apart(names) == shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bid 5\N{BLACK DIAMOND SUIT}\N{VARIATION SELECTOR-15}, if Carol bids", "Bid 5♦"),
        ("Bid  5 ♣", "Bid 5♣"),
        ("bid 5", None),
        ("bid 5♥", None),
        ("bid 5♣ ... bid 5♦", None),
    ],
)
def test_a_reply_means_the_card_whose_suit_it_names(line, said):
    """Words alone do not tell two cards of one rank apart; nothing is left if a reply does not either."""
    played = [Offer({"action": {"type": "bid", "cards": [each]}}, f"Bid 5{each}") for each in "♣♦"]
    found = trees_view.meant(played, line)
    assert (found and found.words) == said


def test_an_answer_whose_words_are_those_of_another_is_not_guessed():
    alike = [Condition({"of": 1}, "If ★ bids"), Condition({"of": 2}, "if ☆ bids")]
    other = Condition({"of": 3}, "If Carol bids")
    assert trees_view.by_words([*alike, other], folded) == {"if carol bids": other}


@sqlite_only
def test_a_link_to_one_move_or_order_leaves_no_other(app, cast, hours):
    """Whoever got it from its recipient can do that alone."""
    office = Office(app)
    office.address(*cast.seated)
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    hours.later(10 * MINUTE)
    mail = [each for each in office.deliver(now=False) if each["To"] == "bob@example.org"][-1]
    links = {urlsplit(each).path for each in re.findall(r"http\S+/moves/[\w.-]+", part(mail))}
    single = [each for each in links if each.count(".") == 3]
    assert any(len(each.rpartition(".")[2]) == 5 for each in single), "that of an order"
    assert len(single) > 2
    anybody = Person(app)
    for link in single:
        for address in (f"{link}/orders", f"{link}/orders?play=0&first=0"):
            assert anybody.send("GET", address).status_code == 404
            assert anybody.send("POST", address).status_code == 404
    assert standing(cast.bob, game_id) == []


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example", authserv_id=SERVER)


@sqlite_only
@pytest.mark.parametrize(
    ("said", "left"),
    [
        (f"Pass, {IF_CAROL_BIDS}", f"Pass 1 time at most, {IF_CAROL_BIDS}"),
        ('pass, if carol answers "bid", please', f"Pass 1 time at most, {IF_CAROL_BIDS}"),
        (
            f"Pass 1 time at most, {IF_CAROL_BIDS}\n\nCheers",
            f"Pass 1 time at most, {IF_CAROL_BIDS}",
        ),
        (
            f"Pass, {IF_CAROL_BIDS} and if answer 2 of Carol is “Pass”",
            f"Pass 1 time at most, {IF_CAROL_BIDS} and if answer 2 of Carol is “Pass”",
        ),
        ("Carolさんが「入札」と答えたら、パスする", f"Pass 1 time at most, {IF_CAROL_BIDS}"),
        (f"Pass, {IF_CAROL_BIDS}?", None),
        (f"Pass, {IF_CAROL_BIDS}\n\nno, wait", None),
        (f"Pass, {IF_CAROL_BIDS}, or perhaps not", None),
    ],
)
def test_an_order_that_waits_is_left_by_its_words(app, cast, said, left):
    table = Table(app, cast, BOOMERANG, pace=PACE)
    words = " ".join(part(table.mail).split())
    assert "leave it by replying in words such as “Pass, if Bob answers “Bid””." in words
    if not said.isascii() and said.startswith("Carol"):
        shown = cast.alice.send("GET", path(table.id), headers={"Accept-Language": "ja"}).json
        said = f"{shown['conditions'][2]['words']}、{shown['plays'][0]['words']}"
    before = table.number()
    outcome = table.reply(said)
    assert standing(cast.alice, table.id) == ([left] if left else [])
    assert table.number() == before
    if left:
        assert outcome == Outcome.ANSWERED
        assert left in part(table.answered())


@sqlite_only
def test_a_game_of_two_offers_the_open_moves_of_the_other_once_nobody_chooses_in_secret(cast):
    game_id = cast.start(CARAVAN, pace=PACE)
    assert cast.alice.get(path(game_id))["conditions"] == []
    cast.play(game_id, most=3)
    person, _ = cast.asked(game_id)
    other = cast.bob if person is cast.alice else cast.alice
    said = [each["words"] for each in person.get(path(game_id))["conditions"]]
    assert f"if {other.name} answers “Sell”" in said
    assert not any("“Open”" in each for each in said)
