"""Stamps: each game has its own, in two inks, with its name in both scripts and its numbers of players."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rules
from service.core.words.words import LANGUAGES, phrases
from service.tables.drawing import stamps

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"path", "circle", "rect", "g", "text"}
"""The elements of an emblem: none that loads, runs, or is named."""
NOTHING = dict.fromkeys(stamps.COLOURS, "#123456")
NARROWEST = 10.0
"""The smallest letters, in units: five pixels where a stamp is 48 pixels wide."""


def emblem(slug: str) -> ET.Element:
    return ET.fromstring(Path(rules.folder(slug), "stamp.svg").read_text("utf-8"))


@pytest.mark.parametrize("slug", rules.slugs())
def test_a_stamp_says_which_game_it_is_in_both_scripts_and_for_how_many(slug: str) -> None:
    drawn = ET.fromstring(stamps.stamp(slug, NOTHING, NOTHING))
    said = [text.text for text in drawn.iter(f"{SVG}text")]
    for language in LANGUAGES:
        assert all(line in said for line in phrases(language, slug).say("stamp").split("|"))
    counts = rules.load(slug).players
    assert {str(counts[0]), str(counts[-1])} <= set(said[-2:])
    sizes = [float(each.get("font-size", "99")) for each in drawn.iter(f"{SVG}g")]
    assert min(sizes) >= NARROWEST


@pytest.mark.parametrize("slug", rules.slugs())
def test_an_emblem_is_drawn_in_two_inks_of_which_it_names_the_second(slug: str) -> None:
    drawn = emblem(slug)
    assert drawn.get("data-second") in stamps.INKS
    assert {each.tag.removeprefix(SVG) for each in drawn.iter()} - {"svg"} <= SHAPES
    colours = {each.get(name) for each in drawn.iter() for name in ("fill", "stroke")}
    assert colours - {None} <= {"none", "currentColor", "var(--second)", "var(--paper)"}
    assert "var(--second)" in colours
    assert not {name for each in drawn.iter() for name in each.attrib} & {"id", "href", "style"}


def test_no_two_games_have_the_same_emblem() -> None:
    drawn = {slug: ET.tostring(emblem(slug)) for slug in rules.slugs()}
    assert not [
        pair for pair in itertools.combinations(drawn, 2) if drawn[pair[0]] == drawn[pair[1]]
    ]


def test_the_sprite_has_a_symbol_for_each_game_and_takes_its_colours_from_the_page() -> None:
    drawn = ET.fromstring(stamps.sprite())
    assert [each.get("id") for each in drawn] == [*rules.slugs()]
    named = set(re.findall(r"var\(--(\w+)\)", stamps.sprite()))
    assert named <= set(stamps.COLOURS)
    assert not list(drawn.iter(f"{SVG}style"))
