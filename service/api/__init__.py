"""The HTTP side: one blueprint a resource; an endpoint knows no rules, a use case no HTTP."""

from flask import Flask

from service.api import (
    accounts,
    games,
    invitations,
    mail,
    manners,
    meta,
    moves,
    people,
    play,
    rulesets,
    settings,
    sign_ins,
    talk,
    time,
    votes,
)


def register(app: Flask) -> None:
    """Give `app` every resource of openapi.yaml."""
    for blueprint in (
        rulesets.bp,
        people.bp,
        sign_ins.bp,
        accounts.bp,
        settings.bp,
        games.bp,
        play.bp,
        invitations.bp,
        time.bp,
        mail.bp,
        talk.bp,
        manners.bp,
        moves.bp,
        votes.bp,
        meta.bp,
    ):
        app.register_blueprint(blueprint)
