"""The link of a table as a QR code: only for the people at the table."""

from __future__ import annotations

from service.tables.drawing.qr_code import qr_code
from tests.support.cast import CARAVAN, sqlite_only

pytestmark = sqlite_only


def code(person, game_id: str) -> str:
    answer = person.send("GET", f"/api/games/{game_id}/invitation.svg")
    assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
    assert answer.headers["Cache-Control"] == "no-store"
    return str(answer.get_data(as_text=True))


def test_the_people_at_a_table_are_shown_its_link_as_a_code(cast):
    public, private = cast.open(CARAVAN), cast.open(CARAVAN, private=True)
    link = cast.alice.game(private)["invitation"]["url"]
    assert code(cast.alice, private) == qr_code(link)
    assert code(cast.alice, public) == qr_code(link.partition("/games/")[0] + f"/games/{public}")
    cast.alice.post(f"/api/games/{private}/invitation-key")
    assert code(cast.alice, private) != qr_code(link), "the link is another one"


def test_nobody_else_is_shown_a_code(cast):
    public, private = cast.open(CARAVAN), cast.open(CARAVAN, private=True)
    cast.mallory.refused("GET", f"/api/games/{private}/invitation.svg", "not-found")
    cast.mallory.refused("GET", f"/api/games/{public}/invitation.svg", "not-seated")
    cast.nobody.refused("GET", f"/api/games/{public}/invitation.svg", "not-signed-in")


def test_the_code_is_dark_on_light_with_the_margin_that_readers_need(cast):
    drawn = qr_code("https://tegami.example/games/g_0123456789ABCDEFGHIJKL")
    assert 'fill="#fff"' in drawn and 'stroke="#000"' in drawn
    assert 'class="qrline" stroke="#000" d="M4 4.5h7' in drawn, "four modules around it"
