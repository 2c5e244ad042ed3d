"""Letters about every game, and the pages behind their links, on the narrowest phone: readable in both themes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

import rules
from service import moves
from service.config import ROOT, Config
from service.mail import games, turn
from service.mail.paper import written
from service.mail.readers import Reader
from service.mail.scene import MOST_CHOICES, Scene
from service.since import Since
from service.words import phrases
from tests.rules.playouts import RULESETS, Step
from tests.service.cast import START
from tests.service.positions import answer
from tests.service.positions import moments as met

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
MOST_BYTES = 100_000
"""Of HTML: some mail programs cut off what is longer."""
SCREENS = [("en", "light"), ("ja", "dark")]
FIND = """
async () => (await axe.run({ resultTypes: ["violations"] })).violations
    .map(found => `${found.id}: ${found.nodes[0].html}`)
"""
URL = "http://localhost/#/games/g_0123456789ABCDEFGHIJKL"
STOP = "http://localhost/unsubscribe?link=x"


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
        form=shown.form,
        stop=STOP,
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
        stop=STOP,
    )[1]


def short(template: str, **values: Any) -> Callable[[str], str]:
    """The HTML of a letter without a table, by language."""

    def made(language: str) -> str:
        words = phrases(language, "joretsu")
        return written(template, words, language=language, subject=SAID[language], **values)[1]

    return made


SAID = {"en": "Alice invites you to a game", "ja": "アリスさんから対局へのお誘いです"}
LONG = "A handle_of_as_many_letters_as_a_handle_has 手紙でカードゲームを遊びましょう。" * 3
LETTERS: dict[str, Callable[[str], str]] = {
    "note": short("note", paragraphs=[LONG], button=(LONG, URL), after=[LONG], stop=STOP),
    "news": short("news", intro=LONG, lines=[LONG, "♥10"], url=URL, stop=STOP),
    "proposal": short(
        "proposal",
        intro=LONG,
        proposal=LONG,
        due="Monday, 23 November 2026, 19:00",
        url=URL,
        agree=URL,
        refuse=URL,
        stop=STOP,
    ),
    "invitation": short(
        "invitation",
        intro=LONG,
        summary=LONG,
        url=URL,
        decline=URL,
        rules=URL,
        sender="handle_of_as_many_letters_as_a_handle_has",
        stop=STOP,
        given=True,
    ),
}
"""A letter of every template that has no table in it."""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data_dir=tmp_path, database_url="", secret_key=bytes(32))


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Callable[[Any], Page]]:
    """A narrow screen of each theme, with axe at hand: a letter takes the place of the last one."""

    @functools.cache
    def opened(scheme: Any) -> Page:
        page = browser.new_page(viewport=NARROW, color_scheme=scheme)
        page.evaluate(Axe().axe_script)
        return page

    yield opened
    for context in {opened(scheme).context for _, scheme in SCREENS}:
        context.close()


@pytest.fixture
def look(
    screen: Callable[[Any], Page], request: pytest.FixtureRequest
) -> Callable[[str, str, str], None]:
    """Looks at a letter on a narrow screen: nothing sticks out, and axe finds nothing."""
    folder = request.config.getoption("--screenshots")

    def looked(html: str, scheme: str, name: str) -> None:
        page = screen(scheme)
        page.set_content(html)
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"letter-{name}-{scheme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
        assert page.evaluate(FIND) == []

    return looked


def test_the_look_is_sharp(look: Callable[[str, str, str], None]) -> None:
    """A letter with a defect is found, also where another one stood before."""
    sound = LETTERS["note"]("en")
    for wrong in (
        sound.replace("<main", "<div").replace("</main", "</div"),
        sound.replace("color: #1d2733", "color: #e0e0e0"),
        sound.replace("<h1", '<h1><img src="x"></h1><h1'),
        sound.replace("<h1", '<p style="width: 400px">wide</p><h1'),
    ):
        look(sound, "light", "sound")
        assert wrong != sound
        with pytest.raises(AssertionError):
            look(wrong, "light", "wrong")


def told(number: int, steps: list[Step], language: str) -> list[str]:
    """Lines of these steps."""
    answers = [(answer(RULESETS[number], each.after, 0, language), each.after) for each in steps]
    return [line["words"] for one, state in answers for line in one.lines(state)][:30]


@pytest.mark.parametrize("number", range(len(RULESETS)), ids=rules.slugs())
def test_a_turn_mail_of_every_game(config: Config, look: Any, number: int) -> None:
    asked = [step for step in met(number, 2, 30) if 0 in RULESETS[number].turn(step.after).waiting]
    for step, (language, scheme) in zip(asked[:2], SCREENS, strict=True):
        shown = scene(config, number, step, language)
        html = turn_letter(shown, told(number, asked[:6], language), language)
        assert len(html.encode()) < MOST_BYTES
        look(html, scheme, f"{RULESETS[number].slug}-{language}")


@pytest.mark.parametrize("number", range(len(RULESETS)), ids=rules.slugs())
def test_the_end_of_every_game(config: Config, look: Any, number: int) -> None:
    ruleset = RULESETS[number]
    over = [step for step in met(number, 2, 30) if ruleset.result(step.after)]
    for step, (language, scheme) in zip(over[:2], SCREENS, strict=True):
        result = ruleset.result(step.after)
        assert result is not None
        row = {"status": "over", "result": {**result._asdict()}}
        shown = scene(config, number, step, language, **row)
        html = over_letter(shown, told(number, over[:3], language), language)
        assert len(html.encode()) < MOST_BYTES
        look(html, scheme, f"over-{ruleset.slug}-{language}")


@pytest.mark.parametrize("template", LETTERS)
def test_every_other_letter(look: Any, template: str) -> None:
    for language, scheme in SCREENS:
        look(LETTERS[template](language), scheme, f"{template}-{language}")


def test_every_template_is_looked_at() -> None:
    folder = ROOT / "service/mail/templates"
    whole = {path.stem for path in folder.glob("*.html") if "extends" in path.read_text("utf-8")}
    assert whole == {"turn", "over", *LETTERS}


def test_the_pages_behind_a_link(visit: Any, server: Any, picture: Any) -> None:
    visitor = visit(NARROW, bypass_csp=True)  # axe itself sets inline styles
    visitor.play_now("boomerang-auction")
    assert visitor.my_turn()
    game = visitor.game()
    table: Any = SimpleNamespace(game=SimpleNamespace(id=game["id"]))
    person = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    link = moves.link(server.config, table, person, 0, game["legal"][0]["action"])
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
