"""Export: everything that is kept about a person, as one JSON; secrets apart, which nobody can read again anyway."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from rules.kernel import Json
from service import accounts, people, said, settings, vacations
from service.database import db
from service.models import Game, Tenure
from service.models_mail import Outbox
from service.outside import Outside, rfc3339

_game, _tenure, _outbox = Game.__table__, Tenure.__table__, Outbox.__table__
FORMAT = "tegami-export/1"


def export(outside: Outside, player_id: str) -> Json:
    """The whole of it."""
    player = people.find(player_id)
    return {
        "format": FORMAT,
        "made_at": rfc3339(outside.now()),
        "player": _player(player),
        "settings": settings.of(player),
        "vacations": [{"first": row.first, "last": row.last} for row in vacations.of(player_id)],
        "sign_ins": [_credential(row) for row in people.credentials(player_id, "cookie")],
        "tokens": [_credential(row) for row in people.credentials(player_id, "token")],
        "games": _games(player_id),
        "mails": _mails(player_id),
        **said.export(player_id),
    }


def _player(player: Any) -> Json:
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

    Those about the account are left out: which of them was sent tells whether an address belongs to somebody else.
    """
    query = select(_outbox.c.kind, _outbox.c.run_at, _outbox.c.outcome).where(
        _outbox.c.player_id == player_id, _outbox.c.game_key.is_not(None)
    )
    return [
        {"kind": row.kind, "at": rfc3339(row.run_at), "outcome": row.outcome}
        for row in db.session.execute(query.order_by(_outbox.c.id))
    ]
