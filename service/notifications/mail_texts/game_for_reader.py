"""A game as the reader of an email, or of the pages behind it, may see it: in words, drawn, with a link for each
move.
"""

from __future__ import annotations

import functools
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from rules.kernel import Json
from service.core.settings.config import Config
from service.core.words.pieces import marked, split, without_cards
from service.core.words.words import Phrases
from service.log.records import signed_heads
from service.log.table_rows.table import Holder, Person, Table
from service.notifications.mail_texts.mail_links import (
    FIRST_ORDER,
    ORDER,
    move_link,
    purpose_link,
    table_link,
)
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.drawing.text import draw_sections
from service.tables.play.orders.offers import BESIDE
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer, Viewer, prompt_words
from service.tables.views.orders import orders_view
from service.tables.views.people_names import name_in_list
from service.tables.views.rulesets.rules_page_view import page_path, sections

MOST_NAMES = 3
"""The largest number of other players named in a subject."""


class TableDrawing(NamedTuple):
    """A table as text and as HTML, and the `prompt` above it."""

    prompt: tuple[str, ...]
    text: str
    html: Markup


class Link(NamedTuple):
    """A link: its words and its address."""

    words: str
    url: str


class GameForReader:
    """A game as a player sees it at the time of reading."""

    def __init__(self, services: Services, table: Table, player_id: str, language: str) -> None:
        state = services.states.load(table.game) if table.game.number else None
        viewer = Viewer(player_id, language, services.config.poll_after, by_mail=True)
        self.services, self.table = services, table
        self.answer = GameAnswer(table, state, viewer, services.heads)
        self.words: Phrases = self.answer.words

    @cached_property
    def body(self) -> Json:
        """The game as the API shows it to this player (Game in openapi.yaml)."""
        return self.answer.whole()

    @property
    def url(self) -> str:
        """The address of the table's page."""
        return table_url(self.services.config, self.table.game.id)

    @property
    def own_url(self) -> str:
        """The address at which the reader can see the table without signing in, as long as they sit there."""
        me = self.answer.me
        return self.url if me is None else table_link(self.services.config, me)

    @property
    def signed_head(self) -> str | None:
        """The head of the log in its short form; None before the start."""
        game = self.table.game
        if game.head is None:
            return None
        signature = self.services.heads.sign(game.id, game.number, game.head)
        return signed_heads.short_form(game.number, game.head, signature)

    @property
    def holder(self) -> Holder:
        """The reader with their seat. Raises NotSeated if they have none, and NotRunning before the start."""
        return self.table.holding(self.answer.viewer.player_id)

    def drawing(self) -> TableDrawing:
        """The drawing of the table."""
        layout = lay_out(self.body, self.words, self.table.ruleset.looks.layout)
        prompt = tuple(each for each in (layout.prompt, layout.waiting) if each)
        text, html = draw_sections(layout, self.words), draw_html(layout, self.words)
        return TableDrawing(prompt, text, html)

    @property
    def form_url(self) -> str:
        """The address of the form on which a move can be chosen step by step."""
        return move_link(self.services.config, self.table, self.holder)

    def choices(self) -> list[Link]:
        """The legal actions with their links; empty if there are more than MOST_CHOICES."""
        return [self.choice(place) for place in range(len(self.body["legal"]))]

    def choice(self, place: int) -> Link:
        """The legal action at `place`, and the link that plays it."""
        legal, config = self.body["legal"][place], self.services.config
        url = move_link(config, self.table, self.holder, place, legal["action"])
        return Link(legal["words"], url)

    def orders(self) -> list[Link]:
        """The most useful standing orders that the reader can leave at this question, each with its link."""
        found = orders_view.offers(self.answer)[:BESIDE]
        return [
            Link(each.words, self._order_url(FIRST_ORDER + at, each.terms))
            for at, each in enumerate(found)
        ]

    def _order_url(self, place: int, terms: Json) -> str:
        given = self.services.config, self.table, self.holder, place, {ORDER: terms}
        return move_link(*given)

    @property
    def rules_path(self) -> str:
        """The address of the rules page, at the section that explains the present phase."""
        row, language, view = self.table.game, self.answer.viewer.language, self.body["view"]
        found = view and sections(row.ruleset, language, row.version).get(view["phase"])
        return page_path(row.ruleset, row.version, language) + (f"#{found}" if found else "")

    def introduced(self, person: Person) -> str:
        """The name of a person at the table; for a house player, with its description."""
        return self.answer.as_read(name_in_list(person, self.words))

    @property
    def question(self) -> str | None:
        """The reader's question, without cards; None if the game does not wait for them."""
        me, state = self.answer.me, self.answer.state
        if state is None or not isinstance(me, Holder) or not me.waiting:
            return None
        ruleset, reader = self.table.ruleset, self.answer.reader
        view = ruleset.view(state, me.seat)
        asked = prompt_words(view, marked(self.words), reader, ruleset.turn(state))
        return without_cards(self.words, split(asked))

    def subject(self, key: str, asked: str | None) -> str:
        """The subject of an email: the game, the other players, and the question, if any."""
        subject = self.say(key)
        if not asked:
            return subject
        return self.words.say("mail.subject", {"subject": subject, "asked": asked.rstrip(".。")})

    def say(self, key: str, **fields: object) -> str:
        """A message about the game and the other players: the first few by name, the others as a number."""
        names = [name for person, name in self.answer.seated if person is not self.answer.me]
        others = self.words.listed(names, most=MOST_NAMES)
        return self.words.say(key, {"game": self.words.say("name"), "names": others, **fields})


def ways_on(game: GameForReader) -> list[Link]:
    """The links for a person who sits at a table; the link to the rules leads to the section on the present phase.

    Extra time can be requested only while the game runs; only afterwards are there a record and a rematch.
    """
    config, me = game.services.config, game.answer.me
    urls = {"rules": config.public_url + game.rules_path}
    if isinstance(me, Holder):
        of = functools.partial(purpose_link, config, tenure=me.tenure)
        over = {"record": of("records"), "rematch": of("rematches")}
        urls |= (
            over
            if game.table.game.is_over
            else {"time": of("extensions"), "vacation": of("vacations")}
        )
        urls["mails"] = of("mails")
    return [Link(game.words.say(f"mail.way.{name}"), url) for name, url in urls.items()]


def table_url(config: Config, game_id: str) -> str:
    """The address of a table's page."""
    return f"{config.public_url}/games/{game_id}"
