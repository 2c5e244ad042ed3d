"""Hashes of passwords, and the cost of verifying them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from service.core.runtime.problems import Unavailable
from service.core.settings.config import Config
from service.people.credentials.passwords import (
    MAX_CONCURRENT,
    MAX_WAITING,
    Passwords,
    configured_hasher,
    dummy_hash,
)
from service.web.serving.application import THREADS
from tests.support.accounts import PASSWORD, Counting, app_with_passwords
from tests.support.cast import Person, sqlite_only
from tests.support.servers.databases import disconnect
from tests.support.servers.server import PATIENCE, wait_until


@pytest.fixture
def settings(tmp_path):
    return Config(
        data_dir=tmp_path, database_url="sqlite://", secret_key=bytes(32), signing_key=bytes(32)
    )


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
        self._wait()
        return super().hash(*args, **more)

    def verify(self, *args, **more):
        self._wait()
        return super().verify(*args, **more)

    def _wait(self) -> None:
        self.inside.release()
        assert self.go.wait(60)


@pytest.fixture
def slow():
    hasher = Slow()
    yield hasher
    hasher.go.set()


def test_a_process_keeps_a_thread_that_never_hashes():
    assert THREADS > MAX_CONCURRENT + MAX_WAITING


def test_whoever_waits_too_long_for_a_hash_is_asked_to_retry(settings, slow):
    passwords = Passwords(settings, slow, max_wait=0.01)
    with ThreadPoolExecutor(MAX_CONCURRENT) as crowd:
        hashes = [crowd.submit(passwords.hash, PASSWORD) for _ in range(MAX_CONCURRENT)]
        for _ in hashes:
            assert slow.inside.acquire(timeout=PATIENCE)
        with pytest.raises(Unavailable) as refused:
            passwords.hash(PASSWORD)
        slow.go.set()
    assert refused.value.headers["Retry-After"] == "5"
    assert passwords.hash(PASSWORD)


@sqlite_only
def test_many_sign_ins_at_once_leave_a_thread_for_everybody_else(config, runtime, slow):
    """There are as many as a web process has threads. While the first sign-ins take time, the others are refused at
    once.
    """
    app = app_with_passwords(config, runtime, Passwords(config, slow, max_wait=60))
    wrong = {"who": "alice", "password": PASSWORD}
    with ThreadPoolExecutor(THREADS) as process:
        sign_ins = [
            process.submit(Person(app).send, "POST", "/api/sign-ins", json=wrong) for _ in range(12)
        ]
        health = process.submit(Person(app).get, "/healthz")
        assert health.result(timeout=PATIENCE) == {"status": "ok"}
        assert not slow.go.is_set()
        at_once = 12 - MAX_CONCURRENT - MAX_WAITING
        wait_until(lambda: sum(each.done() for each in sign_ins) == at_once, "the refusals")
        slow.go.set()
    answers = [each.result() for each in sign_ins]
    refused = [each for each in answers if each.status_code == 503]
    assert {each.headers["Retry-After"] for each in refused} == {"5"}
    assert {each.status_code for each in answers} == {401, 503}
    assert len(answers) - len(refused) == MAX_CONCURRENT + MAX_WAITING
    disconnect(app)
