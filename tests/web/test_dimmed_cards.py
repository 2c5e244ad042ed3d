"""Cards that cannot be chosen are dimmed while others on the table can be, but stay as legible as text has to be."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route

from tests.web.conftest import DESK
from tests.web.support.staged import Stage, answer

pytestmark = pytest.mark.browser

DIMMED = "all => all.map(each => each.dataset.code ?? each.dataset.card).sort()"
CONTRASTS = """async faces => {
  const { drawCard } = await import("/cards/card.js");
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = colour => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(each => each / 255)
      .map(each => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  return faces.map(face => {
    const card = drawCard(face, ["not-now"]);
    document.querySelector("main").append(card);
    const index = card.querySelector(".card-rank");
    const [paper, ink] = [card.querySelector(".card-paper"), index].map(each => light(getComputedStyle(each).fill));
    return getComputedStyle(index).opacity * (Math.max(paper, ink) + .05) / (Math.min(paper, ink) + .05);
  });
}"""


def dimmed(page: Any, where: str = ".play") -> list[str]:
    """The codes of the dimmed cards."""
    found: list[str] = page.locator(f"{where} .not-now").evaluate_all(DIMMED)
    return found


def lying(name: str, *cards: str, **more: Any) -> Any:
    """A row of cards."""
    return {"name": name, "kind": "row", "cards": cards, "count": len(cards), "words": name, **more}


def bids(*cards: str) -> list[Any]:
    return [{"action": {"type": "bid", "cards": [card]}, "words": f"Take {card}"} for card in cards]


def test_cards_everywhere_are_dimmed_while_some_of_the_table_can_be_chosen(visit: Any) -> None:
    stage = Stage(visit(DESK))
    others = lying("won", "Qh", "Jh", seat=1)
    stage.game["view"]["zones"] = [
        *(each for each in stage.game["view"]["zones"] if each["name"] == "hand"),
        *(lying("market", "2c", "3c"), lying("other", "4c"), others),
        lying("pile", "5d", "6d") | {"kind": "pile"},
    ]
    stage.game["legal"] = bids("2c", "Qh")
    page = stage.open()
    page.locator(".spot[data-spot='card 2c']").wait_for()
    assert dimmed(page, ":is(.middle, .others)") == ["3c", "4c", "6d", "Jh"], "Qh is in the list"
    assert dimmed(page, ".hand") == ["2s", "3s", "4s", "5s", "As"]


def test_nothing_on_the_table_is_dimmed_while_only_cards_of_the_hand_can_be_chosen(
    visit: Any,
) -> None:
    stage = Stage(visit(DESK))
    stage.game["legal"] = bids("As", "2s")
    page = stage.open()
    page.locator(".hand-card.not-now").first.wait_for()
    assert dimmed(page) == ["3s", "4s", "5s"]


def test_one_of_several_zones_is_dimmed_while_another_can_be_chosen(visit: Any) -> None:
    stage = Stage(visit(DESK))
    spot = {"zone": "row", "by": "index"}
    place = {"name": "at", "kind": "number", "words": "Row", "spot": spot}

    def changed(route: Route) -> None:
        actions = {"put": {"words": "Put", "parameters": [place], "spot": None}}
        answer(route, {**route.fetch().json(), "actions": actions, "layout": []})

    stage.page.route("**/api/rulesets/*?*", changed)
    stage.game["view"]["zones"] += [lying("row", f"{n + 2}h", index=n) for n in range(3)]
    stage.game["legal"] = [
        {"action": {"type": "put", "at": at}, "words": f"Put {at}"} for at in (0, 2)
    ]
    page = stage.open()
    page.locator(".spot-area").first.wait_for()
    assert dimmed(page, ".middle") == ["3h"], "2c lies in no such zone"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_index_of_a_dimmed_card_is_readable(phone: Any, theme: str) -> None:
    phone.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    assert min(phone.evaluate(CONTRASTS, ["As", "Kh", "Td", "2c"])) >= 4.5
