"""The queries about rulesets."""

from __future__ import annotations

from service.http.schemas.base import Body, version


class RulesetQuery(Body):
    """GET /rulesets/{slug}"""

    version = version()
