"""A game as the reader of a page without scripts may see it: in words, drawn, with a link for each choice."""

from __future__ import annotations

from flask import Response
from markupsafe import Markup

from rules.kernel import Json
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.times import DeadlineWords, deadline_words
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.views.game_view import GameAnswer
from service.web.http.caller.context import current_services
from service.web.http.polls.game_answers import game_answer, visible_table
from service.web.page.game_page import choosing
from service.web.page.past_table import drawn_then
from service.web.plain.plain_pages import plain_page, zone_of_reader


class PlainGame(GameForReader):
    """A game as the caller may see it now. Making one raises NotFound."""

    def __init__(self, game_id: str) -> None:
        self.services = current_services()
        self.answer: GameAnswer = game_answer(visible_table(game_id))
        self.table, self.words = self.answer.table, self.answer.words

    def page(self, template: str, **values: object) -> Response:
        """A page about the game."""
        return plain_page(template, self.words, game=self, name=self.words.say("name"), **values)

    @property
    def path(self) -> str:
        """The address of the table."""
        return f"/plain/games/{self.table.game.id}"

    @property
    def deadline(self) -> DeadlineWords | None:
        """The reader's deadline; None if the reader has no question."""
        return deadline_words(self, zone_of_reader()) if self.body["legal"] else None

    def drawing_of(self, zones: list[Json]) -> Markup:
        """A drawing of these zones alone, each under the name of its owner."""
        view = {**self.body["view"], "zones": zones, "facts": [], "committed": []}
        told = {"program": None, "you": False, "waiting": False}
        seats = [{**seat, **told} for seat in self.body["seats"]]
        game = {**self.body, "view": view, "seats": seats, "waiting": []}
        return draw_html(lay_out(game, self.words), self.words)

    def drawing_then(self, view: Json) -> str:
        """A drawing of a past table, as the reader saw it."""
        return drawn_then(self, view)

    def choosing(self, path: tuple[int, ...] = ()) -> dict[str, object]:
        """The choices after those in `path`; the last choice leads to the confirmation."""
        form = f"{self.path}/move?asked={self.answer.asked}"
        return choosing(self, path, form, lambda place: f"{form}&place={place}")
