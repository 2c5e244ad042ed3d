"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rules.common.cards import (
    SUITS,
    Card,
    Cards,
    added,
    canonical,
    deck,
    replaced,
    with_card,
    without,
)
from rules.common.cards import rank as rank_of
from rules.common.deals import deal
from rules.games.joretsu.components import DRAWN, LAST_OF_PART_2, PART_1, PILES, PLACES, Table
from rules.games.joretsu.scoring import (
    by_card,
    by_number,
    compared_card,
    number,
    place,
    score,
    worth,
)
from rules.kernel import (
    OVER,
    Action,
    Array,
    Chance,
    Json,
    Part,
    Place,
    Result,
    Sealed,
    State,
    Turn,
    everyone,
    fact,
    only,
    owner,
    phase,
    size,
    zone,
)

BID, KEEP = map(with_card, ("bid", "keep"))
DECLINE = Action(type="decline")


def of_the_pile(state: State, place: Place, card: Card) -> bool:
    """3 Whether the pile with this index can hold the card: low, middle or high."""
    return rank_of(card) in PILES[place.index or 0][1]


@phase
class Dealing(Table):
    """3 Three piles are shuffled; the cards left after the deal are shuffled together as the stock."""

    piles: tuple[Cards, ...] = zone(
        size, "pile", per="index", name="pile", holds=of_the_pile, default=()
    )

    def turn(self) -> Turn:
        if len(self.piles) == len(PILES):
            return Turn(chance=Chance("stock", canonical(sum(self.piles, ()))))
        name, ranks, _ = PILES[len(self.piles)]
        return Turn(chance=Chance(name, deck(ranks)))

    def on_chance(self, outcome: Cards) -> State:
        s = self.tell("shuffled", count=len(outcome))
        if len(self.piles) == len(PILES):
            return turned_up(s, outcome).change(Bidding)
        s = s.change(piles=(*self.piles, outcome))
        return s if len(s.piles) < len(PILES) else dealt(s)


@phase
class Bidding(Sealed, Table):
    """4.1 All seats play a card simultaneously."""

    def parts(self) -> Sequence[Part]:
        return (Part("comparison", self.round),)

    def prompt(self) -> Json:
        place = PART_1.get(self.round)
        return {"round": self.round} | ({} if place is None else {"place": place})

    def legal(self, seat: int) -> list[Action]:
        return [BID[card] for card in self.hands[seat]]

    def fallback(self, seat: int) -> Json:
        return Action(type="bid", card=min(self.hands[seat], key=number))

    def reveal(self) -> State:
        played: Cards = tuple(choice["card"] for choice in self.choices if choice)
        hands = tuple(map(without, self.hands, played))
        s = self.change(hands=hands)
        for seat, card in enumerate(played):
            s = s.tell("bid", seat=seat, card=card)
        if self.round in PART_1:
            return decide(s, played, *by_number(tuple(map(number, played)), self.joker))
        return decide(s, played, *by_card(played, self.ladder))


@phase
class Deciding(Sealed, Table):
    """4.2 The chief ranks a suit or may raise one, while the drawer keeps a card (ruling 3)."""

    played: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    drawn: tuple[Cards, ...] = zone(owner, "row")
    chief: int = fact(everyone, "seat")
    drawer: int | None = fact(everyone, "seat")

    @property
    def choosers(self) -> tuple[int, ...]:
        chief, drawer = self.chief, self.drawer
        if drawer is None or drawer == chief:
            return (chief,)
        return (chief, drawer) if chief < drawer else (drawer, chief)

    def parts(self) -> Sequence[Part]:
        return (Part("comparison", self.round),)

    def prompt(self) -> Json:
        prompt: Json = {"chief": self.chief}
        if self.round in PART_1:
            prompt["place"] = PART_1[self.round]
        if self.drawer is not None:
            prompt["drawer"] = self.drawer
        return prompt

    def legal(self, seat: int) -> list[Action]:
        if seat != self.chief:
            return [KEEP[card] for card in canonical(self.drawn[seat])]
        if self.round in PART_1:
            return [Action(type="rank", suit=suit) for suit in unranked(self)]
        raising = [suit for suit in SUITS if self.place(suit) > 0]
        return [DECLINE] + [Action(type="raise", suit=suit) for suit in raising]

    def beside(self, seat: int, action: Json) -> Json:
        """4.2 The place that the suit gets, and the suit that changes places with it."""
        if action["type"] == "rank":
            return {"place": PART_1[self.round]}
        if action["type"] != "raise":
            return {}
        place = self.place(action["suit"]) - 1
        return {"place": place, "over": (self.ladder[place] or "")[1]}

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why an action is not legal.

        The drawer keeps a card that it drew; each suit has only one place, and no place is above the first.
        """
        if action["type"] == "keep" and seat != self.chief:
            return {"why": "drawn"}
        suit = action.get("suit")
        if suit is None or seat != self.chief:
            return None
        if self.round in PART_1:
            return {"why": "placed", "suit": suit, "place": self.place(suit)}
        return {"why": "first", "suit": suit}

    def fallback(self, seat: int) -> Json:
        if seat != self.chief:
            return Action(type="keep", card=max(canonical(self.drawn[seat]), key=number))
        return self.legal(seat)[0]

    def reveal(self) -> State:
        s = collect(keep(self))
        choice = self.choices[self.chief] or {}
        if choice["type"] == "rank":
            return next_round(rank(s, choice["suit"]))
        if choice["type"] == "raise":
            return next_round(raise_(s, choice["suit"]))
        return next_round(s.tell("declined", seat=self.chief))


@phase
class Showdown(Sealed, Table):
    """4.3 All seats play two cards simultaneously."""

    def parts(self) -> Sequence[Part]:
        return (Part("showdown"),)

    def legal(self, seat: int) -> list[Action]:
        pairs = combinations(self.hands[seat], 2)
        return [Action(type="showdown", cards=Array(pair)) for pair in pairs]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3 The reason why cards cannot be played: there are more than two."""
        return {"why": "two"} if len(action.get("cards", ())) > 2 else None

    def fallback(self, seat: int) -> Json:
        pairs = combinations(self.hands[seat], 2)
        best = max(pairs, key=lambda pair: score(pair, self.ladder))
        return Action(type="showdown", cards=Array(best))

    def reveal(self) -> State:
        played: tuple[Cards, ...] = tuple(choice["cards"] for choice in self.choices if choice)
        s = self.change(
            hands=tuple(without(h, *c) for h, c in zip(self.hands, played, strict=True))
        )
        for seat, cards in enumerate(played):
            s = s.tell("showdown", seat=seat, cards=cards, value=score(cards, s.ladder))
        return s.change(Over, played=played)


@phase
class Over(Table):
    """5 The highest score wins; ties go to the better suit, then to the larger number."""

    played: tuple[Cards, ...] = zone(everyone, "row", per="seat")

    def turn(self) -> Turn:
        return OVER

    def parts(self) -> Sequence[Part]:
        return (Part("showdown"),)

    def facts(self) -> Sequence[Json]:
        scores = self.scores()
        worths = [
            {"name": "worth", "of": seat, "card": card, "value": worth(card, self.ladder)}
            for seat, cards in enumerate(self.played)
            for card in cards
        ]
        sums = [{"name": "score", "of": seat, "value": value} for seat, value in enumerate(scores)]
        tied = [seat for seat, value in enumerate(scores) if value == max(scores)]
        compared = [
            {"name": "compared", "of": seat, "card": compared_card(self.played[seat], self.ladder)}
            for seat in tied
        ]
        return [*worths, *sums, *(compared if len(tied) > 1 else [])]

    def scores(self) -> tuple[int, ...]:
        return tuple(score(cards, self.ladder) for cards in self.played)

    def result(self) -> Result:
        scores = self.scores()

        def strength(seat: int) -> tuple[int, int, int]:
            card = compared_card(self.played[seat], self.ladder)
            return scores[seat], -place(card, self.ladder), number(card)

        return Result((max(range(self.players), key=strength),), scores, "showdown")


def dealt(s: Dealing) -> Dealing:
    """3 The state after each seat was dealt three low, two middle and three high cards."""
    hands: tuple[Cards, ...] = ((),) * s.players
    piles = []
    for pile, (_, _, each) in zip(s.piles, PILES, strict=True):
        more, rest = deal(pile, s.players, each)
        hands = tuple(hand + cards for hand, cards in zip(hands, more, strict=True))
        piles.append(rest)
    hands = tuple(map(canonical, hands))
    for seat, hand in enumerate(hands):
        s = s.tell("dealt", seat=seat, cards=only(hand, seat))
    return s.change(hands=hands, piles=tuple(piles))


def turned_up(s: Dealing, stock: Cards) -> Dealing:
    """3 The state with the rest of the piles as the stock, whose top card is turned up."""
    return s.change(piles=(), stock=stock).tell("turned", card=stock[0])


def decide(s: Bidding, played: Cards, chief: int, drawer: int | None) -> State:
    """4.1 The state after the drawer has taken three cards; the next card is turned up at once (ruling 4)."""
    s = s.tell("chief", seat=chief)
    drawn: tuple[Cards, ...] = ((),) * s.players
    if drawer is None:
        s = s.tell("nobody-draws")
    else:
        taken, stock = s.stock[:DRAWN], s.stock[DRAWN:]
        drawn = replaced(drawn, drawer, taken)
        s = s.change(stock=stock).tell("drew", seat=drawer, cards=only(taken, drawer))
        s = s.tell("turned", card=stock[0]) if stock else s
    lying = tuple((card,) for card in played)
    return s.change(Deciding, played=lying, drawn=drawn, chief=chief, drawer=drawer)


def keep(s: Deciding) -> Deciding:
    """4.2, 1: the state after the kept card went to the drawer's hand, and the other two to its own discard pile."""
    if s.drawer is None:
        return s
    seat, card = s.drawer, (s.choices[s.drawer] or {})["card"]
    gone = s.discards[seat] + without(s.drawn[seat], card)
    return s.tell("kept", seat=seat, card=only(card, seat)).change(
        hands=replaced(s.hands, seat, added(s.hands[seat], card)),
        discards=replaced(s.discards, seat, gone),
        drawn=((),) * s.players,
    )


def collect(s: Deciding) -> Deciding:
    """4.2, 2: the state after the cards of the comparison and the joker went to the chief."""
    pile = sum(s.played, s.discards[s.chief])
    s = s.tell("collected", seat=s.chief)
    return s.change(discards=replaced(s.discards, s.chief, pile), joker=s.chief)


def rank(s: Deciding, suit: str) -> Deciding:
    """4.2, 3: the state after the suit got this round's place; in round 3 the last suit also gets the fourth place."""
    s = stand(s, suit, PART_1[s.round])
    return stand(s, unranked(s)[0], PLACES - 1) if s.round == len(PART_1) else s


def stand(s: Deciding, suit: str, place: int) -> Deciding:
    """The state after the ace of the suit has moved to its place in the order."""
    ace = "A" + suit
    s = s.tell("ranked", seat=s.chief, suit=suit, place=place)
    return s.change(ladder=replaced(s.ladder, place, ace), aces=without(s.aces, ace))


def raise_(s: Deciding, suit: str) -> Deciding:
    """4.2, 3: the state after the suit has changed places with the one directly above it (ruling 6)."""
    place = s.place(suit)
    above, below = s.ladder[place - 1], s.ladder[place]
    ladder = replaced(replaced(s.ladder, place - 1, below), place, above)
    return s.tell("raised", seat=s.chief, suit=suit, place=place - 1).change(ladder=ladder)


def next_round(s: Deciding) -> State:
    """4.2, 4: the state at the next comparison, or at the showdown."""
    if s.round < LAST_OF_PART_2:
        return s.change(Bidding, round=s.round + 1)
    return s.change(Showdown, round=s.round + 1)


def unranked(s: Table) -> list[str]:
    """The suits without a place, in the order s h d c."""
    return [ace[1] for ace in s.aces]


def start(players: int, options: Json) -> State:
    """3 The state before anything is dealt; the joker is with seat 0."""
    return Dealing(players=players, hands=((),) * players, discards=((),) * players)
