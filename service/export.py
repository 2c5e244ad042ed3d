"""Export: everything that is kept about a person, as one JSON; secrets apart, which nobody can read again anyway."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, select

from rules.kernel import Json
from service import accounts, people, said, settings, vacations
from service.database import db
from service.models import Game, Player, Tenure
from service.models_clock import Proposal, Vote
from service.models_mail import Outbox, Unsubscribed
from service.models_tables import Invitation
from service.outside import Outside, rfc3339

_game, _tenure, _player, _outbox = (kind.__table__ for kind in (Game, Tenure, Player, Outbox))
_invitation, _proposal, _vote = Invitation.__table__, Proposal.__table__, Vote.__table__
_stopped = Unsubscribed.__table__
FORMAT = "tegami-export/1"
OF_OTHERS = ("invitation",)
"""Mails that the player has sent to others: what became of them is not for the sender to know."""


def export(outside: Outside, player_id: str) -> Json:
    """The whole of it."""
    player = people.find(player_id)
    return {
        "format": FORMAT,
        "made_at": rfc3339(outside.now()),
        "player": _person(player),
        "settings": settings.of(player),
        "vacations": [{"first": row.first, "last": row.last} for row in vacations.of(player_id)],
        "sign_ins": [_credential(row) for row in people.credentials(player_id, "cookie")],
        "tokens": [_credential(row) for row in people.credentials(player_id, "token")],
        "games": _games(player_id),
        "mails": _mails(player_id),
        "stopped": _listed(_stops(player_id)),
        "invitations": _listed(_invitations(player_id)),
        "proposals": _listed(_proposals(player_id)),
        "votes": _listed(_votes(player_id)),
        **said.export(player_id),
    }


def _person(player: Any) -> Json:
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


def _credential(row: Any) -> Json:
    return {
        "label": row.label,
        "created_at": rfc3339(row.created_at),
        "seen_at": row.seen_at and rfc3339(row.seen_at),
    }


def _games(player_id: str) -> list[Json]:
    """Every game with the tenure: a line for each time that the person sat down."""
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
            **row._mapping,
            "sat_at": rfc3339(row.sat_at),
            "ended_at": row.ended_at and rfc3339(row.ended_at),
        }
        for row in db.session.execute(query)
    ]


def _mails(player_id: str) -> list[Json]:
    """Mails of the last weeks about games: what kind, when, and what became of them. Their text is not kept.

    Those about the account and those to others are left out: which of them was sent tells whether an address belongs
    to somebody else.
    """
    query = select(_outbox.c.kind, _outbox.c.run_at.label("at"), _outbox.c.outcome).where(
        _outbox.c.player_id == player_id,
        _outbox.c.game_key.is_not(None),
        _outbox.c.kind.not_in(OF_OTHERS),
    )
    return _listed(query.order_by(_outbox.c.id))


def _stops(player_id: str) -> Select[Any]:
    """Mails that the player has stopped about one game; without a kind all of them."""
    query = select(_game.c.id.label("game"), _stopped.c.kind, _stopped.c.at)
    about = query.join(_stopped, _stopped.c.game_key == _game.c.key)
    return about.where(_stopped.c.player_id == player_id).order_by(_stopped.c.at, _game.c.key)


def _invitations(player_id: str) -> Select[Any]:
    """Invitations by the player to games that have not started: a name where the invited one is a player."""
    query = (
        select(_game.c.id.label("game"), _invitation.c.address, _player.c.name)
        .add_columns(_invitation.c.made_at.label("at"))
        .join(_invitation, _invitation.c.game_key == _game.c.key)
        .outerjoin(_player, _player.c.id == _invitation.c.player_id)
    )
    return query.where(_invitation.c.inviter_id == player_id).order_by(_invitation.c.key)


def _proposals(player_id: str) -> Select[Any]:
    """What the player has proposed to tables."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _proposal.c.status)
        .add_columns(_proposal.c.made_at.label("at"))
        .join(_proposal, _proposal.c.game_key == _game.c.key)
    )
    return query.where(_proposal.c.player_id == player_id).order_by(_proposal.c.key)


def _votes(player_id: str) -> Select[Any]:
    """What the player has answered to the proposals of others."""
    query = (
        select(_game.c.id.label("game"), _proposal.c.kind, _vote.c.agrees, _vote.c.at)
        .join(_proposal, _proposal.c.game_key == _game.c.key)
        .join(_vote, _vote.c.proposal_key == _proposal.c.key)
        .join(_tenure, _tenure.c.id == _vote.c.tenure_id)
    )
    return query.where(_tenure.c.player_id == player_id).order_by(_proposal.c.key)


def _listed(query: Select[Any]) -> list[Json]:
    """The rows, with `at` as a time."""
    return [{**row._mapping, "at": rfc3339(row.at)} for row in db.session.execute(query)]
