"""A launcher that serves a game full of traps: every error in it carries a secret.

The stock holds one card that nobody may ever see, `MARKER`, and every kind of failure puts the whole state, including
the stock, into the message of the exception.
"""

from __future__ import annotations

import dataclasses

from flask import Flask

import rules
from rules.common.cards import Cards
from rules.games.boomerang_auction import ruleset as usual
from rules.games.boomerang_auction.components import Table
from rules.games.boomerang_auction.phases import PASS
from rules.games.boomerang_auction.phases import start as usual_start
from rules.kernel import Json, State, Turn, inner, phase
from service.operations.worker.loop import stop_on_signals, work
from service.web.app import create_app

MARKER = "secret-card"
VERSION = 99


@phase
class Bidding(Table):
    """A phase in which each seat can step into a trap, chosen by its bid."""

    on_turn: int = inner(default=0)

    def turn(self) -> Turn:
        return Turn(waiting=(self.on_turn,))

    def legal(self, seat: int) -> list[Json]:
        bids: list[Json] = [{"type": "bid", "cards": [card]} for card in self.hands[seat]]
        return [*bids, PASS]

    def prompt(self) -> Json:
        return {"high": 0}

    def do_pass(self, seat: int) -> State:
        return self.tell("passed", seat=seat).change(on_turn=(seat + 1) % self.players)

    def do_bid(self, seat: int, cards: Cards) -> State:
        if cards[0].startswith("A"):
            raise RuntimeError(f"the engine fell over {self}")
        if cards[0].startswith("2"):
            return self.tell("bid", seat=seat, cards=cards, value=1).change(Unseeable)
        if cards[0].startswith("3"):
            raise KeyError(self.stock)
        return self.tell("no such line", seat=seat, card=self.stock[0])


@phase
class Unseeable(Table):
    """A value that raises when it is converted to text."""

    def turn(self) -> Turn:
        return Turn(waiting=(0,))

    def prompt(self) -> Json:
        raise ValueError(f"nobody may see {self}")


def start(players: int, options: Json) -> State:
    dealt = usual_start(players, options)
    return Bidding(players=players, hands=dealt.hands, won=dealt.won, stock=(MARKER,))


def trapped_app() -> Flask:
    """The application, with a version of a game that is made of traps."""
    trapped = dataclasses.replace(usual, version=VERSION, start=start)
    found = rules.Found(trapped, rules.folder(trapped.slug))
    rules._versions()[trapped.slug, VERSION] = found
    return create_app()


if __name__ == "__main__":
    work(trapped_app(), stop_on_signals())
