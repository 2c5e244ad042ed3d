"""The courier, against a real SMTP server: what is due arrives once, what no longer matters does not."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from service import outbox
from service.courier import UNREACHED, Courier, one_or_report, post_of
from service.database import transaction
from service.mail import suppressed, wishes
from service.models_mail import Outbox
from service.outbox import PAUSES
from service.smtp import SmtpPost, SmtpServer
from tests.service.cast import CARAVAN, sqlite_only
from tests.service.dump import dump, execute
from tests.service.letters import KINDS, outcomes, rows, write, write_question
from tests.service.smtp import HANG_UP, MailServer

MINUTE = 60_000


@pytest.fixture
def server():
    with MailServer() as server:
        yield server


@pytest.fixture
def post(server):
    """The server; whoever waits longer than half a second is tired of it."""
    made = SmtpPost(SmtpServer.parse(server.url), "tegami@example.org", timeout=0.5)
    yield made
    made.rest()


@pytest.fixture
def courier(app, post):
    return Courier(app.extensions["tegami"], post, KINDS)


@pytest.fixture
def deliver(app, courier):
    """Everything that is due; how many mails that were."""

    def look():
        with app.app_context():
            return courier.deliver_all()

    return look


@pytest.fixture
def put(app, outside):
    return lambda key, kind="plain", **more: write(app, outside, key, kind, **more)


@pytest.fixture
def turn(app, outside, cast):
    """A turn mail to alice, who is asked something in a game; the game as she sees it."""
    game_id = cast.start(CARAVAN)
    write_question(app, outside, cast.alice, game_id)
    return cast.alice.game(game_id)


def digest(app, address):
    return suppressed.digest_of(app.extensions["tegami"].config.secret_key, address)


def test_what_is_due_is_sent_and_marked(app, server, deliver, put, clock):
    put("one")
    put("later", run_at=clock() + 1)
    assert deliver() == 1
    (mail,) = server.mails
    assert mail.to == ["one@example.org"]
    assert mail.sender == "tegami@example.org"
    assert outcomes(app) == {"one": "sent", "later": None}
    assert rows(app)["one"].done_at == clock()
    assert deliver() == 0, "nothing is sent twice"
    assert len(server.mails) == 1


def test_a_batch_takes_one_connection(server, deliver, put):
    for number in range(5):
        put(f"n{number}")
    assert deliver() == 5
    assert len({mail.client for mail in server.mails}) == 1
    put("another")
    deliver()
    assert len({mail.client for mail in server.mails}) == 2, "it is not kept while nothing is due"


def test_nothing_due_says_nothing(app, server, deliver):
    stored = dump(app)
    assert deliver() == 0
    assert server.commands == [] and dump(app) == stored


# What no longer matters


def test_a_turn_mail_arrives(app, server, deliver, turn):
    deliver()
    assert server.mails[0].to == ["alice@example.org"]
    assert list(outcomes(app).values()) == ["sent"]


def test_nobody_hears_of_what_they_have_answered(app, cast, server, deliver, turn):
    cast.alice.answer(turn)
    assert deliver() == 1
    assert server.mails == [] and "MAIL" not in server.commands
    assert list(outcomes(app).values()) == ["dropped"]


@pytest.mark.parametrize("command", ["EHLO", "MAIL", "RCPT"])
def test_nobody_hears_of_what_was_answered_before_the_text_was_sent(
    app, cast, server, deliver, turn, command
):
    """However late: the last look is directly before the text."""
    server.when[command] = lambda: cast.alice.answer(turn)
    deliver()
    assert command in server.commands and "DATA" not in server.commands
    assert list(outcomes(app).values()) == ["dropped"]


def test_nor_of_what_was_answered_while_the_mail_was_written(app, cast, server, post, turn):
    def render(kit, row):
        cast.alice.answer(turn)
        return KINDS["question"].render(kit, row)

    kinds = {"question": KINDS["question"]._replace(render=render)}
    with app.app_context():
        Courier(app.extensions["tegami"], post, kinds).deliver_all()
    assert server.mails == []
    assert list(outcomes(app).values()) == ["dropped"]


def test_the_connection_serves_the_next_mail_after_one_that_was_dropped(
    cast, server, deliver, put, turn
):
    server.when["RCPT"] = lambda: cast.alice.answer(turn)
    put("next")
    deliver()
    assert [mail.to for mail in server.mails] == [["next@example.org"]]
    assert server.commands.count("EHLO") == 1


def test_an_answer_while_the_text_is_on_its_way_comes_too_late(app, cast, server, deliver, turn):
    server.when["DATA"] = lambda: cast.alice.answer(turn)
    deliver()
    assert len(server.mails) == 1
    assert list(outcomes(app).values()) == ["sent"]


def test_a_mail_that_is_called_back_is_not_sent(app, outside, server, deliver, put):
    put("one")

    def call_back():
        with app.app_context(), transaction():
            outbox.cancel(outside, Outbox.key == "one")

    server.when["RCPT"] = call_back
    deliver()
    assert server.mails == []
    assert outcomes(app) == {"one": "cancelled"}


@pytest.mark.parametrize("command", [None, "EHLO", "RCPT"])
def test_who_holds_the_seat_no_more_gets_no_mail(app, outside, cast, server, deliver, command):
    """Also if the seat changes hands while the mail is on its way."""
    game_id = cast.start()
    key = write_question(app, outside, cast.alice, game_id)

    def resign():
        cast.alice.post(f"/api/games/{game_id}/resignation", status=200)

    if command:
        server.when[command] = resign
    else:
        resign()
    deliver()
    assert server.mails == [] and "DATA" not in server.commands
    assert outcomes(app)[key] == "cancelled"


def test_a_renderer_may_have_nothing_to_say(app, server, deliver, put):
    put("one", "nothing")
    deliver()
    assert server.mails == [] and outcomes(app) == {"one": "dropped"}


def test_what_a_player_has_stopped_is_not_sent(app, cast, outside, server, deliver, turn):
    def stop():
        with app.app_context(), transaction():
            wishes.stop(outside, cast.alice.id, wishes.Stop(kind="question"))

    server.when["RCPT"] = stop
    deliver()
    assert server.mails == []


# A server that does not take it now


@sqlite_only
@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("said", ["450 busy", "421 going down", HANG_UP])
def test_a_mail_that_is_not_taken_now_comes_later(app, server, deliver, put, clock, command, said):
    put("one")
    server.reply[command] = [said]
    deliver()
    assert server.mails == []
    assert outcomes(app) == {"one": None}
    clock.forward(PAUSES[0] - 1)
    assert deliver() == 0
    clock.forward(1)
    assert deliver() == 1
    assert len(server.mails) == 1
    assert outcomes(app) == {"one": "sent"}


@sqlite_only
@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA", "TAKEN"])
def test_a_server_that_is_too_slow_is_tried_again(app, server, deliver, put, clock, command):
    put("one")
    server.slow[command] = 1.0
    deliver()
    assert outcomes(app) == {"one": None}
    server.slow.clear()
    clock.forward(PAUSES[0])
    deliver()
    assert outcomes(app) == {"one": "sent"}
    assert len({mail.id for mail in server.mails}) == 1


@pytest.mark.parametrize("said", ["451 lost it", HANG_UP])
def test_a_repeat_has_the_same_message_id(app, server, deliver, put, clock, said):
    """The server took the mail, but the courier never heard of it."""
    put("one")
    server.reply["TAKEN"] = [said]
    deliver()
    assert outcomes(app) == {"one": None}
    clock.forward(PAUSES[0])
    deliver()
    first, second = server.mails
    assert first.id == second.id
    assert outcomes(app) == {"one": "sent"}


def test_one_address_that_is_put_off_keeps_no_other_waiting(app, server, deliver, put):
    for key in ("a", "b", "c"):
        put(key)
    server.always["b@example.org"] = "450 full"
    deliver()
    assert outcomes(app) == {"a": "sent", "b": None, "c": "sent"}
    assert server.commands.count("EHLO") == 1, "over the same connection"


def test_without_a_server_no_mail_pays_for_it(app, server, deliver, put, clock):
    put("one")
    server.stop()
    assert deliver() == 0
    row = rows(app)["one"]
    assert (row.attempts, row.lease_until) == (0, 0)
    server.start()
    assert deliver() == 0, "not at once"
    clock.forward(UNREACHED[0])
    assert deliver() == 1
    assert len(server.mails) == 1


@sqlite_only
def test_the_server_is_tried_less_and_less_often(server, deliver, put, clock, capsys):
    put("one")
    server.stop()
    tries = []
    for second in range(sum(UNREACHED) // 1000 + 70):
        deliver()
        tries += [second] * ('"post"' in capsys.readouterr().err)
        clock.forward(1000)
    pauses = [1000 * (later - sooner) for sooner, later in itertools.pairwise(tries)]
    assert pauses == [*UNREACHED, UNREACHED[-1]]


@pytest.mark.parametrize("command", ["EHLO", "MAIL"])
def test_a_server_that_refuses_us_condemns_no_address(app, server, deliver, put, clock, command):
    put("one")
    server.reply[command] = ["550 not from you"]
    if command == "EHLO":
        server.reply["EHLO"] *= 2
    deliver()
    assert execute(app, "SELECT * FROM suppressed") == []
    clock.forward(PAUSES[0])
    deliver()
    assert outcomes(app) == {"one": "sent"}


# A server that never takes it


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
def test_an_address_that_is_refused_gets_nothing_more(app, server, deliver, put, command):
    put("first", address="Bob@example.org")
    server.reply[command] = ["550 nobody here"]
    deliver()
    put("second", address="bob@example.org")
    put("other")
    deliver()
    assert outcomes(app) == {"first": "failed", "second": "dropped", "other": "sent"}
    assert [mail.to for mail in server.mails] == [["other@example.org"]]
    assert server.commands.count("EHLO") == 2, "one a batch: it goes on after a refusal"


def test_until_it_is_verified_anew(app, server, deliver, put):
    server.always["bob@example.org"] = "550 nobody here"
    put("first", address="bob@example.org")
    deliver()
    server.always.clear()
    put("verify", "verify", address="bob@example.org")
    put("too soon", address="bob@example.org")
    deliver()
    with app.app_context(), transaction():
        suppressed.verified(digest(app, "BOB@example.org"))
    put("again", address="bob@example.org")
    deliver()
    assert outcomes(app) == {
        "first": "failed",
        "verify": "sent",
        "too soon": "dropped",
        "again": "sent",
    }


def test_of_an_address_only_a_digest_is_kept(app, server, deliver, put):
    server.always["RCPT"] = "550 nobody here"
    put("first", address="bob@example.org")
    deliver()
    (row,) = execute(app, "SELECT * FROM suppressed")
    assert row.reason == "refused"
    assert bytes(row.digest) == digest(app, "bob@example.org")
    assert b"bob" not in bytes(row.digest)


def test_whoever_wants_no_invitations_gets_other_mails(app, outside, server, deliver, put):
    with app.app_context(), transaction():
        suppressed.suppress(outside, digest(app, "bob@example.org"), suppressed.INVITATIONS)
        suppressed.verified(digest(app, "bob@example.org"))
    put("invitation", "invitation", address="bob@example.org")
    put("plain", address="bob@example.org")
    deliver()
    assert outcomes(app) == {"invitation": "dropped", "plain": "sent"}


# Defects, and what is said of all this


def test_a_defect_of_one_kind_keeps_no_mail_waiting(app, server, deliver, put, capsys):
    put("bad", "broken", data={"say": "secret-card"})
    put("unknown", "of a newer release")
    put("good")
    deliver()
    assert outcomes(app) == {"bad": None, "unknown": None, "good": "sent"}
    logged = capsys.readouterr().err
    assert "ZeroDivisionError" in logged and "tests.service.letters" not in logged
    assert "secret-card" not in logged


def test_the_log_names_nobody(app, cast, server, deliver, put, turn, capsys):
    server.always["one@example.org"] = "550 one@example.org does not exist"
    put("one")
    put("two")
    deliver()
    logged = capsys.readouterr().err
    assert '"outcome": "sent"' in logged and '"code": 550' in logged
    for secret in ("example.org", "@", turn["tenure"], cast.alice.id):
        assert secret not in logged


def test_a_database_out_of_reach_is_reported(app, courier, capsys):
    execute(app, "ALTER TABLE outbox RENAME TO elsewhere")
    with app.app_context():
        assert one_or_report(courier) is False
    execute(app, "ALTER TABLE elsewhere RENAME TO outbox")
    assert '"courier"' in capsys.readouterr().err


# Several couriers


def test_two_couriers_share_the_rows(app, server, post, put):
    other = SmtpPost(SmtpServer.parse(server.url), "tegami@example.org")
    couriers = [Courier(app.extensions["tegami"], each, KINDS) for each in (post, other)]
    for number in range(8):
        put(f"n{number}")
    with app.app_context():
        while any(courier.deliver_one() for courier in couriers):
            pass
    other.rest()
    assert sorted(mail.to[0] for mail in server.mails) == [f"n{n}@example.org" for n in range(8)]


# Which post


@sqlite_only
def test_the_post_is_the_one_that_is_set(config):
    on_this_machine = post_of(config)
    assert type(on_this_machine).__name__ == "Mailbox"
    assert post_of(replace(config, public_url="https://tegami.example")) is None
    assert post_of(replace(config, public_url="http://tegami.example")) is None
    for url in ("https://localhost", "http://tegami.example"):
        chosen = post_of(replace(config, public_url=url, smtp_url="smtp://mail.example"))
        assert type(chosen).__name__ == "SmtpPost"
