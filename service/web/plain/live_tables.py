"""Live games without scripts: the tables on offer, and wishes to be told when two others wait at one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from flask import Blueprint, Response

import rules
from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.tables.before_start import live_wishes
from service.tables.views.rulesets import ruleset_view
from service.web.http.caller.caller import caller, caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services, preferred_language
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import OwnLiveWishes
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_live")

HERE = "/plain/live"


@bp.get("/live")
def get_plain_live() -> Response:
    """Show the games that are played live, with the reader's wishes."""
    reader, language = caller(), preferred_language()
    slugs = [slug for slug in rules.slugs() if live_wishes.is_played_live(slug)]
    wishes = wishes_of(reader.id) if reader else {}
    return plain_page(
        "live.html",
        games=[
            {"slug": slug, "name": phrases(language, slug).say("name"), "until": wishes.get(slug)}
            for slug in slugs
        ],
        told=reader is not None and live_wishes.can_be_told(reader.id),
    )


@bp.post("/live")
@signed_in_by_cookie
@parse_form(OwnLiveWishes)
def change_plain_live(body: Json) -> Response:
    """Ask to be told when others wait for a game, or stop asking. Raises NotSignedIn, NotFound."""
    if body["do"] == "wish":
        live_wishes.make(current_services(), caller_id(), body["slug"])
    else:
        live_wishes.withdraw(caller_id(), body["slug"])
    return see(HERE)


def wishes_of(player_id: str) -> dict[str, str]:
    """The slugs of the games that this player wishes to play live, with the time in words at which each wish ends."""
    found = live_wishes.of_player(player_id, current_services().now())
    return {slug: rfc3339(until) for slug, until in found}


def live_kinds(slug: str, words: Phrases) -> dict[str, Json]:
    """The live tables of a game by name, with the number of players (`n`), the options and their words. The fewest
    players come first.
    """
    offered = ruleset_view.whole(slug, words.language)["options"]
    return {
        f"live.{players}.{place}": {"n": int(players), **each}
        for players, schema in offered.items()
        for place, each in enumerate(_live(schema["properties"]))
    }


def _live(options: Json) -> Iterator[Json]:
    """The options of each way to play live, without those that other tables have too."""
    for name, option in options.items():
        for value in (each for each in option["oneOf"] if each.get("live")):
            chosen = {name: value["const"]}
            details = {
                detail: each["oneOf"]
                for detail, each in options.items()
                if each.get("when") == chosen
            }
            for found in product(*details.values()):
                more = {detail: one["const"] for detail, one in zip(details, found, strict=True)}
                titles = [one["title"] for one in found] or [value["title"]]
                yield {"options": chosen | more, "words": " · ".join(titles)}
