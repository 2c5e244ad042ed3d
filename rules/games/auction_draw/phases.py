"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import replaced, without
from rules.common.deals import deal
from rules.common.dominoes import Tile, Tiles, canonical, double_set, ends, other_end, pips, shows
from rules.games.auction_draw.components import LOT, T, Table
from rules.games.auction_draw.options import USUAL_HAND, Terms
from rules.kernel import (
    OVER,
    Action,
    Chance,
    Json,
    Part,
    Place,
    Result,
    State,
    Turn,
    Viewer,
    everyone,
    fact,
    inner,
    only,
    owner,
    phase,
    waits_for,
    zone,
)

LAPS = 2
"""4.3 The number of laps in which each seat may bid in an auction."""
LONGEST = 50
"""5.1 The largest number of times that the lead goes round the table."""
PASS = Action(type="pass")


@phase
class Shuffling(Table):
    """3 All tiles lie face down until they are shuffled and dealt."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("stock", double_set(self.terms.highest)))

    def on_chance(self, outcome: Tiles) -> State:
        s = self.tell("round", number=self.round, seat=self.lead, value=self.pot)
        each = self.terms.hand or USUAL_HAND[self.terms.highest][self.players]
        hands, stock = deal(outcome, self.players, each)
        hands = tuple(map(canonical, hands))
        for seat, hand in enumerate(hands):
            s = s.tell("dealt", seat=seat, tiles=only(hand, seat))
        if len(stock) == LOT:
            return auction(s.change(hands=hands, stock=stock), self.lead)
        if len(stock) < LOT:
            s = s.tell("left-over", count=len(stock)) if stock else s
            s, stock = s.change(removed=stock), ()
        return s.change(hands=hands, stock=stock).change(Playing, on_turn=self.lead)


@phase
class Playing(Table):
    """4.1 The seat whose turn it is plays a tile, buys tiles or passes."""

    on_turn: int = inner()
    bought: int | None = fact(everyone, default=None)
    bare: int = fact(everyone, default=0)

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def prompt(self) -> Json:
        if not self.numbers:
            return {}
        if self.bought:
            return {"bought": self.bought}
        return {"left": self.numbers[0], "right": self.numbers[1]}

    def legal(self, seat: int) -> list[Action]:
        hand = self.hands[seat]
        if not self.line:
            return [Action(type="play", tile=tile) for tile in hand]
        plays = [] if self.bought else plays_of(hand, self.numbers)
        if plays and not self.terms.free:
            return plays
        buys: list[Action] = [Action(type="buy")] if can_buy(self, seat) else []
        return [*plays, *buys, PASS]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.1 The reason why a tile cannot be played: it shows no open number, or the seat has bought a tile."""
        if action.get("tile") not in self.hands[seat] or not self.numbers:
            return None
        if self.bought:
            return {"why": "bought"}
        return {
            "why": "no-end",
            "tile": action["tile"],
            "left": self.numbers[0],
            "right": self.numbers[1],
        }

    def beside(self, seat: int, action: Json) -> Json:
        """4.1 The tile that the played tile will touch, and its end of the line."""
        if "end" not in action:
            return {}
        left = self.numbers[0] == action["end"]
        return {"side": "left" if left else "right", "touching": self.line[0 if left else -1]}

    def fallback(self, seat: int) -> Json:
        legal = self.legal(seat)
        if legal[-1] == PASS:
            return PASS
        return max(legal, key=lambda a: (pips(a["tile"]), ends(a["tile"]), a.get("end", 0)))

    def do_play(self, seat: int, tile: Tile, end: int | None = None) -> State:
        hand = without(self.hands[seat], tile)
        s = lay(self, seat, tile, end).change(hands=replaced(self.hands, seat, hand))
        return pass_on(s, seat + 1, bare=0) if hand else out(s, seat)

    def do_buy(self, seat: int) -> State:
        s = pay(self, seat, 1)
        tile, stock = s.stock[0], s.stock[1:]
        s = s.tell("bought", seat=seat, tile=only(tile, seat)).change(
            hands=replaced(s.hands, seat, canonical((*s.hands[seat], tile))), stock=stock
        )
        if len(stock) == LOT:
            return auction(s, seat + 1)
        if not s.purses[seat]:
            return pass_on(s, seat + 1, bare=0)
        return s.change(bought=(self.bought or 0) + 1, bare=0)

    def do_pass(self, seat: int) -> State:
        if self.bought:
            return pass_on(self.tell("stopped", seat=seat), seat + 1, bare=0)
        return pass_on(self.tell("passed", seat=seat), seat + 1, bare=self.bare + 1)


@phase
class Bidding(Table):
    """4.3 The last two tiles go to the highest bidder within two laps; a seat that passes is out."""

    first: int = inner()
    acted: int = inner(default=0)
    high: int = fact(everyone, default=0)
    bidder: int | None = fact(everyone, "seat", default=None)
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")

    @property
    def on_turn(self) -> int:
        return (self.first + self.acted) % self.players

    def parts(self) -> Sequence[Part]:
        return (*super().parts(), Part("auction"))

    def turn(self) -> Turn:
        return waits_for((self.on_turn,))

    def prompt(self) -> Json:
        return {"high": self.high, "lap": self.acted // self.players + 1, "laps": LAPS}

    def legal(self, seat: int) -> list[Action]:
        bids = range(self.high + 1, self.purses[seat] + 1)
        return [*(Action(type="bid", chips=chips) for chips in bids), PASS]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3 The reason why no tile can be played: the auction is going on."""
        return {"why": "auction"} if action.get("tile") in self.hands[seat] else None

    def fallback(self, seat: int) -> Json:
        return PASS

    def do_bid(self, seat: int, chips: int) -> State:
        s = self.tell("bid", seat=seat, chips=chips)
        return go_on(s.change(high=chips, bidder=seat, acted=self.acted + 1))

    def do_pass(self, seat: int) -> State:
        return go_on(drop(self.tell("passed", seat=seat), seat))


def counted_or_own(s: Over, viewer: Viewer, place: Place) -> bool:
    """5.1 Visible to everybody after a blocked round; otherwise each seat sees only its own hand."""
    return s.blocked or owner(s, viewer, place)


@phase
class Over(Table):
    """5.2 The seat with the most chips wins; chips left in the pot belong to nobody."""

    hands: tuple[Tiles, ...] = zone(counted_or_own, "hand", per="seat", name="hand")
    blocked: bool = inner()
    reason: str = inner()

    def turn(self) -> Turn:
        return OVER

    def facts(self) -> Sequence[Json]:
        if not self.blocked:
            return super().facts()
        counted = [
            {"name": "pips", "of": seat, "value": sum(map(pips, tiles))}
            for seat, tiles in enumerate(self.hands)
        ]
        return [*super().facts(), *counted]

    def result(self) -> Result:
        most = max(self.purses)
        winners = tuple(seat for seat in range(self.players) if self.purses[seat] == most)
        return Result(winners, self.purses, self.reason)


def begin_round(s: Table) -> State:
    """3 The state after the antes are paid, before the shuffle.

    A seat with fewer chips than the ante pays all of them.
    """
    for seat, purse in enumerate(s.purses):
        if purse < s.terms.ante:
            s = s.tell("short", seat=seat, chips=purse)
        s = pay(s, seat, min(purse, s.terms.ante))
    empty: tuple[Tiles, ...] = ((),) * s.players
    return s.change(
        Shuffling, hands=empty, line=(), numbers=(), removed=(), stock=double_set(s.terms.highest)
    )


def plays_of(hand: Tiles, numbers: tuple[int, ...]) -> list[Action]:
    """4.1 The plays of `hand`: one for each tile and each different open number that it shows."""
    distinct = sorted(set(numbers))
    return [
        Action(type="play", tile=tile, end=end)
        for tile in hand
        for end in distinct
        if end in ends(tile)
    ]


def can_buy(s: Table, seat: int) -> bool:
    """4.1 Whether the stock has more than two tiles, and the seat has a chip."""
    return len(s.stock) > LOT and s.purses[seat] > 0


def lay(s: Playing, seat: int, tile: Tile, end: int | None) -> Playing:
    """4.1 The state after a tile has joined the line: the first begins it, a later one goes to the left if `end` is
    open there, and otherwise to the right.
    """
    if end is None:
        return s.tell("opened", seat=seat, tile=tile).change(line=(tile,), numbers=ends(tile))
    s, left = s.tell("played", seat=seat, tile=tile, end=end), s.numbers[0] == end
    new = other_end(tile, end)
    if left:
        return s.change(line=(tile, *s.line), numbers=(new, s.numbers[1]))
    return s.change(line=(*s.line, tile), numbers=(s.numbers[0], new))


def pay(s: T, seat: int, chips: int) -> T:
    """The state after chips have moved from a seat to the pot."""
    return s.change(purses=replaced(s.purses, seat, s.purses[seat] - chips), pot=s.pot + chips)


def pass_on(s: Table, seat: int, bare: int) -> State:
    """4.1 The state in which `seat` has its turn, or the next seat that can act; the others pass automatically.

    4.2 The round is blocked after as many bare passes in a row as there are seats.
    """
    while bare < s.players:
        seat %= s.players
        if can_act(s, seat):
            return s.change(Playing, on_turn=seat, bare=bare)
        s, seat, bare = s.tell("stuck", seat=seat), seat + 1, bare + 1
    return blocked(s)


def can_act(s: Table, seat: int) -> bool:
    """4.1 Whether the seat gets a decision.

    With `free` it always does, since an automatic pass would reveal its hand.
    """
    if s.terms.free or not s.line or can_buy(s, seat):
        return True
    return any(shows(tile, s.numbers) for tile in s.hands[seat])


def auction(s: Table, first: int) -> State:
    """4.3 The state at the start of the auction of the last two tiles."""
    s = s.tell("auction", count=LOT)
    return go_on(s.change(Bidding, first=first % s.players, passed=(None,) * s.players))


def go_on(s: Bidding) -> State:
    """4.3 The state at the next seat's turn in the auction; seats that cannot bid more pass automatically."""
    while not settled(s):
        seat = s.on_turn
        if s.passed[seat]:
            s = s.change(acted=s.acted + 1)
        elif s.purses[seat] > s.high:
            return s
        else:
            s = drop(s.tell("outbid", seat=seat), seat)
    return sell(s)


def drop(s: Bidding, seat: int) -> Bidding:
    """4.3 The state after the seat has left this auction."""
    return s.change(passed=replaced(s.passed, seat, True), acted=s.acted + 1)


def settled(s: Bidding) -> bool:
    """4.3 Whether all seats are out, all but the bidder are out, or the second lap is complete."""
    left = s.passed.count(None)
    return left == 0 or (left == 1 and s.high > 0) or s.acted == LAPS * s.players


def sell(s: Bidding) -> State:
    """4.3 The state after the auction: the highest bidder pays and takes both tiles; without a bid they are removed.

    The turn then passes to the first seat.
    """
    buyer, lot = s.bidder, s.stock
    if buyer is None:
        s = s.tell("unsold", count=LOT).change(removed=lot, stock=())
        return pass_on(s, s.first, bare=0)
    s = pay(s.tell("sold", seat=buyer, chips=s.high, tiles=only(lot, buyer)), buyer, s.high)
    hands = replaced(s.hands, buyer, canonical(s.hands[buyer] + lot))
    return pass_on(s.change(hands=hands, stock=()), s.first, bare=0)


def out(s: Playing, seat: int) -> State:
    """5.1 The state after a seat has played its last tile and taken the pot."""
    s = s.tell("out", seat=seat, chips=s.pot)
    s = s.change(purses=replaced(s.purses, seat, s.purses[seat] + s.pot), pot=0)
    return end_round(s, blocked=False)


def blocked(s: Table) -> State:
    """5.1 The state after a blocked round: all hands are shown, and the seats with the lowest totals share the pot.

    An indivisible rest stays in the pot.
    """
    totals = [sum(map(pips, hand)) for hand in s.hands]
    s = s.tell("blocked")
    for seat, hand in enumerate(s.hands):
        s = s.tell("counted", seat=seat, tiles=hand, value=totals[seat])
    lowest = [seat for seat, value in enumerate(totals) if value == min(totals)]
    share, rest = divmod(s.pot, len(lowest))
    if len(lowest) == 1:
        s = s.tell("fewest", seat=lowest[0], chips=share)
    else:
        s = s.tell("shared", seats=lowest, chips=share, rest=rest)
    purses = tuple(purse + share * (seat in lowest) for seat, purse in enumerate(s.purses))
    return end_round(s.change(purses=purses, pot=rest), blocked=True)


def end_round(s: Table, blocked: bool) -> State:
    """5.1 The state after the match or, if it is not over, at the start of the next round."""
    reason = ending(s)
    if reason is None:
        return begin_round(s.change(round=s.round + 1))
    return s.change(Over, blocked=blocked, reason=reason)


def ending(s: Table) -> str | None:
    """5.1 The reason why the match is over after this round; None if it is not."""
    if 0 in s.purses:
        return "bankrupt"
    if s.round == s.terms.laps * s.players:
        return "rounds"
    return "limit" if s.round == LONGEST * s.players else None


def start(players: int, chosen: Json) -> State:
    """3 The state at the start of the first round: the antes are paid, and nothing is dealt yet."""
    names = ("set", "hand", "ante", "free", "laps")
    terms = Terms(*(chosen[name] for name in names))
    return begin_round(
        Shuffling(
            players=players,
            hands=((),) * players,
            stock=(),
            purses=(chosen["chips"],) * players,
            terms=terms,
        )
    )
