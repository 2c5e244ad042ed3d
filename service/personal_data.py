"""A player's personal data: its export as one JSON object, and its permanent erasure. The module of each noun handles
its own part.

When somebody is erased, house players take their seats, tenures lose their player, and the row is emptied. Every seat
is given up in a separate commit, and the row is emptied once no seat is left. If that is interrupted, the player still
exists and can ask again. Games stay readable: the player's seat is shown as that of somebody who has left.
"""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db, transaction
from service.core.models.games import Game, Tenure
from service.core.models.people import Player
from service.core.models.proposals import Proposal
from service.core.runtime.problems import NotFound, NotOpen, Unavailable
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.log import changes
from service.log.table_rows import invitation_queries, tenures
from service.notifications.receivers import browsers, deliveries, receivers
from service.outbox import queue, unsubscriptions
from service.people import players
from service.people.accounts import accounts, preferences
from service.people.circles import blocks, circle_talk, circles, follows, weeklies
from service.people.circles.series import entries, series
from service.people.credentials import authorization_codes, credentials
from service.people.ratings import results
from service.people.ratings.played import played_games
from service.tables.before_start import departures, invitations, lessons, live_wishes
from service.tables.clocks import seat_clocks, vacations
from service.tables.play import leaving, proposals
from service.tables.play.analyses import analyses
from service.tables.play.daily_deals import tries
from service.tables.play.orders import orders
from service.tables.play.puzzles import answers
from service.tables.services import Services
from service.tables.talk import messages, mutes, private_notes, read_marks, reported_messages

FORMAT = "tegami-export/1"
ATTEMPTS = 5
"""The number of attempts to give up the seats of a player who keeps sitting down at tables."""


def export(runtime: Runtime, player_id: str) -> Json:
    """Everything that is stored about this player, without the hashes of secrets."""
    player = players.get(player_id)
    return {
        "format": FORMAT,
        "made_at": rfc3339(runtime.now()),
        "player": accounts.exported(player),
        "settings": preferences.as_json(player),
        "vacations": vacations.exported(player_id),
        "live_wishes": live_wishes.exported(player_id),
        "sign_ins": credentials.exported(runtime, player_id, "cookie"),
        "tokens": credentials.exported(runtime, player_id, "token"),
        "feeds": credentials.exported(runtime, player_id, credentials.FEED),
        "webhooks": deliveries.exported_webhooks(player_id),
        "browsers": browsers.exported(player_id),
        "games": tenures.exported(player_id),
        "mails": queue.exported(player_id),
        "stopped": unsubscriptions.exported(player_id),
        "invitations": invitations.exported(player_id),
        "proposals": proposals.exported(player_id),
        "votes": proposals.exported_votes(player_id),
        "changes": changes.exported(player_id),
        "messages": messages.exported(player_id),
        "notes": private_notes.exported(player_id),
        "orders": orders.exported(player_id),
        "own_answers": orders.exported_answers(player_id),
        "analyses": analyses.exported(player_id),
        "puzzle_answers": answers.exported(player_id),
        "blocks": blocks.exported(player_id),
        "follows": follows.exported(player_id),
        "circles": circles.exported(player_id),
        "circle_messages": circle_talk.exported(player_id),
        "circle_weeklies": weeklies.exported(player_id),
        "series": series.exported(player_id),
        "series_entries": entries.exported(player_id),
        "ratings": results.exported(player_id),
        "daily_tries": tries.exported(player_id),
        "played": played_games.exported(player_id),
        "reports": reported_messages.exported(player_id),
    }


def erase(services: Services, player_id: str) -> None:
    """Erase a player; this cannot be undone. Raises Unavailable if the player keeps sitting down at tables
    meanwhile.
    """
    lessons.erase(player_id)
    tries.delete_unfinished(player_id)
    for _ in range(ATTEMPTS):
        leaving.leave_all(services, player_id)
        for seat in tenures.taken(player_id, "open"):
            try:
                departures.leave(services, seat.game_id, player_id, seat.tenure)
            except (NotFound, NotOpen):  # removed or started meanwhile: the next attempt sees it
                continue
        if erase_unless_seated(services, player_id):
            return
    raise Unavailable({"Retry-After": "5"})


def erase_unless_seated(runtime: Runtime, player_id: str) -> bool:
    """Erase everything about the player, unless they still sit at a table; returns whether it was done."""
    with transaction():
        played = select(Tenure.game_key).where(Tenure.player_id == player_id)
        proposed = select(Proposal.game_key).where(Proposal.player_id == player_id)
        # these games show the player; everywhere, games are locked before players
        hosted = circles.tables_hosted_by(player_id)
        seat_clocks.lock_games(runtime.now(), Game.key.in_(played.union(proposed, hosted)))
        db.session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
        if tenures.taken(player_id, "open") or tenures.taken(player_id, "running"):
            return False
        now = runtime.now()
        proposals.withdraw_all(runtime, player_id)
        messages.erase(player_id, now)
        circle_talk.erase(player_id, now)
        circles.erase(runtime, player_id)
        invitation_queries.delete_of_player(now, player_id)
        queue.erase(player_id, accounts.logins(player_id))
        results.erase(runtime, player_id)
        tries.erase(runtime, player_id)
        played_games.erase(player_id)
        for noun in (
            *(reported_messages, blocks, follows, weeklies, entries, series),
            *(read_marks, private_notes, mutes),
            *(analyses, answers, orders, changes, receivers, tenures, proposals),
            *(accounts, vacations, live_wishes, unsubscriptions),
            *(authorization_codes, credentials),
        ):
            noun.erase(player_id)
        players.erase(player_id, now)
        return True
