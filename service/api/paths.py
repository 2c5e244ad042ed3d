"""Ids in paths: what cannot be an id is a 404 before anything is looked up."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter


class GameId(BaseConverter):
    """`g_…`"""

    regex = "g_[0-9A-Za-z]{22}"


class TenureId(BaseConverter):
    """`t_…`"""

    regex = "t_[0-9A-Za-z]{22}"


class TokenId(BaseConverter):
    """`k_…`"""

    regex = "k_[0-9A-Za-z]{22}"


def register_converters(app: Flask) -> None:
    """Make the ids known to the routes of `app`."""
    app.url_map.converters.update(game=GameId, tenure=TenureId, token=TokenId)
