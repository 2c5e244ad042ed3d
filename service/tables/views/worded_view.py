"""Zones, face-down cards and facts of a view, with their words for a reader."""

from __future__ import annotations

from rules.kernel import Json
from service.core.words.words import Phrases, Reader


def worded_zone(zone: Json, words: Phrases, reader: Reader) -> Json:
    """A zone with its words. It names its owner like a fact does (`of`), and also in the earlier form (`seat`)."""
    of = {"of": zone["seat"]} if "seat" in zone else {}
    return {**zone, **of, "words": words.say_most_specific(f"zone.{zone['name']}", zone, reader)}


def worded_face_down(lying: Json, words: Phrases, reader: Reader) -> Json:
    """Cards lying face down, with the words of their zone."""
    zone = {**lying, "name": lying["zone"], "seat": lying["of"]}
    return {**lying, "words": lying["zone"] and worded_zone(zone, words, reader)["words"]}


def worded_fact(fact: Json, words: Phrases, reader: Reader) -> Json:
    """A fact with its words; `short` has the words for showing it next to its subject.

    A seat's own sealed choice is worded like the action.
    """
    key = f"fact.{fact['name']}"
    if key not in words.messages:
        key = f"action.{fact['name']}"
    long = words.most_specific(key, fact)
    worded = {**fact, "words": words.say(long, fact, reader)}
    if words.has_variant_with(key, "short"):
        short = words.most_specific(key, {**fact, "short": 1})
        if short != long and (said := words.say(short, fact, reader)) != worded["words"]:
            worded["short"] = said
    return worded
