"""The queries about rulesets."""

from __future__ import annotations

from service.web.http.bodies.fields import Body, version


class RulesetQuery(Body):
    """GET /rulesets/{slug}"""

    version = version()
