"""A day's deal for one viewer. Before the viewer's own try, and while the day lasts, it reveals nothing about cards or
results.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.runtime import days
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.tables.before_start.daily_games import can_begin
from service.tables.play.daily_deals import tries
from service.tables.play.daily_deals.deals import Deal
from service.tables.play.daily_deals.tries import Try


def whole(
    deal: Deal, following: Deal | None, player_id: str | None, language: str, now: int
) -> Json:
    """A day's deal (DailyDeal in openapi.yaml); `following` is the deal of the next day, if that day has not begun."""
    own = tries.find(deal.day, player_id)
    played = tries.played_days(player_id) if player_id else []
    return {
        **entry(deal, own, language, now),
        "options": deal.options,
        "commitment": deal.commitment,
        "committed_at": rfc3339(deal.committed_at),
        "seed": deal.seed.hex() if deal.is_over(now) else None,
        "next": following and _announced(following, language),
        "results": results(deal, own) if may_compare(deal, own, now) else None,
        "played": len(played),
        "in_a_row": tries.in_a_row(played, days.day_of(now)),
    }


def entry(deal: Deal, own: Try | None, language: str, now: int) -> Json:
    """A day in the calendar (DailyEntry in openapi.yaml)."""
    return {
        "day": deal.day,
        "begins_at": rfc3339(days.begins_at(deal.day)),
        "ends_at": rfc3339(days.ends_at(deal.day)),
        "ruleset": deal.ruleset,
        "name": phrases(language, deal.ruleset, deal.version).say("name"),
        "players": deal.players,
        "open": own is None and can_begin(deal.day, now),
        "try": own and _try(own),
    }


def may_compare(deal: Deal, own: Try | None, now: int) -> bool:
    """Whether the viewer may see how others did: after their own try, or when the day is over."""
    return deal.is_over(now) or (own is not None and own.is_over)


def results(deal: Deal, own: Try | None) -> Json:
    """Everybody's results (DailyResults in openapi.yaml)."""
    outcomes = tries.outcomes(deal.day)
    best = tries.best_line(deal.day)
    mine = own if own is not None and own.counts else None
    return {
        "begun": tries.begun(deal.day),
        "finished": sum(each.people for each in outcomes),
        "outcomes": [
            {
                **each._asdict(),
                "yours": mine is not None and (each.score, each.won) == (mine.score, mine.won),
            }
            for each in outcomes
        ],
        "best": best and {"score": best.score, "won": best.won},
    }


def _announced(deal: Deal, language: str) -> Json:
    return {
        "day": deal.day,
        "begins_at": rfc3339(days.begins_at(deal.day)),
        "ruleset": deal.ruleset,
        "name": phrases(language, deal.ruleset, deal.version).say("name"),
        "commitment": deal.commitment,
        "committed_at": rfc3339(deal.committed_at),
    }


def _try(own: Try) -> Json:
    return {
        "game": tries.id_of_game(own),
        "begun_at": rfc3339(own.begun_at),
        "ended_at": None if own.ended_at is None else rfc3339(own.ended_at),
        "score": own.score,
        "won": own.won,
        "counts": own.counts,
    }
