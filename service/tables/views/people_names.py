"""The names of people and house players: alone, in sentences, and in lists.

A program never passes for a person: if nothing next to a name says what it is, the name itself does.
"""

from __future__ import annotations

from typing import Protocol

from service.core.words.words import Phrases
from service.tables.play.house_levels import known_level


class Named(Protocol):
    """Somebody who sits or sat at a table."""

    @property
    def name(self) -> str | None:
        """The name; None for a house player and for somebody who was erased."""

    @property
    def house_name(self) -> str | None:
        """The key of the name of a house player; None for everybody else."""

    @property
    def house_level(self) -> str | None:
        """The level of a house player; None for everybody else."""

    @property
    def program(self) -> bool | None:
        """Whether a program plays for a person, according to them."""


def bare_name(person: Named, words: Phrases) -> str:
    """A name alone, for places where something else says whether it is a house player's."""
    if person.house_name is not None:
        known = words.get(f"house.name.{person.house_name}")
        return known or person.house_name.capitalize()  # whom a newer release has seated
    return person.name or words.say("person.gone")


def name_in_text(person: Named, words: Phrases) -> str:
    """A name in a sentence: "Suzuri (house player)", "Robby (program)"."""
    is_house = person.house_name is not None
    return name_of(bare_name(person, words), person.program, words, is_house=is_house)


def name_of(name: str, is_program: bool | None, words: Phrases, *, is_house: bool = False) -> str:
    """A name in a sentence; by default that of a person, for whom a program may play."""
    if is_house:
        return words.say("page.house.called", {"name": name})
    return words.say("page.program.called", {"name": name}) if is_program else name


def name_in_list(person: Named, words: Phrases) -> str:
    """A name that introduces somebody: "Suzuri (house player, normal)", "Robby (program)"."""
    name = bare_name(person, words)
    if person.house_name is None and not person.program:
        return name
    return words.say("house.introduced", {"name": name, "program": program_words(person, words)})


def program_words(person: Named, words: Phrases) -> str:
    """The description of a house player, "house player, normal", or of a person's program, "program"."""
    if person.house_name is None:
        return words.say("person.program")
    return words.say("house.program", {"level": known_level(person.house_level)})
