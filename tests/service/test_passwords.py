"""What is kept of passwords, and what it costs to compare them; kinds of browsers."""

from __future__ import annotations

import threading

import pytest
from argon2 import PasswordHasher

from service.browsers import label
from service.config import Config
from service.passwords import AT_ONCE, Passwords, hasher_of, nobodys
from service.problems import Unavailable
from tests.service.accounts import PASSWORD, Counting


@pytest.fixture
def settings(tmp_path):
    return Config(data_dir=tmp_path, database_url="sqlite://", secret_key=bytes(32))


def test_the_settings_are_those_that_are_recommended(settings):
    """RFC 9106, the second choice: 64 MiB, three rounds, four lanes."""
    kept = Passwords(settings).keep(PASSWORD)
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert len(kept) <= 200


def test_a_password_fits_what_is_kept_of_it(settings):
    passwords = Passwords(settings, Counting())
    kept = passwords.keep(PASSWORD)
    assert passwords.fits(kept, PASSWORD)
    assert not passwords.fits(kept, PASSWORD.upper())
    assert passwords.keep(PASSWORD) != kept


def test_nobody_has_a_password_and_it_costs_the_same(settings):
    hasher = Counting()
    passwords = Passwords(settings, hasher)
    for password in (PASSWORD, "", "x" * 200):
        assert not passwords.fits(None, password)
    assert hasher.hashes == 3


@pytest.mark.parametrize("rounds", [1, 3])
def test_what_nobody_has_is_made_like_all_others(rounds):
    hasher = PasswordHasher(time_cost=rounds, memory_cost=64, parallelism=2)
    assert not hasher.check_needs_rehash(nobodys(hasher))
    assert len(nobodys(hasher)) == len(hasher.hash(PASSWORD))


def test_what_was_kept_with_other_settings_is_outdated(settings):
    kept = Passwords(settings, Counting()).keep(PASSWORD)
    assert not Passwords(settings, Counting()).outdated(kept)
    assert Passwords(settings, Counting(rounds=2)).outdated(kept)
    assert Passwords(settings, hasher_of(settings)).outdated(kept)


class Slow(Counting):
    """A hasher that waits until it is let go, and counts who is inside."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.go = threading.Semaphore(0), threading.Event()

    def hash(self, *args, **more):
        self.inside.release()
        assert self.go.wait(20)
        return super().hash(*args, **more)


def test_in_a_crowd_few_are_served_and_the_rest_asked_to_come_again(settings):
    hasher = Slow()
    passwords = Passwords(settings, hasher, patience=0.01)
    crowd = [threading.Thread(target=passwords.keep, args=(PASSWORD,)) for _ in range(AT_ONCE)]
    for each in crowd:
        each.start()
        assert hasher.inside.acquire(timeout=20)
    with pytest.raises(Unavailable) as refused:
        passwords.keep(PASSWORD)
    assert refused.value.headers["Retry-After"] == "5"
    hasher.go.set()
    for each in crowd:
        each.join()
    assert passwords.keep(PASSWORD)


KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
BROWSERS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox · Linux",
    f"Mozilla/5.0 (Linux; Android 16) {KIT} Chrome/140.0.0.0 Mobile Safari/537.36": "Chrome · Android",
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) {KIT} Version/26.0": "iPhone",
    f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) {KIT} Safari/605.1": "Safari · Mac",
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {KIT} Chrome/140.0 Edg/140.0": "Edge · Windows",
    "curl/8.0": None,
    "": None,
}


@pytest.mark.parametrize("user_agent", BROWSERS)
def test_browsers_are_named_coarsely(user_agent):
    assert label(user_agent) == BROWSERS[user_agent]
