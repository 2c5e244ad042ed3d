"""People who read mails about their games."""

from __future__ import annotations

import pytest

from tests.support.post_office import Office


@pytest.fixture
def office(app, cast):
    """alice reads English in Tokyo, bob Japanese; carol has no address."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.bob, language="ja")
    return office
