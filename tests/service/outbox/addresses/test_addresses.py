"""Which addresses are counted as one."""

from __future__ import annotations

import pytest

from service.outbox.addresses.addresses import counted, is_large, mailbox, registered_domain

SAME = [
    ("ann@example.org", "Ann@Example.ORG"),
    ("ann@gmail.com", "a.n.n@gmail.com", "ann+games@gmail.com", "A.nn+1@GoogleMail.com"),
    ("ann@icloud.com", "ann@me.com", "ann+1@mac.com"),
    ("ann@outlook.com", "ann+1@outlook.com"),
    ("ann@hotmail.co.uk", "Ann+1+2@hotmail.co.uk"),
    ("annlee@proton.me", "ann.lee@protonmail.com", "ann-lee@pm.me", "ann_lee+1@proton.me"),
    ("ann@fastmail.com", "ann+1@fastmail.com", "shop@ann.fastmail.com"),
    ("ann@yahoo.com", "ann-shop@yahoo.com", "ann+1@yahoo.com"),
    ("ann@yahoo.co.jp", "ann-shop@yahoo.co.jp"),
    ("ann.lee@yandex.ru", "ann-lee@ya.ru", "Ann.Lee+1@yandex.com"),
    ("ann@fastmail.net", "shop@ann.fastmail.net"),
    ("ann@xn--bcher-kva.example", "ANN@XN--BCHER-KVA.example"),
]
DIFFERENT = [
    ("ann@gmail.com", "anne@gmail.com", "ann@gmail.example"),
    ("a.nn@outlook.com", "ann@outlook.com", "ann@hotmail.com"),
    ("a.nn@example.org", "ann@example.org", "a-nn@example.org"),
    ("a.nn@icloud.com", "ann@icloud.com"),
    ("ann@yahoo.com", "ann@ymail.com", "a.nn@yahoo.com"),
    ("ann@bob.fastmail.com", "ann@fastmail.com"),
    ("+@example.org", "ann@example.org"),
    ("ann.lee@yandex.ru", "annlee@yandex.ru"),
]


@pytest.mark.parametrize("spellings", SAME)
def test_spellings_of_one_mailbox(spellings):
    assert len({mailbox(each) for each in spellings}) == 1
    assert len({counted(each) for each in spellings}) == 1


@pytest.mark.parametrize("addresses", DIFFERENT)
def test_addresses_of_different_people(addresses):
    assert len({mailbox(each) for each in addresses}) == len(addresses)
    assert len({counted(each) for each in addresses}) == len(addresses)


def test_a_tag_at_an_unknown_server_may_be_another_mailbox_but_counts_as_the_same():
    assert mailbox("ann+1@example.org") != mailbox("ann@example.org")
    assert counted("ann+1@example.org") == counted("ann@example.org")


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("ann@example.org", "example.org"),
        ("ann@a.b.example.org", "example.org"),
        ("ann@mail.example.co.uk", "example.co.uk"),
        ("ann@example.co.uk", "example.co.uk"),
        ("ann@example.de", "example.de"),
        ("ann@mail.example.de", "example.de"),
        ("ann@a.kth.se", "kth.se"),
        ("ann@r0.abc.de", "abc.de"),
        ("ann@mail.example.or.jp", "example.or.jp"),
        ("ann@googlemail.com", "gmail.com"),
        ("shop@ann.fastmail.com", "fastmail.com"),
    ],
)
def test_subdomains_belong_to_whoever_registered_the_domain(address, domain):
    assert registered_domain(address) == domain


def test_large_providers():
    assert is_large("gmail.com") and not is_large("example.org")


def test_a_tag_where_there_are_none_may_be_nobodys_mailbox_but_counts_as_the_same():
    assert mailbox("ann+1@docomo.ne.jp") != mailbox("ann@docomo.ne.jp")
    assert counted("ann+1@docomo.ne.jp") == counted("ann@docomo.ne.jp")
    assert is_large("docomo.ne.jp")
