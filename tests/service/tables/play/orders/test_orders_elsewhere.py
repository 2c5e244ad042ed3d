"""Orders are also left by mail and without scripts, and their players are told what became of them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from tests.support.cast import Person, sqlite_only
from tests.support.clock import HOUR, MINUTE, hours
from tests.support.post_office import Office

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 86400}
FOUR = {"type": "bid", "cards": ["4s"]}


@pytest.fixture
def at_bob(app, cast):
    """Bob is asked, and gets mails."""
    office = Office(app)
    office.address(*cast.seated)
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), FOUR)
    return game_id


def links(text):
    return re.findall(r"http\S+/moves/\S+", text)


def body(mail):
    return mail.get_body(("plain",)).get_content()


def turn_mails(office, person):
    return [each for each in office.deliver(now=False) if person.name.lower() in each["To"].lower()]


@sqlite_only
def test_a_mail_offers_orders_and_its_link_leaves_one(app, cast, hours, at_bob):
    office = Office(app)
    hours.later(10 * MINUTE)
    mails = turn_mails(office, cast.bob)
    text = body(mails[-1])
    assert "Pass for the rest of this lot" in text
    at = text.index("Pass for the rest of this lot")
    link = links(text[at:])[0]
    anybody = Person(app)
    shown = anybody.send("GET", urlsplit(link).path)
    assert shown.status_code == 200
    assert "Pass for the rest of this lot" in shown.get_data(as_text=True)
    assert cast.bob.get(f"/api/games/{at_bob}/orders")["orders"] == []
    for _ in range(2):
        left = anybody.send("POST", urlsplit(link).path)
        assert left.status_code == 200
    (order,) = cast.bob.get(f"/api/games/{at_bob}/orders")["orders"]
    assert order["words"] == "Pass for the rest of this lot"
    hours.later(20 * MINUTE)
    assert cast.bob.game(at_bob)["waiting"][0]["seat"] == 2


@sqlite_only
def test_the_mail_about_a_turn_waits_for_the_answer_and_the_next_says_what_was_played(
    app, cast, hours, at_bob
):
    office = Office(app)
    office.deliver(now=False)
    asked = cast.bob.game(at_bob)["asked"]
    order = {"action": {"type": "pass"}, "until": {"times": 5}}
    cast.bob.post(f"/api/games/{at_bob}/orders", {"asked": asked, "order": order})
    hours.later(20 * MINUTE)
    office.deliver(now=False)
    while cast.carol.game(at_bob)["waiting"][0]["seat"] != 1:
        person, shown = cast.asked(at_bob)
        bids = [each["action"] for each in shown["legal"] if each["action"]["type"] == "bid"]
        person.answer(shown, bids[-1] if bids else {"type": "pass"})
    hours.look()
    hours.later(MINUTE)
    assert turn_mails(office, cast.bob) == [], "an order answers this"
    (order,) = cast.bob.get(f"/api/games/{at_bob}/orders")["orders"]
    cast.bob.delete(f"/api/games/{at_bob}/orders/{order['id']}")
    hours.later(HOUR)
    text = body(turn_mails(office, cast.bob)[-1])
    assert "played for you, as you had ordered: 1." in text


@sqlite_only
def test_orders_are_left_and_withdrawn_without_scripts(app, cast, hours, at_bob):
    path = f"/plain/games/{at_bob}/orders"
    assert cast.nobody.send("GET", path).status_code == 401
    assert cast.mallory.send("GET", path).status_code == 404
    assert cast.alice.send("GET", path).status_code == 200
    for person in (cast.bob, cast.carol):
        person.answer(person.game(at_bob), {"type": "pass"})
    asked = cast.alice.game(at_bob)
    assert asked["waiting"][0]["seat"] == 0, "who has bought is the dealer"
    text = cast.alice.send("GET", path).get_data(as_text=True)
    assert "for the rest of this lot" in text
    token = re.search(r'name="form" value="([^"]+)"', text)
    assert token
    fields = {"form": token[1], "do": "leave", "asked": str(asked["asked"]), "offer": "0"}
    for _ in range(2):
        assert cast.alice.send("POST", path, data=fields).status_code == 303
    (order,) = cast.alice.get(f"/api/games/{at_bob}/orders")["orders"]
    changed = cast.alice.send("GET", path).get_data(as_text=True)
    assert "until the game is over" in changed
    offer = [each["words"] for each in order["alternatives"]].index("Pass until the game is over")
    fields = {"form": token[1], "do": "change", "order": order["id"], "offer": str(offer)}
    assert cast.alice.send("POST", path, data=fields).status_code == 303
    (order,) = cast.alice.get(f"/api/games/{at_bob}/orders")["orders"]
    assert order["words"] == "Pass until the game is over"
    fields["offer"] = "99"
    assert cast.alice.send("POST", path, data=fields).status_code == 404
    fields = {"form": token[1], "do": "only-move", "only_move": "yes"}
    assert cast.alice.send("POST", path, data=fields).status_code == 303
    assert cast.alice.get(f"/api/games/{at_bob}/orders")["only_move"] is True
    fields = {"form": token[1], "do": "withdraw", "order": order["id"]}
    assert cast.alice.send("POST", path, data=fields).status_code == 303
    assert cast.alice.get(f"/api/games/{at_bob}/orders")["orders"] == []
