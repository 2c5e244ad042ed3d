"""Settings for an application that many people use at once in a test, and whose limits they would reach."""

from __future__ import annotations

from pathlib import Path

from service.core.settings.config import Config


def quick_settings(folder: Path, database_url: str) -> Config:
    """Settings without rate limits and mail budgets, and with fast password hashes."""
    return Config(
        data_dir=folder,
        database_url=database_url,
        secret_key=bytes(range(32)),
        signing_key=bytes(32),
        push_key=bytes(range(32, 64)),
        public_url="http://localhost",
        rate_limits=False,
        attempt_limits=False,
        mails_per_day=0,
        hash_memory=8,
        hash_rounds=1,
        hash_lanes=1,
    )
