"""A game as the reader of a mail or of the pages behind it may see it: in words, layout, with a link for each move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup
from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Game
from service.core.models.mail import OutboxRow
from service.core.settings.config import Config
from service.core.words.words import Phrases
from service.log.records import signed_heads
from service.log.table_rows.table import Holder, Person, Table, find
from service.notifications.mail_texts.mail_links import move_link, table_link
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.outbox import recipients
from service.outbox.recipients import Recipient
from service.outbox.unsubscriptions import player_unsubscribe_link
from service.people.names import harmless
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.drawing.text import draw_sections
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer, Viewer
from service.tables.views.people_names import name_in_list
from service.tables.views.rulesets.rules_page_view import page_path, sections

MOST_NAMES = 3
"""Other players who are named in a subject."""


class TableDrawing(NamedTuple):
    """A table as text and as HTML, and the `prompt`, which stands above it."""

    prompt: tuple[str, ...]
    text: str
    html: Markup


class Link(NamedTuple):
    """A link in words, and where it leads."""

    words: str
    url: str


class GameForReader:
    """A game as a player sees it, at the time of reading."""

    def __init__(self, services: Services, table: Table, player_id: str, language: str) -> None:
        state = services.states.load(table.game) if table.game.number else None
        viewer = Viewer(player_id, language, services.config.poll_after, by_mail=True)
        self.services, self.table = services, table
        self.answer = GameAnswer(table, state, viewer, services.heads)
        self.words: Phrases = self.answer.words

    @cached_property
    def body(self) -> Json:
        """The Game of openapi.yaml, as the API answers this player."""
        return self.answer.whole()

    @property
    def url(self) -> str:
        """The address of the table's page."""
        return table_url(self.services.config, self.table.game.id)

    @property
    def own_url(self) -> str:
        """Where the reader sees the table: as long as they hold a seat, without a sign-in."""
        me = self.answer.me
        if self.table.game.status == "running" and isinstance(me, Holder):
            return table_link(self.services.config, me)
        return self.url

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
        """The reader, with the seat. Raises NotSeated, NotRunning."""
        return self.table.holding(self.answer.viewer.player_id)

    def drawing(self) -> TableDrawing:
        """The table, layout."""
        layout = lay_out(self.body, self.words, self.table.ruleset.looks.layout)
        prompt = tuple(each for each in (layout.prompt, layout.waiting) if each)
        text, html = draw_sections(layout, self.words), draw_html(layout, self.words)
        return TableDrawing(prompt, text, html)

    @property
    def form_url(self) -> str:
        """The address of the form on which a move is chosen step by step."""
        return move_link(self.services.config, self.table, self.holder)

    def choices(self) -> list[Link]:
        """The legal actions with their links; if there are more than MOST_CHOICES, only their number is shown."""
        return [self.choice(place) for place in range(len(self.body["legal"]))]

    def choice(self, place: int) -> Link:
        """The legal action at `place`, and the link that plays it."""
        legal, config = self.body["legal"][place], self.services.config
        url = move_link(config, self.table, self.holder, place, legal["action"])
        return Link(legal["words"], url)

    @property
    def rules_path(self) -> str:
        """The page of rules, at the section that explains the present phase."""
        row, language, view = self.table.game, self.answer.viewer.language, self.body["view"]
        found = view and sections(row.ruleset, language, row.version).get(view["phase"])
        return page_path(row.ruleset, row.version, language) + (f"#{found}" if found else "")

    def introduced(self, person: Person) -> str:
        """The name of somebody at the table, with what a house player is."""
        return self.answer.as_read(name_in_list(person, self.words))

    def say(self, key: str, **fields: object) -> str:
        """A message that names the game and the other players: the first by name, the others as a number."""
        names = [name for person, name in self.answer.seated if person is not self.answer.me]
        unnamed = len(names) - MOST_NAMES
        more = [self.words.say("mail.more", {"n": unnamed})] if unnamed > 0 else []
        others = self.words.listed(names[:MOST_NAMES] + more)
        return self.words.say(key, {"game": self.words.say("name"), "names": others, **fields})


def ways_on(game: GameForReader) -> list[Link]:
    """The links of somebody who sits at a table; that to the rules leads to what explains the present phase.

    Nobody asks for time in a game that is over.
    """
    page = game.services.config.public_url
    urls = {
        "rules": page + game.rules_path,
        "time": f"{game.url}?panel=time",
        "vacation": f"{page}/me/vacation",
        "mails": f"{page}/me/mails",
    }
    if game.table.game.is_over:
        del urls["time"], urls["vacation"]
    return [Link(game.words.say(f"mail.way.{name}"), url) for name, url in urls.items()]


def game_mail(
    template: str, told: Callable[[GameForReader, Recipient, OutboxRow], Json | None]
) -> Callable[[Services, OutboxRow], Mail | None]:
    """How a kind of mail about a game is rendered: `template` shows what is `told`; None: there is nothing to say.

    Each has a subject, an introduction, a link to the table and one to unsubscribe.
    """

    def render(services: Services, row: OutboxRow) -> Mail | None:
        recipient = recipients.find(row.player_id)
        game_id = db.session.scalar(select(Game.id).where(Game.key == row.game_key))
        if recipient is None or game_id is None:
            return None
        game = GameForReader(services, find(game_id), recipient.player_id, recipient.language)
        values = told(game, recipient, row)
        if values is None:
            return None
        every = {
            "intro": game.say(f"mail.{row.kind}.intro", name=harmless(recipient.name)),
            "url": game.own_url,
            "thread": game_id,
            "unsubscribe_url": player_unsubscribe_link(services.config, row),
        }
        subject = game.say(f"mail.{row.kind}.subject")
        return render_mail(template, game.words, recipient.address, subject, **{**every, **values})

    return render


def table_url(config: Config, game_id: str) -> str:
    """The address of a table's page."""
    return f"{config.public_url}/games/{game_id}"
