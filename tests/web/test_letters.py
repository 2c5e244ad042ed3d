"""Letters about every game, and the pages behind their links, on the narrowest phone: readable in both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import rules
from service import moves
from service.config import Config, key_file
from service.mail import games, turn
from service.mail.paper import written
from service.mail.readers import Reader
from service.mail.scene import MOST_CHOICES, Scene
from service.since import Since
from tests.rules.playouts import RULESETS, Step
from tests.rules.playouts import moments as met
from tests.service.cast import START
from tests.service.positions import answer

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
MOST_BYTES = 100_000
"""Of HTML: some mail programs cut off what is longer."""
SCREENS = [("en", "light"), ("ja", "dark")]


def scene(config: Config, number: int, step: Step, language: str, **game: Any) -> Scene:
    """A position as seat 0 sees it, without a database."""
    made: Any = object.__new__(Scene)
    made.kit = SimpleNamespace(config=config)
    made.answer = answer(RULESETS[number], step.after, 0, language, **game)
    made.table, made.words = made.answer.table, made.answer.words
    for person in made.table.people:
        person.due = START
    return made  # type: ignore[no-any-return]


def turn_letter(shown: Scene, lines: list[str], language: str) -> str:
    """The HTML of a turn mail."""
    reader = Reader("p0", "Alice", "alice@example.org", language, "Asia/Tokyo")
    return written(
        "turn",
        shown.words,
        language=language,
        subject=shown.say("letter.turn.subject"),
        intro=shown.say("letter.turn.intro", name="Alice"),
        due=turn.due(shown, reader),
        url=shown.url,
        since=Since(lines, True, True),
        table=shown.drawn(),
        choices=shown.choices(),
        most=MOST_CHOICES,
        stop="http://localhost/unsubscribe?link=x",
    )[1]


def over_letter(shown: Scene, lines: list[str], language: str) -> str:
    """The HTML of the mail about the end."""
    return written(
        "over",
        shown.words,
        language=language,
        subject=shown.say("letter.over.subject"),
        intro=shown.say("letter.over.intro", name="Alice"),
        result=shown.game["result"]["words"],
        scores=games.scores(shown),
        url=shown.url,
        record="http://localhost/api/games/g/record",
        since=Since(lines, False, True),
        table=shown.drawn(),
        stop="http://localhost/unsubscribe?link=x",
    )[1]


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data_dir=tmp_path, database_url="", secret_key=bytes(32))


@pytest.fixture
def look(
    browser: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[str, str, str], None]:
    """Looks at a letter on a narrow screen: nothing sticks out, and axe finds nothing."""
    folder = Path(request.config.getoption("--screenshots") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)

    def looked(html: str, scheme: Any, name: str) -> None:
        page = browser.new_page(viewport=NARROW, color_scheme=scheme, java_script_enabled=True)
        page.set_content(html)
        page.screenshot(path=folder / f"letter-{name}-{scheme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
        found = Axe().run(page).response["violations"]
        page.close()
        assert [f"{each['id']}: {each['nodes'][0]['html']}" for each in found] == []

    return looked


def told(number: int, steps: list[Step], language: str) -> list[str]:
    """Lines of these steps."""
    answers = [(answer(RULESETS[number], each.after, 0, language), each.after) for each in steps]
    return [line["words"] for one, state in answers for line in one.lines(state)][:30]


@pytest.mark.parametrize("number", range(len(RULESETS)), ids=rules.slugs())
def test_a_turn_mail_of_every_game(config: Config, look: Any, number: int) -> None:
    asked = [step for step in met(number, 2, 30) if 0 in RULESETS[number].turn(step.after).waiting]
    for step, (language, scheme) in zip(asked, SCREENS, strict=False):
        shown = scene(config, number, step, language)
        html = turn_letter(shown, told(number, asked[:6], language), language)
        assert len(html.encode()) < MOST_BYTES
        look(html, scheme, f"{RULESETS[number].slug}-{language}")


@pytest.mark.parametrize("number", range(len(RULESETS)), ids=rules.slugs())
def test_the_end_of_every_game(config: Config, look: Any, number: int) -> None:
    ruleset = RULESETS[number]
    over = [step for step in met(number, 2, 30) if ruleset.result(step.after)]
    for step, (language, scheme) in zip(over, SCREENS[number % 2 :], strict=False):
        result = ruleset.result(step.after)
        assert result is not None
        row = {"status": "over", "result": {**result._asdict()}}
        shown = scene(config, number, step, language, **row)
        html = over_letter(shown, told(number, over[:3], language), language)
        assert len(html.encode()) < MOST_BYTES
        look(html, scheme, f"over-{ruleset.slug}-{language}")


def test_the_pages_behind_a_link(visit: Any, server: Any, picture: Any) -> None:
    visitor = visit(NARROW, bypass_csp=True)  # axe itself sets inline styles
    visitor.play_now("boomerang-auction")
    assert visitor.my_turn()
    game = visitor.game()
    config = Config(
        data_dir=server.folder,
        database_url="",
        secret_key=key_file(server.folder / "secret.key"),
        public_url=server.url,
    )
    table: Any = SimpleNamespace(game=SimpleNamespace(id=game["id"]))
    person = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    link = moves.link(config, table, person, 0, game["legal"][0]["action"])
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.page.goto(link)
        assert game["legal"][0]["words"] in visitor.page.inner_text("main")
        sound(visitor)
        picture(visitor, f"move-{scheme}")
    visitor.page.set_viewport_size(NARROW)
    visitor.page.locator("form button").click()
    visitor.page.wait_for_selector("main > *")
    assert "Played" in visitor.page.inner_text("h1")
    sound(visitor)
    visitor.page.goto(link)
    assert "already" in visitor.page.inner_text("h1")
    visitor.page.goto(link + "0")
    assert visitor.page.inner_text("h1") == "This link does not work"
    sound(visitor)
    visitor.refusals.clear()


def sound(visitor: Any) -> None:
    """Nothing sticks out, and axe finds nothing."""
    visitor.page.set_viewport_size(NARROW)
    assert visitor.wider_than_screen() == 0
    found = Axe().run(visitor.page).response["violations"]
    assert [f"{each['id']}: {each['nodes'][0]['html']}" for each in found] == []
