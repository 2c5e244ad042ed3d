"""The deal of each day, the same for everybody. It is made days before, and its commitment is published then.

Its seed follows from a key of the server, so a deal can be shown before it is stored, and reading stores nothing. The
rulesets that suit a day take turns (`Daily` in rules/kernel/looks.py).
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from sqlalchemy import bindparam, select

import rules
from rules.kernel import Json
from service.core.database.database import columns, insert_unless_there, one_row, rows, transaction
from service.core.models.daily_deals import DailyDeal
from service.core.runtime import days
from service.core.runtime.problems import NotFound
from service.log.shuffles import commitment
from service.tables.services import Services

AHEAD = 2
"""How many days before its day a deal is made."""

TODAY = "today"
"""The stand-in for the present day in addresses."""

_deal = DailyDeal.metadata.tables["daily_deals"]


class Deal(NamedTuple):
    """A day's deal; service/core/models/daily_deals.py explains the columns."""

    day: str
    ruleset: str
    version: int
    players: int
    options: Json
    iterations: int
    seed: bytes
    committed_at: int

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, in hexadecimal."""
        return commitment(self.seed)

    @property
    def is_known(self) -> bool:
        """Whether this release has rules for the game of the deal."""
        return self.version in rules.versions(self.ruleset)

    def is_over(self, now: int) -> bool:
        """Whether the day of the deal is over, so that its seed is no longer a secret."""
        return now >= days.ends_at(self.day)


_FOUND = select(*columns(Deal, _deal)).where(_deal.c.day == bindparam("day"))


def find(day: str) -> Deal | None:
    """The deal of this day; None if there is none."""
    return one_row(Deal, _FOUND, {"day": day})


def made(services: Services, day: str) -> Deal:
    """The deal of this day; it is stored if it is not stored yet."""
    found = find(day)
    if found is None:
        with transaction():
            insert_unless_there(_deal, _drawn(services, day)._asdict())
        found = find(day)
    assert found is not None, "it was inserted"
    return found


def shown(services: Services, day: str) -> Deal:
    """The deal of this day, whether or not it is stored yet."""
    return find(day) or _drawn(services, day)


def known(services: Services, day: str) -> Deal:
    """The deal of a day that has begun; `day` can be `TODAY`.

    Raises NotFound if the day has not begun, or if another release made the deal with rules that this one lacks.
    """
    today = days.day_of(services.now())
    if day in (TODAY, today):
        found: Deal | None = shown(services, today)
    else:
        found = find(day) if days.is_day(day) and day < today else None
    if found is None or not found.is_known:
        raise NotFound
    return found


def following(services: Services, deal: Deal) -> Deal | None:
    """The deal of the next day, if `deal` is that of the present day and this release knows the rules of both;
    otherwise None.
    """
    if deal.day != days.day_of(services.now()):
        return None
    found = shown(services, days.after(deal.day, 1))
    return found if found.is_known else None


def until(
    services: Services, last: str, before: str | None, limit: int
) -> tuple[list[Deal], str | None]:
    """A page of deals up to the day `last`, the latest first, and the day before which the next page begins, if there
    is one.
    """
    query = select(*columns(Deal, _deal)).where(_deal.c.day <= last)
    if before is not None:
        query = query.where(_deal.c.day < before)
    found = rows(Deal, query.order_by(_deal.c.day.desc()).limit(limit + 1))
    if before is None and last not in [each.day for each in found]:
        found.insert(0, shown(services, last))
    page = found[:limit]
    following = page[-1].day if found[limit:] else None
    return [each for each in page if each.is_known], following


def prepare(services: Services) -> None:
    """Store the deals of today and of the days after it."""
    today = days.day_of(services.now())
    for count in range(AHEAD + 1):
        made(services, days.after(today, count))


def suitable() -> list[str]:
    """The rulesets that suit a daily deal."""
    return [slug for slug in rules.slugs() if rules.load(slug).looks.daily is not None]


def ruleset_of(day: str) -> str:
    """The ruleset of this day. In a round, each comes once; the next round begins one place later."""
    found, number = suitable(), days.number_of(day)
    return found[(number + number // len(found)) % len(found)]


def _drawn(services: Services, day: str) -> Deal:
    ruleset = rules.load(ruleset_of(day))
    daily = ruleset.looks.daily
    assert daily is not None, "it suits a day"
    options = ruleset.settle(daily.players, daily.options)
    about = ruleset.slug, ruleset.version, daily.players, options, daily.iterations
    secret = services.config.secret_key
    seed = hmac.digest(secret, f"tegami daily deal {day}".encode(), "sha256")
    return Deal(day, *about, seed=seed, committed_at=services.now())
