"""The page's verification finds what docs/record.md says of its vectors: what fits, and what is refused and why."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from service.core.settings.config import ROOT
from tests.support import forgeries
from tests.web.support.records import canonical, changed
from tests.web.support.staged import ID, Stage, example
from tests.web.test_verify import NOTHING, Check, check, evaluate

__all__ = ["check", "evaluate"]

VECTORS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"^```json ([\w-]+)\n(.*?)^```",
        (ROOT / "docs/record.md").read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
}
SHUFFLES = """
async ({seed, game, shuffles}) => {
  const {shufflesOf} = await import("/verify/shuffle.js");
  const {fromHex} = await import("/base/hexadecimal.js");
  const shuffled = async ({nonces, k, items}) => (await shufflesOf(fromHex(seed), game, nonces))(k, items);
  return Promise.all(shuffles.map(shuffled));
}
"""
CANONICAL = """
values => import("/verify/canonical_json.js").then(({canonicalText}) => values.map(canonicalText))
"""


def test_canonical_text_as_in_the_document(evaluate: Any) -> None:
    vectors = VECTORS["canonical"]
    texts = evaluate(CANONICAL, [vector["value"] for vector in vectors])
    assert texts == [vector["text"] for vector in vectors]


def test_shuffles_as_in_the_document(evaluate: Any) -> None:
    vectors = VECTORS["shuffles"]
    outcomes = [vector["outcome"] for vector in vectors["shuffles"]]
    assert evaluate(SHUFFLES, vectors) == outcomes and len(outcomes) > 4


def test_the_records_of_the_document(check: Check) -> None:
    for name in ["record", "outside"]:
        record = VECTORS[name]
        shuffles = sum(event["kind"] == "chance" for event in record["events"])
        found = check(record, game=record["game"])
        assert found == {
            "events": len(record["events"]),
            "shuffles": shuffles,
            "heads": 0,
            "actions": 0,
            "signed": True,
        }


def test_a_key_that_nobody_owns_is_refused_as_in_the_document(check: Check) -> None:
    """The signature is right under it."""
    entries = [each for each in VECTORS["refused"] if each["why"].startswith("a key of order")]
    assert entries
    for entry in entries:
        data = forgeries.forged(entry, VECTORS).decode()
        assert check(data, game=VECTORS[entry["of"]]["game"]) == "signature", entry["why"]


def test_what_is_told_of_house_players_is_refused_as_in_the_document(check: Check) -> None:
    entries = [each for each in VECTORS["refused"] if "program" in each["why"]]
    assert entries
    for entry in entries:
        data = forgeries.forged(entry, VECTORS).decode()
        assert check(data, game=VECTORS[entry["of"]]["game"]) == "form", entry["why"]


SEEN_BY_THE_RULES = (
    "what others have seen taken back freely",
    "what was opened taken back freely",
    "what was opened taken back by agreement",
    "after the end",
    "where a shuffle is due",
    "legal only with",
)
"""Errors in what was taken back that only the rules can find."""


def test_what_cannot_be_taken_back_is_refused_as_in_the_document(check: Check) -> None:
    taken = VECTORS["taken-back"]
    assert check(taken, game=taken["game"])["events"] == 13
    found = dict[str, Any]()
    for entry in (each for each in VECTORS["refused"] if each["of"] == "taken-back"):
        if not any(each in entry["why"] for each in SEEN_BY_THE_RULES):
            data = forgeries.forged(entry, VECTORS).decode()
            found[entry["why"]] = check(data, game=taken["game"])
    assert {str(each).partition(" ")[0] for each in found.values()} == {"void"}, found
    assert len(found) > 12


def test_what_is_accepted_as_in_the_document(check: Check) -> None:
    for entry in VECTORS["accepted"] + VECTORS["newer-accepted"]:
        data = forgeries.forged(entry, VECTORS).decode()
        found = check(data, game=json.loads(data)["game"])
        assert isinstance(found, dict) and found["signed"], (entry["why"], found)


def told_by(seen: Any) -> Any:
    """The file in the page's form: without short forms, and with null for missing values."""
    heads = [each for each in seen["heads"] if isinstance(each, dict)]
    return NOTHING | {name: seen[name] for name in NOTHING if name in seen} | {"heads": heads}


def test_what_was_seen_as_in_the_document(check: Check) -> None:
    record, seen = VECTORS["record"], told_by(VECTORS["seen"])
    found = check(record, seen, record["game"])
    assert (found["heads"], found["actions"], found["signed"]) == (2, 2, True)


UNSEEN = [
    refusal
    for refusal in VECTORS["unseen"]
    if "malformed" not in refusal["why"] and "another game" not in refusal["why"]
]


def test_what_does_not_fit_as_in_the_document(check: Check) -> None:
    for refusal in UNSEEN:
        record = VECTORS["record"]
        seen = told_by(changed(VECTORS["seen"], *refusal["at"], to=refusal["value"]))
        found = check(record, seen, record["game"])
        assert isinstance(found, str), refusal["why"]
        numbers = re.findall(r"event (\d+)", refusal["why"])
        assert re.findall(r"\d+", found) == numbers, refusal["why"]


def test_records_of_the_earlier_format_are_for_the_command(check: Check) -> None:
    for name in ["earlier-record", "earlier-outside"]:
        record = VECTORS[name]
        assert check(record, game=record["game"]) == "OlderRecord", name


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "words"),
    [("en-GB", "This page can verify only newer games."), ("ja-JP", "新しい形式のゲーム")],
)
def test_of_an_earlier_game_the_page_names_the_command(
    visit: Any, language: str, words: str
) -> None:
    over = example("getGame-200-over")
    stage = Stage(visit(locale=language), **{**over, "id": ID})
    earlier = canonical(VECTORS["earlier-record"])
    stage.page.route(f"**/api/games/{ID}/record", lambda route: route.fulfill(body=earlier))
    stage.open()
    line = stage.page.locator(".verification", has_text=words)
    line.wait_for()
    assert "tegami verify" in line.inner_text()
