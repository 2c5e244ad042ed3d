"""A game as the reader of a page without scripts may see it: in words, drawn, with a link for each choice."""

from __future__ import annotations

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from flask import Response
from markupsafe import Markup

from rules.kernel import Json
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.times import DeadlineWords, deadline_words, local_time
from service.people import players
from service.people.preferences import time_zone
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.views.game_view import GameAnswer
from service.web.http.caller.caller import caller
from service.web.http.caller.context import current_services
from service.web.http.polls.game_answers import game_answer, visible_table
from service.web.page.game_page import Choosing, choosing
from service.web.plain.plain_pages import plain_page


class PlainGame(GameForReader):
    """A game as the caller may see it now. Raises NotFound."""

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
    def zone(self) -> tzinfo:
        """The time zone of the reader; UTC for strangers."""
        reader = caller()
        return time_zone(players.get(reader.id)) if reader else ZoneInfo("UTC")

    def at(self, time: str) -> str:
        """A time of the API as the reader's clock shows it."""
        ms = round(datetime.fromisoformat(time).timestamp() * 1000)
        return local_time(ms, self.zone, self.words)

    @property
    def deadline(self) -> DeadlineWords | None:
        """Until when the reader has to answer; None for whoever is asked nothing."""
        return deadline_words(self, self.zone) if self.body["legal"] else None

    @property
    def others_due(self) -> list[str]:
        """Until when the others who are waited for have to answer."""
        waiting = [each for each in self.body["waiting"] if each["seat"] != self.answer.seat]
        return [
            self.words.say(
                "plain.others.due",
                {"who": self.answer.names[each["seat"]], "time": self.at(each["due"])},
            )
            for each in waiting
            if each["due"]
        ]

    def drawing_of(self, zones: list[Json]) -> Markup:
        """These zones alone, each below the name of whose they are."""
        view = {**self.body["view"], "zones": zones, "facts": [], "committed": []}
        told = {"program": None, "you": False, "waiting": False}
        seats = [{**seat, **told} for seat in self.body["seats"]]
        game = {**self.body, "view": view, "seats": seats, "waiting": []}
        return draw_html(lay_out(game, self.words), self.words)

    def choosing(self, path: tuple[int, ...] = ()) -> Choosing:
        """What can be chosen after the choices of `path`; the last one leads to the confirmation."""
        address = f"{self.path}/move?asked={self.answer.asked}"

        def step_url(steps: str) -> str:
            return f"{address}&step={steps}" if steps else address

        return choosing(self, path, step_url, lambda place: f"{address}&place={place}")
