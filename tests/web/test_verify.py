"""The page verifies records itself: its modules, tested with records that were changed in every way that counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.core.settings.config import ROOT
from tests.web.support.node import Node
from tests.web.support.records import (
    GAME,
    OTHER_KEY,
    SEED,
    a_record,
    canonical,
    changed,
    heads_of,
    public,
    sealed,
    seen_of,
    shuffled,
    sign,
)
from tests.web.support.staged import ID, Stage, example

CHECK = """
async ({text, game, seen}) => {
  const {checkRecord} = await import("/verify/check_record.js");
  try {
    return await checkRecord(new TextEncoder().encode(text), game, seen);
  } catch (error) {
    return error.message || error.constructor.name;
  }
}
"""
NOTHING: dict[str, Any] = {
    "key": None,
    "commitment": None,
    "nonce": None,
    "agreed": {},
    "sat": [],
    "nonces": [],
    "heads": [],
    "actions": [],
}
Check = Callable[..., Any]


@pytest.fixture(scope="module")
def evaluate() -> Iterator[Any]:
    """Runs code with the modules of the page in Node."""
    with Node() as node:
        yield node.evaluate


@pytest.fixture(scope="module")
def check(evaluate: Any) -> Check:
    """The page's findings: the counts, or what does not fit."""
    return checking(evaluate)


def checking(evaluate: Any) -> Check:
    """Check records with an evaluator of JavaScript."""

    def checked(record: Any, seen: Any = NOTHING, game: str = GAME) -> Any:
        text = record if isinstance(record, str) else canonical(record)
        return evaluate(CHECK, {"text": text, "game": game, "seen": seen})

    return checked


RECORD = a_record()
SEEN = seen_of(RECORD)
EVENTS = RECORD["events"]
DEAL, SECOND_DEAL, MOVE = 1, 7, 2
"""Places in `EVENTS`: two chances, and an action of seat 0."""


def other_event(number: int, **change: Any) -> Any:
    """The record with an event changed, and sealed again by somebody with the key."""
    events = [{**event, **change} if event["number"] == number else event for event in EVENTS]
    return sealed({**RECORD, "events": events})


def test_a_right_record_is_counted(check: Check) -> None:
    expected = {"events": 10, "shuffles": 2, "heads": 3, "actions": 3, "signed": True}
    assert check(RECORD, SEEN) == expected
    assert check(RECORD) == {**expected, "heads": 0, "actions": 0}


def a_live_record() -> Any:
    """The record of a stored game that was played live until its time was up."""
    stored = json.loads((ROOT / "tests/rules/games/n2459/stored/live-time-up.json").read_text())
    about = {name: stored[name] for name in ("ruleset", "version", "options")}
    deals, events = 0, [{**EVENTS[0], **about}]
    for event in stored["events"]:
        deals += event["kind"] == "chance"
        drawn = {"outcome": shuffled(sorted(event["outcome"]), deals)} if "outcome" in event else {}
        events.append({"by": "seat", **event, **drawn} if "action" in event else {**event, **drawn})
    numbered = [
        {**event, "number": n, "salt": f"{n:032x}", "at": EVENTS[0]["at"]}
        for n, event in enumerate(events, 1)
    ]
    return sealed({**RECORD, "events": numbered})


def test_a_live_record_is_verified_up_to_the_end_of_its_time(check: Check) -> None:
    record = a_live_record()
    place = next(n for n, each in enumerate(record["events"]) if each["kind"] == "clock")
    found = check(record)
    assert (found["events"], found["shuffles"]) == (len(record["events"]), 1)
    for what, to in (("name", "time-out"), ("kind", "pause"), ("at", EVENTS[0]["at"] + "x")):
        assert check(changed(record, "events", place, what, to=to)) == "digest"
    last = next(each for each in record["events"][place::-1] if each["kind"] == "action")
    names = ("seat", "salt", "at")
    void = {"kind": "void", "event": last["number"], "why": "agreed", "number": place + 2}
    void |= {name: last[name] for name in names}
    over = sealed({**record, "events": [*record["events"][: place + 1], void]})
    assert str(check(over)).startswith("void"), "what the end of the time saw is not taken back"
    early = [each for each in record["events"] if each["kind"] != "clock"]
    early.insert(2, record["events"][place])
    renumbered = [{**each, "number": n} for n, each in enumerate(early, 1)]
    assert check({**record, "events": renumbered}) == "digest"


def without(number: int) -> Any:
    """The record without an event, with the later ones renumbered."""
    left = [event for event in EVENTS if event["number"] != number]
    return {**RECORD, "events": [{**event, "number": n} for n, event in enumerate(left, 1)]}


DAMAGED: list[tuple[Any, str]] = [
    (changed(RECORD, "events", DEAL, "outcome", 0, to="Xs"), "digest"),
    (changed(RECORD, "events", MOVE, "action", "card", to="Xs"), "digest"),
    (changed(RECORD, "head", to="0" * 64), "digest"),
    (changed(RECORD, "seed", to="0" * 64), "digest"),
    (changed(RECORD, "events", 9), "digest"),
    (changed(RECORD, "key", to=public(OTHER_KEY)), "digest"),
    (changed(RECORD, "result", "winners", to=[1]), "digest"),
    (without(3), "digest"),
    (changed(RECORD, "events", 3), "form"),
    (changed(RECORD, "events", MOVE, "number", to=4), "form"),
    (changed(RECORD, "events", 0, "kind", to="pause"), "form"),
    (changed(RECORD, "events", to=[]), "form"),
    (changed(RECORD, "events", DEAL, "outcome", to=[1, 2]), "form"),
    (changed(RECORD, "events", 0, "nonces", to=[None]), "form"),
    (changed(RECORD, "events", 0, "nonces", to=[EVENTS[0]["nonces"][0]] * 65), "form"),
    (changed(RECORD, "signature", to="0"), "form"),
    (changed(RECORD, "seed"), "form"),
    ({**RECORD, "times": []}, "form"),
    ({**RECORD, "format": "tegami-record/3"}, "form"),
    ({**RECORD, "format": "tegami-record/1"}, "OlderRecord"),
    (canonical(RECORD) + "\n", "form"),
    ("\ufeff" + canonical(RECORD), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":0.50'), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":-0'), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":1e3'), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":9007199254740993'), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":9007199254740992'), "form"),
    (canonical(RECORD).replace('"rate":0.5', '"rate":0.12345'), "form"),
    (canonical(RECORD).replace('"joker":"none"', '"joker":"\\ud800"'), "form"),
    (canonical(RECORD).replace('"joker":', '"joker":1,"joker":'), "form"),
    ("", "form"),
    ("null", "form"),
    ("[" * 100_000, "form"),
]


def test_a_record_that_was_damaged(check: Check) -> None:
    for number, (record, wrong) in enumerate(DAMAGED):
        assert check(record, SEEN) in (wrong, f"Error: {wrong}"), (number, wrong)


NOT_OF_THE_SEED: list[tuple[Any, str]] = [
    (other_event(2, outcome=EVENTS[DEAL]["outcome"][::-1]), "shuffle 2"),
    (other_event(8, outcome=shuffled(EVENTS[SECOND_DEAL]["outcome"], 3)), "shuffle 8"),
    (other_event(1, seats=EVENTS[0]["seats"][::-1]), "seats"),
    (other_event(1, seating="order"), "seats"),
    (other_event(1, nonces=EVENTS[0]["nonces"][1:]), "seats"),
    (other_event(1, commitment="0" * 64), "seed"),
    (other_event(1, game="g_other"), "game"),
    (sealed({**RECORD, "seed": bytes(32).hex()}), "seed"),
    (sealed(changed(RECORD, "game", to="g_other")), "game"),
    ({**sealed({**RECORD, "head": ""}), "signature": "0" * 128}, "digest"),
]


def test_a_record_that_does_not_fit_its_seed(check: Check) -> None:
    """Even somebody who has the server's key cannot make these right."""
    for number, (record, wrong) in enumerate(NOT_OF_THE_SEED):
        assert check(record) == wrong, (number, wrong)


def reseal(record: Any, **members: Any) -> Any:
    """The record with other members, and a digest that fits."""
    made = sealed(record) | members
    made.pop("digest")
    return {**made, "digest": hashlib.sha256(canonical(made).encode()).hexdigest()}


def test_a_head_or_signature_that_is_wrong(check: Check) -> None:
    assert check(reseal(RECORD, head="0" * 64)) == "head"
    assert check(reseal(RECORD, signature="0" * 128)) == "signature"
    assert check(reseal(RECORD, key=public(OTHER_KEY))) == "signature"
    assert check(reseal(RECORD, key="f" * 64)) == "signature", "no point of the curve"


OTHER_CARD = {"type": "play", "card": "Xs"}


ANOTHER_GAME: list[tuple[Any, str]] = [
    (other_event(3, action=OTHER_CARD), "event 4"),
    (sealed(without(3)), "event 4"),
    (sealed({**RECORD, "events": EVENTS[:9]}), "event 10"),
    (other_event(10, salt="f" * 32), "event 10"),
    (sealed(RECORD, OTHER_KEY), "key"),
]


def test_another_game_than_the_one_that_was_shown(check: Check) -> None:
    """These are consistent, and signed by the server itself: only the stored data reveal them."""
    for number, (record, wrong) in enumerate(ANOTHER_GAME):
        assert isinstance(check(record), dict)
        assert check(record, SEEN) == wrong, (number, wrong)


SEEN_OTHERWISE: list[tuple[Any, str]] = [
    (changed(SEEN, "commitment", to="0" * 64), "commitment"),
    (changed(SEEN, "nonce", to="0" * 32), "nonce"),
    (changed(SEEN, "agreed", "ruleset", to="joretsu"), "agreed"),
    (changed(SEEN, "agreed", "version", to=2), "agreed"),
    (changed(SEEN, "agreed", "options", to={"joker": "none", "rate": 0.25}), "agreed"),
    (changed(SEEN, "agreed", "seating", to="order"), "agreed"),
    (changed(SEEN, "sat", to=["t_b", "t_a"]), "sat"),
    (changed(SEEN, "sat", to=["t_left", "t_b"]), "sat"),
    (changed(SEEN, "sat", to=["t_a", "t_c"]), "sat"),
    (changed(SEEN, "nonces", 1, "tenure", to="t_c"), "nonces"),
    (changed(SEEN, "nonces", 0, "nonce", to="0" * 32), "nonces"),
    (changed(SEEN, "heads", 1, "number", to=5), "event 5"),
    (changed(SEEN, "heads", 1, "number", to=11), "event 11"),
    (changed(SEEN, "heads", 1, "signature", to=SEEN["heads"][0]["signature"]), "signature-seen 4"),
    (changed(SEEN, "heads", 0, "signature", to=sign(OTHER_KEY, 2, heads_of(RECORD)[1])), "signature-seen 2"),
    (changed(SEEN, "actions", 0, "action", to=OTHER_CARD), "action 3"),
    (changed(SEEN, "actions", 0, "seat", to=1), "action 3"),
    (changed(SEEN, "actions", 0, "number", to=4), "action 4"),
    (changed(SEEN, "actions", 0, "number", to=2), "action 2"),
    (changed(SEEN, "actions", 0, "number", to=99), "action 99"),
]  # fmt: skip


def test_each_thing_that_was_seen_has_to_fit(check: Check) -> None:
    for number, (seen, wrong) in enumerate(SEEN_OTHERWISE):
        assert check(RECORD, seen) == wrong, (number, wrong)


IN_A_BROWSER = (0, 9, 14, 19, 24, 28, 32)
"""Some of `DAMAGED`: a digest, an event dropped, nonces, an older format, a number, half a character, and far too deep.
"""


@pytest.mark.browser
def test_a_browser_finds_the_same(visit: Any) -> None:
    """One of each sort is tried: all are tried in Node, whose digests and signatures are made by another library."""
    check = checking(visit().open().evaluate)
    assert check(RECORD, SEEN)["signed"]
    for number in IN_A_BROWSER:
        record, wrong = DAMAGED[number]
        assert check(record, SEEN) in (wrong, f"Error: {wrong}"), number
    for record, wrong in (*NOT_OF_THE_SEED[:2], NOT_OF_THE_SEED[5]):
        assert check(record) == wrong
    assert check(reseal(RECORD, signature="0" * 128)) == "signature"
    assert check(reseal(RECORD, key="f" * 64)) == "signature", "no point of the curve"
    assert check(ANOTHER_GAME[0][0], SEEN) == ANOTHER_GAME[0][1]
    for seen, wrong in (SEEN_OTHERWISE[0], SEEN_OTHERWISE[13], SEEN_OTHERWISE[15]):
        assert check(RECORD, seen) == wrong


def test_a_move_made_by_somebody_else_is_not_ones_own(check: Check) -> None:
    record = other_event(3, by="timeout")
    assert check(record, {**NOTHING, "actions": SEEN["actions"]}) == "action 3"


@pytest.mark.browser
def test_without_ed25519_signatures_are_not_checked(visit: Any) -> None:
    """The page knows that they were not."""
    visitor = visit(own=True)
    visitor.page.add_init_script(
        """
        const known = crypto.subtle.importKey.bind(crypto.subtle);
        SubtleCrypto.prototype.importKey = (form, key, algorithm, ...more) => {
          if (algorithm.name === "Ed25519") throw new DOMException("", "NotSupportedError");
          return known(form, key, algorithm, ...more);
        };
        """
    )
    told = visitor.open().evaluate(CHECK, {"text": canonical(RECORD), "game": GAME, "seen": SEEN})
    assert told == {"events": 10, "shuffles": 2, "heads": 3, "actions": 3, "signed": False}


def test_many_words_of_a_shuffle(evaluate: Any) -> None:
    """They include one in which a word is discarded, and strings that JavaScript would sort differently."""
    items = [str(n) for n in range(1000)] + ["\uffee", "\U0001f0a1"]
    found = evaluate(
        """
        async ({seed, game, nonces, items}) => {
          const {shufflesOf} = await import("/verify/shuffle.js");
          const {fromHex} = await import("/base/hexadecimal.js");
          const shuffle = await shufflesOf(fromHex(seed), game, nonces);
          return Promise.all([1, 2, 3].map(ordinal => shuffle(ordinal, items)));
        }
        """,
        {
            "seed": SEED.hex(),
            "game": GAME,
            "nonces": ["00112233445566778899aabbccddeeff", "0123456789abcdef"],
            "items": items,
        },
    )
    assert found == [shuffled(items, ordinal) for ordinal in (1, 2, 3)]


@pytest.mark.browser
def test_a_record_that_cannot_be_had_is_no_alarm(visit: Any) -> None:
    """The server cannot respond now, or the player may not have the record."""
    over = example("getGame-200-over")
    stage = Stage(visit(), **{**over, "id": ID})
    stage.page.route(f"**/api/games/{ID}/record", lambda route: route.fulfill(status=503))
    stage.open()
    stage.page.locator(".verification", has_text="could not be downloaded").wait_for()
    stage.page.unroute(f"**/api/games/{ID}/record")
    with stage.page.expect_response(f"**/api/games/{ID}/record"):
        stage.page.reload()  # the server knows no such game
    stage.page.wait_for_selector(".result")
    stage.page.evaluate("fetch('/healthz').then(answer => answer.text())")  # comes after the record
    assert stage.page.locator(".verification").count() == 0
