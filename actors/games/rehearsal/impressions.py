"""What a seat makes of all that it noticed: whom it knows, whom it suspects, who said what."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from actors.games.rehearsal.purposes import Purposes, minorities, own_team, purposes_of
from actors.games.rehearsal.speech import Hint, Statement, fits, secret_values, understood
from actors.games.ruleset import PASS, Role
from actors.games.setup import Deal, GameFact
from actors.games.sight import ActSeen, FactSeen, GameView, Notice

VOTED_WRONG: Final = 0.8
VOTED_RIGHT: Final = -1.5
BLAMED: Final = 0.7
NAMED: Final = 1.6
"""Suspicion from being said to be of another team, by somebody who is believed."""
MISFIT: Final = 1.2
"""Suspicion of somebody whose hint does not fit one's own word."""
SILENT: Final = 0.15


class Vote(msgspec.Struct, frozen=True):
    """Somebody named somebody to be harmed."""

    by: int
    target: int
    round: int


class Spoken(msgspec.Struct, frozen=True):
    """Somebody said something of somebody."""

    by: int
    what: Statement
    against: bool
    """Whether what was said is to be held against whom it was said of."""
    round: int


class Impressions(msgspec.Struct):
    """All of it, at one moment. Seats are numbers from 0."""

    deal: Deal
    seat: int
    role: Role
    team: str
    """One's own; empty where nobody is told."""
    purposes: Purposes
    hidden: bool
    """Whether one belongs to the few who have something to hide."""
    word: str = ""
    """The word that one's secret tells."""
    secrets: Mapping[str, str] = {}
    known: dict[int, str] = {}
    """Seats whose team is certain, oneself too."""
    learned: dict[int, str] = {}
    """The same, only of what was revealed to oneself in the game."""
    roles: dict[int, str] = {}
    """Seats whose role is certain."""
    out: set[int] = set()
    round: int = 1
    votes: list[Vote] = []
    said: list[Spoken] = []
    claims: dict[int, str] = {}
    """Who said to have which role, by its id."""
    hints: dict[int, list[Hint]] = {}
    own_words: list[str] = []
    passed: Counter[int] = msgspec.field(default_factory=Counter)
    numbers: dict[str, list[int]] = {}
    """What others named in acts, by the number's id."""
    holdings: dict[str, int] = {}
    """One's own counters."""
    shared: dict[str, int] = {}
    """Those of the game."""
    offer: tuple[int, Mapping[str, int]] | None = None
    """The seat whose offer stands, and its numbers."""
    refused: int = 0
    """How many of one's own offers were refused."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.deal.players)

    @property
    def minds_each_other(self) -> bool:
        """Whether there are sides to be found out: whoever is whose is worth talking about."""
        return "harm" in self.purposes.verbs.values()

    def is_friend(self, seat: int) -> bool:
        """Whether a seat is certainly of one's own team."""
        return seat == self.seat or (bool(self.team) and self.known.get(seat) == self.team)

    def is_enemy(self, seat: int) -> bool:
        """Whether it is certainly of another."""
        return bool(self.team) and self.known.get(seat, self.team) != self.team

    def blamed_now(self) -> Counter[int]:
        """How many say of each seat, in this round, that it is to be distrusted."""
        blames = {
            (one.by, one.what.about) for one in self.said if one.against and one.round == self.round
        }
        return Counter([about for _, about in blames])

    def suspicion(self) -> list[float]:
        """How far each seat is distrusted; of the own seat and of friends far below nothing, of
        enemies far above."""
        found = [0.0] * self.players
        friends = {*filter(self.is_friend, self.known), self.seat}
        enemies = {*filter(self.is_enemy, self.known)}
        for vote in self.votes:
            if vote.target in enemies:
                found[vote.by] += VOTED_RIGHT
            elif vote.target in friends:
                found[vote.by] += VOTED_WRONG
        for one in self.said:
            if one.against:
                if one.what.about in friends:
                    found[one.by] += BLAMED
                elif one.what.about in enemies:
                    found[one.by] -= BLAMED
        self._by_claims(found)
        self._by_hints(found)
        credit = [1 / (1 + value) if value > 0 else 1.0 for value in found]
        for one in self.said:
            if one.by not in enemies and one.by != self.seat:
                weight = credit[one.by] * (NAMED if one.what.team else BLAMED)
                found[one.what.about] += weight if one.against else -weight / 2
        for seat, times in self.passed.items():
            found[seat] += SILENT * times
        for seat in friends:
            found[seat] = -100.0
        for seat in enemies:
            found[seat] = 100.0
        return found

    def _by_claims(self, found: list[float]) -> None:
        """Who claims what one has oneself, or what too many claim, lies."""
        for seat, id_ in self.claims.items():
            if id_ not in self.purposes.single:
                continue
            if id_ == self.role.id and seat != self.seat:
                found[seat] += 3.0
            elif any(other != seat and one == id_ for other, one in self.claims.items()):
                found[seat] += 1.0
            else:
                found[seat] -= 0.5

    def _by_hints(self, found: list[float]) -> None:
        if not self.word:
            return
        for seat, hints in self.hints.items():
            for hint in hints:
                found[seat] += -0.4 if fits(hint, self.word) else MISFIT


def impressions(background: GameView, seen: Sequence[Notice], seat: int) -> Impressions:
    """What a seat makes of what it noticed."""
    now = _before_the_game(background.setup, seat)
    names = tuple([one.name for one in now.deal.players])
    for notice in seen:
        match notice:
            case FactSeen(fact=fact):
                _take_fact(now, fact)
            case ActSeen(seat=by, act=act) if by == seat:
                if act.text:
                    now.own_words.append(act.text)
            case ActSeen(seat=by, act=act):
                if act.text:
                    _hear(now, notice, names)
                elif act.verb == PASS:
                    now.passed[by] += 1
                if act.target is not None and (notice.phase, act.verb) in now.purposes.harmful:
                    now.votes.append(Vote(by, act.target, notice.round))
                if act.numbers:
                    for name, number in act.numbers.items():
                        now.numbers.setdefault(name, []).append(number)
    return now


def _before_the_game(deal: Deal, seat: int) -> Impressions:
    purposes = purposes_of(deal.rules)
    card = deal.cards[seat]
    assert card is not None, "a seat knows its card"
    role = purposes.roles[card.role]
    team = own_team(deal.rules, role)
    secrets = secret_values(role.secret, card.secret)
    known = {one.seat: purposes.roles[one.role].team for one in card.knows}
    if team:
        known[seat] = team
    return Impressions(
        deal=deal,
        seat=seat,
        role=role,
        team=team,
        purposes=purposes,
        hidden=bool(team) and team in minorities(deal.rules)[len(deal.players)],
        word=next((one for one in secrets.values() if not _is_number(one)), ""),
        secrets=secrets,
        known=known,
        roles={one.seat: one.role for one in card.knows},
        holdings=dict(role.counters),
        shared=dict(deal.rules.counters),
    )


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _hear(now: Impressions, seen: ActSeen, names: tuple[str, ...]) -> None:
    by, team, purposes = seen.seat, now.team, now.purposes
    found = understood(seen.act.text, names, purposes.titles)
    for one in found.statements:
        if one.about != by:
            against = one.team != team if one.team and team else one.blames
            now.said.append(Spoken(by, one, against, seen.round))
    for title in found.claims:
        if title in purposes.by_title:
            now.claims[by] = purposes.by_title[title]
    if found.hints:
        now.hints.setdefault(by, []).extend(found.hints)


def _take_fact(now: Impressions, fact: GameFact) -> None:
    seat = fact.seat
    match fact.kind:
        case "phase":
            now.round = fact.amount
        case "eliminated" if seat is not None:
            now.out.add(seat)
            _know(now, seat, fact.name, fact.word)
        case "revealed" if seat is not None:
            _know(now, seat, fact.name, fact.word)
            if seat != now.seat and seat in now.known:
                now.learned[seat] = now.known[seat]
        case "counted":
            held = now.shared if seat is None else now.holdings if seat == now.seat else None
            if held is not None:
                held[fact.name] = held.get(fact.name, 0) + fact.amount
        case "gave":
            for who, sign in ((seat, -1), (fact.other, 1)):
                held = now.shared if who is None else now.holdings if who == now.seat else None
                if held is not None:
                    held[fact.name] = held.get(fact.name, 0) + sign * fact.amount
        case "offered" if seat is not None:
            now.offer = (seat, fact.numbers)
        case "closed":
            now.offer = None
            now.refused += seat == now.seat and not fact.amount


def _know(now: Impressions, seat: int, what: str, word: str) -> None:
    if what == "role" and word in now.purposes.roles:
        now.roles[seat] = word
        now.known[seat] = now.purposes.roles[word].team
    elif what == "team" and word:
        now.known[seat] = word
