"""The service worker: it is requested on every visit, and its cache belongs to one version and to nobody."""

from __future__ import annotations

import html
import json
import re

from tests.support.cast import sqlite_only
from tests.support.in_one_go import in_one_go

pytestmark = sqlite_only


def version(client):
    """The version of the worker's cache."""
    first = client.get("/service-worker.js").text.partition("\n")[0]
    found = re.fullmatch(r"self\.VERSION = (\{.*\});", first)
    assert found
    return json.loads(found[1])


def test_browsers_always_ask_whether_there_is_another_one(client):
    answer = client.get("/service-worker.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    headers = {"If-None-Match": answer.headers["ETag"]}
    assert client.get("/service-worker.js", headers=headers).status_code == 304


def test_what_it_keeps_is_there_and_is_named_by_its_content(client):
    kept = version(client)
    for path in (*kept["files"], *kept["more"]):
        assert re.fullmatch(r"/\w+\.[0-9a-f]{12}\.\w+", path)
        answer = client.get(path)
        assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"]


def test_the_document_without_a_connection_needs_nothing_but_what_is_kept(client):
    kept = version(client)
    named = set(re.findall(r'"(/\w+\.[0-9a-f]{12}\.\w+)"', html.unescape(kept["shell"])))
    assert {*kept["files"]} < named <= {*kept["files"], *kept["more"]}


def test_that_document_is_as_safe_as_every_other(client):
    """The worker responds with it, so its headers count too."""
    page, kept = client.get("/privacy").headers, version(client)["headers"]
    assert kept == {name: page[name] for name in kept}
    assert {"Content-Security-Policy", "X-Content-Type-Options", "Content-Type"} < {*kept}


@in_one_go("address", ["/", "/rules/caravan", "/new/caravan", "/games/g_0123456789ABCDEFGHIJKL"])
def test_it_can_keep_the_files_of_the_page(client, address):
    """This excludes the manifest and pictures, which are of no use without a connection."""
    page = html.unescape(client.get(address).text)
    named = set(re.findall(r'"(/\w+\.[0-9a-f]{12}\.(?:js|css|json))"', page))
    pictures = {each for each in named if "_tables." in each}
    kept = version(client)
    assert {*kept["files"]} < named - pictures <= {*kept["files"], *kept["more"]}
