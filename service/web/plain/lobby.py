"""The lobby without scripts: the reader's games by urgency, invitations, open tables, and the games on offer.

The form for a new table is here, too: the number of players and the length, who sits down, and the pace.
"""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from rules.players.levels import LEVELS, USUAL
from service.core.runtime.problems import InvalidBody, NotFound
from service.core.words.words import Phrases, phrases
from service.people import players
from service.people.accounts import accounts
from service.tables.before_start import (
    circle_tables,
    invitations,
    lessons,
    table_setup,
    weekly_tables,
)
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.tables.views import game_lists
from service.tables.views.people_names import name_of
from service.tables.views.rulesets import ruleset_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.caller import caller, caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.circle_schemas import PlainNewTableQuery
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import (
    DAYS_OF_REST,
    LESSON,
    OWN_PACES,
    RATED,
    RESTS,
    UNITS,
    FinishedQuery,
    HomeQuery,
    PlainNewTable,
)
from service.web.plain.forms.sent_once import new_key, once
from service.web.plain.live_tables import live_kinds
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_home")

MOST_SHOWN = 20
"""The most games in one list."""
MOST_OWN = 50
"""The most games of the reader that are not over."""


@bp.get("")
@parse_query(HomeQuery)
def get_plain_home(query: Json) -> Response:
    """Show the start page; with a cursor, further open tables."""
    player, language = caller(), preferred_language()
    wish = {"status": "open", "mine": False, "limit": MOST_SHOWN, "free": 1, **query}
    tables, following = game_lists.games(player and player.id, language, wish)
    return plain_page(
        "home.html",
        own=own_games(player.id, language) if player else None,
        invited=invited(player.id, language) if player else [],
        tables=[each for each in tables if not each["yours"]],
        next=seal(following),
        left_out=player is not None and game_lists.are_left_out(player.id, wish),
        beside_blocked=query["beside_blocked"],
        rulesets=[on_offer(slug, language) for slug in rules.slugs()],
    )


@bp.get("/finished")
@parse_query(FinishedQuery)
def get_plain_finished(query: Json) -> Response:
    """Show the reader's finished games, newest first. Raises NotSignedIn."""
    wish = {"status": "over", "mine": True, "limit": MOST_SHOWN, **query}
    games, following = game_lists.games(caller_id(), preferred_language(), wish)
    return plain_page("finished.html", games=games, next=seal(following))


@bp.get("/new/<slug>")
@parse_query(PlainNewTableQuery)
def get_plain_new_table(query: Json, slug: str) -> Response:
    """Show the form for a new table. Raises NotFound."""
    reader, words, lesson = caller(), words_of(slug), rules.lesson(slug)
    offered, live = kinds(slug, words).items(), live_kinds(slug, words).items()
    return plain_page(
        "new_table.html",
        words,
        slug=slug,
        circle=query.get("circle"),
        lesson=lesson and len(lesson.steps),
        kinds=[(name, words.say("plain.table.kind", each)) for name, each in offered],
        live_kinds=[(name, words.say("plain.live.kind", each)) for name, each in live],
        levels=[(each, words.say(f"page.level.{each}")) for each in LEVELS],
        usual=USUAL,
        paces={name: paces.shown(pace, words)["words"] for name, pace in PRESETS.items()},
        own_paces=[(each, words.say(f"plain.pace.{each}")) for each in OWN_PACES],
        units=[(each, words.say(f"page.pace.unit.{each}")) for each in UNITS],
        rests=[(each, words.say(f"page.rest.{each}")) for each in RESTS],
        days=list(zip(DAYS_OF_REST, paces.day_names(words.language), strict=True)),
        week=list(zip(map(str, range(1, 8)), paces.day_names(words.language), strict=True)),
        zone=own_time_zone(reader.id) if reader else "UTC",
        can_be_rated=reader is not None and accounts.find(reader.id) is not None,
        new_key=new_key,
    )


@bp.post("/new/<slug>")
@limited("games")
@signed_in_by_cookie
@parse_form(PlainNewTable)
def open_plain_table(body: Json, slug: str) -> Response:
    """Open the table, or begin a lesson. If all other seats are for house players, the game begins at once.

    Raises NotSignedIn, NotFound, InvalidBody, InvalidRest, TooManyTables.
    """
    opener, words = caller_id(), words_of(slug)
    if body["seats"] == LESSON:
        return see(once(body["once"], lambda: begin_lesson(opener, slug, body["step"])))
    live, with_house = live_kinds(slug, words), body["seats"] == "house"
    kind = {**kinds(slug, words), **live}.get(body["table"])
    is_live = body["table"] in live
    if kind is None or (is_live and with_house):
        raise InvalidBody(errors={"table": [Wrong("value").worded(words)]})
    wish = {
        "ruleset": slug,
        "players": kind["n"],
        "options": kind["options"],
        "private": body["seats"] == "private",
        "seating": "random",
        "house": kind["n"] - 1 if with_house else 0,
        "level": body["level"],
        "start": "full",
        "pace": None if is_live else body["pace"],
        "rest": None if is_live else rest_of(opener, body),
        "takeover": 3,
        **RATED[body["rated"]],
        "nonce": None,
    }

    def opened() -> str:
        with attempt_limits.counted(attempt_limits.table(opener)):
            services, circle = current_services(), body.get("circle")
            if circle and "weekday" in body:
                when = {"weekday": body["weekday"], "time": body.get("weekly_at", "20:00")}
                when["time_zone"] = own_time_zone(opener)
                weekly_tables.set_up(services, circle, opener, {**when, "table": wish})
                return f"/plain/circles/{circle}"
            if circle:
                table = circle_tables.open_table(services, circle, opener, wish)
            else:
                table = table_setup.open_table(services, opener, wish)
        return f"/plain/games/{table.game.id}"

    return see(once(body["once"], opened))


def rest_of(opener: str, body: Json) -> Json | None:
    """The rest of the table in the form of the API, in the opener's time zone; None if it does not rest."""
    return body["rest"] and {"time_zone": own_time_zone(opener), **body["rest"]}


def own_time_zone(player_id: str) -> str:
    """The name of the player's time zone."""
    return players.get(player_id).time_zone or "UTC"


def begin_lesson(learner: str, slug: str, step: int) -> str:
    """Begin a lesson at this step; returns its address. Raises NotFound."""
    with attempt_limits.counted(attempt_limits.lesson(learner)):
        table = lessons.begin(current_services(), learner, slug, step)
    return f"/plain/games/{table.game.id}"


def on_offer(slug: str, language: str) -> Json:
    """A game on offer, with the numbers of players, its length and its difficulty."""
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
    facts, has_lesson = words.say("page.shelf.facts", fields), rules.lesson(slug) is not None
    return {**ruleset, "facts": facts, "lesson": has_lesson}


def own_games(player_id: str, language: str) -> Json:
    """The player's games: first those that wait for the player, the most urgent first, then the others, then those not
    begun.

    Unfinished lessons are included.
    """
    turns = game_lists.turns(player_id, language)
    asked = {each["game"]["id"] for each in turns}
    wish = {"mine": True, "limit": MOST_OWN}
    running, _ = game_lists.games(player_id, language, {**wish, "status": "running"})
    opened, _ = game_lists.games(player_id, language, {**wish, "status": "open"})
    return {
        "turns": turns,
        "waiting": [each for each in running if each["id"] not in asked],
        "open": opened,
        "lessons": [
            {
                "id": each.id,
                "slug": each.ruleset,
                "name": phrases(language, each.ruleset).say("name"),
            }
            for each in lessons.under_way(player_id)
        ],
    }


def invited(player_id: str, language: str) -> list[Json]:
    """The invitations of this player, each with the sender and the name of the game."""
    found, _ = invitations.received_by(player_id, None, MOST_SHOWN)
    return [
        {
            "name": name_of(row.by, row.program, phrases(language)),
            "id": game.id,
            "game": phrases(language, game.ruleset).say("name"),
            "rated": game.rated,
        }
        for row, game in found
        if game.is_known
    ]


def words_of(slug: str) -> Phrases:
    """The words of the newest version of a game. Raises NotFound."""
    if not rules.versions(slug):
        raise NotFound
    return phrases(preferred_language(), slug)


def kinds(slug: str, words: Phrases) -> dict[str, Json]:
    """The numbers of players (`n`) and the lengths on offer, by name. The fewest players and the shortest lengths come
    first.
    """
    lengths = ruleset_view.whole(slug, words.language)["lengths"]
    return {
        f"{players}.{place}": {"n": int(players), **each}
        for players, listed in lengths.items()
        for place, each in enumerate(listed)
    }
