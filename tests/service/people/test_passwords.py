"""Hashes of passwords, and what it costs to verify them."""

from __future__ import annotations

import threading

import pytest
from argon2 import PasswordHasher

from service.core.config import Config
from service.core.problems import Unavailable
from service.people.passwords import MAX_CONCURRENT, Passwords, configured_hasher, dummy_hash
from tests.support.accounts import PASSWORD, Counting


@pytest.fixture
def settings(tmp_path):
    return Config(data_dir=tmp_path, database_url="sqlite://", secret_key=bytes(32))


def test_the_default_settings_are_the_recommended_ones(settings):
    """RFC 9106, the second choice: 64 MiB, three rounds, four lanes."""
    kept = Passwords(settings).hash(PASSWORD)
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert len(kept) <= 200


def test_a_password_matches_its_hash_alone(settings):
    passwords = Passwords(settings, Counting())
    kept = passwords.hash(PASSWORD)
    assert passwords.verify(kept, PASSWORD)
    assert not passwords.verify(kept, PASSWORD.upper())
    assert passwords.hash(PASSWORD) != kept


def test_without_a_hash_no_password_is_right_at_the_same_cost(settings):
    hasher = Counting()
    passwords = Passwords(settings, hasher)
    for password in (PASSWORD, "", "x" * 200):
        assert not passwords.verify(None, password)
    assert hasher.hashes == 3


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_dummy_hash_has_the_form_of_a_real_one(rounds):
    hasher = PasswordHasher(time_cost=rounds, memory_cost=64, parallelism=2)
    assert not hasher.check_needs_rehash(dummy_hash(hasher))
    assert len(dummy_hash(hasher)) == len(hasher.hash(PASSWORD))


def test_a_hash_with_other_settings_needs_a_rehash(settings):
    kept = Passwords(settings, Counting()).hash(PASSWORD)
    assert not Passwords(settings, Counting()).needs_rehash(kept)
    assert Passwords(settings, Counting(rounds=2)).needs_rehash(kept)
    assert Passwords(settings, configured_hasher(settings)).needs_rehash(kept)


class Slow(Counting):
    """A hasher that waits for `go`, and counts the calls that wait."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.go = threading.Semaphore(0), threading.Event()

    def hash(self, *args, **more):
        self.inside.release()
        assert self.go.wait(20)
        return super().hash(*args, **more)


def test_when_all_slots_are_taken_the_rest_are_asked_to_retry(settings):
    hasher = Slow()
    passwords = Passwords(settings, hasher, max_wait=0.01)
    crowd = [
        threading.Thread(target=passwords.hash, args=(PASSWORD,)) for _ in range(MAX_CONCURRENT)
    ]
    for each in crowd:
        each.start()
        assert hasher.inside.acquire(timeout=20)
    with pytest.raises(Unavailable) as refused:
        passwords.hash(PASSWORD)
    assert refused.value.headers["Retry-After"] == "5"
    hasher.go.set()
    for each in crowd:
        each.join()
    assert passwords.hash(PASSWORD)
