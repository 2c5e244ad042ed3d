"""The tables of ratings, and of played games and their sums. Times are ms UTC.

Results and logs are the truth; estimates, and rows of played games with their sums, are computed from them.

The column `who` names a rated player by the id of a player, by the id of an erased person whom nothing else names, or
as `house:<ruleset>:<level>:<version>`. Means and deviations are in thousandths of a point, so that both databases have
the same number to the last digit.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, partial_index

Who = String(80)
PENDING, RATED = "mean IS NULL", "mean IS NOT NULL"
"""The conditions for results of games that are not rated yet, and for results of rated games."""


class RatedResult(Base):
    """A player's place in a finished rated game, and their rating after it."""

    __tablename__ = "rated_results"
    __table_args__ = (
        partial_index("ix_rated_results_pending", PENDING, "ruleset", "ended_at", "game_key"),
        partial_index("ix_rated_results_rated", RATED, "ruleset", "ended_at", "game_key"),
        Index(None, "who", "ruleset", "ended_at", "game_key"),
    )

    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    who: Mapped[str] = mapped_column(Who)
    ruleset: Mapped[str] = mapped_column(String(40))
    players: Mapped[int]
    """The number of seats in the game, some of which may not count."""
    ended_at: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[int]
    """The place: 1 for the best; equal results have the same place."""
    mean: Mapped[int | None]
    """The mean of the rating; None if the game is not rated yet, as are the next three columns."""
    deviation: Mapped[int | None]
    games: Mapped[int | None]
    """The number of rated games of this ruleset that the player had finished by then."""
    public_games: Mapped[int | None]
    """The number of public games among those."""


class Rating(Base):
    """A player's present rating in a ruleset: the rating after their last rated game."""

    __tablename__ = "ratings"
    __table_args__ = (Index(None, "ruleset", "seen_mean", "who"),)

    who: Mapped[str] = mapped_column(Who, primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40), primary_key=True)
    mean: Mapped[int]
    deviation: Mapped[int]
    games: Mapped[int]
    ended_at: Mapped[int] = mapped_column(BigInteger)
    """The time at which the last rated game ended."""
    seen_mean: Mapped[int | None]
    """The mean that others see, after the last public game; None if there was none, as are the next two columns."""
    seen_deviation: Mapped[int | None]
    seen_games: Mapped[int | None]
    """The number of the player's public rated games; None if there are none."""


class PlayedGame(Base):
    """A person's part in a finished game, from its result and its log (service/people/ratings/played/)."""

    __tablename__ = "played_games"
    __table_args__ = (
        Index(None, "player_id", "ended_at", "game_key"),
        Index(None, "game_key"),
    )

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    ruleset: Mapped[str] = mapped_column(String(40))
    private: Mapped[bool]
    ended_at: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[int | None]
    """The place: 1 for the best; equal people share a place.

    None if the person sat down later, or the game did not end by its rules.
    """
    score: Mapped[int | None]
    """The score; None without a place or in a game without scores, as is the next column."""
    table_score: Mapped[int | None]
    """The mean score of the whole table, in thousandths of a point; None if `score` is None."""
    close: Mapped[bool]
    """Whether the winner's lead over the next person was small (service/people/ratings/played/finished.py)."""
    beaten: Mapped[str | None] = mapped_column(String(8))
    """The strongest level of the house players that this person has beaten; None if there is none."""
    answered: Mapped[int]
    """The number of decisions that the person made, without those that were made for them."""
    missed: Mapped[int]
    """The number of decisions for which the person's time ran out."""
    times: Mapped[Json] = mapped_column(JSON)
    """The times at which the person was asked and answered, and how fast, as in
    service/people/ratings/played/numbers.py.
    """


class PlayerNumbers(Base):
    """The sum of one person's played games of a ruleset; games at private tables are summed separately."""

    __tablename__ = "player_numbers"

    player_id: Mapped[str] = mapped_column(Id, primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40), primary_key=True)
    private: Mapped[bool] = mapped_column(primary_key=True, autoincrement=False)
    numbers: Mapped[Json] = mapped_column(JSON)
