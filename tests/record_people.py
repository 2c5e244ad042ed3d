"""The examples of openapi.yaml about accounts: registration, sign-ins, settings, erasure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.core.database.database import transaction
from service.people.accounts import accounts, proven_addresses
from service.people.credentials import mailed_keys
from service.people.credentials.mailed_keys import Claim, Purpose
from tests.record_tables import about_invitations

Json = dict[str, Any]
PASSWORD, BETTER = "kaki no ha sushi", "correct horse battery staple"


def about_accounts(recorder: Any) -> None:
    """A guest registers, signs in in every way, changes everything, and erases the account."""
    rin = newcomer(recorder, "りん")
    about_registering(recorder, rin)
    recorder.call("signIn", body={"who": "rin", "password": PASSWORD}, variant="password")
    recorder.call("signIn", body={"who": "rin", "password": "sushi"}, variant="wrong-password")
    recorder.call("mailLink", body={"kind": "sign-in", "who": "rin@example.org"})
    key = mailed(recorder, rin, mailed_keys.SIGN_IN)
    recorder.call("signIn", body={"mailed": key}, variant="mailed")
    key = mailed(recorder, rin, mailed_keys.RESET)
    recorder.call("resetPassword", body={"key": key, "password": BETTER})
    rin = {**rin, "cookie": recorder.cookie}
    change = {"password": PASSWORD, "current_password": BETTER}
    recorder.call("changePassword", rin, change)
    change = {"address": "rin@mail.example", "current_password": PASSWORD}
    recorder.call("changeAddress", rin, change)
    recorder.call("makeLink", rin)
    recorder.call("listSignIns", rin)
    about_settings(recorder, rin)
    about_invitations(recorder, rin)
    recorder.call("openGame", rin, {"ruleset": "caravan"}, variant="export")
    recorder.call("exportMe", rin)
    recorder.call("eraseMe", rin, {"current_password": PASSWORD})
    about_proven_addresses(recorder)


def about_registering(recorder: Any, who: Json) -> None:
    """A guest registers."""
    wish = {"handle": "rin", "address": "rin@example.org", "password": PASSWORD}
    recorder.call("changePassword", who, {"password": PASSWORD}, variant="guest")
    for weak in ("12345678", "rin@example.org"):
        recorder.call("registerMe", who, wish | {"password": weak}, variant="weak")
    recorder.call("registerMe", who, wish)
    recorder.call("registerMe", who, wish, variant="again")
    recorder.call("registerMe", newcomer(recorder, "Ren"), wish, variant="taken")
    recorder.call("verifyAddress", who, {"key": mailed(recorder, who, mailed_keys.VERIFY)})


def about_proven_addresses(recorder: Any) -> None:
    """Let a guest who came with a mailed invitation get mails at its address."""
    kai = newcomer(recorder, "Kai")
    with recorder.app.app_context(), transaction():
        proven_addresses.note(kai["id"], "kai@example.org")
    recorder.call("adoptProvenAddress", kai)


def about_strangers(recorder: Any) -> None:
    """Let two guests register with one address; its owner removes it from the other's account."""
    one, other = newcomer(recorder, "Ren"), newcomer(recorder, "Eve")
    for handle, who in (("ren", one), ("eve", other)):
        wish = {"handle": handle, "address": "ren@example.org"}
        recorder.call("registerMe", who, wish, variant="same-address")
    recorder.call("previewSignIn", one, {"key": recorder.call("makeLink", other)["link"]["key"]})
    key = mailed(recorder, other, mailed_keys.VERIFY)
    recorder.call("verifyAddress", one, {"key": key}, variant="other")
    recorder.call("rejectAddress", body={"key": key})


def about_settings(recorder: Any, who: Json) -> None:
    """Settings and a vacation."""
    recorder.call("changeSettings", who, {"time_zone": "Asia/Edo"}, variant="wrong")
    recorder.call("changeSettings", who, {"quiet": "07:00-22:00"}, variant="wrong-hours")
    change = {"time_zone": "Asia/Tokyo", "unwanted": ["reminder"], "reminders": [2880, 360]}
    recorder.call("changeSettings", who, change)
    recorder.call("getSettings", who)
    recorder.call("planVacation", who, {"first": "2026-12-24", "last": "2027-01-03"})
    recorder.call("planVacation", who, {"first": "2027-03-01", "last": "2027-03-02"}, variant="two")
    recorder.call("listVacations", who)


def about_the_uninvited(recorder: Any) -> None:
    """The refusal of a new player without a code on a server that requires one."""
    services = recorder.app.extensions["tegami"]
    closed = replace(services, config=replace(services.config, registration="invited"))
    recorder.app.extensions["tegami"] = closed
    recorder.call("makePlayer", body={"name": "Eve"}, variant="uninvited")
    recorder.app.extensions["tegami"] = services


def newcomer(recorder: Any, name: str) -> Json:
    """A new guest in a browser."""
    made = recorder.call("makePlayer", body={"name": name, "language": "ja"})
    return {"id": made["player"]["id"], "key": made["link"]["key"], "cookie": recorder.cookie}


def mailed(recorder: Any, who: Json, purpose: Purpose) -> str:
    """The key in a mail for this purpose."""
    services = recorder.app.extensions["tegami"]
    with recorder.app.app_context():
        account: Any = accounts.find(who["id"])
        claim: Claim = (
            accounts.pending_claim(account)
            if purpose == mailed_keys.VERIFY
            else accounts.address_claim(account)
        )
        return mailed_keys.create(services.config, services, purpose, claim)
