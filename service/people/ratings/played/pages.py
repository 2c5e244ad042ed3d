"""Pages of players: whose they are, who sees them, and which ratings they show.

Only people who can sign in have a page, by their handles. Others learn nothing about private games from it: they get
sums over public games, and ratings after public games.
"""

from __future__ import annotations

from typing import NamedTuple

from service.core.runtime.problems import NotFound
from service.people import players
from service.people.accounts import accounts
from service.people.players import PlayerRow
from service.people.ratings import leaderboards, visibility
from service.people.ratings.leaderboards import ENOUGH, Point
from service.people.ratings.played import played_games
from service.people.ratings.played.numbers import Numbers


class Page(NamedTuple):
    """The page of a player, as a viewer may see it."""

    owner: PlayerRow
    handle: str
    registered_at: int
    viewer_id: str | None

    @property
    def is_own(self) -> bool:
        """Whether the viewer is the owner of the page."""
        return self.owner.id == self.viewer_id

    @property
    def enough(self) -> int:
        """The smallest number of games behind a number that the viewer is shown."""
        return 1 if self.is_own else ENOUGH

    @property
    def shows_ratings(self) -> bool:
        """Whether the viewer may see the owner's ratings."""
        return visibility.may_see(self.owner.id, self.viewer_id)

    @property
    def shows_hours(self) -> bool:
        """Whether the viewer may see how fast the owner answers, by hour."""
        return self.is_own or self.owner.shows_hours

    def numbers(self) -> dict[str, Numbers]:
        """The owner's numbers by ruleset, as far as the viewer sees them; the ruleset with the most games comes
        first.
        """
        found = played_games.numbers(self.owner.id, private=self.is_own)
        return {slug: each for slug, each in found.items() if each.games >= self.enough}

    def ratings(
        self, ruleset: str, cursor: str | None, limit: int
    ) -> tuple[list[Point], str | None]:
        """A page of the owner's rated games of a ruleset, the latest first, and the cursor of the next page, or None.

        Raises NotFound if the viewer may not see the owner's ratings.
        """
        first, _ = self._latest(ruleset, None, self.enough)
        if not self.shows_ratings or len(first) < self.enough:
            raise NotFound
        return self._latest(ruleset, cursor, limit)

    def rating(self, ruleset: str) -> Point | None:
        """The owner's rating in a ruleset after the last game that the viewer may know of; None if there is none."""
        found, _ = self._latest(ruleset, None, self.enough)
        rated = [each for each in found if each.mean is not None]
        return rated[0] if rated and len(found) >= self.enough else None

    def _latest(
        self, ruleset: str, cursor: str | None, limit: int
    ) -> tuple[list[Point], str | None]:
        return leaderboards.points(self.owner.id, ruleset, cursor, limit, private=self.is_own)


def by_handle(handle: str, viewer_id: str | None) -> Page:
    """The page of the player with this handle. Raises NotFound if the viewer, or a visitor (None), may not see it."""
    account = accounts.find_by_login(handle)
    if account is None:
        raise NotFound
    return of_player(account.player_id, viewer_id)


def of_player(player_id: str, viewer_id: str | None) -> Page:
    """The page of this player. Raises NotFound if the viewer, or a visitor (None), may not see it."""
    account = accounts.find(player_id)
    if account is None or not accounts.can_sign_in(account):
        raise NotFound
    if not visibility.may_see_page(player_id, viewer_id):
        raise NotFound
    return Page(players.get(player_id), account.handle, account.registered_at, viewer_id)
