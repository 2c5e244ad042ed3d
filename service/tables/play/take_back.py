"""Taking back: a seat's last action is undone, freely or with the consent of the table.

Freely means that nobody, not even the seat itself, has seen more than that it has chosen: a sealed choice can be
changed while others are still choosing. Otherwise, all later actions are undone too, but never a shuffle or a turned
card (service/log/table_rows/taking_back.py). The undone actions stay in the log, together with their take-back; the
rules skip them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.kernel import Json, State
from service.core.counts import prometheus
from service.core.database.database import transaction
from service.core.database.failures import reading
from service.core.runtime.problems import IllegalAction, NotPossible, NotRunning
from service.log import events
from service.log.event_log import fold, read_timed
from service.log.events import VoidReason
from service.log.table_rows.table import GameRow, Holder, Person, Table, find
from service.log.table_rows.taking_back import MOST_OF_A_SEAT, Wish
from service.tables.clocks import seat_clocks
from service.tables.play import ended_orders, moves
from service.tables.play.moves import Effects, Played, Show, record
from service.tables.services import Services


class TakenBack(NamedTuple):
    """An acknowledged take-back: the number of its event, whether it is new, and the table afterwards."""

    number: int
    new: bool
    table: Table


def take_back(services: Services, game_id: str, player_id: str, event: int) -> TakenBack:
    """Take back the action of this event, whose effect nobody has seen.

    A repeated request returns the event by which the action was taken back. Raises NotFound, NotSeated, NotRunning,
    NotPossible.
    """
    with transaction():
        table = find(game_id, lock=True)
        holder = table.holding(player_id)
        if void := repeated(table.game, holder, event):
            return TakenBack(void, new=False, table=table)
        table, state = undo(services, table, holder, free_wish(table, holder, event))
    services.states.put(table.game, state)
    return TakenBack(table.game.number, new=True, table=table)


def change(
    services: Services,
    game_id: str,
    player_id: str,
    event: int,
    action: object,
    show: Show | None = None,
    write_beside: Callable[[], None] = lambda: None,
) -> Played:
    """Replace the answer of this event by another, in one commit. Raises whatever `take_back` and `play` raise.

    If the player has already taken it back, the new answer is for the question that followed, as with `play`; a
    repetition returns the logged event.
    """
    with transaction():
        table = find(game_id, lock=True)
        holder, present = table.holding(player_id), services.states.load(table.game)
        void = repeated(table.game, holder, event)
        if void is not None:
            if earlier := moves.repeated(table, present, holder, void, action):
                return earlier._replace(shown=show and show(table, present))
            played = moves.answer(services, table, present, holder, action, by="seat")
        else:
            played = _change(services, table, holder, event, action)
        shown = show and show(played.table, played.state)
        write_beside()
    services.states.put(played.table.game, played.state)
    prometheus.move("seat")
    return played._replace(shown=shown)


def _change(services: Services, table: Table, holder: Holder, event: int, action: object) -> Played:
    """Take an answer back and log the new one, or do neither. The caller owns the lock and the commit. Raises
    IllegalAction.
    """
    wish = free_wish(table, holder, event)
    after, state = undo(services, table, holder, wish)
    try:
        return moves.answer(services, after, state, after.holders[holder.seat], action, by="seat")
    except IllegalAction as illegal:  # people are told of the table as it stays
        present = services.states.load(table.game)
        more = {name: illegal.more[name] for name in ("why", "action")}
        raise IllegalAction(table=table, state=present, **more) from None


def as_if_taken_back(services: Services, table: Table, player_id: str, event: int) -> State:
    """The state without the action of this event, which the player can change. Raises whatever `take_back` raises."""
    holder = table.holding(player_id)
    return _without(services, table, free_wish(table, holder, event).undone)[0]


def free_wish(table: Table, holder: Holder, event: int) -> Wish:
    """The way to take back the action of this event without asking. Raises NotRunning, NotPossible."""
    wish = wished(table, holder, event)
    if not wish.is_free:
        raise NotPossible("seen")
    return wish


def repeated(game: GameRow, holder: Holder, event: int) -> int | None:
    """The number of the event that has taken back this action of the seat; None if there is none."""
    void = game.taken_back.get(event)
    if void is None:
        return None
    (first, *_), _ = zip(*read_timed(game.key, event - 1, event), strict=True)
    return void if first["kind"] == "action" and first["seat"] == holder.seat else None


def shown(table: Table, person: Person | None) -> Json | None:
    """A person's last action, if they can take it back, and whether they can without asking (TakeBack in
    openapi.yaml).
    """
    wish = possible(table, person) if isinstance(person, Holder) else None
    return None if wish is None else {"event": wish.event, "free": wish.is_free}


def possible(table: Table, holder: Holder) -> Wish | None:
    """The action that the holder of a seat can take back now, freely or with the consent of the table; None if there is
    none.
    """
    game = table.game
    if game.live:  # all act at once: others have seen the action, and have continued
        return None
    if holder.player_id is None or game.is_over or game.alone:
        return None
    wish = game.recent.of_seat(holder.seat, (holder.began or 1))
    return None if wish is None or used_up(game, wish) else wish


def used_up(game: GameRow, wish: Wish) -> bool:
    """Whether the limit of take-backs in a game is reached."""
    return len(game.undone or ()) + len(wish.undone) > MOST_OF_A_SEAT * game.players


def wished(table: Table, holder: Holder, event: int) -> Wish:
    """The way in which the action of this event can be taken back. Raises NotRunning and NotPossible."""
    if table.game.is_over:
        raise NotRunning
    wish = possible(table, holder)
    if wish is None or wish.event != event:
        raise NotPossible("not-to-be-taken-back")
    return wish


def undo(services: Services, table: Table, holder: Holder, wish: Wish) -> tuple[Table, State]:
    """Undo the chosen action and everything after it; returns the table and the state.

    The caller owns the lock and the commit, and caches the state.
    """
    game, ruleset = table.game, table.ruleset
    why: VoidReason = "free" if wish.is_free else "agreed"
    voids = [events.void(holder.seat, number, why) for number in wish.undone]
    number = game.number + len(voids)
    before, (state, undone) = services.states.load(game), _without(services, table, wish.undone)
    asked = [
        number if each.seat in undone or ruleset.asks_anew(before, state, each.seat) else each.asked
        for each in table.holders
    ]
    back = seat_clocks.given_back(table, undone)
    gone = [
        *(game.undone or ()),
        *([each, game.number + n] for n, each in enumerate(wish.undone, 1)),
    ]
    recent = game.recent.without(wish.undone, number)
    effects = Effects([*voids], state, asked, recent=recent, given_back=back)
    table = record(services, table, effects, undone=gone)
    if not wish.is_free:  # others have seen it, and may have left orders because of it
        ended_orders.end_with_undone(services, game.key, undone[holder.seat], number)
    return table, state


def _without(
    services: Services, table: Table, undone: Sequence[int]
) -> tuple[State, dict[int, int]]:
    """The state without these events, and for each seat the time (ms UTC) of its last undone event."""
    game, first = table.game, min(undone)
    state, gone = services.states.load(game, first - 1), {*game.taken_back, *undone}
    with reading(game.id):
        logged = read_timed(game.key, first - 1, game.number)
        state = fold(table.ruleset, state, [event for event, _ in logged], gone)
    at = {
        event["seat"]: at
        for event, at in logged
        if event["kind"] == "action" and event["number"] in undone
    }
    return state, at
