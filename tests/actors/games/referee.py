"""A referee of the games that come with Troupe, by what was dealt and done: who has won, and what
each has got. It knows each game by what its players are told, and reads no rules."""

from collections import Counter

from actors.games.setup import Deal, GameAct
from actors.seeded_draws import SeededDraws
from tests.actors.games.play import Result, Turn

OVER = "rounds-over"
ASIDE = ("talk", "whispers", "describe", "track")
"""Phases from which nothing follows."""


class Referee:
    def __init__(self, deal: Deal, turns: list[Turn]) -> None:
        self.deal, self.turns = deal, list(turns)
        self.roles = [card.role for card in deal.cards if card]
        self.values = {name: value for name, value in deal.values.items() if isinstance(value, int)}
        self.left = set(range(len(self.roles)))

    def acts(self, phase: str, round_: int = 1) -> list[tuple[int, GameAct]]:
        """What was done in this phase next, but for doing nothing."""
        found: list[tuple[int, GameAct]] = []
        while (
            self.turns and self.turns[0].round == round_ and self.turns[0].phase in (phase, *ASIDE)
        ):
            turn = self.turns.pop(0)
            found += [one for one in turn.acts if turn.phase == phase and one[1].verb != "pass"]
        return found

    def most_named(self, phase: str, round_: int, *, lot: bool) -> set[int]:
        votes = Counter([act.target for _, act in self.acts(phase, round_)])
        first = sorted(n for n in votes if n is not None and votes[n] == max(votes.values()))
        if len(first) > 1 and lot:
            draws = SeededDraws("games-lot", str(self.deal.seed))
            return {draws.one(f"{phase}.{round_}.{phase}", first)}
        return set(first) if len(first) == 1 else set()

    def won(self, ended: str, *roles: str) -> Result:
        payoffs = [float(role in roles) for role in self.roles]
        return Result(ended, tuple([n for n, one in enumerate(payoffs) if one]), tuple(payoffs))

    def paid(self, ended: str, **by_role: int) -> Result:
        return Result(ended, (), tuple([float(by_role[role]) for role in self.roles]))

    def hunt(self) -> Result:
        hidden = {n for n in self.left if self.roles[n] == "poacher"}
        for round_ in range(1, 13):
            for night in (False, True):
                if night:
                    prey = self.most_named("hunt", round_, lot=False)
                    self.left -= prey - {act.target for _, act in self.acts("heal", round_)}
                else:
                    self.left -= self.most_named("vote", round_, lot=True)
                if not self.left & hidden:
                    return self.won("found", "tracker", "healer", "villager")
                if len(self.left & hidden) >= len(self.left - hidden):
                    return self.won("overrun", "poacher")
        return self.won(OVER, "poacher")

    def odd_word(self) -> Result:
        for round_ in range(1, 7):
            self.left -= self.most_named("vote", round_, lot=True)
            if self.roles.index("odd") not in self.left:
                words = {act.word for _, act in self.acts("last-word", round_)}
                named = self.deal.values["pair.common"] in words
                return self.won("named", "odd") if named else self.won("found", "holder")
            if len(self.left) <= 2:
                return self.won("survived", "odd")
        return self.won(OVER, "odd")

    def ultimatum(self) -> Result:
        ((_, proposal),), ((_, answer),) = self.acts("proposal"), self.acts("answer")
        if answer.verb == "refuse":
            return self.paid("lost", proposer=0, responder=0)
        share = proposal.numbers["share"]
        return self.paid("divided", proposer=self.values["pie"] - share, responder=share)

    def accepted(self, *verbs: str) -> dict[str, int] | None:
        """The offer that stood when one was accepted; None: none was."""
        stands = None
        while self.turns:
            ((_, act),) = self.turns.pop(0).acts
            if act.verb in verbs:
                return stands
            stands = act.numbers or stands
        return None

    def buy_sell(self) -> Result:
        if (sold := self.accepted("buy", "sell")) is None:
            return self.paid(OVER, seller=0, buyer=0)
        cost, worth, price = self.values["cost"], self.values["worth"], sold["price"]
        return self.paid("sold", seller=price - cost, buyer=worth - price)

    def trade(self) -> Result:
        ended, worth = "exchanged", self.values
        if (agreed := self.accepted("accept")) is None:
            ended, agreed = OVER, {"apples": 0, "honey": 0}
        grower = {"apples": 8 - agreed["apples"], "honey": agreed["honey"]}
        return self.paid(
            ended,
            grower=sum(worth[f"grower-{one}"] * grower[one] for one in grower),
            keeper=sum(worth[f"keeper-{one}"] * (8 - grower[one]) for one in grower),
        )

    def public_goods(self) -> Result:
        given = Counter[int]()
        for round_ in range(1, 5):
            given.update({seat: act.numbers["amount"] for seat, act in self.acts("pot", round_)})
        back = 1.8 * given.total() / len(self.left)
        return Result(
            OVER, (), tuple([round(40 - given[seat] + back, 6) for seat in range(len(self.roles))])
        )


def result_of(deal: Deal, turns: list[Turn]) -> Result:
    """How a game in which this was done has ended."""
    referee = Referee(deal, turns)
    found: Result = getattr(referee, deal.rules.id.replace("-", "_"))()
    assert not referee.turns, "the game went on after its end"
    return found
