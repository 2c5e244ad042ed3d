"""Settings: language, time zone, mails and reminders."""

from __future__ import annotations

import pytest

from service.notifications.mail_texts.kinds import KINDS
from service.people.accounts.preferences import MAIL_KINDS
from tests.support.cast import sqlite_only

USUAL = {
    "language": "en",
    "time_zone": "UTC",
    "unwanted": [],
    "reminders": [2880, 1440, 180],
    "quiet": None,
    "digest": None,
    "confirm_replies": "default",
    "only_move": False,
    "ask_take_backs": True,
    "on_leaderboards": False,
    "ratings_for": "played",
    "page_for": "played",
    "show_hours": False,
}


def settings(person):
    return person.get("/api/me/settings")["settings"]


def change(person, status=200, **wish):
    answer = person.send("PATCH", "/api/me/settings", json=wish)
    assert answer.status_code == status, answer.json
    return answer.json.get("settings")


@pytest.mark.both_databases
def test_settings_are_changed_one_by_one(cast):
    assert settings(cast.alice) == USUAL
    changed = change(cast.alice, language="ja", time_zone="Asia/Tokyo")
    assert changed == {**USUAL, "language": "ja", "time_zone": "Asia/Tokyo"}
    changed = change(cast.alice, unwanted=["reminder", "told"], reminders=[60, 2880])
    assert changed["unwanted"] == ["reminder", "told"]
    assert changed["reminders"] == [2880, 60]
    assert settings(cast.alice) == changed
    assert cast.alice.get("/api/me")["player"]["language"] == "ja"
    assert settings(cast.bob) == USUAL


@sqlite_only
def test_a_kind_of_mail_can_be_turned_on_again(cast):
    change(cast.alice, unwanted=list(MAIL_KINDS), reminders=[])
    assert settings(cast.alice)["unwanted"] == list(MAIL_KINDS)
    assert change(cast.alice, unwanted=["over"])["unwanted"] == ["over"]
    assert change(cast.alice)["reminders"] == []


def test_the_kinds_of_mail_are_those_that_can_be_turned_off():
    assert set(MAIL_KINDS) == {name for name, kind in KINDS.items() if kind.unsubscribe == "player"}


@sqlite_only
@pytest.mark.parametrize("zone", ["Asia/Edo", "Mars", "posixrules", "UTC/Tokyo", "asia/tokyo"])
def test_an_unknown_time_zone_is_refused(cast, zone):
    told = cast.alice.refused("PATCH", "/api/me/settings", "unknown-time-zone", {"time_zone": zone})
    assert told["status"] == 422
    assert settings(cast.alice) == USUAL


@sqlite_only
def test_invalid_settings_are_refused(cast):
    for wrong in (
        {"time_zone": "../../etc/passwd"},
        {"time_zone": ""},
        {"time_zone": "x" * 41},
        {"language": "fr"},
        {"unwanted": ["verify"]},
        {"unwanted": ["over", "over"]},
        {"unwanted": "over"},
        {"reminders": [4]},
        {"reminders": [20_161]},
        {"reminders": [60, 60]},
        {"reminders": [60.5]},
        {"reminders": [True]},
        {"reminders": list(range(10, 16))},
        {"digest": True},
        {"digest": "24:00"},
        {"confirm_replies": "sometimes"},
        {"digest": "8:00"},
    ):
        cast.alice.refused("PATCH", "/api/me/settings", "invalid-body", wrong)
    assert settings(cast.alice) == USUAL
