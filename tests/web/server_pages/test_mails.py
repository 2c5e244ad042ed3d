"""Mails about every game, and the pages behind their links, on the narrowest phone and in both themes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from service.core.settings.config import ROOT, Config
from service.core.words.words import phrases
from service.log.records.signed_heads import HeadSigner
from service.notifications.mail_texts.game_for_reader import GameForReader, ways_on
from service.notifications.mail_texts.game_news import score_lines
from service.notifications.mail_texts.mail_links import move_link
from service.notifications.mail_texts.message import Answers
from service.notifications.mail_texts.templating import render_template
from service.notifications.mail_texts.times import DeadlineWords, deadline_words
from service.notifications.mail_texts.turns import numbered_options
from service.notifications.mail_texts.turns.unread_talk import UnreadTalk
from service.outbox.recipients import Recipient
from service.tables.views.game_view import GameAnswer
from service.tables.views.history_view import Since
from service.tables.views.told_history import Entry, Section
from tests.rules.playouts import IDS, RULESETS, Step
from tests.support.cast import START
from tests.support.changed import games_in_full
from tests.support.positions import answer
from tests.support.positions import moments as met
from tests.web.support.accessibility import NARROW, assert_accessible

pytestmark = pytest.mark.browser

MOST_BYTES = 100_000
"""The most bytes of HTML: some mail programs truncate longer mails."""
SCREENS = [("en", "light"), ("ja", "dark")]
FIND = """
async () => (await axe.run({ resultTypes: ["violations"] })).violations
    .map(found => `${found.id}: ${found.nodes[0].html}`)
"""
PICKED = [n for n, each in enumerate(RULESETS) if each.slug in games_in_full()]
"""The games whose mails are examined."""
URL = "http://localhost/games/g_0123456789ABCDEFGHIJKL"
TO_NOBODY = Answers("Nobody", "tegami@mail.example")
STOP = "http://localhost/unsubscribe?link=x"


def scene(config: Config, number: int, step: Step, language: str, **game: Any) -> GameForReader:
    """A position as seat 0 sees it, without a database."""
    made: Any = object.__new__(GameForReader)
    made.services = SimpleNamespace(
        config=config, heads=HeadSigner(config.signing_key), now=lambda: START
    )
    told = answer(RULESETS[number], step.after, 0, language, **{"head": bytes(32), **game})
    holders = tuple(replace(holder, due=START + 86_400_000) for holder in told.table.holders)
    made.table = replace(told.table, people=holders)
    made.answer = GameAnswer(made.table, told.state, told.viewer, made.services.heads)
    made.words = made.answer.words
    return made  # type: ignore[no-any-return]


def since(lines: list[str], *, more: bool) -> Since:
    """These lines, which have happened under a heading."""
    return Since(
        [Section([{"words": LONG, "depth": 0}], [Entry("", lines)])], more, own=True, last=LONG
    )


def turn_letter(shown: GameForReader, lines: list[str], language: str) -> str:
    """The HTML of a turn mail."""
    reader = Recipient("p0", "Alice", "alice@example.org", language, "Asia/Tokyo")
    step = numbered_options.step(shown)
    return render_template(
        "turn",
        shown.words,
        language=language,
        subject=shown.say("mail.turn.subject"),
        intro=shown.say("mail.turn.intro", name="Alice"),
        due=deadline_words(shown, reader.zone),
        url=shown.url,
        talk=UnreadTalk([LONG, "Bob: ♥"], True),
        since=since(lines, more=True),
        table=shown.drawing(),
        asked=shown.question,
        choices=bool(step.options),
        options=step.options,
        goes_on=step.goes_on,
        question=step.question,
        by_reply=True,
        orders=numbered_options.orders(shown),
        order_tree=numbered_options.order_tree(shown),
        form=shown.form_url,
        ways=ways_on(shown),
        signed_head=shown.signed_head,
        answers=Answers("Bob", "answers@mail.example", are_read=True),
        is_key=True,
        unsubscribe_url=STOP,
    )[1]


def over_letter(shown: GameForReader, lines: list[str], language: str) -> str:
    """The HTML of the mail about the result."""
    return render_template(
        "over",
        shown.words,
        language=language,
        subject=shown.say("mail.over.subject"),
        intro=shown.say("mail.over.intro", name="Alice"),
        result=shown.body["result"]["words"],
        scores=score_lines(shown),
        url=shown.url,
        record="http://localhost/api/games/g/record",
        rematch="http://localhost/rematches/t",
        answers=Answers("Bob", "answers@mail.example", are_read=True),
        is_key=True,
        talk=UnreadTalk([LONG], more=False),
        since=since(lines, more=False),
        table=shown.drawing(),
        unsubscribe_url=STOP,
    )[1]


def short(template: str, **values: Any) -> Callable[[str], str]:
    """The HTML of a mail without a table, by language."""

    def made(language: str) -> str:
        words = phrases(language, "joretsu")
        every = {"subject": SAID[language], "answers": TO_NOBODY, "is_key": True, **values}
        return render_template(template, words, language=language, **every)[1]

    return made


SAID = {"en": "Alice invites you to a game", "ja": "アリスさんから対局へのお誘いです"}
LONG = "A handle_of_as_many_letters_as_a_handle_has 手紙でカードゲームを遊びましょう。" * 3
LETTERS: dict[str, Callable[[str], str]] = {
    "short": short(
        "short",
        paragraphs=[LONG],
        button=(LONG, URL),
        after=[LONG],
        another=(LONG, URL),
        unsubscribe_url=STOP,
    ),
    "news": short(
        "news", button=None, intro=LONG, lines=[LONG, "♥10"], url=URL, unsubscribe_url=STOP
    ),
    "proposal": short(
        "proposal",
        intro=LONG,
        proposal=LONG,
        due="Monday, 23 November 2026, 19:00",
        url=URL,
        agree=URL,
        refuse=URL,
        since=Since([], more=False, last="Bob: ♥"),
        unsubscribe_url=STOP,
    ),
    "digest": short(
        "digest",
        intro=LONG,
        games=[
            {
                "title": LONG,
                "due": DeadlineWords(LONG),
                "prompt": [LONG],
                "form": f"{URL}/{'x' * 80}.1",
                "url": URL,
                "since": [LONG, "♥10"],
                "last": LONG,
                "talk": UnreadTalk([LONG], True),
            }
        ]
        * 2,
        more=3,
        others=[{"title": LONG, "url": URL}] * 3,
        settings=URL,
        unsubscribe_url=STOP,
    ),
    "response": short(
        "response",
        intro=LONG,
        told=[LONG, "♥10"],
        confirming=URL,
        notes=[LONG],
        since=None,
        due=None,
        talk=UnreadTalk([LONG], True),
        table=None,
        options=[],
        goes_on=False,
        question="",
        ways=[],
        by_reply=True,
        url=URL,
        unsubscribe_url=None,
    ),
    "invitation": short(
        "invitation",
        intro=LONG,
        summary=LONG,
        terms=[LONG, LONG],
        url=URL,
        ratings=URL,
        decline=URL,
        rules=URL,
        inviter="handle_of_as_many_letters_as_a_handle_has",
        unsubscribe_url=STOP,
        by_address=True,
    ),
}
"""A mail of every template without a table."""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data_dir=tmp_path, database_url="", secret_key=bytes(32), signing_key=bytes(32))


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Callable[[Any], Page]]:
    """A narrow screen for each theme with axe loaded; each mail replaces the last."""

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
    """Checks a mail on a narrow screen: nothing is too wide, and axe finds nothing."""
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


def test_defects_are_found(look: Callable[[str, str, str], None]) -> None:
    """A defect is found, also after a mail without one."""
    good = LETTERS["short"]("en")
    for wrong in (
        good.replace("<main", "<div").replace("</main", "</div"),
        good.replace("color: #1d2733", "color: #e0e0e0"),
        good.replace("<h1", '<h1><img src="x"></h1><h1'),
        good.replace("<h1", '<p style="width: 400px">wide</p><h1'),
    ):
        look(good, "light", "sound")
        assert wrong != good
        with pytest.raises(AssertionError):
            look(wrong, "light", "wrong")


def told(number: int, steps: list[Step], language: str) -> list[str]:
    """The lines that these steps tell."""
    answers = [(answer(RULESETS[number], each.after, 0, language), each.after) for each in steps]
    return [line["words"] for one, state in answers for line in one.lines(state)][:30]


@pytest.mark.parametrize("number", PICKED, ids=[IDS[each] for each in PICKED])
def test_a_turn_mail_of_every_game(config: Config, look: Any, number: int) -> None:
    asked = [step for step in met(number, 2, 30) if 0 in RULESETS[number].turn(step.after).waiting]
    for step, (language, scheme) in zip(asked[:2], SCREENS, strict=True):
        shown = scene(config, number, step, language)
        html = turn_letter(shown, told(number, asked[:6], language), language)
        assert len(html.encode()) < MOST_BYTES
        look(html, scheme, f"{IDS[number]}-{language}")


@pytest.mark.parametrize("number", PICKED, ids=[IDS[each] for each in PICKED])
def test_a_result_mail_of_every_game(config: Config, look: Any, number: int) -> None:
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
def test_every_other_mail(look: Any, template: str) -> None:
    for language, scheme in SCREENS:
        look(LETTERS[template](language), scheme, f"{template}-{language}")


def test_every_template_is_covered() -> None:
    folder = ROOT / "service/notifications/mail_texts/templates"
    whole = {path.stem for path in folder.glob("*.html") if "extends" in path.read_text("utf-8")}
    assert whole == {"turn", "over", *LETTERS}


def test_the_pages_behind_a_move_link(visit: Any, server: Any, picture: Any) -> None:
    visitor = visit(NARROW, bypass_csp=True)  # axe itself sets inline styles
    visitor.sit_down("boomerang-auction")
    assert visitor.my_turn()
    game = visitor.game()
    table: Any = SimpleNamespace(game=SimpleNamespace(id=game["id"]))
    person = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    link = move_link(server.config, table, person, 0, game["legal"][0]["action"])
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.page.goto(link)
        assert game["legal"][0]["words"] in visitor.page.inner_text("main")
        assert_accessible(visitor)
        picture(visitor, f"move-{scheme}")
    visitor.page.set_viewport_size(NARROW)
    visitor.page.locator("form button").click()
    visitor.page.wait_for_selector("main > *")
    assert "Played" in visitor.page.inner_text("h1")
    assert_accessible(visitor)
    visitor.page.goto(link)
    assert "already" in visitor.page.inner_text("h1")
    visitor.page.goto(link + "0")
    assert visitor.page.inner_text("h1") == "This link does not work"
    assert_accessible(visitor)
    visitor.refusals.clear()
