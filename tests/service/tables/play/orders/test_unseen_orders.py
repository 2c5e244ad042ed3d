"""Nobody else sees that somebody has left an order, nor whether a move was played by one."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from service.tables.clocks import own_answers
from tests.service.tables.play.orders.test_orders import (
    LOT,
    PACE,
    PASS,
    SALE,
    acted,
    leave,
    path,
    to_bob,
)
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import MINUTE, SECOND, history, hours
from tests.support.dump import dump, execute
from tests.support.post_office import Office

__all__ = ["hours"]


def everything(person, game_id):
    """Everything that somebody is shown of a game, as text."""
    shown = {
        where: person.send("GET", f"/api/games/{game_id}{where}")
        for where in ("", "/events", "/views?limit=200", "/clock", "/proposals", "/talk")
    }
    turns = person.send("GET", "/api/me/turns") if person.name else None
    told = {where: answer.get_data(as_text=True) for where, answer in shown.items()}
    return told | {"tag": shown[""].headers.get("ETag"), "turns": turns and turns.get_data()}


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_nobody_else_sees_that_somebody_has_left_an_order(cast, clock, hours, slug):
    """They see nothing when it is left, when the worker looks at the question, or when it is withdrawn."""
    game_id = cast.start(slug, pace=PACE)
    person, _ = cast.asked(game_id)
    others = [each for each in (*cast.everybody, cast.nobody) if each is not person]
    before = [everything(each, game_id) for each in others]
    mine = person.send("GET", f"/api/games/{game_id}").get_data()
    order = leave(person, game_id, name="no-choice", until={})
    hours.look()
    assert [everything(each, game_id) for each in others] == before
    assert person.send("GET", f"/api/games/{game_id}").get_data() == mine
    person.send("DELETE", path(game_id, order["id"]))
    assert [everything(each, game_id) for each in others] == before


OWN = {"standing_orders", "own_answers", "tenures", "seats", "credentials", "heartbeats"}
"""Tables in which an order leaves something, and those that say who is there."""


@sqlite_only
def test_an_order_writes_nothing_that_others_are_shown(app, cast, hours):
    """It writes no revision, no mail, no change for programs, no entry of a clock, and nothing in the log."""
    Office(app).address(*cast.seated)
    game_id = cast.start(pace=PACE)
    to_bob(cast, game_id)
    hours.look()
    cast.bob.game(game_id)
    before = dump(app)
    leave(cast.bob, game_id, name="least", until=SALE)
    hours.look()
    after = dump(app)
    outbox = [
        {row for row in rows if cast.bob.id not in row}
        for rows in (before["outbox"], after["outbox"])
    ]
    assert outbox[0] == outbox[1]
    changed = {name for name in after if after[name] != before[name]}
    assert changed <= OWN | {"outbox"}
    columns = (
        "SELECT seat, asked, waiting, since, due, reserve, extra, spent, moved, misses FROM seats"
    )
    assert len(execute(app, columns)) == 3
    assert "tenures" in changed


@sqlite_only
def test_a_move_by_an_order_looks_to_others_as_one_that_its_player_has_made(app, cast, hours):
    """The same move is made by an order and by hand: except for times and random ids, others are shown the same."""
    shown = []
    for by_order in (True, False):
        game_id = cast.start(pace=PACE)
        to_bob(cast, game_id)
        if by_order:
            leave(cast.bob, game_id, name="pass", until=LOT)
            hours.later(20 * MINUTE)
        else:
            cast.bob.answer(cast.bob.game(game_id), PASS)
        event = history(cast.carol, game_id)[-1]
        del event["at"]
        view = cast.carol.game(game_id)
        shown.append(
            (event, view["view"]["prompt"], view["waiting"][0]["seat"], view["seats"][1]["misses"])
        )
    assert shown[0] == shown[1]


def waits(draw, count=600):
    """The waits of questions, by what is played at them: `draw` says how long each is."""
    rng = random.Random(1)
    found = {"pass": [], "bid": [], "only": []}
    for n in range(count):
        kind = rng.choice([*found])
        found[kind].append(draw(f"g_{n}", n % 4, n, kind))
    return found


def differ(found):
    """The greatest difference between the means of groups, in standard errors of such a mean."""
    means = {kind: mean(each) for kind, each in found.items()}
    spread = (own_answers.LONGEST - own_answers.SHORTEST) / 12**0.5
    error = spread * (2 / min(map(len, found.values()))) ** 0.5
    return (max(means.values()) - min(means.values())) / error


def drawn(game, seat, asked, _kind):
    return own_answers.wait(b"k" * 32, game, seat, asked, None)


def leaking(game, seat, asked, kind):
    """A fault: only moves come sooner."""
    return drawn(game, seat, asked, kind) * (0.6 if kind == "only" else 1)


SIX = {"type": "bid", "cards": ["As", "5s"]}
"""A bid higher than anybody can make: all others see that they can only pass."""


@sqlite_only
def test_orders_and_only_moves_are_played_after_the_same_wait(app, cast, hours):
    """The wait is that of the question; the hand, the move and its reason make no difference."""
    secret = app.extensions["tegami"].config.secret_key
    leaving = {
        "only-move": None,
        "pass": {"name": "pass"},
        "while": {"name": "pass", "when": [{"prompt": "high", "least": 1}]},
        "action": {"action": PASS},
    }
    for kind, order in leaving.items():
        game_id = cast.start(pace=PACE)
        cast.alice.answer(cast.alice.game(game_id), SIX)
        shown = cast.bob.game(game_id)
        if order is None:
            cast.bob.send("PATCH", path(game_id), json={"only_move": True})
        else:
            leave(cast.bob, game_id, **order)
        wait = own_answers.wait(secret, game_id, 1, shown["asked"], 86400 * SECOND)
        hours.look()
        hours.later(wait - SECOND)
        assert len(acted(cast.carol, game_id)) == 1, kind
        hours.later(2 * SECOND)
        assert acted(cast.carol, game_id)[1] == (1, "seat", "passed"), kind
        cast.bob.send("PATCH", path(game_id), json={"only_move": False})


def test_how_long_it_takes_says_nothing_of_what_is_played():
    assert differ(waits(drawn)) < 3
    assert differ(waits(leaking)) > 6
