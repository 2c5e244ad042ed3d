"""The page of a player, as a viewer sees it."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

import rules
from rules.kernel import Json
from service.core.runtime.units import SECOND
from service.core.words.words import phrases
from service.people.accounts import preferences
from service.people.circles import follows
from service.people.ratings.estimates import SCALE
from service.people.ratings.played import played_games
from service.people.ratings.played.numbers import Numbers
from service.people.ratings.played.pages import Page
from service.tables.views import game_lists


def page_json(page: Page, now: int, language: str) -> Json:
    """The page: its owner, the owner's numbers by ruleset, and what the viewer has played with the owner."""
    zone = preferences.time_zone(page.owner)
    numbers = {slug: each for slug, each in page.numbers().items() if rules.versions(slug)}
    rated = set(numbers) if page.shows_ratings else set[str]()
    return {
        "handle": page.handle,
        "name": page.owner.name,
        "program": page.owner.program,
        "you": page.is_own,
        "registered_on": datetime.fromtimestamp(page.registered_at / SECOND, UTC)
        .date()
        .isoformat(),
        "rulesets": [
            {
                **_played(slug, each, page, language),
                "hours": _hours(page, each, zone, now) if page.shows_hours else None,
                "rating": _rating(page, slug) if slug in rated else None,
            }
            for slug, each in numbers.items()
        ],
        "together": _together(page, language),
        "follow": _follow(page),
    }


def _follow(page: Page) -> Json | None:
    """Whether the viewer follows the owner, and the id of that follow; None for viewers who cannot follow the owner."""
    viewer_id = page.viewer_id
    if viewer_id is None or page.is_own or not follows.may_follow(viewer_id, page.owner.id):
        return None
    return {"id": follows.follow_of(viewer_id, page.owner.id)}


def _played(slug: str, numbers: Numbers, page: Page, language: str) -> Json:
    """The numbers of a ruleset; numbers from too few games for this viewer are null."""
    return {
        "ruleset": slug,
        "name": phrases(language, slug).say("name"),
        "games": numbers.games,
        "places": [numbers.places[place] for place in range(1, max(numbers.places, default=0) + 1)],
        "score": _score(numbers) if numbers.scored >= page.enough else None,
        "decisions": numbers.answered + numbers.missed,
        "missed_per_hundred": numbers.missed_per_hundred,
        "answers_within": _seconds(numbers.answers_within),
        "beaten": numbers.beaten,
        "close": numbers.close if page.is_own else None,
    }


def _rating(page: Page, slug: str) -> Json | None:
    point = page.rating(slug)
    if point is None or point.mean is None or point.deviation is None:
        return None
    return {"rating": round(point.mean / SCALE), "deviation": round(point.deviation / SCALE)}


def _score(numbers: Numbers) -> Json:
    """The mean of the player's scores, and the mean of all scores at the same tables; null for too few games."""
    return {
        "own": round(numbers.score / numbers.scored, 1),
        "table": round(numbers.table_score / numbers.scored / 1000, 1),
    }


def _hours(page: Page, numbers: Numbers, zone: tzinfo, now: int) -> list[Json]:
    """For each hour of the owner's day, how fast answers come and, if the owner looks, how many were given."""
    within = numbers.answers_within_at(zone, now, page.enough)
    given = numbers.answers_at(zone, now)
    return [
        {"answers_within": _seconds(limit), "answers": count if page.is_own else None}
        for limit, count in zip(within, given, strict=True)
    ]


def _seconds(ms: int | None) -> int | None:
    return None if ms is None else ms // SECOND


def _together(page: Page, language: str) -> list[Json] | None:
    """What the viewer has played with the owner; None for the owner and for visitors."""
    if page.is_own or page.viewer_id is None:
        return None
    return [
        {**each._asdict(), "name": phrases(language, each.ruleset).say("name")}
        for each in played_games.together(page.viewer_id, page.owner.id)
        if rules.versions(each.ruleset)
    ]


def games_json(
    page: Page, cursor: str | None, limit: int, language: str
) -> tuple[list[Json], str | None]:
    """A page of the owner's finished games, the latest first, and the cursor of the next page, if there is one.

    Other viewers see only games at public tables.
    """
    found, following = played_games.page(page.owner.id, cursor, limit, private=page.is_own)
    keys = [each.game_key for each in found]
    shown = game_lists.summaries_by_key(keys, page.viewer_id, language)
    return [
        {
            "game": shown[each.game_key],
            "place": each.place,
            "score": each.score,
            "table_score": None if each.table_score is None else round(each.table_score / 1000, 1),
            "close": each.close,
        }
        for each in found
        if each.game_key in shown
    ], following
