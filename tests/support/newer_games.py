"""Version 2 of two games, as somebody might release it: an action and a line renamed, a rule mended, a new option."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import rules
from tests.rules.new_version import set_aside

PACKAGE = "newer_games"
EDITION = {"en": "This is the second edition.", "ja": "これは第2版です。"}


class Changes(NamedTuple):
    """The changes of a version: replacements by file, and messages in both languages."""

    edits: dict[str, dict[str, str]]
    words: dict[str, dict[str, str]]


CHANGES = {
    "boomerang_auction": Changes(
        {
            "phases.py": {
                'type="pass"': 'type="decline"',
                "do_pass": "do_decline",
                'tell("passed"': 'tell("declined"',
                "won=((),) * SEATS)": 'won=((),) * SEATS, dealer=options["dealer"])',
            },
            "scoring.py": {"(0, 0, 2, 6, 12)": "(0, 0, 3, 6, 12)"},
            "__init__.py": {
                '"pass": ()': '"decline": ()',
                "Mind, Param": "Mind, Option, Param",
                "    actions=": '    options=lambda players: {"dealer": Option((0, 1), 0)},\n'
                "    actions=",
            },
            "page.turn.json": {'"type": "pass"': '"type": "decline"'},
            "vocabulary.py": {'"passed": (SEAT,)': '"declined": (SEAT,)'},
            "words.*.po": {
                'msgid "type.pass"': 'msgid "type.decline"',
                'msgid "action.pass"': 'msgid "action.decline"',
                'msgid "line.passed"': 'msgid "line.declined"',
                'msgstr "{seat:seat} passes."': 'msgstr "{seat:seat} declines."',
                'msgstr "Pass"': 'msgstr "Decline"',
            },
        },
        {
            "talk": {"en": "Do not talk about bids.", "ja": "入札の話はしないでください。"},
            "option.dealer": {"en": "First dealer", "ja": "最初の親"},
            "option.dealer.0": {"en": "Seat 1", "ja": "席1"},
            "option.dealer.1": {"en": "Seat 2", "ja": "席2"},
        },
    ),
    "caravan": Changes(
        {
            "phases.py": {
                'type="discard"': 'type="drop"',
                "do_discard": "do_drop",
                'tell("discarded"': 'tell("dropped"',
                "sold=(None,) * len(LANES)": 'sold=(GIVEN[options["given"]], None, None)',
                "def start(": 'GIVEN = {"nothing": None, "lane": 0}\n\n\ndef start(',
            },
            "components.py": {"LEAST, MOST = 21, 26": "LEAST, MOST = 20, 26"},
            "__init__.py": {
                '"discard": ': '"drop": ',
                'Option(JOKERS, "none")': 'Option(JOKERS, "none"), "given": GIVEN',
                "\nruleset =": '\nGIVEN = Option(("nothing", "lane"), "nothing")\n\nruleset =',
            },
            "vocabulary.py": {'"discarded": ': '"dropped": '},
            "words.*.po": {
                'msgid "type.discard"': 'msgid "type.drop"',
                'msgid "action.discard"': 'msgid "action.drop"',
                'msgid "param.discard.card"': 'msgid "param.drop.card"',
                'msgid "line.discarded"': 'msgid "line.dropped"',
                'msgstr "{seat:seat} discards {card:card}."': 'msgstr "{seat:seat} drops {card:card}."',
                'msgstr "Discard {card:card}"': 'msgstr "Drop {card:card}"',
            },
        },
        {
            "option.given": {"en": "Given to the first trader", "ja": "先手がもらうもの"},
            "option.given.nothing": {"en": "Nothing", "ja": "なし"},
            "option.given.lane": {"en": "Lane 1", "ja": "第1列"},
        },
    ),
}


def bring_out(game: Path, package: str = "rules.games") -> None:
    """Set the present version of the game in this folder aside, and turn it into version 2."""
    changes = CHANGES[game.name]
    set_aside(game, package)
    for pattern, edits in changes.edits.items():
        for path in game.glob(pattern):
            text = path.read_text("utf-8")
            for old, new in edits.items():
                assert old in text or "msgstr" in old, (path, old)
                text = text.replace(old, new)
            path.write_text(text, "utf-8")
    for language, told in EDITION.items():
        with (game / f"words.{language}.po").open("a", encoding="utf-8") as words:
            for key, texts in changes.words.items():
                words.write(f'\nmsgid "{key}"\nmsgstr "{texts[language]}"\n')
        page = game / f"page.{language}.md"
        page.write_text(page.read_text("utf-8").replace("\n## ", f"\n{told}\n\n## ", 1), "utf-8")


def brought_out(folder: Path) -> dict[str, rules.Found]:
    """Version 2 of these games by slug, imported from a package that is made in `folder`."""
    package = folder / PACKAGE
    for name in CHANGES:
        present = f"rules.games.{name}"
        shutil.copytree(Path(rules.__file__).parent / "games" / name, package / name)
        for path in (package / name).glob("*.py"):
            path.write_text(
                path.read_text("utf-8").replace(present, f"{PACKAGE}.{name}"), encoding="utf-8"
            )
        bring_out(package / name, PACKAGE)
    (package / "__init__.py").touch()
    sys.path.insert(0, str(folder))
    try:
        found = list(rules.discover(importlib.import_module(PACKAGE)))
    finally:
        sys.path.remove(str(folder))
    return {each.ruleset.slug: each for each in found if each.ruleset.version == 2}


@contextmanager
def offered(*found: rules.Found) -> Iterator[None]:
    """A block in which these versions can be played in addition to the others."""
    known = rules._versions()
    new = {(each.ruleset.slug, each.ruleset.version): each for each in found}
    known.update(new)
    try:
        yield
    finally:
        for key in new:
            del known[key]
