"""Whatever an action names that lies on the table is chosen there: cards, lanes, ends, places, piles, seats."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.visitor import SENTENCE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DECISIONS = 14
TARGETS = 2
"""Actions of each type that are chosen, at the first decision at which the type is offered."""
CARDS = ("card", "cards", "sequence")


@pytest.mark.parametrize("slug", rules.slugs())
def test_every_type_of_action_is_chosen_on_the_table(slug: str, visit: Any, picture: Any) -> None:
    visitor, rng = visit(PHONE), random.Random(f"spots of {slug}")
    page, types = seated(visitor, slug)
    seen = set[str]()
    for _ in range(DECISIONS):
        game = wait_until(visitor.asked, "a question, or the end")
        if game["status"] == "over":
            break
        fresh = {each["action"]["type"] for each in game["legal"]} - seen
        if fresh:
            page.reload()
            page.locator("#confirm").wait_for()
        for kind in sorted(fresh):
            offered = [each for each in game["legal"] if each["action"]["type"] == kind]
            for target in rng.sample(offered, min(TARGETS, len(offered))):
                if plain(types[kind], target["action"]):
                    chosen_on_the_table(page, types[kind], game, target)
                    assert visitor.wider_than_screen() == 0, "the tick lies at the card"
                    picture(visitor, f"spots-{slug}-{kind}")
                    page.set_viewport_size(PHONE)
                    page.keyboard.press("Escape")
        seen |= fresh
        visitor.answer(rng)


def trading(visitor: Any) -> tuple[Any, str]:
    """A page at a trade of Caravan, and a number card that fits several lanes."""
    page, _ = seated(visitor, "caravan")
    for _ in range(30):
        game = wait_until(visitor.asked, "a question")
        plays = [each["action"] for each in game["legal"] if each["action"]["type"] == "play"]
        numbers = [each["card"] for each in plays if each["card"][0] not in "JQK"]
        several = [card for card in numbers if numbers.count(card) > 1]
        if several:
            page.reload()
            page.locator("#confirm").wait_for()
            return page, several[0]
        visitor.answer(random.Random(0))
    raise AssertionError("no card fits two lanes")


def test_a_card_is_dragged_to_a_lane_and_steps_are_taken_back(visit: Any) -> None:
    page, card = trading(visit(PHONE))
    hand, lane = page.locator(f".hand-card[data-card='{card}']"), page.locator(LANE)
    drag(page, hand, lane.first)
    page.locator(f"{LANE}[aria-pressed=true]").wait_for()
    assert page.locator(".ghost").count() == 1
    page.keyboard.press("Backspace")
    assert page.locator(f"{LANE}[aria-pressed=true]").count() == 0
    assert hand.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Backspace")
    assert hand.get_attribute("aria-pressed") == "false"
    drag(page, hand, page.locator(".status-line"))
    assert hand.get_attribute("aria-pressed") == "false", "it was dropped nowhere"


def test_a_lane_is_chosen_by_keyboard(visit: Any) -> None:
    page, card = trading(visit(PHONE))
    hand = page.locator(f".hand-card[data-card='{card}']")
    hand.focus()
    page.keyboard.press("Space")
    for _ in range(12):
        if page.evaluate(f'document.activeElement.matches("{LANE}")'):
            break
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.locator(f"{LANE}[aria-pressed=true]").wait_for()


LANE = "[data-spot^='zone row/']"


def drag(page: Any, what: Any, where: Any) -> None:
    """Drags with the mouse, by its middle to the middle of where it is to go once it is lifted."""
    x, y = middle(what)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.locator(".dragged").wait_for()
    page.mouse.move(*middle(where), steps=4)
    page.mouse.up()
    page.locator(".dragged").wait_for(state="detached")


def middle(where: Any) -> tuple[float, float]:
    """The middle of an element, in pixels."""
    box = where.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def seated(visitor: Any, slug: str) -> tuple[Any, Any]:
    """The page of a game against house players, and the types of its actions."""
    request = visitor.context.request
    request.post(f"{visitor.url}/api/players", data={"name": "Mina"})
    players = min(rules.load(slug).players)
    wish = {"ruleset": slug, "players": players, "house": players - 1, "start": "full"}
    made = request.post(f"{visitor.url}/api/games", data={**wish, "nonce": None}).json()
    types = request.get(f"{visitor.url}/api/rulesets/{slug}").json()["actions"]
    return visitor.open(f"/games/{made['id']}"), types


def plain(type_: Any, action: Any) -> bool:
    """Whether every parameter of the action is a card, a seat, or something that has a spot."""
    given = [each for each in type_["parameters"] if each["name"] in action]
    return bool(given or type_["spot"]) and all(
        each["kind"] in (*CARDS, "seat") or each["spot"] for each in given
    )


def chosen_on_the_table(page: Any, type_: Any, game: Any, target: Any) -> None:
    """Touches each part of the action, and says which of those left it is if several are."""
    for spot in touched(type_, game, target["action"]):
        found = page.locator(spot).first
        if ".option" in spot and not found.count():
            continue  # few actions are listed whole
        found.wait_for()
        if found.get_attribute("aria-pressed") != "true":
            found.evaluate("each => each.click()")  # another spot may lie over its middle
    if page.evaluate(SENTENCE)["words"] != target["words"]:
        options = page.locator(".option")
        whole, kind = (
            options.get_by_text(words, exact=True) for words in (target["words"], type_["words"])
        )
        whole.or_(kind).first.click()
    assert page.evaluate(SENTENCE)["words"] == target["words"]
    assert page.locator("#confirm").is_enabled()


def touched(type_: Any, game: Any, action: Any) -> Iterator[str]:
    """What is touched for the action, in order, as selectors."""
    zones = game["view"]["zones"]
    mine = [zone for zone in zones if zone.get("seat") == game["seat"] and zone["kind"] == "hand"]
    held = {code for zone in mine for code in zone.get("cards", ())}
    given = [each for each in type_["parameters"] if each["name"] in action]
    if not given:
        yield f"[data-spot^='zone {type_['spot']['zone']}/']"
    for each in given:
        value = action[each["name"]]
        if each["kind"] in CARDS:
            for code in [value] if isinstance(value, str) else value:
                place = f"[data-spot='card {code}']"
                picked = f".hand-card[data-card='{code}']"
                far = f".option[data-card='{code}']"  # before somebody else
                yield picked if code in held else f"{place}, {picked}, {far}"
        elif each["kind"] == "seat":
            yield f"[data-spot='seat {value}']"
        else:
            yield from spots(each["spot"], game, action, value)


def spots(spot: Any, game: Any, action: Any, value: Any) -> Iterator[str]:
    """The spots of a value that is neither a card nor a seat."""
    zones = [
        zone
        for zone in game["view"]["zones"]
        if zone["name"] == (spot["zone"] or value)
        and zone.get("seat", game["seat"]) == game["seat"]
    ]
    keys = {zone.get("index"): "/".join(key(zone)) for zone in zones}
    if spot["by"] == "index" and isinstance(value, list):
        yield from (f"[data-spot='zone {keys[each]}']" for each in value)
    elif spot["by"] == "index":
        yield f"[data-spot='zone {keys[value]}']"
    elif spot["by"] == "company":
        yield f"[data-spot='zone {keys['shdc'.index(action['card'][1])]}']"
    elif spot["by"] == "drawn":
        yield f".option.with-card >> nth={int(value == 'drawn')}"
    elif spot["by"] == "gap":
        yield f"[data-spot='gap {keys[action['lane']]} {value}']"
    elif spot["by"] == "place":
        yield f"[data-spot='place {keys[None]} {value}']"
    elif spot["by"] == "end":
        yield f"[data-spot^='end {keys[None]}'][aria-label$=' {value}']"
    elif spot["by"] == "suit":
        yield f"[data-spot$='{value}'][data-spot^='card ']"
    else:
        yield f"[data-spot='zone {keys[None]}']"


def key(zone: Any) -> Iterator[str]:
    """Name, seat and index, as the page joins them."""
    yield zone["name"]
    yield from (str(zone[part]) if part in zone else "" for part in ("seat", "index"))
