"""The page behind a mailed key: it names the person and the purpose, and a button uses the key. Opening it signs nobody
in.

An address is verified where its player is signed in, or with something that only that player knows: the password, or
the number that is shown to the player. Otherwise, the owner of an address could take over the account of a stranger who
has typed it.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from flask import Blueprint, Response, g

from rules.kernel import Json
from service.core.models.people import Account
from service.core.runtime.problems import InvalidBody, NotFound, WrongPassword
from service.core.settings.config import Config
from service.core.words.words import phrases
from service.people import players
from service.people.accounts import accounts
from service.people.credentials import mailed_keys
from service.people.credentials.mailed_keys import RESET, SIGN_IN, VERIFY
from service.people.players import PlayerRow
from service.people.sign_ins import sign_ins
from service.web.http.bodies.body_and_query import load_body
from service.web.http.caller import sign_in_cookie
from service.web.http.caller.caller import caller
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import KeyUse, NewPasswordByKey
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("mailed_key")

PURPOSES = {"verify": VERIFY, "not-me": VERIFY, "sign-in": SIGN_IN, "reset": RESET}
"""The purposes of links, with the kinds of their keys."""


class KeyPage(NamedTuple):
    """A key that can still be used, and its account."""

    purpose: str
    key: str
    account: Account
    player: PlayerRow

    @property
    def is_here(self) -> bool:
        """Whether this player is signed in to this browser."""
        present = caller()
        return present is not None and present.id == self.player.id


def read(purpose: str, key: str) -> KeyPage:
    """The key and the account of a link. Raises NotFound, WrongKey."""
    if purpose not in PURPOSES:
        raise NotFound
    services = current_services()
    claim = mailed_keys.read(services.config, services, PURPOSES[purpose], key)
    account = accounts.get_by_claim(claim)
    player = players.get(account.player_id)
    g.language = player.language
    return KeyPage(purpose, key, account, player)


@bp.get("/keys/<purpose>/<key>")
def get_plain_key(purpose: str, key: str) -> Response:
    """Show the owner of the account, and the effect of the button; nothing is changed, and nobody is signed in."""
    return page(read(purpose, key))


def page(found: KeyPage, title: str | None = None) -> Response:
    """The page about a key; `title` says what was done, if anything was."""
    return plain_page(
        "key.html",
        purpose=found.purpose,
        path=f"/plain/keys/{found.purpose}/{found.key}",
        account=found.account,
        owner=found.player,
        here=found.is_here,
        done=title,
    )


@bp.post("/keys/<purpose>/<key>")
@limited("sign-ins")
@parse_form(KeyUse)
def use_plain_key(body: Json, purpose: str, key: str) -> Response:
    """Use the key for the purpose of the link."""
    services, found = current_services(), read(purpose, key)
    browser = sign_in_cookie.browser_name()
    if purpose == "not-me" or body.get("do") == "not-me":
        accounts.reject_address(services, services.config, key)
        return page(found, "page.mailed-link.not-me.done")
    if purpose == "verify":
        verify(found, body)
        return page(found, "page.mailed-link.verify.done")
    if purpose == "sign-in":
        signed_in = sign_ins.by_mailed_key(services, services.config, key, browser)
    else:
        typed = {"password": body["password"]} if "password" in body else {}
        chosen = load_body(NewPasswordByKey(), typed)["password"]
        with_passwords = services, services.config, services.passwords
        signed_in = sign_ins.reset_password(*with_passwords, key, chosen, browser)
    return sign_in_cookie.with_sign_in(see("/"), signed_in)


def verify(found: KeyPage, body: Json) -> None:
    """Verify the address, if the player is signed in here or has proven to be that player.

    Raises InvalidBody, WrongPassword.
    """
    services, present = current_services(), caller()
    if present is not None and found.is_here:
        accounts.verify_address(services, services.config, present, found.key)
        return
    with attempt_limits.guessing(attempt_limits.confirmation(f"verify {found.player.id}")):
        check_proof(services.config, found.account, body)
    accounts.verify_elsewhere(services, services.config, found.key)


def check_proof(config: Config, account: Account, body: Json) -> None:
    """Raise InvalidBody for a wrong number, WrongPassword for a wrong password."""
    if account.password and "password" in body:
        passwords = current_services().passwords
        accounts.confirm_password(passwords, account.player_id, body["password"])
        return
    if "password" in body:
        raise WrongPassword
    number = accounts.verification_number(config, account) or ""
    typed = body.get("number", "").replace(" ", "")
    if not number or not hmac.compare_digest(typed.encode(), number.encode()):
        words = phrases(g.language)
        raise InvalidBody(errors={"number": [words.say("plain.key.number.wrong")]})
