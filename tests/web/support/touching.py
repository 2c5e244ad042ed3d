"""Everything on the table that an action names is chosen there: cards, lanes, ends, places, piles, seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.web.support.visitor import SENTENCE

CARDS = ("card", "cards", "sequence")


def plain(type_: Any, action: Any) -> bool:
    """Whether every parameter of the action is a card, a seat, or something that has a spot."""
    given = [each for each in type_["parameters"] if each["name"] in action]
    return bool(given or type_["spot"]) and all(
        each["kind"] in (*CARDS, "seat") or each["spot"] for each in given
    )


def chosen_on_the_table(page: Any, type_: Any, game: Any, target: Any) -> None:
    """Touch each part of the action, and say which remaining action it is if there are several."""
    if type_["destroys"]:
        page.locator(".option").get_by_text(type_["words"], exact=True).click()
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
    """The parts to touch for the action, in order, as selectors."""
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
    """Name, seat and index, joined as on the page."""
    yield zone["name"]
    yield from (str(zone[part]) if part in zone else "" for part in ("seat", "index"))
