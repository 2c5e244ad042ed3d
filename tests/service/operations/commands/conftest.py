"""The findings of `tegami doctor`, with settings of a test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.core.settings.key_file import key_in
from service.operations.commands import doctor
from service.web.app import create_app


@pytest.fixture
def examine(config, runtime, tmp_path):
    """All findings with other settings: level and text by subject."""
    key_in(tmp_path, "secret.key")

    def look(**settings):
        app = create_app(replace(config, **settings), runtime)
        return list(doctor.examine(app))

    return look
