"""How a game stands for a seat, for prompts and forms."""

from actors.games.render import name_of, terms_of
from actors.games.setup import Deal, GameFact


class Standing:
    """How a game stands for a seat, by the facts that it noticed: who is out, what it has, which
    offer stands."""

    def __init__(self, deal: Deal, seat: int) -> None:
        self._deal, self._seat = deal, seat
        card = deal.cards[seat]
        role = next((one for one in deal.rules.roles if card and one.id == card.role), None)
        self._out: list[int] = []
        self._offer = ""
        self._own = dict(role.counters) if role else {}
        self._shared = dict(deal.rules.counters)
        self._items = {
            *[term.counter for one in deal.rules.payoffs for term in one.terms],
            *[name for one in deal.rules.roles for name in one.counters],
        }
        """Counters that are somebody's; others only keep the game going."""

    def take(self, fact: GameFact) -> None:
        """Take a fact that was noticed."""
        match fact.kind:
            case "eliminated" if fact.seat is not None:
                self._out.append(fact.seat)
            case "counted":
                self._add(fact.seat, fact.name, fact.amount)
            case "gave":
                self._add(fact.seat, fact.name, -fact.amount)
                self._add(fact.other, fact.name, fact.amount)
            case "offered":
                self._offer = f"{name_of(self._deal, fact.seat)} offers {terms_of(fact.numbers)}"
            case "closed":
                self._offer = ""

    def _add(self, seat: int | None, name: str, amount: int) -> None:
        if seat in (None, self._seat):
            held = self._shared if seat is None else self._own
            held[name] = held.get(name, 0) + amount

    def lines(self) -> list[str]:
        """A line on each of these."""
        deal, found = self._deal, []
        if self._out:
            left = [seat for seat in range(len(deal.players)) if seat not in self._out]
            for what, seats in (("In the game", left), ("Out of it", self._out)):
                found.append(f"{what}: {', '.join(name_of(deal, seat) for seat in seats)}")
        for whose, held in (("You have", self._own), ("On the table", self._shared)):
            items = {name: held[name] for name in held if name in self._items and held[name]}
            if items:
                found.append(f"{whose}: {terms_of(items)}")
        if self._offer:
            found.append(f"The offer that stands: {self._offer}")
        return found
