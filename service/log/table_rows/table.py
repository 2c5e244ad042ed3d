"""A table as the database stores it: the game's row and the people at the table, read in one SELECT."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from sqlalchemy import ColumnElement, bindparam, case, exists, func, select, update
from sqlalchemy.orm import aliased

import rules
from rules.kernel import Json
from service.core.database.database import columns, db, has_row_locks
from service.core.models.following import Listener
from service.core.models.games import Game, GameStatus, Seat, Seating, Start, Tenure
from service.core.models.orders import acts_alone
from service.core.models.people import Account, Credential, Player
from service.core.models.receivers import is_told
from service.core.models.server import Heartbeat
from service.core.readiness import heartbeats
from service.core.runtime import days
from service.core.runtime.problems import NoSuchTable, NotRunning, NotSeated
from service.core.runtime.time_and_random import Runtime
from service.log import changes
from service.log.events import Nonce, Undone
from service.log.shuffles import Shuffler, commitment
from service.log.table_rows import earlier_rows, outages
from service.log.table_rows.taking_back import Recent

LESSON = "lesson"
"""The name that replaces the id of every lesson in its shuffles; no game has this id."""


class GameRow(NamedTuple):
    """The columns of `games` that are read; service/core/models/games.py explains them."""

    key: int
    id: str
    ruleset: str
    version: int
    players: int
    options: Json
    private: bool
    seating: Seating
    start: Start
    seed: bytes
    status: GameStatus
    number: int
    head: bytes | None
    revision: int
    log_format: int
    shuffles: int
    undone: list[list[int]] | None
    standing: Json | None
    logged_at: int | None
    nonces: list[Nonce] | None
    result: Json | None
    created_at: int
    started_at: int | None
    ended_at: int | None
    pace: Json | None
    rest: Json | None
    takeover: int
    level: str
    paused_at: int | None
    paused_until: int | None
    unattended_at: int | None
    live: bool
    ready_until: int | None
    clock_due: int | None
    asking: int
    awaits_nonce: bool
    starts_at: int | None
    opener_rank: int
    invitation_number: int
    lesson: int | None
    deal: str | None
    rated: bool
    circle_key: int | None

    @property
    def shuffled_as(self) -> str:
        """The id from which the game's shuffles are derived, together with the seed and the nonces.

        All lessons have the same name in its place, and so do all tries at the deal of a day.
        """
        if self.deal is not None:
            return f"daily-{self.deal}"
        return self.id if self.lesson is None else LESSON

    @property
    def alone(self) -> str | None:
        """The reason why one person plays the game alone with house players: `lesson` or `daily-deal`; None for other
        games.

        Nobody else may see such a game, and there is nobody to agree with.
        """
        if self.deal is not None:
            return "daily-deal"
        return None if self.lesson is None else "lesson"

    def has_record(self, now: int) -> bool:
        """Whether the game has a record that may be shown now; not while others may still play the same deal."""
        if self.lesson is not None or not self.is_over:
            return False
        return self.deal is None or now >= days.ends_at(self.deal)

    @property
    def taken_back(self) -> Undone:
        """The numbers of the events that were taken back, each with the number of its `void`."""
        return {event: void for event, void in self.undone or ()}  # noqa: C416 - pairs are lists

    def as_of(self, number: int) -> Self:
        """The row with only the take-backs up to event `number`, for folding past states as they were then."""
        return self._replace(undone=[each for each in self.undone or () if each[1] <= number])

    @property
    def recent(self) -> Recent:
        """The last actions that can still be taken back."""
        return Recent.of(self.standing, self.number)

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by its rules or outside of them. A state knows only of an end by its rules."""
        return self.status == "over"

    @property
    def is_known(self) -> bool:
        """Whether this release has rules for the game.

        If not, the row is from a newer release or damaged; lists leave it out.
        """
        return self.version in rules.versions(self.ruleset)


@dataclass(frozen=True)
class Person:
    """A person or a house player (`player_id` is None) at the table. Before the start nobody has a seat."""

    tenure: str
    player_id: str | None
    place: int
    nonce: str | None
    began: int | None
    """The number of the event that began the tenure; None before the start."""
    erased: bool
    ready: bool
    """Whether this person has confirmed that they are there (service/tables/before_start/ready_checks.py)."""
    name: str | None
    away_from: int | None
    away_until: int | None
    program: bool | None
    """Whether a program plays for this person, as they say; None for house players."""
    reminders: list[int] | None
    """The minutes before a deadline at which to remind this person (causes/reminders.py); None for the usual ones."""
    quiet: str | None
    """This person's quiet hours (service/tables/clocks/quiet_hours.py), in this person's time zone, or None."""
    time_zone: str | None
    no_take_backs: bool | None
    """Whether this person never wants to be asked for a take-back; None for house players."""
    mailed: int | None
    """The time (ms UTC) at which a person who is notified last used the service; 0 if never.

    None if the person is notified neither by email nor in a browser.
    """
    undelivered: str | None
    """The reason why no mail reaches this person (service/outbox/addresses/undelivered.py); None if none is known."""
    listens: bool
    """Whether a program of this person follows changes (service/log/changes.py)."""
    house_name: str | None
    """The key of a house player's name (service/core/models/games.py); None for people, as are the next two fields."""
    house_level: str | None
    house_version: str | None
    seat: int | None

    @classmethod
    def of(cls, values: Iterable[object]) -> Self:
        """An instance with these values of its fields, in their order.

        Setting dozens of fields one call at a time would take twice as long, which is 2 to 4 % of a move.
        """
        made = object.__new__(cls)
        vars(made).update(zip(_FIELDS[cls], values, strict=True))
        return made

    @property
    def is_house(self) -> bool:
        """Whether this is a house player, and not an erased person."""
        return self.player_id is None and not self.erased


@dataclass(frozen=True)
class Holder(Person):
    """The holder of a seat, with its question and its clock."""

    seat: int
    asked: int
    waiting: bool
    since: int
    due: int | None
    reserve: int
    extra: int
    spent: int
    moved: int
    misses: int
    nudged_at: int | None
    acts_alone: bool
    """Whether the service may answer a question to this seat (service/tables/play/orders/), if the rules allow it."""
    acts_from: int | None
    acts_at: int | None


_FIELDS = {kind: tuple(each.name for each in fields(kind)) for kind in (Person, Holder)}

# Every request runs this. Built once, and from tables, it costs a fifth of a new query of entities.
_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]
_player, _seat = Player.metadata.tables["players"], Seat.metadata.tables["seats"]
_account = Account.metadata.tables["accounts"]
_credential = Credential.metadata.tables["credentials"]
_listener = Listener.metadata.tables["listeners"]
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_BEAT = select(_heartbeat.c.at).where(_heartbeat.c.name == heartbeats.WORKER).scalar_subquery()
_ALIVE = func.coalesce(outages.began(), _BEAT)
_LAST_SEEN = (
    select(func.coalesce(func.max(_credential.c.seen_at), 0))
    .where(_credential.c.player_id == _tenure.c.player_id, _credential.c.ended_at.is_(None))
    .scalar_subquery()
)
_TOLD = _game.c.lesson.is_(None) & _game.c.deal.is_(None)
"""The condition that people are told of the game by email, in a browser or through a program."""
SELECTED = (
    select(
        *columns(GameRow, _game),
        _ALIVE.label("alive"),
        _tenure.c.id.label("tenure"),
        *(_tenure.c[name] for name in ("player_id", "place", "nonce", "began", "erased", "ready")),
        *(_player.c[name] for name in ("name", "away_from", "away_until", "program", "reminders")),
        *(_player.c[name] for name in ("quiet", "time_zone", "no_take_backs")),
        case((_TOLD & is_told(_account.c.address, _tenure.c.player_id), _LAST_SEEN)).label(
            "mailed"
        ),
        _account.c.undelivered,
        (_TOLD & _listener.c.read_at.is_not(None)).label("listens"),
        *(_tenure.c[name] for name in ("house_name", "house_level", "house_version", "seat")),
        *(_seat.c[name] for name in ("asked", "waiting", "since", "due")),
        *(_seat.c[name] for name in ("reserve", "extra", "spent", "moved", "misses")),
        _tenure.c.nudged_at,
        (_TOLD & acts_alone()).label("acts_alone"),
        *(_seat.c[name] for name in ("acts_from", "acts_at")),
    )
    .select_from(_game)
    .outerjoin(_tenure, (_tenure.c.game_key == _game.c.key) & _tenure.c.ended_at.is_(None))
    .outerjoin(_player, _player.c.id == _tenure.c.player_id)
    .outerjoin(_account, _account.c.player_id == _tenure.c.player_id)
    .outerjoin(_listener, _listener.c.player_id == _tenure.c.player_id)
    .outerjoin(_seat, _seat.c.tenure_id == _tenure.c.id)
    .where(_game.c.id == bindparam("id"))
    .order_by(_tenure.c.seat, _tenure.c.place)
)
"""One row for each person at the table, or a single row without a person: the input of `table_of`."""
# These are two statements, since PostgreSQL would join a row that it waited for with other rows of the time before.
_LOCKED = select(_game.c.key).where(_game.c.id == bindparam("id")).with_for_update()
_LAST_PLACE = select(func.max(_tenure.c.place)).where(_tenure.c.game_key == bindparam("game"))
_NONCES = (
    select(_tenure.c.id, _tenure.c.nonce)
    .where(_tenure.c.game_key == bindparam("game"), _tenure.c.nonce.is_not(None))
    .order_by(_tenure.c.place, _tenure.c.sat_at)
)
"""The query for the nonces for the shuffles, in the order of sitting down. Nonces of people who have left stay."""
_OF_GAME = len(GameRow._fields)
_UNSEATED, _SEATED = len(_FIELDS[Person]), len(_FIELDS[Holder])
"""The numbers of columns for a person: before the start, and from then on."""


@dataclass(frozen=True)
class Table:
    """A game with the people at its table, by seat or, before the start, in the order of sitting down."""

    game: GameRow
    people: tuple[Person, ...]
    worker_alive_at: int | None = None
    """The time of a worker's last heartbeat (ms UTC), or of the last one before an outage that continues for this game.

    None before the first heartbeat.
    """

    @cached_property
    def holders(self) -> tuple[Holder, ...]:
        """The people by seat; empty before the start."""
        return tuple(person for person in self.people if isinstance(person, Holder))

    @cached_property
    def ruleset(self) -> rules.Ruleset:
        """The version of the ruleset to which the game is pinned."""
        return rules.load(self.game.ruleset, self.game.version)

    @cached_property
    def sat(self) -> tuple[Person, ...]:
        """The people in the order in which they sat down."""
        return tuple(sorted(self.people, key=lambda person: person.place))

    @property
    def host(self) -> Person | None:
        """The person who has sat here longest; None if there is no person."""
        return next((person for person in self.sat if person.player_id), None)

    @property
    def full(self) -> bool:
        """Whether all places are taken."""
        return self.free == 0

    @property
    def free(self) -> int:
        """The number of free places."""
        return self.game.players - len(self.people)

    @cached_property
    def nonces(self) -> list[Nonce]:
        """The nonces for the shuffles, in the order of sitting down, including the nonces of people who have left."""
        if self.game.nonces is not None:
            return [brought for brought in self.game.nonces if brought["nonce"] is not None]
        found = db.session.execute(_NONCES, {"game": self.game.key})
        return [{"tenure": tenure, "nonce": nonce} for tenure, nonce in found]

    @property
    def shuffler(self) -> Shuffler:
        """The shuffler from which the game's shuffles are derived."""
        brought = self.nonces if self.game.nonces is None else self.game.nonces
        digits = tuple(each["nonce"] for each in brought)
        return Shuffler(self.game.seed, self.game.shuffled_as, digits, self.game.log_format)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, in hex."""
        return commitment(self.game.seed)

    def person(self, player_id: str | None) -> Person | None:
        """The person with this id; None if they do not sit here."""
        seated = (person for person in self.people if person.player_id == player_id)
        return next(seated, None) if player_id else None

    def seated(self, player_id: str | None) -> Person:
        """The person with this id. Raises NotSeated if they do not sit here."""
        person = self.person(player_id)
        if person is None:
            raise NotSeated
        return person

    def holding(self, player_id: str | None) -> Holder:
        """The holder with this id. Raises NotSeated if they do not sit here, and NotRunning before the start."""
        person = self.seated(player_id)
        if not isinstance(person, Holder):
            raise NotRunning
        return person


def find(game_id: str, *, lock: bool = False) -> Table:
    """The table with this id; `lock` locks its row until the commit. Raises NotFound if there is none."""
    if lock and has_row_locks():
        db.session.execute(_LOCKED, {"id": game_id})
    found = db.session.execute(SELECTED, {"id": game_id}).all()
    if not found:
        raise NoSuchTable
    return table_of(found)


def id_of(game_key: int | None) -> str | None:
    """The public id of the game with this key; None if there is none. If given no key, SQLite would scan all games."""
    if game_key is None:
        return None
    return db.session.scalar(select(_game.c.id).where(_game.c.key == game_key))


def table_of(found: Sequence[Sequence[Any]]) -> Table:  # the driver's values
    """The table that the first columns of these rows describe, in the order of `SELECTED`."""
    first, begin = found[0], _OF_GAME + 1
    people = (row[begin : begin + _SEATED] for row in found if row[begin] is not None)
    game = GameRow(*first[:_OF_GAME])
    if earlier_rows.is_earlier(game):
        game = earlier_rows.as_written_now(game)
    return Table(game, tuple(map(_person, people)), first[_OF_GAME])


def _person(row: Sequence[Any]) -> Person:
    return Person.of(row[:_UNSEATED]) if row[_UNSEATED] is None else Holder.of(row)


def next_place(game_key: int) -> int:
    """The number in the order of sitting down for the next person. No number is used twice at a table."""
    return 1 + (db.session.scalar(_LAST_PLACE, {"game": game_key}) or 0)


def is_host() -> ColumnElement[bool]:
    """The condition that a tenure is the host's: no other person at the table has sat there longer."""
    earlier = aliased(Tenure)
    return Tenure.ended_at.is_(None) & ~exists().where(
        earlier.game_key == Tenure.game_key,
        earlier.player_id.is_not(None),
        earlier.ended_at.is_(None),
        earlier.place < Tenure.place,
    )


def has_held_seat(table: Table, player_id: str) -> bool:
    """Whether this person has held a seat of the game. They can then still see its past, and may return to it."""
    mine = select(_tenure.c.id).where(
        _tenure.c.game_key == table.game.key,
        _tenure.c.player_id == player_id,
        _tenure.c.ended.is_not(None),
    )
    return db.session.execute(mine.limit(1)).first() is not None


def raise_revision(runtime: Runtime, table: Table, kind: str = "table", **more: object) -> Table:
    """Raise the table's revision, which rises with every change in what people are shown; return the changed table.

    The caller owns the commit. `kind` says what has changed (service/log/changes.py); `more` has other columns of the
    game to set.
    """
    changed = update(Game).where(Game.key == table.game.key)
    raised = changed.values(revision=Game.revision + 1, **more).returning(Game.revision)
    revision = db.session.scalars(raised).one()
    table = replace(table, game=table.game._replace(revision=revision))
    changes.note(kind, at_table(runtime, table), table.people)
    return table


def at_table(runtime: Runtime, table: Table) -> changes.AtGame:
    """The table as the place of a change that is made now."""
    return changes.AtGame(table.game.id, table.game.revision, runtime.now())
