"""Words: every ruleset has a message in every language for everything that it declares and tells, and no
unused ones.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
import string
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from babel.messages.pofile import read_po

import rules
from rules.kernel import Json, Ruleset, State, size, text
from rules.kernel import vocabulary as say
from rules.kernel.declarations import Choices, Fact, Zone
from tests.rules.playouts import CODE, Steps, phases, syntax_trees, viewers
from tests.rules.sample_games import tables

GAMES = Path(rules.__file__).parent / "games"
CATALOGUES = sorted(GAMES.rglob("*.po"))
LANGUAGES = sorted({path.stem.rpartition(".")[2] for path in CATALOGUES})
SERVICE = {"line.chosen"}
"""Messages of the kernel, which the service has once for all rulesets."""
NOT_TOLD = {"shown_by"}
"""Arguments of `State.tell` that are not values of the line."""

Said = tuple[str, str, Any]
"""A field of a message: its name, its format, and its value."""


@functools.cache
def read_catalogue(slug: str, version: int, language: str) -> dict[str, str]:
    """The messages of a version by key, in the form for others and without counts; none if the file is missing."""
    path = Path(rules.folder(slug, version), f"words.{language}.po")
    if not path.exists():
        return {}
    with path.open("rb") as file:
        found = [message for message in read_po(file) if message.id and not message.pluralizable]
    return {str(message.id): str(message.string) for message in found if not message.context}


def catalogue(ruleset: Ruleset, language: str) -> dict[str, str]:
    """The messages of a ruleset by key."""
    return read_catalogue(ruleset.slug, ruleset.version, language)


def fields(message: str) -> list[tuple[str, str]]:
    """The fields of a message and their formats: `{seat:seat}`."""
    parsed = string.Formatter().parse(message)
    return [(name, kind or "") for _, name, kind, _ in parsed if name is not None]


def static(ruleset: Ruleset) -> set[str]:
    """The keys that follow from the declarations and from the source."""
    keys = {"name", "summary", "stamp", "author", "score"}
    keys |= {f"reason.{reason}" for reason in ruleset.reasons}
    for kind, parameters in ruleset.actions.items():
        keys |= {f"type.{kind}", f"action.{kind}"}
        keys |= {f"param.{kind}.{each.name}" for each in parameters}
    for players in ruleset.players:
        for name, option in ruleset.options(players).items():
            keys.add(f"option.{name}")
            keys |= {f"option.{name}.{key_of(value)}" for value in option.values}
    keys |= {f"area.{area.title}" for area in ruleset.looks.layout if area.title}
    keys |= set(of_orders(ruleset))
    for phase in phases(ruleset):
        keys |= set(of_phase(phase))
    return keys | set(of_source(ruleset))


def of_orders(ruleset: Ruleset) -> Iterator[str]:
    """The keys of the orders that players can leave."""
    for each in ruleset.looks.orders:
        yield f"order.{each.name}"
        yield from (f"until.{part}" for part in each.until)
        yield from ([f"while.{each.compare}"] if each.compare else [])
        yield from ([f"order.{each.name}+most"] if each.most else [])


def of_phase(phase: type[State]) -> Iterator[str]:
    yield f"phase.{phase.phase}"
    if phase.legal is not State.legal:
        yield f"prompt.{phase.phase}"
    for _, declaration in phase.declared:
        if isinstance(declaration, Zone):
            yield f"zone.{declaration.name}"
        elif isinstance(declaration, Fact) and declaration.who is not size:
            yield f"fact.{declaration.name}"


def of_source(ruleset: Ruleset) -> Iterator[str]:
    """Lines by `.tell("…")`, facts by `{"name": "…"}` in a method `facts`, scores by `Part("…")` and `entry(…)`."""
    yield from (f"line.{line}" for line, _ in tells(ruleset))
    for node in nodes(ruleset):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in {"Part", "part"}:
                yield f"part.{ast.literal_eval(node.args[0])}"
            if node.func.id == "entry":
                yield f"entry.{ast.literal_eval(node.args[2])}"
        if isinstance(node, ast.FunctionDef) and node.name == "facts":
            yield from (f"fact.{name}" for name in named(node))
        if isinstance(node, ast.Dict):
            yield from (f"why.{ast.literal_eval(why)}" for why in values_of(node, "why"))


def tells(ruleset: Ruleset) -> Iterator[tuple[str, set[str]]]:
    """Every line in the source with the values told in it, including those that are rare in games."""
    for node in nodes(ruleset):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "tell":
            values = {keyword.arg for keyword in node.keywords}
            yield ast.literal_eval(node.args[0]), {name for name in values if name} - NOT_TOLD


def nodes(ruleset: Ruleset) -> Iterator[ast.AST]:
    return itertools.chain.from_iterable(map(ast.walk, syntax_trees(ruleset)))


def values_of(node: ast.Dict, name: str) -> Iterator[ast.expr]:
    """The value of this key, if the dict has it."""
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == name:
            yield value


def named(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Dict):
            for key, value in zip(each.keys, each.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "name":
                    yield ast.literal_eval(value)


def optional(ruleset: Ruleset) -> set[str]:
    """Optional keys: short facts, own sealed choices, names of cards, topics to avoid, meanings."""
    sealed = [phase for phase in phases(ruleset) if any(sealing(phase))]
    types = [kind for kind in ruleset.actions for phase in sealed if not does(phase, kind)]
    short = {f"{key}+short" for key in static(ruleset) if key.startswith("fact.")}
    names = {"cards.none", "cards.some"}
    choices = {f"fact.{kind}" for kind in types}
    said = set(of_lesson(ruleset))
    return {"talk"} | names | short | choices | said | set(of_vocabulary(ruleset))


def of_lesson(ruleset: Ruleset) -> Iterator[str]:
    """The keys of the steps of a lesson: what to try, and the comments afterwards."""
    lesson = rules.lesson(ruleset.slug, ruleset.version)
    for step in lesson.steps if lesson else ():
        yield from (f"lesson.{step}", f"lesson.{step}.done")


def of_vocabulary(ruleset: Ruleset) -> Iterator[str]:
    """The keys of explanations: of an entry, of a member, of a member of that name anywhere, and of rules about who
    sees it.
    """
    for about, members, seen in entries(ruleset):
        yield f"meaning.{about}"
        if say.RULE in seen:
            yield f"seen.{about}"
        for member in members:
            yield from (f"member.{about}.{member.name}", f"member.{member.name}")
            if member.seen == say.RULE:
                yield f"seen.{about}.{member.name}"
    for zone in say.zones(ruleset.looks.vocabulary).values():
        yield from (f"mark.{mark}" for mark in zone.marks)


def entries(ruleset: Ruleset) -> Iterator[tuple[str, say.Members, set[str]]]:
    """Every entry of the vocabulary: its key, its members, and who sees it."""
    for kind, known in (
        ("zone", say.zones(ruleset.looks.vocabulary)),
        ("fact", say.facts(ruleset.looks.vocabulary, ruleset.actions)),
    ):
        for name, entry in known.items():
            yield f"{kind}.{name}", entry.members, {seen.by for seen in entry.seen}
    for phase, members in say.prompts(ruleset.looks.vocabulary).items():
        yield f"prompt.{phase}", members, set()
    for line, members in say.lines(ruleset.looks.vocabulary).items():
        yield f"line.{line}", members, set()


def sealing(phase: type[State]) -> list[str]:
    return [attr for attr, declaration in phase.declared if isinstance(declaration, Choices)]


def does(phase: type[State], kind: str) -> bool:
    return hasattr(phase, "do_" + kind.replace("-", "_"))


def key_of(value: Any) -> str:
    return value if isinstance(value, str) else text(value)


def chosen(messages: Iterable[str], key: str, values: Json) -> str:
    """The most specific message for `key`: `key+a+b` if a and b are present, before `key`."""
    there = {name for name, value in values.items() if value is not None and value is not False}
    found = [k for k in messages if k.split("+")[0] == key and set(k.split("+")[1:]) <= there]
    return max(found, key=lambda k: k.count("+"), default=key)


def sayings(ruleset: Ruleset, met: Steps) -> Iterator[tuple[str, Json]]:
    """Everything that was said in these games: the key, and the values for its message."""
    for step in met:
        for viewer in viewers(step.after):
            yield from (
                (f"line.{each['line']}", each) for each in ruleset.lines(step.after, viewer)
            )
            yield from of_view(ruleset.view(step.after, viewer))
        for each in ruleset.looks.scored(step.before, step.event, step.after):
            yield f"part.{each.part.name}", {"number": each.part.number}
            yield f"entry.{each.name}", {"times": 1, **each.fields}
        for each in ruleset.headings(step.before, step.after):
            yield f"part.{each.part.name}", each.part.fields
        if step.event["kind"] == "action":
            seat = step.event["seat"]
            for action in ruleset.legal(step.before, seat):
                yield f"action.{action['type']}", action
                yield f"action.{action['type']}", {**action, **step.before.beside(seat, action)}
        result = ruleset.result(step.after)
        if result:
            yield from (("score", {"score": score}) for score in result.scores if score is not None)


def of_view(view: Json) -> Iterator[tuple[str, Json]]:
    yield f"prompt.{view['phase']}", view["prompt"]
    for kind in ("zone", "fact"):
        yield from ((f"{kind}.{each['name']}", each) for each in view[kind + "s"])
    yield from ((f"fact.{each['name']}", {**each, "short": True}) for each in view["facts"])


@pytest.fixture(scope="module")
def everything(ruleset: Ruleset, met: Steps) -> list[tuple[str, Json]]:
    """Everything that was said in these games, without repetitions."""
    said = {key + text(values): (key, values) for key, values in sayings(ruleset, met)}
    return list(said.values())


class Spoken(NamedTuple):
    """Everything that was said in these games, in a language."""

    language: str
    messages: dict[str, str]
    used: set[str]
    """The messages that were used."""
    filled: list[Said]
    """The fields that were filled in, without repetitions."""


@pytest.fixture(scope="module")
def spoken(ruleset: Ruleset, everything: list[tuple[str, Json]]) -> list[Spoken]:
    """What was said, in each language."""
    return [spoken_in(language, catalogue(ruleset, language), everything) for language in LANGUAGES]


def spoken_in(
    language: str, messages: dict[str, str], everything: list[tuple[str, Json]]
) -> Spoken:
    used, filled = set(), {}
    for key, values in everything:
        for variant, name, kind in said_with(messages, key, values):
            used.add(variant)
            if name is not None:
                filled[variant, name, kind, text(values[name])] = (name, kind, values[name])
    return Spoken(language, messages, used, list(filled.values()))


def said_with(
    messages: dict[str, str], key: str, values: Json
) -> Iterator[tuple[str, str | None, str]]:
    """The message for `key`, and the more specific ones among its values, each with its fields and their formats."""
    variant = chosen(messages, key, values)
    yield variant, None, ""
    for name, kind in fields(messages.get(variant, "")):
        assert name in values, f"{variant} names {name}, which is not there"
        yield variant, name, kind
        for each in value_keys((name, kind, values[name])):
            if "+" in chosen(messages, each, values):
                yield from said_with(messages, each, values)


@pytest.mark.every_game
def test_whatever_is_declared_or_told_has_a_message(ruleset: Ruleset) -> None:
    declared = static(ruleset) - SERVICE
    for language in LANGUAGES:
        assert declared <= catalogue(ruleset, language).keys(), language


def test_no_message_is_unused(ruleset: Ruleset, spoken: list[Spoken]) -> None:
    declared = static(ruleset) | optional(ruleset) | set(value_parameters(ruleset))
    for language, messages, used, filled in spoken:
        known = declared | {key for key in used if "+" in key}
        known |= {value for said in filled for value in value_keys(said)}
        assert messages.keys() <= known, language


def value_keys(said: Said) -> Iterator[str]:
    """The messages for a value; `seat`, `card`, `cards`, numbers and counts need none."""
    _, kind, value = said
    if kind not in {"", "seat", "card", "cards", "number"} and not kind.startswith("count."):
        for each in value if isinstance(value, list) else [value]:
            yield f"value.{kind}.{key_of(each)}"


def value_parameters(ruleset: Ruleset) -> Iterator[str]:
    """A value of a parameter may have its own words, for menus."""
    for parameters in ruleset.actions.values():
        for name, kind, *_ in parameters:
            if kind in {"choice", "flag"}:
                values = {"true", "false"} if kind == "flag" else named_values(ruleset, name)
                yield from (f"value.{name}.{value}" for value in values)


def named_values(ruleset: Ruleset, name: str) -> set[str]:
    languages = (catalogue(ruleset, language) for language in LANGUAGES)
    prefix = f"value.{name}."
    return {
        key.removeprefix(prefix) for each in languages for key in each if key.startswith(prefix)
    }


READS: dict[str, Callable[[Any], bool]] = {
    "": lambda value: isinstance(value, str | int | float),
    "seat": lambda value: type(value) is int,
    "number": lambda value: type(value) in {int, float},
    "card": lambda value: type(value) is int or bool(CODE.fullmatch(value)),
    "cards": lambda value: type(value) is int or all(CODE.fullmatch(card) for card in value),
}
"""Whether a value fits a format. (Where others see a card or cards, a viewer may see a number.)"""


def test_every_field_of_a_message_fits_its_format(spoken: list[Spoken]) -> None:
    for language, messages, _, filled in spoken:
        for said in filled:
            name, kind, value = said
            listed = value if isinstance(value, list) and kind != "cards" else [value]
            assert all(READS.get(kind, lambda _: True)(each) for each in listed), (language, said)
            assert messages.keys() >= set(value_keys(said)), (language, name)


@pytest.mark.every_game
def test_a_line_uses_only_what_is_told(ruleset: Ruleset) -> None:
    told = list(tells(ruleset))
    for language in LANGUAGES:
        messages = catalogue(ruleset, language)
        for line, values in told:
            key = chosen(messages, f"line.{line}", dict.fromkeys(values))
            assert {name for name, _ in fields(messages[key])} <= values, (language, key)


@pytest.mark.every_game
def test_every_message_is_text(ruleset: Ruleset) -> None:
    for language in LANGUAGES:
        for key, message in catalogue(ruleset, language).items():
            assert message.strip() == message != "", (language, key)


@pytest.mark.every_game
def test_every_ruleset_has_a_page_in_every_language(ruleset: Ruleset) -> None:
    for language in LANGUAGES:
        page = Path(rules.folder(ruleset.slug, ruleset.version), f"page.{language}.md")
        body = page.read_text(encoding="utf-8")
        assert catalogue(ruleset, language)["name"] in body.splitlines()[0], language
        assert all("![" not in line and "<" not in line for line in body.splitlines()), language


def test_there_are_two_languages_and_no_stray_catalogue() -> None:
    assert LANGUAGES == ["en", "ja"]
    folders = {str(path.parent) for path in CATALOGUES}
    assert folders == {rules.folder(*version) for version in rules._versions()}


@pytest.mark.every_game
def test_option_values_are_worded_at_every_table(ruleset: Ruleset) -> None:
    values = {
        f"option.{name}.{key_of(value)}"
        for _, options in tables(ruleset)
        for name, value in options.items()
    }
    for language in LANGUAGES:
        assert values <= catalogue(ruleset, language).keys(), language


@pytest.mark.every_game
def test_cards_on_a_page_are_cards_and_the_same_in_every_language(ruleset: Ruleset) -> None:
    drawn = []
    for language in LANGUAGES:
        page = Path(rules.folder(ruleset.slug, ruleset.version), f"page.{language}.md")
        codes = re.findall(r"`([^`]+)`", page.read_text(encoding="utf-8"))
        assert codes
        assert all(CODE.fullmatch(card) for code in codes for card in code.split())
        drawn.append(sorted(set(codes)))
    assert all(each == drawn[0] for each in drawn)
