"""Email addresses: which of them lead to one mailbox, and to which domain they belong.

One address has countless spellings: `ann@`, `Ann@`, `ann+1@` and, at some providers, `a.n.n@`. Limits, and refusals to
receive mail, apply to all of them. Emails still go to the address as typed.
"""

from __future__ import annotations

from typing import NamedTuple


class Provider(NamedTuple):
    """The rules of a mailbox provider for the part of an address before the `@`."""

    ignored: str = ""
    """The characters that make no difference."""
    tag: str = "+"
    """The beginning of a tag, which makes no difference either; empty if there are no tags."""
    dots: str = ""
    """The characters that are equivalent to a dot."""


_FASTMAIL = ("fastmail.com", "fastmail.fm", "fastmail.net")
"""The domains at which `anything@ann.fastmail.com` leads to the same mailbox as `ann@fastmail.com`."""
_ONE_EACH = (
    *("outlook.com", "outlook.jp", "hotmail.com", "hotmail.co.jp", "hotmail.co.uk", "hotmail.fr"),
    *("hotmail.de", "live.com", "live.jp", "msn.com"),
    *_FASTMAIL,
)
_YANDEX = ("yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "ya.ru", "narod.ru")
_WITHOUT_TAGS = (
    *("docomo.ne.jp", "ezweb.ne.jp", "au.com", "softbank.ne.jp", "i.softbank.jp", "ymobile.ne.jp"),
    *("gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com", "web.de", "t-online.de", "freenet.de"),
    *("qq.com", "163.com", "126.com", "naver.com", "mail.ru", "bk.ru", "list.ru", "inbox.ru"),
    *("aol.com", "orange.fr", "free.fr", "laposte.net", "libero.it", "seznam.cz", "wp.pl", "o2.pl"),
)
_YAHOO = (
    *("yahoo.com", "yahoo.co.jp", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "ymail.com"),
    "rocketmail.com",
)
_PROVIDERS: list[tuple[Provider, tuple[str, ...]]] = [
    (Provider(ignored="."), ("gmail.com", "googlemail.com")),
    (Provider(ignored=".-_"), ("proton.me", "protonmail.com", "protonmail.ch", "pm.me")),
    (Provider(), ("icloud.com", "me.com", "mac.com")),
    *((Provider(), (domain,)) for domain in _ONE_EACH),
    (Provider(dots="-"), _YANDEX),
    *((Provider(tag=""), (domain,)) for domain in _WITHOUT_TAGS),
    *((Provider(tag="-"), (domain,)) for domain in _YAHOO),  # no name there contains a hyphen
]
"""The large providers with their domains; one name is the same mailbox at all domains of an entry."""
_OTHER = Provider(tag="")
_DOMAINS = {domain: (same[0], provider) for provider, same in _PROVIDERS for domain in same}
"""The domain that represents each domain of a large provider, and the provider's rules."""
_COUNTRY = 2
"""The length of a country's top-level domain."""
_SECOND_LEVEL = frozenset(
    "ac ad co com ed edu go gob gouv gov gr info lg ltd me mil ne net nom or org plc sch web".split()
)
"""The second-level domains under which countries sell names: `co.uk`, `ne.jp`, `com.au`."""


def mailbox(address: str) -> str:
    """A key that is the same for all addresses that certainly lead to the same mailbox."""
    return "@".join(_mailbox(address, tags=""))


def counted(address: str) -> str:
    """A key that is the same for all addresses that may lead to the same mailbox: most servers ignore what follows a
    `+`.
    """
    return "@".join(_mailbox(address, tags="+"))


def is_large(domain: str) -> bool:
    """Whether this is a domain of a large provider, at which many people have their mailboxes."""
    return domain in _DOMAINS


def registered_domain(address: str) -> str:
    """The domain of an address that somebody has registered; it can have countless subdomains."""
    labels = _mailbox(address, tags="")[1].split(".")
    by_country = len(labels) > 2 and len(labels[-1]) == _COUNTRY
    return ".".join(labels[-3 if by_country and labels[-2] in _SECOND_LEVEL else -2 :])


def _mailbox(address: str, *, tags: str) -> tuple[str, str]:
    """Both parts of an address in lower case, by the rules of its provider.

    With an unknown provider, a tag may begin with any of `tags`.
    """
    local, _, domain = address.strip().lower().rpartition("@")
    domain = domain.rstrip(".")
    owner, _, parent = domain.partition(".")
    if parent in _FASTMAIL:
        local, domain = owner, parent
    domain, provider = _DOMAINS.get(domain, (domain, _OTHER))
    name = local
    for tag in {"+", provider.tag} if provider.tag else set(tags):
        name = name.partition(tag)[0]
    dotted = (name or local).translate(dict.fromkeys(map(ord, provider.dots), "."))
    return "".join(letter for letter in dotted if letter not in provider.ignored), domain
