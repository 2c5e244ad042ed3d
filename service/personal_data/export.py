"""Export: everything that is kept about a player as one JSON object, without the hashes of secrets."""

from __future__ import annotations

from sqlalchemy import Select, select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.following import Change
from service.core.models.games import Game, Tenure
from service.core.models.invitations import Invitation
from service.core.models.mail import Outbox, Unsubscribed
from service.core.models.people import Player
from service.core.models.proposals import Proposal, Vote
from service.core.models.receivers import ReceiverRow
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.notifications.receivers import browsers, deliveries, receivers
from service.people import players, preferences
from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.credentials.credentials import CredentialRow
from service.people.players import PlayerRow
from service.personal_data import messages_and_notes
from service.tables.clocks import vacations

_game, _tenure, _player, _outbox = (kind.__table__ for kind in (Game, Tenure, Player, Outbox))
_invitation, _proposal, _vote = Invitation.__table__, Proposal.__table__, Vote.__table__
_stopped, _change = Unsubscribed.__table__, Change.__table__
MOST_SENT = 1000
"""Of what was sent to a webhook, the last deliveries that are listed."""
FORMAT = "tegami-export/1"
SENT_TO_OTHERS = ("invitation",)
"""Kinds of mail that the player has sent to others: whether they were delivered is not for the sender to know."""


def export(runtime: Runtime, player_id: str) -> Json:
    """Everything about this player."""
    player = players.get(player_id)
    return {
        "format": FORMAT,
        "made_at": rfc3339(runtime.now()),
        "player": _person(player),
        "settings": preferences.as_json(player),
        "vacations": [
            {"first": row.first, "last": row.last} for row in vacations.of_player(player_id)
        ],
        "sign_ins": [_credential(row) for row in credentials.active(runtime, player_id, "cookie")],
        "tokens": [_token(row) for row in credentials.active(runtime, player_id, "token")],
        "feeds": [_feed(row) for row in credentials.active(runtime, player_id, credentials.FEED)],
        "webhooks": [_webhook(row) for row in receivers.of_player(player_id)],
        "browsers": [_browser(row) for row in browsers.of_player(player_id)],
        "games": _games(player_id),
        "mails": _mails(player_id),
        "stopped": _listed(_stops(player_id)),
        "invitations": _listed(_invitations(player_id)),
        "proposals": _listed(_proposals(player_id)),
        "votes": _listed(_votes(player_id)),
        "changes": _listed(_changes(player_id)),
        **messages_and_notes.export(player_id),
    }


def _feed(row: CredentialRow) -> Json:
    return {"id": row.id, "label": row.label, "created_at": rfc3339(row.created_at)}


def _webhook(row: ReceiverRow) -> Json:
    """A webhook, with what was sent to it in the last weeks."""
    sent = deliveries.page(row.id, None, MOST_SENT)
    return {
        "id": row.id,
        "url": row.url,
        "label": row.label,
        "kinds": row.wanted,
        "created_at": rfc3339(row.made_at),
        "off_at": row.off_at and rfc3339(row.off_at),
        "deliveries": [
            {
                "sequence": each.sequence,
                "type": each.kind,
                "at": rfc3339(each.at),
                "game": each.game,
            }
            for each in sent
        ],
    }


def _browser(row: ReceiverRow) -> Json:
    """A browser in which the player is told; what is sent there is not kept."""
    return {
        "id": row.id,
        "browser": row.label or None,
        "endpoint": row.url,
        "created_at": rfc3339(row.made_at),
        "delivered_at": row.delivered_at and rfc3339(row.delivered_at),
    }


def _person(player: PlayerRow) -> Json:
    account = accounts.find(player.id)
    return {
        "id": player.id,
        "name": player.name,
        "created_at": rfc3339(player.created_at),
        "handle": account and account.handle,
        "address": account and account.address,
        "unverified_address": account and account.pending,
        "has_password": bool(account and account.password),
        "registered_at": account and rfc3339(account.registered_at),
    }


def _credential(row: CredentialRow) -> Json:
    return {
        "label": row.label,
        "created_at": rfc3339(row.created_at),
        "seen_at": row.seen_at and rfc3339(row.seen_at),
    }


def _token(row: CredentialRow) -> Json:
    return {
        **_credential(row),
        "scopes": (row.scopes or "").split(),
        "expires_at": row.expires_at and rfc3339(row.expires_at),
    }


def _games(player_id: str) -> list[Json]:
    """Every game with the tenure: one entry for each time that the player sat down."""
    query = (
        select(
            *(_game.c[name] for name in ("id", "ruleset", "status")),
            _tenure.c.id.label("tenure"),
            *(_tenure.c[name] for name in ("seat", "nonce", "sat_at", "ended_at", "result")),
        )
        .join(_tenure, _tenure.c.game_key == _game.c.key)
        .where(_tenure.c.player_id == player_id)
        .order_by(_tenure.c.sat_at, _tenure.c.id)
    )
    return [
        {
            **row,
            "sat_at": rfc3339(row["sat_at"]),
            "ended_at": row["ended_at"] and rfc3339(row["ended_at"]),
        }
        for row in db.session.execute(query).mappings()
    ]


def _mails(player_id: str) -> list[Json]:
    """Mails of the last weeks about games: kind, time and outcome. Their text is not kept.

    Mails about the account and mails to others are left out: which of them was sent would reveal whether an address
    belongs to somebody else.
    """
    query = select(_outbox.c.kind, _outbox.c.run_at.label("at"), _outbox.c.outcome).where(
        _outbox.c.player_id == player_id,
        _outbox.c.game_key.is_not(None),
        _outbox.c.kind.not_in(SENT_TO_OTHERS),
    )
    return _listed(query.order_by(_outbox.c.id))


def _stops(player_id: str) -> Select[tuple[object, ...]]:
    """Kinds of mail that the player has turned off for one game; an empty kind means all."""
    query = select(_game.c.id.label("game"), _stopped.c.kind, _stopped.c.at)
    about = query.join(_stopped, _stopped.c.game_key == _game.c.key)
    return about.where(_stopped.c.player_id == player_id).order_by(_stopped.c.at, _game.c.key)


def _invitations(player_id: str) -> Select[tuple[object, ...]]:
    """The player's invitations to games that have not started, with the name of the invited player, if it is one."""
    query = (
        select(_game.c.id.label("game"), _invitation.c.address, _player.c.name)
        .add_columns(_invitation.c.made_at.label("at"))
        .join(_invitation, _invitation.c.game_key == _game.c.key)
        .outerjoin(_player, _player.c.id == _invitation.c.player_id)
    )
    return query.where(_invitation.c.inviter_id == player_id).order_by(_invitation.c.key)


def _proposals(player_id: str) -> Select[tuple[object, ...]]:
    """The player's proposals."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _proposal.c.status)
        .add_columns(_proposal.c.made_at.label("at"))
        .join(_proposal, _proposal.c.game_key == _game.c.key)
    )
    return query.where(_proposal.c.player_id == player_id).order_by(_proposal.c.key)


def _votes(player_id: str) -> Select[tuple[object, ...]]:
    """The player's votes on the proposals of others."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _vote.c.agrees, _vote.c.at)
        .join(_proposal, _proposal.c.game_key == _game.c.key)
        .join(_vote, _vote.c.proposal_key == _proposal.c.key)
        .join(_tenure, _tenure.c.id == _vote.c.tenure_id)
    )
    return query.where(_tenure.c.player_id == player_id).order_by(_proposal.c.key)


def _changes(player_id: str) -> Select[tuple[object, ...]]:
    """What the player's programs were told, or are to be told."""
    query = select(_change.c.game, _change.c.kind, _change.c.at)
    return query.where(_change.c.player_id == player_id).order_by(_change.c.number)


def _listed(query: Select[tuple[object, ...]]) -> list[Json]:
    """The rows by the names of their columns, `at` as a time."""
    found = db.session.execute(query).mappings()
    return [{**row, "at": rfc3339(row["at"])} for row in found]
