"""The numbers in the introduction of openapi.yaml are those of the service."""

from __future__ import annotations

import re

import pytest
from gunicorn.config import Config

from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.log import changes
from service.notifications.mail_sending.budgets import BUDGETS
from service.notifications.receivers import (
    addresses,
    browsers,
    courier,
    deliveries,
    delivery_budgets,
    guarded_post,
    receivers,
)
from service.notifications.retries import EXPIRY, RETRY_DELAYS
from service.tables.before_start import departures, nonces, table_setup
from service.tables.clocks import polling
from service.tables.play import proposals
from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.http.idempotency import stored_answers
from service.web.http.limits import attempt_limits as limits
from service.web.http.polls import waiting
from service.web.serving import connections, gunicorn, held_answers
from tests.contract import document

SERVER = Config()
AN_HOUR = {(each.group, each.subject): each.hour for each in BUDGETS}
NUMBERS = {
    r"\(RFC 7240; (\d+) seconds at most\)": [waiting.LONGEST],
    r"lets at most (\d+) requests of a player wait, and (\d+) in all": [
        *(held_answers.OF_PLAYER, gunicorn.MOST_CONNECTIONS // 2)
    ],
    r"Respond with 2xx within (\d+) seconds": [guarded_post.PATIENCE],
    r"again after (\d+), (\d+) and (\d+) minutes, (\d+), (\d+) and (\d+) hours, and every (\d+) hours": [
        *(each // MINUTE for each in RETRY_DELAYS[:3]),
        *(each // HOUR for each in (*RETRY_DELAYS[3:], RETRY_DELAYS[-1])),
    ],
    r"for (\d+) days, you can have them sent again": [deliveries.KEPT // DAY],
    r"replaces it; for (\d+) hours": [receivers.BOTH_SIGN // HOUR],
    r"https to port (\d+) or (\d+)": sorted(addresses.PORTS),
    r"most (\d+) webhooks. At most (\d+) messages an hour are sent to one host, and (\d+) for one": [
        *(receivers.MOST, delivery_budgets.HOST.most, delivery_budgets.PLAYER.most)
    ],
    r"a player gets at most (\d+), and (\d+) for receivers that have not accepted any message yet": [
        *(delivery_budgets.SHARE.most, delivery_budgets.UNKNOWN_SHARE.most)
    ],
    r"and at most (\d+) an hour are sent to browsers of one host": [
        delivery_budgets.UNKNOWN_PUSHED.most
    ],
    r"may send (\d+) even after others sent": [delivery_budgets.KEPT.most],
    r"most (\d+) browsers. At most (\d+) messages an hour and (\d+) a day are sent to one browser, and (\d+) a day": [
        *(
            browsers.MOST,
            delivery_budgets.BROWSER_HOUR.most,
            delivery_budgets.BROWSER_DAY.most,
            delivery_budgets.PUSHED.most,
        )
    ],
    r"or up to (\d+) seconds later \(`starts_at`\)": [nonces.LONGEST_WAIT // SECOND],
    r"has not started after (\d+) days": [departures.LONGEST_OPEN // DAY],
    r"a missing answer after (\d+) hours": [proposals.VOTING_TIME // HOUR],
    r"line of more than (\d+) bytes": [SERVER.limit_request_line],
    r"header of more than (\d+) bytes, more than (\d+) headers, or a .+? of more than (\d+) KiB": [
        SERVER.limit_request_field_size - len("\r\n"),
        *(SERVER.limit_request_fields, connections.MOST_HEAD // 1024),
    ],
    r"object of at most (\d+) KiB": [LARGEST_BODY // 1024],
    r"There can be (\d+) new players an hour": [limits.GUESTS_FROM.most],
    r"and (\d+) new tables an hour": [limits.TABLES_BY.most],
    r"sit down at one table (\d+) times an hour, and at all tables together (\d+) times": [
        *(table_setup.AT_A_TABLE.most, table_setup.AT_TABLES.most)
    ],
    r"can add (\d+) house players an hour": [table_setup.HOUSE_AT_A_TABLE.most],
    r"limited to (\d+) an hour for each handle .+? and (\d+) from each network": [
        *(limits.MAILS_TO.most, limits.MAILS_FROM.most)
    ],
    r"can send (\d+) invitations by email a day": [limits.INVITATIONS_BY.most],
    r"After (\d+) wrong .+? After (\d+) wrong passwords .+?, or (\d+) from .+? a minute and reaches (\d+) minutes": [
        *(limits.BY_NETWORK.free, limits.BY_STRANGERS.free),
        *(limits.FROM_NETWORK.free, limits.BY_STRANGERS.longest // MINUTE),
    ],
    r"\((\d+) for all such browsers": [limits.BY_BROWSERS.free],
    r"for a person (\d+) turn emails and (\d+) emails with other news of one table an hour, (\d+) an hour": [
        *(AN_HOUR["turn", "person at table"], AN_HOUR["news", "person at table"]),
        AN_HOUR["stranger", "person"],
    ],
}
"""By a pattern of the introduction, the numbers in it."""


@pytest.mark.parametrize("said", NUMBERS)
def test_the_numbers_are_those_of_the_service(said):
    text = " ".join(document()["info"]["description"].split())
    (found,) = [each.groups() for each in re.finditer(said, text)]
    assert [int(each) for each in found] == NUMBERS[said]


def test_times_that_are_written_out_are_those_of_the_service():
    """Ten minutes, or an hour; three days; a day; half a minute, up to an hour."""
    assert polling.QUIET == (10 * MINUTE, HOUR)
    assert (courier.FAILING_FOR, EXPIRY) == (3 * DAY, 3 * DAY)
    assert (stored_answers.KEPT, changes.KEPT) == (DAY, 30 * DAY)
    for each in (limits.BY_NETWORK, limits.BY_BROWSER, limits.TO_CONFIRM):
        assert (each.first, each.longest, each.memory) == (MINUTE // 2, HOUR, DAY)
    assert (limits.BY_STRANGERS.first, limits.FROM_NETWORK.first) == (MINUTE, MINUTE)
