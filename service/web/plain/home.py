"""Home without scripts: one's own games by urgency, invitations, open tables, the games that can be played."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.words.words import phrases
from service.tables.before_start import invitations
from service.tables.views import game_lists
from service.tables.views.people_names import name_of
from service.tables.views.rulesets import ruleset_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.caller import caller, caller_id
from service.web.plain.forms.form_schemas import HomeQuery
from service.web.plain.plain_pages import plain_blueprint, plain_page

bp: Blueprint = plain_blueprint("plain_home")

MOST_SHOWN = 20
"""Games in one list."""
MOST_OWN = 50
"""Own games that are not over."""


@bp.get("")
@parse_query(HomeQuery)
def get_plain_home(query: Json) -> Response:
    """Where everything begins; with a cursor, further open tables."""
    player, language = caller(), preferred_language()
    wish = {"status": "open", "mine": False, "limit": MOST_SHOWN, "free": 1, **query}
    tables, following = game_lists.games(player and player.id, language, wish)
    return plain_page(
        "home.html",
        own=own_games(player.id, language) if player else None,
        invited=invited(player.id, language) if player else [],
        tables=[each for each in tables if not each["yours"]],
        next=seal(following),
        rulesets=[on_offer(slug, language) for slug in rules.slugs()],
    )


@bp.get("/finished")
@parse_query(HomeQuery)
def get_plain_finished(query: Json) -> Response:
    """The reader's finished games, newest first. Raises NotSignedIn."""
    wish = {"status": "over", "mine": True, "limit": MOST_SHOWN, **query}
    games, following = game_lists.games(caller_id(), preferred_language(), wish)
    return plain_page("finished.html", games=games, next=seal(following))


def on_offer(slug: str, language: str) -> Json:
    """A game to choose, with how many play it, for how long, and how hard it is."""
    ruleset, words = ruleset_view.summary(slug, language), phrases(language)
    counts = ruleset["players"]
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        players = words.say("page.number.range", {"least": counts[0], "most": counts[-1]})
    else:
        players = words.say("page.lobby.or").join(map(str, counts))
    fields = {
        "players": players,
        "decisions": ruleset["decisions"],
        "weight": words.say(f"page.weight.{ruleset['weight']}"),
    }
    return {**ruleset, "facts": words.say("page.shelf.facts", fields)}


def own_games(player_id: str, language: str) -> Json:
    """The player's games: those that wait for them, the most urgent first, those that do not, and those not begun."""
    turns = game_lists.turns(player_id, language)
    asked = {each["game"]["id"] for each in turns}
    wish = {"mine": True, "limit": MOST_OWN}
    running, _ = game_lists.games(player_id, language, {**wish, "status": "running"})
    opened, _ = game_lists.games(player_id, language, {**wish, "status": "open"})
    return {
        "turns": turns,
        "waiting": [each for each in running if each["id"] not in asked],
        "open": opened,
    }


def invited(player_id: str, language: str) -> list[Json]:
    """The invitations of this player, each with who sent it and the name of the game."""
    found, _ = invitations.received_by(player_id, None, MOST_SHOWN)
    return [
        {
            "name": name_of(row.by, row.program, phrases(language)),
            "id": game.id,
            "game": phrases(language, game.ruleset).say("name"),
        }
        for row, game in found
    ]
