"""What a seat makes of all that it noticed: whom it knows, whom it suspects, who said what."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from actors.games.rehearsal.purposes import Purposes, bare, minorities, own_team, purposes_of
from actors.games.rehearsal.speech import Hint, Statement, fits, secret_values, understood
from actors.games.ruleset import PASS, Role
from actors.games.setup import Deal, GameAct, GameFact
from actors.games.sight import ActSeen, GameView, Notice

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

    @property
    def titles(self) -> tuple[tuple[str, str], ...]:
        """Names of roles and teams, each with the team."""
        return tuple(self.purposes.titles.items())

    def is_friend(self, seat: int) -> bool:
        """Whether a seat is certainly of one's own team."""
        return seat == self.seat or (bool(self.team) and self.known.get(seat) == self.team)

    def is_enemy(self, seat: int) -> bool:
        """Whether it is certainly of another."""
        return bool(self.team) and self.known.get(seat, self.team) != self.team

    def blamed_now(self) -> Counter[int]:
        """How many say of each seat, in this round, that it is to be distrusted."""
        return Counter(
            about
            for _, about in {
                (one.by, one.what.about)
                for one in self.said
                if one.round == self.round and self._against(one.what)
            }
        )

    def suspicion(self) -> list[float]:
        """How far each seat is distrusted; of the own seat and of friends far below nothing, of
        enemies far above."""
        found = [0.0] * self.players
        for vote in self.votes:
            if self.is_enemy(vote.target):
                found[vote.by] += VOTED_RIGHT
            elif self.is_friend(vote.target):
                found[vote.by] += VOTED_WRONG
        for one in self.said:
            if self._against(one.what):
                if self.is_friend(one.what.about):
                    found[one.by] += BLAMED
                elif self.is_enemy(one.what.about):
                    found[one.by] -= BLAMED
        self._by_claims(found)
        self._by_hints(found)
        credit = [0.0 if self.is_enemy(s) else 1 / (1 + max(0.0, v)) for s, v in enumerate(found)]
        for one in self.said:
            weight = credit[one.by] * (NAMED if one.what.team else BLAMED)
            if one.by != self.seat:
                found[one.what.about] += weight if self._against(one.what) else -weight / 2
        for seat in range(self.players):
            found[seat] += SILENT * self.passed[seat]
            if self.is_friend(seat):
                found[seat] = -100.0
            elif self.is_enemy(seat):
                found[seat] = 100.0
        return found

    def _against(self, what: Statement) -> bool:
        if what.team and self.team:
            return what.team != self.team
        return what.blames

    def _by_claims(self, found: list[float]) -> None:
        """Who claims what one has oneself, or what too many claim, lies."""
        for seat, id_ in self.claims.items():
            role = self.purposes.roles[id_]
            alone = bool(role.count) and all(one.count <= 1 for one in role.count)
            if not alone:
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
    deal = background.setup
    purposes = purposes_of(deal.rules)
    card = deal.cards[seat]
    assert card is not None, "a seat knows its card"
    role = purposes.roles[card.role]
    team = own_team(deal.rules, role)
    secrets = secret_values(role.secret, card.secret)
    known = {one.seat: purposes.roles[one.role].team for one in card.knows}
    if team:
        known[seat] = team
    now = Impressions(
        deal=deal,
        seat=seat,
        role=role,
        team=team,
        purposes=purposes,
        hidden=bool(team) and team in minorities(deal.rules, len(deal.players)),
        word=next((one for one in secrets.values() if not _is_number(one)), ""),
        secrets=secrets,
        known=known,
        roles={one.seat: one.role for one in card.knows},
        holdings=dict(role.counters),
        shared=dict(deal.rules.counters),
    )
    names = tuple([one.name for one in deal.players])
    titles = now.titles
    for notice in seen:
        if isinstance(notice, ActSeen):
            _take_act(now, notice, names, titles)
        else:
            _take_fact(now, notice.fact)
    return now


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _take_act(
    now: Impressions, seen: ActSeen, names: tuple[str, ...], titles: tuple[tuple[str, str], ...]
) -> None:
    act, by = seen.act, seen.seat
    if by == now.seat:
        if act.text:
            now.own_words.append(act.text)
        return
    if act.text:
        _hear(now, seen, act, names, titles)
    elif act.verb == PASS:
        now.passed[by] += 1
    purpose = now.purposes.verbs.get((seen.phase, act.verb))
    if purpose == "harm" and act.target is not None:
        now.votes.append(Vote(by, act.target, seen.round))
    for name, number in act.numbers.items():
        now.numbers.setdefault(name, []).append(number)


def _hear(
    now: Impressions,
    seen: ActSeen,
    act: GameAct,
    names: tuple[str, ...],
    titles: tuple[tuple[str, str], ...],
) -> None:
    found = understood(act.text, names, titles)
    now.said += [
        Spoken(seen.seat, one, seen.round) for one in found.statements if one.about != seen.seat
    ]
    for title in found.claims:
        for role in now.purposes.roles.values():
            if bare(role.name) == title:
                now.claims[seen.seat] = role.id
    if found.hints:
        now.hints.setdefault(seen.seat, []).extend(found.hints)


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
