"""The worked turn of a page of rules on the table: every step of every game, in both languages."""

from __future__ import annotations

import re
from typing import Any

import rules
from service.core.words.words import LANGUAGES
from service.tables.views.rulesets.rules_page_view import example_steps
from tests.support.cast import Cast, sqlite_only
from tests.support.in_one_go import in_one_go

each_page = in_one_go(
    "slug, language", [(slug, language) for slug in rules.slugs() for language in LANGUAGES]
)


def page_of(cast: Cast, address: str, status: int = 200) -> str:
    answer: Any = cast.nobody.send("GET", address)
    assert answer.status_code == status, address
    return str(answer.get_data(as_text=True))


def linked(html: str) -> list[str]:
    return [each.replace("&amp;", "&") for each in re.findall(r'href="(/rules/[^"]+)"', html)]


@sqlite_only
@each_page
def test_the_page_of_rules_leads_through_its_example(cast: Cast, slug: str, language: str) -> None:
    """They lead from the link in the rules, step by step, to the last one and back to the rules."""
    rules_page = page_of(cast, f"/rules/{slug}?lang={language}")
    (address,) = (each for each in linked(rules_page) if "/example" in each)
    told = example_steps(slug, language)
    seen = []
    for number, step in enumerate(told):
        html = page_of(cast, address)
        seen.append(html)
        assert all(f"<li>{line}</li>" in html for line in step.lines if "'" not in line)
        forward = [each for each in linked(html) if each.endswith(f"step={number + 1}")]
        back = [each for each in linked(html) if each.endswith(f"step={number - 1}")]
        assert bool(forward) == (number < len(told) - 1)
        assert bool(back) == (number > 0)
        assert any("/example" not in each for each in linked(html))
        address = forward[0] if forward else ""
    assert len(set(seen)) == len(told) > 2
    assert all(f'lang="{language}"' in html for html in seen)


@sqlite_only
@each_page
def test_the_people_are_those_of_the_page(cast: Cast, slug: str, language: str) -> None:
    html = page_of(cast, f"/rules/{slug}?lang={language}")
    first = example_steps(slug, language)[0].game["seats"]
    text = html.partition("<h2")[2]
    assert first[0]["name"] in text
    assert any(seat["name"] in text for seat in first[1:])


@each_page
def test_all_cards_are_face_up(slug: str, language: str) -> None:
    for step in example_steps(slug, language):
        for zone in step.game["view"]["zones"]:
            assert len(zone["cards"]) >= zone["count"]
            assert None not in zone["cards"]


@sqlite_only
def test_beyond_the_end_is_the_end_and_nonsense_is_refused(cast: Cast) -> None:
    last = len(example_steps("caravan", "en")) - 1
    address = "/rules/caravan/example?lang=en&step="
    assert page_of(cast, f"{address}999") == page_of(cast, f"{address}{last}")
    page_of(cast, f"{address}-1", 400)
    page_of(cast, f"{address}x", 400)
    page_of(cast, "/rules/nosuch/example", 404)
    page_of(cast, "/rules/caravan/example?version=99", 404)
    assert "version=1" in page_of(cast, "/rules/caravan/example?version=1&lang=en")


@sqlite_only
def test_the_other_language_shows_the_same_step(cast: Cast) -> None:
    for address in (
        "/rules/caravan/example?lang=en&step=2",
        "/rules/caravan/example?version=1&lang=en&step=2",
    ):
        (other,) = (each for each in linked(page_of(cast, address)) if "lang=ja" in each)
        assert other == address.replace("lang=en", "lang=ja")
        assert "場面の3番目" in page_of(cast, other)
    (other,) = (
        each
        for each in linked(page_of(cast, "/rules/caravan?lang=en"))
        if "lang=ja" in each and "/example" not in each
    )
    assert other == "/rules/caravan?lang=ja"
