"""Tables as text and as HTML: complete and without leaks, at random positions of every ruleset."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from rules.kernel import Ruleset, State
from rules.kernel.values import CODE
from service.core.words.words import LANGUAGES, Phrases, phrases
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import (
    Face,
    Layout,
    accessible_name,
    end_to_end,
    facing,
    lay_out,
)
from service.tables.drawing.text import WIDTH, columns, draw_sections, wrap
from tests.rules.playouts import RULESETS, viewers
from tests.rules.worlds import other_world
from tests.support.each_game import each_number
from tests.support.in_one_go import in_one_go
from tests.support.positions import answer, moments

pytestmark = pytest.mark.of_service

COUNT, MOST = 2, 30
"""The number of games of a ruleset, and of their positions, as varied as possible."""
CARD = re.compile(r"(10|[A2-9JQK])([♠♥♦♣])|(Joker|ジョーカー)|\[(\d+)\|(\d+)\]")
RAW = re.compile(r"\b[A2-9TJQK][shdc]\b|[{}]|\b(?:page|draw|zone|fact|phase|prompt|value)\.[a-z]")

every_language = in_one_go("language", LANGUAGES)


@functools.cache
def told(number: int, language: str) -> tuple[tuple[Any, Any], ...]:
    """Positions as the API shows them to seat 0, the last seat and a spectator."""
    ruleset = RULESETS[number]
    answers = [
        answer(ruleset, step.after, viewer, language)
        for step in moments(number, COUNT, MOST)[:MOST]
        for viewer in (0, step.after.players - 1, None)
    ]
    return tuple((each.whole(), each.words) for each in answers)


def cards_of(value: Any) -> Iterator[str]:
    """Every card in an answer of the API, as a code."""
    if isinstance(value, str):
        yield from [value] if CODE.fullmatch(value) else []
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from cards_of(each)


def cards_in(text: str) -> Iterator[str]:
    """Every card in a drawing, as a code."""
    for rank, suit, joker, left, right in CARD.findall(text):
        if joker:
            yield "Jk"
        elif suit:
            yield ("T" if rank == "10" else rank) + dict(zip("♠♥♦♣", "shdc", strict=True))[suit]
        else:
            yield "-".join(sorted((left, right), key=int, reverse=True))


def mute(game: Any) -> Any:
    """The game reduced to its zones, without names: only cards are left to be drawn."""
    zones = [{**zone, "words": "Z"} for zone in game["view"]["zones"]]
    view = {**game["view"], "zones": zones, "facts": [], "prompt_words": ""}
    return {**game, "view": {**view, "phase_words": ""}}


class Texts:
    """The texts and the labels of HTML. Raises ParseError for tags that do not match."""

    def __init__(self, html: str) -> None:
        self.shown, self.labels = list[str](), list[str]()
        self._read(ElementTree.fromstring(html))

    def _read(self, element: ElementTree.Element) -> None:
        if "aria-label" in element.attrib:
            self.labels.append(element.attrib["aria-label"])
        tile = "domino" in element.get("class", "")
        self._show(f"[{element.text}]" if tile else element.text)
        for child in element:
            self._read(child)
            self._show(child.tail)

    def _show(self, text: str | None) -> None:
        if text:
            self.shown.append(text)

    @property
    def text(self) -> str:
        return " ".join(self.shown).replace("\ufe0e", "")


class Picture(NamedTuple):
    """A position as the API shows it, drawn as text and as HTML."""

    game: Any
    prompt: str
    text: str
    html: Texts


def picture(game: Any, words: Any, number: int) -> Picture:
    made = lay_out(game, words, RULESETS[number].looks.layout)
    html = Texts(draw_html(made, words))
    return Picture(game, made.prompt + made.waiting, draw_text(made, words), html)


def draw_text(layout: Layout, words: Phrases) -> str:
    """The question and the table, as in mails."""
    asked = [line for each in (layout.prompt, layout.waiting) if each for line in wrap(each)]
    return "\n".join([*asked, "", draw_sections(layout, words)])


@functools.cache
def pictures(number: int, language: str) -> tuple[Picture, ...]:
    """All these positions, drawn."""
    return tuple(picture(*each, number) for each in told(number, language))


@functools.cache
def mute_pictures(number: int, language: str) -> tuple[Picture, ...]:
    """The same, without names and facts."""
    return tuple(picture(mute(game), words, number) for game, words in told(number, language))


LANES = [n for n, ruleset in enumerate(RULESETS) if facing(ruleset.looks.layout)]


@pytest.mark.parametrize("number", LANES)
@every_language
def test_lanes_face_one_another(number, language):
    """In the text, one is below the other; in HTML, each lane has a column. The reader sits below."""
    ruleset = RULESETS[number]
    for game, words in told(number, language):
        made = lay_out(game, words, ruleset.looks.layout)
        names = [seat["name"] for seat in game["seats"]]
        order = names if game["seat"] in {None, 1} else names[::-1]
        (lanes,) = [section.lanes for section in made.sections if section.lanes]
        assert [name for name, _ in lanes.rows] == order
        lines = iter(draw_text(made, words).splitlines())
        for lane, name in enumerate(lanes.names):
            assert f"  {name}" in lines
            for who, zones in lanes.rows:
                line = next(line for line in lines if line.startswith(f"    {who}"))
                assert list(cards_in(line)) == [face.code for face in zones[lane].faces or ()]
        table = ElementTree.fromstring(draw_html(made, words)).find(".//table")
        assert table is not None and len(table.findall("thead/tr/th")) == len(lanes.names)
        far, near = table.findall("tbody")
        assert [row[0].tag for row in (*far, *near)] == ["th", "td", "td", "th"]
        zones = [
            zone for zone in game["view"]["zones"] if zone["name"] in facing(ruleset.looks.layout)
        ]
        shown = [cell for row in (far[1], near[0]) for cell in row]
        assert len(shown) == len(zones) == len(lanes.names) * len(lanes.rows)


@each_number
@every_language
def test_exactly_the_visible_cards_are_drawn(number, language):
    for made in mute_pictures(number, language):
        lying = Counter(cards_of([zone.get("cards") for zone in made.game["view"]["zones"]]))
        assert Counter(cards_in(made.text)) == lying
        assert Counter(cards_in(made.html.text)) == lying


@each_number
@every_language
def test_the_words_name_only_visible_cards(number, language):
    for made in pictures(number, language):
        shown = set(cards_of(made.game["view"])) | {"Jk"}  # the word occurs without a card
        asked = made.game["view"]["prompt"] or {}
        shown |= {f"{asked.get('rank')}{asked.get('suit')}"}  # of a bid that is drawn
        assert set(cards_in(made.text)) <= shown
        assert set(cards_in(made.html.text)) <= shown


@each_number
@every_language
def test_every_fact_and_every_person_is_named(number, language):
    for made in pictures(number, language):
        text, html = "".join(made.text.split()), "".join(made.html.text.split())
        for fact in made.game["view"]["facts"]:
            said = {"".join(fact[key].split()) for key in ("words", "short") if key in fact}
            assert any(each in text for each in said), fact
            assert any(each in html for each in said), fact
        assert all(seat["name"] in text and seat["name"] in html for seat in made.game["seats"])
        assert "".join(made.prompt.split()) in text


@each_number
@every_language
def test_no_raw_codes_or_keys_and_no_long_lines(number, language):
    for made in pictures(number, language):
        assert not RAW.search(made.text), made.text
        assert not [each for each in (*made.html.shown, *made.html.labels) if RAW.search(each)]
        assert all(columns(line) <= WIDTH for line in made.text.splitlines()), made.text
        assert all(line == line.rstrip() for line in made.text.splitlines())


@each_number
def test_every_card_has_an_accessible_name(number):
    for made in mute_pictures(number, "en"):
        zones = [zone for zone in made.game["view"]["zones"] if zone.get("cards")]
        lying = [card for zone in zones for card in signs(zone)]
        assert len(made.html.labels) == len(lying)
        assert all(made.html.labels)


def signs(zone: Any) -> list[Any]:
    """The cards of a zone; a run of face-down cards counts as one, unless places are numbered."""
    if zone["kind"] in {"grid", "ladder"}:
        return list(zone["cards"])
    runs = ((card, list(run)) for card, run in itertools.groupby(zone["cards"]))
    return [one for card, run in runs for one in ([card] if card is None else run)]


@each_number
def test_indistinguishable_states_are_drawn_alike(number):
    """Comparing the responses of the API is enough: a drawing is made only from them (see `lay_out`)."""
    ruleset, rng = RULESETS[number], random.Random(number)
    for step in moments(number, COUNT, MOST)[:MOST]:
        for viewer in viewers(step.after):
            other = other_world(ruleset, step, viewer, rng)
            for one, could in zip((step.before, step.after), other, strict=True):
                assert whole(ruleset, one, viewer) == whole(ruleset, could, viewer)


def whole(ruleset: Ruleset, state: State, viewer: int | None) -> Any:
    """Everything from which a drawing is made."""
    return answer(ruleset, state, viewer, "en").whole()


@pytest.mark.parametrize(
    ("tiles", "laid"),
    [
        ([], []),
        ([("6", "3")], [("6", "3")]),
        ([("6", "3"), ("3", "1")], [("6", "3"), ("3", "1")]),
        ([("6", "3"), ("6", "1")], [("3", "6"), ("6", "1")]),
        ([("6", "6"), ("6", "2"), ("5", "2")], [("6", "6"), ("6", "2"), ("2", "5")]),
    ],
)
def test_tiles_lie_end_to_end(tiles, laid):
    assert end_to_end(tiles) == laid


@pytest.mark.parametrize(
    ("face", "en", "ja"),
    [
        (Face("3h"), "3 of hearts", "ハートの3"),
        (Face("Kd", ("turned",)), "king of diamonds, turned over", "ダイヤのK、裏返し"),
        (Face("Jk"), "joker", "ジョーカー"),
        (Face("6-3"), "domino 6 and 3", "ドミノ6と3"),
        (Face(None), "face-down card", "裏向きのカード"),
        (Face(None, ("vacant",)), "empty place", "空き"),
    ],
)
def test_cards_have_names(face, en, ja):
    assert accessible_name(face, phrases("en")) == en
    assert accessible_name(face, phrases("ja")) == ja


def test_names_are_listed_as_in_running_text():
    assert phrases("en").listed([]) == ""
    assert phrases("en").listed(["Aki"]) == "Aki"
    assert phrases("en").listed(["Aki", "Ben", "Cho"]) == "Aki, Ben and Cho"
    assert phrases("ja").listed(["Aki", "Ben", "Cho"]) == "Aki、Ben、Cho"


def test_japanese_is_wrapped_between_characters_but_not_before_closing_ones():
    lines = list(wrap("あ" * (WIDTH // 2) + "。" + "い" * 10))
    assert lines == ["あ" * (WIDTH // 2 - 1), "あ。" + "い" * 10]


@pytest.mark.parametrize(
    ("mine", "others", "told_what_to_do"),
    [(True, False, True), (True, True, True), (False, True, False), (None, True, True)],
    ids=["I am asked", "all are", "others are", "a spectator"],
)
def test_whoever_is_not_asked_is_not_told_what_to_do(mine, others, told_what_to_do):
    game, words = next(each for each in told(0, "en") if each[0]["view"]["prompt"])
    seats = [
        {**seat, "you": mine is not None and n == 0, "waiting": mine if n == 0 else others}
        for n, seat in enumerate(game["seats"])
    ]
    made = lay_out({**game, "seats": seats}, words)
    assert (made.prompt == game["view"]["prompt_words"]) == told_what_to_do
    assert bool(made.waiting) == others


def test_names_are_escaped():
    game, words = told(0, "en")[0]
    seats = [{**seat, "name": "<b>&"} for seat in game["seats"]]
    html = draw_html(lay_out({**game, "seats": seats}, words), words)
    assert "&lt;b&gt;&amp;" in html
    assert "<b>" not in html
