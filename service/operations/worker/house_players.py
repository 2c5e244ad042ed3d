"""House players: their moves, in every game that waits for one.

The worker asks thinkers for moves, and continues its other work until they answer. The house player that has waited
longest is next. Only the database knows who waits: if a thinker ends, its question is given to another thinker.
"""

from __future__ import annotations

import random
from functools import partial

import structlog

from rules.kernel import Json
from service.core.counts import prometheus
from service.core.database.database import rows, transaction
from service.core.database.failures import FailedElsewhere
from service.core.models.games import Game
from service.core.runtime.backoff import Backoff
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.units import MINUTE, SECOND
from service.log.event_log import has_past, read
from service.log.events import Event, for_rules
from service.log.table_rows.table import GameRow, Holder, Table, find
from service.operations.thinking.processes import Process, Processes, Told
from service.operations.thinking.questions import Question, ThoughtAnswer
from service.operations.thinking.thinking_time import duration, share
from service.operations.worker import daily_deals
from service.tables.play.house_players import WaitingSeat, waiting_seats
from service.tables.play.moves import answer
from service.tables.services import Services

MOST = 100
"""The most seats that are read at a time."""
LATE = 3 * SECOND
"""How long (ms) a house player can wait before the log says so."""

_game = Game.metadata.tables["games"]
_log = structlog.get_logger("tegami.worker")


class HousePlayers:
    """Answers for house players, alongside any number of other workers.

    `rng` makes the seeds of the thoughts, which may take the fraction `whole` of the time of their levels.
    """

    def __init__(
        self, services: Services, rng: random.Random, thinking: Processes, whole: float = 1.0
    ) -> None:
        self._services, self._rng, self._thinking = services, rng, thinking
        self._whole = whole
        self._games = Backoff("house player", services.now)
        self._thought_about: set[WaitingSeat] = set()
        self._noticed: dict[WaitingSeat, int] = {}
        """When this worker learned of each waiting seat; set again after a thought without a result."""
        self._lost_thinker: set[str] = set()
        """The ids of the games whose last thinker has ended."""
        self._told_at: int | None = None

    def move_all(self) -> int:
        """Give due questions to free thinkers, and play the answers; returns the number of moves."""
        answers = self._thinking.answers()
        try:
            self._ask_all()
            answers += self._thinking.answers()
        finally:  # thoughts are lost together with the database: those seats are asked again
            for each in answers:
                self._thought_about.discard(_who(each.question))
                self._noticed.pop(_who(each.question), None)
        return sum(
            self._games.attempt(partial(self._take, each), False, each.question.game)
            for each in answers
        )

    def _ask_all(self) -> None:
        waiting = self._waiting()
        self._tell(waiting)
        due = [each for each in waiting if each not in self._thought_about]
        due.sort(
            key=lambda each: each.id in self._lost_thinker
        )  # the database may take a seat for long again
        for n, each in enumerate(due):
            thinker = self._thinking.free(each[:3])
            if thinker is None:
                return
            part = self._whole * self._share(due[n:])
            ask = partial(self._ask, each, thinker, part)
            self._games.attempt(ask, None, each.id, proves=False)

    def _waiting(self) -> list[WaitingSeat]:
        """The house players that wait, the longest waiting first."""
        query = waiting_seats().where(_game.c.id.not_in(self._games.waiting()))
        now, known = self._services.now(), self._noticed
        found = rows(WaitingSeat.of, query.limit(MOST))
        self._noticed = {each: known.get(each, now) for each in found}
        return sorted(found, key=self._noticed.__getitem__)

    def _share(self, due: list[WaitingSeat]) -> float:
        """The fraction of its time that each thought may take."""
        now, thinkers = self._services.now(), len(self._thinking.alive())
        waits = (((now - self._noticed[each]) / SECOND, duration(each.house_level)) for each in due)
        return share(waits, thinkers or 1)

    def _ask(self, due: WaitingSeat, thinker: Process, part: float) -> None:
        """Give a question to a thinker, unless the question of the seat has changed."""
        table = _found(due.id)
        if table is None or _asks(table, due) is None:
            return
        game, after = table.game, _remembered(table, thinker.told_until(due[:3]))
        logged = read(game.key, after, game.number)
        fixed = daily_deals.fixed(game, due.seat)
        question = Question(
            game=game.id,
            seat=due.seat,
            asked=due.asked,
            ruleset=game.ruleset,
            version=game.version,
            players=game.players,
            options=game.options,
            after=after,
            number=game.number,
            head=game.head.hex() if game.head else "",
            events=[seen for event in logged if (seen := standing(game, event)) is not None],
            level=due.house_level,
            share=part,
            seed=self._rng.getrandbits(128) if fixed is None else fixed.seed,
            iterations=fixed and fixed.iterations,
        )
        thinker.give(question)
        self._thought_about.add(due)

    def _take(self, thought: ThoughtAnswer) -> bool:
        """Play the answer of a thinker; returns whether it was played.

        If the thinker has ended, the question is tried once more; after that, or if the thought failed, it raises
        FailedElsewhere.
        """
        game_id = thought.question.game
        if thought.failure:
            raise FailedElsewhere(*thought.failure)
        if thought.action is None:
            if game_id in self._lost_thinker:
                raise FailedElsewhere("ThinkerEnded", [])
            self._lost_thinker.add(game_id)
            return False
        self._lost_thinker.discard(game_id)
        action = daily_deals.keep(self._services, thought.question, thought.action)
        return self._play(thought.question, action)

    def _play(self, question: Question, action: object) -> bool:
        """Play the action, if the question and the past are still the same under the lock; returns whether they
        were.
        """
        due = _who(question)
        with transaction():
            table = _found(due.id, lock=True)
            holder = None if table is None else _asks(table, due)
            if table is None or holder is None:
                return False
            if not has_past(table.game, question.number, question.head):
                return False
            state = self._services.states.load(table.game)
            played = answer(self._services, table, state, holder, action, by="house")
        self._services.states.put(played.table.game, played.state)
        prometheus.move("house")
        return True

    def _tell(self, waiting: list[WaitingSeat]) -> None:
        """Log how many seats wait, at most once a minute, if they have waited for long."""
        now = self._services.now()
        oldest = max((now - self._noticed[each] for each in waiting), default=0)
        silent = self._told_at is None or not 0 <= now - self._told_at < MINUTE
        if oldest >= LATE and silent:
            self._told_at = now
            queue = {"waiting": len(waiting), "oldest_seconds": oldest // SECOND}
            _log.warning("house players late", **queue, thinkers=len(self._thinking.alive()))


def _found(game_id: str, *, lock: bool = False) -> Table | None:
    """The table; None if it has been deleted, as lessons are."""
    try:
        return find(game_id, lock=lock)
    except NoSuchTable:
        return None


def _who(question: Question) -> WaitingSeat:
    return WaitingSeat(*question.agent, question.asked, question.level)


def _remembered(table: Table, told: Told) -> int:
    """The number of the last event that a thinker with this knowledge remembers; 0 if it knows another past."""
    undone = table.game.taken_back.items()
    stands = not any(event <= told.number < void for event, void in undone)
    return told.number if told.number and stands and has_past(table.game, *told) else 0


def standing(game: GameRow, event: Event) -> Json | None:
    """The part of an event that the rules see; None if the event was taken back."""
    return None if event["number"] in game.taken_back else for_rules(event)


def _asks(table: Table, due: WaitingSeat) -> Holder | None:
    """The house player that still has to act; None after another seat's move, or if a person has returned to
    the seat.
    """
    holder = table.holders[due.seat]
    same = (table.game.version, holder.asked) == (due.version, due.asked)
    return holder if same and holder.waiting and not holder.player_id else None
