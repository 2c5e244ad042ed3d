"""Opening a table without scripts: the number of players and the length, who sits down, how fast."""

from __future__ import annotations

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from rules.players.levels import LEVELS, USUAL
from service.core.runtime.problems import InvalidBody, NotFound
from service.core.words.words import Phrases, phrases
from service.tables.before_start import table_setup
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.tables.views.rulesets import ruleset_view
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.caller import caller_id
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import PlainNewTable
from service.web.plain.forms.sent_once import new_key, once
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_new_table")


@bp.get("/new/<slug>")
def get_plain_new_table(slug: str) -> Response:
    """Ask what the table is to be like. Raises NotFound."""
    words = words_of(slug)
    offered = kinds(slug, words).items()
    return plain_page(
        "new_table.html",
        words,
        slug=slug,
        kinds=[(name, words.say("plain.table.kind", each)) for name, each in offered],
        levels=[(each, words.say(f"page.level.{each}")) for each in LEVELS],
        usual=USUAL,
        paces={name: paces.shown(pace, words)["words"] for name, pace in PRESETS.items()},
        new_key=new_key,
    )


@bp.post("/new/<slug>")
@limited("games")
@parse_form(PlainNewTable)
def open_plain_table(body: Json, slug: str) -> Response:
    """Open the table; with house players, the game begins at once. Raises NotSignedIn, NotFound, TooManyTables."""
    opener, words = caller_id(), words_of(slug)
    kind = kinds(slug, words).get(body["table"])
    if kind is None:
        raise InvalidBody(errors={"table": [Wrong("value").worded(words)]})
    with_house = body["seats"] == "house"
    wish = {
        "ruleset": slug,
        "players": kind["n"],
        "options": kind["options"],
        "private": body["seats"] == "private",
        "seating": "random",
        "house": kind["n"] - 1 if with_house else 0,
        "level": body["level"],
        "start": "full",
        "pace": body["pace"],
        "takeover": 3,
        "nonce": None,
    }

    def opened() -> str:
        with attempt_limits.counted(attempt_limits.table(opener)):
            table = table_setup.open_table(current_services(), opener, wish)
        return f"/plain/games/{table.game.id}"

    return see(once(body["once"], opened))


def words_of(slug: str) -> Phrases:
    """The words of the newest version of a game. Raises NotFound."""
    if not rules.versions(slug):
        raise NotFound
    return phrases(preferred_language(), slug)


def kinds(slug: str, words: Phrases) -> dict[str, Json]:
    """The numbers of players (`n`) and the lengths that are offered, by name: the fewest and the shortest first."""
    lengths = ruleset_view.whole(slug, words.language)["lengths"]
    return {
        f"{players}.{place}": {"n": int(players), **each}
        for players, listed in lengths.items()
        for place, each in enumerate(listed)
    }
