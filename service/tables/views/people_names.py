"""What people and house players are called: by itself, in sentences, and in lists.

A program never passes for a person: where nothing stands beside a name, the name itself says what it is.
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
        """The level of a house player."""

    @property
    def program(self) -> bool | None:
        """Whether a program plays for a person, as they say."""


def bare_name(person: Named, words: Phrases) -> str:
    """A name by itself, where something else says what a house player is."""
    if person.house_name is not None:
        known = words.get(f"house.name.{person.house_name}")
        return known or person.house_name.capitalize()  # whom a newer release has seated
    return person.name or words.say("person.gone")


def name_in_text(person: Named, words: Phrases) -> str:
    """A name in a sentence: "Suzuri (program)"."""
    marked = person.house_name is not None or person.program
    return name_of(bare_name(person, words), marked, words)


def name_of(name: str, is_program: bool | None, words: Phrases) -> str:
    """The same of somebody who sits at no table, or not any more."""
    return words.say("page.house.called", {"name": name}) if is_program else name


def name_in_list(person: Named, words: Phrases) -> str:
    """A name where somebody is introduced: "Suzuri (program, normal)", "Robby (program)"."""
    name = bare_name(person, words)
    if person.house_name is None and not person.program:
        return name
    return words.say("house.introduced", {"name": name, "program": program_words(person, words)})


def program_words(person: Named, words: Phrases) -> str:
    """What a house player is, "program, normal", and what plays for a person, "program"."""
    if person.house_name is None:
        return words.say("person.program")
    return words.say("house.program", {"level": known_level(person.house_level)})
