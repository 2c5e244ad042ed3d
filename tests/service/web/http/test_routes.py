"""Routes under their names in metrics and the audit log."""

from __future__ import annotations

from flask import request, url_for

from service.web.http import routes
from tests import contract
from tests.support.cast import sqlite_only

GAME = "g_0123456789ABCDEFGHIJKL"
HOOK = "w_0123456789ABCDEFGHIJKL"


@sqlite_only
def test_a_route_is_named_as_the_contract_names_it(app):
    for path, method in (
        ("/api/games", "GET"),
        (f"/api/games/{GAME}", "GET"),
        (f"/api/games/{GAME}/views/3", "GET"),
        (f"/api/me/webhooks/{HOOK}/deliveries/7/redelivery", "POST"),
    ):
        with app.test_request_context(path, method=method):
            assert routes.rule() in contract.document()["paths"], path


@sqlite_only
def test_addresses_can_be_made_of_routes(app):
    with app.test_request_context():
        path = f"/api/games/{GAME}/views/3"
        endpoint, found = app.create_url_adapter(request).match(path)
        assert found == {"game_id": GAME, "number": 3}
        assert url_for(endpoint, **found) == path
        assert url_for(endpoint, **found, more="a b") == f"{path}?more=a+b"
