"""Names that people choose: which are refused, which look the same at a table, and how older ones appear in mails."""

from __future__ import annotations

import pytest

from service.core.runtime.problems import UnusableName
from service.people import names
from tests.support.cast import Person, sqlite_only
from tests.support.closing import close_by_operator
from tests.support.dump import dump, execute
from tests.support.in_one_go import in_one_go
from tests.support.post_office import Office
from tests.support.proposing import PAUSE, propose, registered

PEOPLE = """
Alice|Björn|José|Jose\u0301|O'Neil|O’Neil|Jean-Luc|J.R.R. Tolkien|Dr. Who|Zoë 2|v2.0|Иван Петров|Иван Smith|Ελένη|محمد
हिन्दी|김철수|王小明|山田太郎|山田taro|佐々木|アリス|ローラー|ｱﾘｽ|Ａｌｉｃｅ|ジョン・スミス|モーニング娘。|ゝ々〇|ロボX
Höst|Young|Ghost|あなたの友|House|Player 1|手紙|一|イ
100 %|50% Ann|Ann & Bob|Rock&Roll|AT&T|A=B|Ann?|x--y|Ann;
Alice 🎴|👨‍👩‍👧|☺️|👍🏽|🇯🇵|♥
"""
REFUSED = {
    "characters": "Ali\u200bce|A\u202ecd|a\u2066b|a\U000e0061|x\u115fy|\u3164|a\u2800"
    "|=?utf-8?q?Ann?=|=?utf-8?q?a=0D=0AX-Evil:_1?=|=?UTF-8?Q?www=2Eevil=2Ecom?=|＝？utf-8？q？a？＝|a=?b"
    "|An%00n|An%0An|An&#x202e;n|An&ZeroWidthSpace;n|An%E2%80%8Bn|An&amp;#8203;n"
    "|a\u200d|A\ufe0f|👍\u200d|a\u00adb|a\ufeffb"
    "|e\u0301\u0302\u0303\u0304\u0305\u0306\u0307"
    "|An\U0001d159n|Ann\ufffc|Ann\u303f|\U00013441|\u2d7f|\U00016fe4|Ann \U0001107f|\u0301|...|(-)|。",
    "scripts": "Аlice|Alicе|pаypal|Βob|Ann\u2d7f|An\U00016fe4n|Ann\U0001107f|Ann\U00010a3f",
    "link": "x@y.z|ann@example.org|http://a|see https://a.b|www.evil.com|evil.com|Evil.COM|ｅｖｉｌ．ｃｏｍ|evil。com|例え.テスト"
    "|10.0.0.1|１.２.３.４|www%2Eevil%2Ecom|www%252Eevil%252Ecom|www&#46;evil&#46;com|www&period;evil&#x2e;com"
    "|evil｡com|xn--80ak6aa92e.com|http:%2f%2fa.b|www\u2024evil\u2024com|a&#64;b|a%40b|www%EF%BC%8Eevil%EF%BC%8Ecom"
    "|www&amp;#46;evil&amp;#46;com|evil&#37;2Ecom",
    "house": "House player 1|house Player|HOUSE PLAYER 2|House p1ayer 1|House playеr x"
    "|ハウスプレイヤー1|ﾊｳｽﾌﾟﾚｲﾔｰ2|ハウスプレイヤ一３|The House player 1|House_player 1|House-player 1|(House player 1)"
    "|🎴 House player 1|ハウスプレイヤ－1|ハウス・プレイヤー1|ハウスプレーヤー1|Houseplayer 1"
    "|Housė player 1|H\u0332ouse player|ʜouse ᴘlayer|🅗🅞🅤🅢🅔 player|🅷🅾🆄🆂🅴 player"
    "|ハウスブレイヤー1|はうすぷれいやー1|House рӏауег|Tegami|Tegami team|TEGAMl|手紙 Tegami"
    "|House%20player 1|Tegam&#105;|xn--1-ieuf0f6e2b6ewc1h|xn--Tegami-"
    "|Somebody who has left|somebody who has left!|退会した人|You|(you)|あなた|YOU|Host|主催",
}
ALIKE = (
    "Alice=alice|Alice=AIice|Bob1=Bobl|Carol=Caro1|Bob=ΒΟΒ|coco=сосо|ロロ=口口|カ=力|二=ニ"
    "|アリス=ｱﾘｽ|Zoë=Zoe\u0308|m=rn|Ann Lee=Ann  Lee|Ann Lee=Ann\u2003 Lee|アリス=ア リス|アリス=ア\u3000リス"
    "|アリス=アリス。|Ann=Ann.|アリス=ァリス|Ann=A\u0336nn|Ann=A\u0332n\u0332n\u0332|Ann=A\u20ddnn|きよ=きょ"
)
APART = "Alice=Alicia|Bob=Rob|アリス=アリサ|シ=ツ|Aki=Aki2|は=ば|Zoe=Zoë|ー=ア|ブ=プ|Ali=Ali♥|कि=क"


def split(text):
    return text.strip().replace("\n", "|").split("|")


@in_one_go("name", split(PEOPLE))
def test_names_that_people_have_are_usable(name):
    names.usable(name)


@in_one_go("why, name", [(why, name) for why, text in REFUSED.items() for name in text.split("|")])
def test_names_that_deceive_are_refused(why, name):
    with pytest.raises(UnusableName) as refused:
        names.usable(name)
    expected = (
        {"characters"} if why == "characters" else {why, "scripts"} if why == "house" else {why}
    )
    assert refused.value.more["why"] in expected


@in_one_go("pair", ALIKE.split("|"))
def test_names_that_look_the_same(pair):
    assert names.look_alike(*pair.split("="))


@in_one_go("pair", APART.split("|"))
def test_names_that_can_be_told_apart(pair):
    assert not names.look_alike(*pair.split("="))


@in_one_go(
    "name, mailed",
    [
        ("J.R.R. Tolkien", "J.R.R. Tolkien"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("evil.com", "evil. com"),
        ("x@y.z", "x@ y. z"),
        ("http://a.b/c", "http: / / a. b/ c"),
        ("a\u202eb\u200b", "ab"),
        ("a\r\nBcc: x", "aBcc: x"),
        ("=?utf-8?q?a=0D=0AX-Evil:_1?=", "= ?utf-8?q?a=0D=0AX-Evil:_1?="),
        ("=?utf-8?q?Visit_www=2Eevil=2Ecom?=", "= ?utf-8?q?Visit_www=2Eevil=2Ecom?="),
        ("www%2Eevil%2Ecom", "www% 2Eevil% 2Ecom"),
        ("www&#46;evil&period;com", "www& #46;evil& period;com"),
        ("ｗｗｗ．ｅｖｉｌ．ｃｏｍ", "www. evil. com"),
        ("＝？utf-8?q?a．b?=", "＝？utf-8?q?a．b?="),
        ("xn--fiqs8s", "xn- -fiqs8s"),
        ("100 % = ? & you", "100 % = ? & you"),
    ],
)
def test_an_older_name_is_made_harmless_in_mails(name, mailed):
    assert names.harmless(name) == mailed


@sqlite_only
@in_one_go("why", list(REFUSED))
def test_nobody_gets_such_a_name(app, cast, why):
    alice, name = cast.alice, REFUSED[why].split("|")[0]
    before = dump(app)
    refused = cast.nobody.refused("POST", "/api/players", "unusable-name", {"name": name})
    assert refused["why"] == why
    refused = alice.refused("PATCH", "/api/me", "unusable-name", {"name": name})
    assert refused["status"] == 422
    assert dump(app) == before


@sqlite_only
def test_a_name_is_kept_with_single_plain_spaces(app, cast):
    made = cast.nobody.post("/api/players", {"name": "Ann\u2003 Lee"})
    assert made["player"]["name"] == "Ann Lee"
    changed = cast.alice.send("PATCH", "/api/me", json={"name": "山田\u3000 太郎"})
    assert changed.json["player"]["name"] == "山田 太郎"


@sqlite_only
def test_names_at_one_table_do_not_look_the_same(app, cast):
    double, game_id = Person(app, "AIice"), cast.open()
    double.refused("POST", f"/api/games/{game_id}/seats", "name-taken", {})
    double.send("PATCH", "/api/me", json={"name": "Dora"})
    double.post(f"/api/games/{game_id}/seats", {})
    before = dump(app)
    double.refused("PATCH", "/api/me", "name-taken", {"name": "ALICE"})
    assert dump(app) == before
    assert double.send("PATCH", "/api/me", json={"name": "Bob"}).status_code == 200


@sqlite_only
def test_a_substitute_does_not_look_like_anybody(app, cast):
    game_id = cast.start("caravan", house=1)
    double = Person(app, "alice")
    registered(double)
    wish = {"kind": "substitute", "seat": 1}
    double.refused("POST", f"/api/games/{game_id}/proposals", "name-taken", wish)


@sqlite_only
def test_nobody_comes_back_under_the_name_of_a_neighbour(app, cast):
    game_id = cast.start()
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    cast.bob.send("PATCH", "/api/me", json={"name": "Carol"})
    before = dump(app)
    cast.bob.refused("POST", f"/api/games/{game_id}/return", "name-taken")
    assert dump(app) == before
    cast.bob.send("PATCH", "/api/me", json={"name": "Dora"})
    cast.bob.post(f"/api/games/{game_id}/return", status=200)


@sqlite_only
def test_nobody_joins_a_rematch_under_the_name_of_a_neighbour(app, cast):
    game_id = cast.start()
    services = app.extensions["tegami"]
    with app.app_context():
        close_by_operator(services, game_id)
    cast.alice.post(f"/api/games/{game_id}/rematch", {})
    cast.bob.send("PATCH", "/api/me", json={"name": "AIice"})
    before = dump(app)
    cast.bob.refused("POST", f"/api/games/{game_id}/rematch", "name-taken", {})
    assert dump(app) == before


@sqlite_only
def test_older_names_stay_and_may_be_sent_again(app, cast):
    execute(app, "UPDATE players SET name = 'evil.com' WHERE id = :id", id=cast.alice.id)
    kept = cast.alice.send("PATCH", "/api/me", json={"name": "evil.com", "language": "ja"})
    assert kept.status_code == 200
    assert kept.json["player"]["name"] == "evil.com"


@sqlite_only
def test_older_names_are_no_links_in_mails_of_a_game(app, cast):
    execute(app, "UPDATE players SET name = 'evil.com' WHERE id = :id", id=cast.alice.id)
    office = Office(app)
    office.address(cast.bob, cast.carol)
    propose(cast.alice, cast.start(), PAUSE)
    mails = office.deliver()
    assert mails and all("evil. com" in str(mail["Subject"]) for mail in mails)
    parts = [part for mail in mails for part in mail.walk() if not part.is_multipart()]
    assert not any("evil.com" in part.get_content() for part in parts)
