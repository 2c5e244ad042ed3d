"""The page of a player without scripts: the numbers of each ruleset, and the finished games, as tables."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.units import SECOND
from service.core.words.words import Phrases, duration, phrases
from service.people.ratings.played import pages
from service.web.api.people import player_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller
from service.web.http.caller.context import current_services, preferred_language
from service.web.plain.forms.form_schemas import FinishedQuery
from service.web.plain.plain_pages import plain_blueprint, plain_page

bp: Blueprint = plain_blueprint("plain_player")

MOST_SHOWN = 20
"""The most games in one list."""


@bp.get("/players/<handle:handle>")
@parse_query(FinishedQuery)
def get_plain_player(query: Json, handle: str) -> Response:
    """Show the page of a player, with a page of the finished games. Raises NotFound."""
    reader, language = caller(), preferred_language()
    page, words = pages.by_handle(handle, reader and reader.id), phrases(language)
    games, following = player_view.games_json(page, query.get("cursor"), MOST_SHOWN, language)
    shown = player_view.page_json(page, current_services().now(), language)
    return plain_page(
        "player.html",
        player=shown,
        played=[
            (each["name"], _numbers(each, words), _hours(each, words)) for each in shown["rulesets"]
        ],
        games=games,
        next=seal(following),
    )


def _numbers(played: Json, words: Phrases) -> list[tuple[str, object]]:
    """The numbers of a ruleset, each with its meaning."""
    places = [
        words.say("page.player.times", {"count": count, "place": place})
        for place, count in enumerate(played["places"], 1)
        if count
    ]
    score, rating, missed = (played[name] for name in ("score", "rating", "missed_per_hundred"))
    numbers = {
        "games": played["games"],
        "places": words.say("page.player.and").join(places),
        "score": score and words.say("page.player.score.of", score),
        "close": played["close"],
        "rating": rating and f"{rating['rating']} ± {rating['deviation']}",
        "answers": _within(played, words),
        "missed": None if missed is None else words.say("page.player.missed.of", {"count": missed}),
        "beaten": played["beaten"] and words.say(f"page.level.{played['beaten']}"),
    }
    return [
        (words.say(f"page.player.{name}"), value)
        for name, value in numbers.items()
        if value not in (None, "")
    ]


def _within(played: Json, words: Phrases) -> str | None:
    within = played["answers_within"]
    if within is None:
        return None
    return words.say("page.player.answers.within", {"time": duration(within * SECOND, words)})


def _hours(played: Json, words: Phrases) -> list[tuple[int, str, int | None]]:
    """For each hour with answers, how fast they come, and how many there were."""
    return [
        (hour, duration(each["answers_within"] * SECOND, words), each["answers"])
        for hour, each in enumerate(played["hours"] or [])
        if each["answers_within"] is not None
    ]
