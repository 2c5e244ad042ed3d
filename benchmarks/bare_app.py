"""The baseline for our requests: bare Flask that answers 304, and bare Flask with one insert."""

from __future__ import annotations

import os

from flask import Flask, Response, request
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.core.database import engine_options, listen


class Base(DeclarativeBase):
    pass


db = SQLAlchemy(model_class=Base)


class Entry(Base):
    __tablename__ = "entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[str] = mapped_column(Text)


def create_app(database: str | None = None) -> Flask:
    """The database is BARE_DATABASE by default, with the connection settings of the service."""
    app = Flask(__name__)
    url = f"sqlite:///{database or os.environ['BARE_DATABASE']}"
    app.config.update(SQLALCHEMY_DATABASE_URI=url, SQLALCHEMY_ENGINE_OPTIONS=engine_options(url))
    db.init_app(app)
    with app.app_context():
        listen(db.engine)
    app.add_url_rule("/api/games/<game_id>", view_func=unchanged)
    app.add_url_rule("/entries", view_func=insert, methods=["POST"])
    return app


def create_database(path: str) -> None:
    """Create the database at `path` before any worker opens it."""
    with create_app(path).app_context():
        db.create_all()
        db.engine.dispose()


def unchanged(game_id: str) -> Response:
    return Response(status=304, headers={"ETag": '"unchanged"'})


def insert() -> tuple[dict[str, int], int]:
    entry = Entry(body=str(request.get_json()["action"]))
    db.session.add(entry)
    db.session.commit()
    return {"number": entry.id}, 201
