"""The baselines for our requests, on a database of the same kind and with the service's settings.

They are bare WSGI that responds with 304, and bare Flask that responds with 304, inserts one row, or responds with the
contents of a dict after one SELECT.
"""

from __future__ import annotations

import os
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import orjson
from flask import Flask, Response, jsonify, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Text, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.core.database.database import engine_options, listen
from service.web.http.bodies.json_provider import OrjsonProvider


class Base(DeclarativeBase):
    pass


db = SQLAlchemy(model_class=Base)


class Entry(Base):
    __tablename__ = "entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[str] = mapped_column(Text)


def create_app(database: str | None = None) -> Flask:
    """The bare application; its database is BARE_DATABASE by default."""
    app = Flask(__name__)
    app.json = OrjsonProvider(app)
    url = database or os.environ["BARE_DATABASE"]
    app.config.update(SQLALCHEMY_DATABASE_URI=url, SQLALCHEMY_ENGINE_OPTIONS=engine_options(url))
    db.init_app(app)
    with app.app_context():
        listen([db.engine])
    app.add_url_rule("/api/games/<game_id>", view_func=unchanged)
    app.add_url_rule("/entries", view_func=insert, methods=["POST"])
    app.add_url_rule("/entries/<int:number>", view_func=answer)
    return app


def create_database(url: str) -> None:
    """Create the tables before any worker opens the database."""
    with create_app(url).app_context():
        db.create_all()
        db.engine.dispose()


def store(url: str, number: int, body: bytes) -> None:
    """Store the response that `answer` gives for this number."""
    create_database(url)
    with create_app(url).app_context():
        db.session.add(Entry(id=number, body=body.decode()))
        db.session.commit()
        db.engine.dispose()


def unchanged(game_id: str) -> Response:
    return Response(status=304, headers={"ETag": '"unchanged"'})


def insert() -> tuple[dict[str, int], int]:
    entry = Entry(body=str(request.get_json()["action"]))
    db.session.add(entry)
    db.session.commit()
    return {"number": entry.id}, 201


_held: dict[int, Any] = {}
"""The responses of `answer`, as dicts; each is read from its row when it is first requested."""


def answer(number: int) -> Response:
    db.session.execute(select(Entry.id).where(Entry.id == number)).one()
    if number not in _held:
        _held[number] = orjson.loads(db.session.get_one(Entry, number).body)
    return jsonify(_held[number])


def wsgi_304(_environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
    """A response without a framework or a database."""
    start_response("304 Not Modified", [("ETag", '"unchanged"')])
    return []
