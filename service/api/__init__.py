"""The HTTP side: one blueprint a resource; an endpoint knows no rules, a use case no HTTP."""

from flask import Flask

from service.api import games, meta, people, play, rulesets


def register(app: Flask) -> None:
    """Give `app` every resource of openapi.yaml."""
    for blueprint in (rulesets.bp, people.bp, games.bp, play.bp, meta.bp):
        app.register_blueprint(blueprint)
