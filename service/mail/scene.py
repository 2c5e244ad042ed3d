"""What letters about a game share: the reader, the game as the reader may see it, and its pieces in words."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup
from sqlalchemy import select

from rules.kernel import Json
from service import moves
from service.answers import GameAnswer, Viewer
from service.api.common import Tools
from service.config import Config
from service.database import db
from service.draw import Drawing, drawing, listed
from service.draw_html import draw_html
from service.draw_text import draw_text
from service.mail.readers import Reader, reachable
from service.models import Game
from service.steps import FEW
from service.table import Table, find
from service.words import Phrases

MOST_CHOICES = FEW
"""Choices that a mail lists; of more it has one link to the form."""
MOST_NAMES = 3
"""Other players that a mail names."""


class Drawn(NamedTuple):
    """A table as text and as HTML; `asked`: what its text begins with, and its HTML leaves to the page around it."""

    asked: tuple[str, ...]
    text: str
    html: Markup


class Choice(NamedTuple):
    """Something that one may do, in words, and the link that does it."""

    words: str
    url: str


class Scene:
    """A game for one reader, looked at when the letter is written."""

    def __init__(self, kit: Tools, table: Table, player_id: str, language: str) -> None:
        state = kit.states.load(db.session, table.game) if table.game.number else None
        viewer = Viewer(player_id, language, kit.config.poll_after)
        self.kit, self.table = kit, table
        self.answer = GameAnswer(table, state, viewer)
        self.words: Phrases = self.answer.words

    @cached_property
    def game(self) -> Json:
        """The game as the API tells it to the reader."""
        return self.answer.whole()

    @property
    def url(self) -> str:
        """The table's page."""
        return page_of(self.kit.config, self.table.game.id)

    def drawn(self) -> Drawn:
        """The table."""
        made: Drawing = drawing(self.game, self.words)
        asked = tuple(each for each in (made.prompt or made.phase, made.waiting) if each)
        return Drawn(asked, draw_text(made, self.words), draw_html(made, self.words))

    @property
    def form(self) -> str:
        """Where the reader may choose step by step."""
        return moves.form(self.kit.config, self.table, self.answer.me)

    def choices(self) -> list[Choice]:
        """What the reader may do, with links; of too many their number alone matters."""
        return [self.choice(place) for place in range(len(self.game["legal"]))]

    def choice(self, place: int) -> Choice:
        """One thing that the reader may do."""
        each = self.game["legal"][place]
        me, action = self.answer.me, each["action"]
        return Choice(each["words"], moves.link(self.kit.config, self.table, me, place, action))

    def say(self, key: str, **more: Any) -> str:
        """A message that names the game and who else plays."""
        names = others(self.answer, self.words)
        return self.words.say(key, {"game": self.words.say("name"), "names": names, **more})


def scene(kit: Tools, row: Any) -> tuple[Scene, Reader] | None:
    """The game and the reader of a row of the outbox; None if either is gone."""
    reader, game_id = reachable(row.player_id), _id_of(row.game_key)
    if reader is None or game_id is None:
        return None
    return Scene(kit, find(game_id), reader.player_id, reader.language), reader


def others(answer: GameAnswer, words: Phrases) -> str:
    """Who else is at the table, in short."""
    names = [name for person, name in answer.seated if person is not answer.me]
    left = len(names) - MOST_NAMES
    more = [words.say("letter.more", {"n": left})] if left > 0 else []
    return listed(names[:MOST_NAMES] + more, words)


def page_of(config: Config, game_id: str) -> str:
    """The page of a table."""
    return f"{config.public_url}/#/games/{game_id}"


def _id_of(game_key: int) -> str | None:
    return db.session.scalar(select(Game.id).where(Game.key == game_key))
