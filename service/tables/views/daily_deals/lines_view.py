"""The viewer's game of a daily deal next to the best line of the strongest house player, decision by decision."""

from __future__ import annotations

from contextlib import suppress
from itertools import zip_longest

from rules.kernel import Json, same
from service.core.database.failures import UnreadableLog
from service.core.runtime.problems import NoSuchTable
from service.core.words.words import Reader, phrases
from service.log.table_rows.asked_first import PERSON
from service.log.table_rows.table import Table, find
from service.tables.play.daily_deals import tries
from service.tables.play.daily_deals.tries import Try
from service.tables.services import Services
from service.tables.views.people_names import bare_name


def beside(services: Services, own: Try | None, best: Try | None, language: str) -> Json:
    """Both lines (DailyLines in openapi.yaml), as far as their games are kept and can be read."""
    lines = [_line(services, each, language) for each in (own, best)]
    steps, alike = list[Json](), True
    for mine, other in zip_longest(*lines):
        alike = alike and bool(mine and other) and same(mine["action"], other["action"])
        steps.append(
            {"own": mine and mine["words"], "best": other and other["words"], "same": alike}
        )
    return {"steps": steps, "own": _result(own), "best": _result(best)}


def _result(found: Try | None) -> Json | None:
    return found and {"score": found.score, "won": found.won}


def _line(services: Services, found: Try | None, language: str) -> list[Json]:
    """The decisions of the person's seat in a game, each with its words.

    Empty if the game is no longer stored, belongs to a newer release, or cannot be read: the other line is shown all
    the same.
    """
    game_id = found and tries.id_of_game(found)
    if game_id is None:
        return []
    with suppress(NoSuchTable, UnreadableLog):
        table = find(game_id)
        return _decisions(services, table, language) if table.game.is_known else []
    return []


def _decisions(services: Services, table: Table, language: str) -> list[Json]:
    game = table.game
    words = phrases(language, game.ruleset, game.version)
    names = [bare_name(each, words) for each in table.holders]
    decisions = list[Json]()
    for passed in services.states.course(game):
        event = passed.event
        if event["kind"] != "action" or event["seat"] != PERSON:
            continue
        action = event["action"]
        fields = {**action, **passed.before.beside(PERSON, action)}
        said = words.say_most_specific(f"action.{action['type']}", fields, Reader(names, PERSON))
        decisions.append({"action": action, "words": said})
    return decisions
