"""Who may know what of a game, written down a second time on purpose: from the rules and what was
done alone, without ``actors/games/sight.py`` and without the ``to`` of facts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from actors.games.ruleset import Effect, Phase, Role, SeatFilter
from actors.games.setup import Consequences, Deal, Decide, GameAct, GameFact
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged

Who = int | str
"""A seat, or ``spectator``."""


class Act(NamedTuple):
    """What a seat did in a phase; ``number`` is the event's."""

    number: int
    seat: int
    phase: Phase
    act: GameAct
    closed: bool
    """Whether all who were asked with it have answered."""


class Fact(NamedTuple):
    """What came of the acts of a turn, or of the end of a phase."""

    number: int
    fact: GameFact
    phase: Phase | None
    """The phase it came of; None: the first had not begun."""
    acts: tuple[Act, ...]
    """Those of the turn before it, if no phase began in between."""
    skipped: bool
    """Whether it says that a phase began in which nobody acts."""
    over: bool
    """Whether the game had ended before it."""
    offerer: int | None
    """Whose offer stood."""
    chosen: tuple[int, ...]
    """Whom the last votes chose."""


class Told:
    """What happened by the end of a history."""

    def __init__(self, history: Sequence[Event]) -> None:
        started = history[0]
        assert isinstance(started, EpisodeStarted)
        deal: Deal = started.setup
        self.deal = deal
        named = {one.id: one for one in deal.rules.roles}
        self.roles: list[Role] = [named[card.role] for card in deal.cards if card]
        self.acts: list[Act] = []
        self.facts: list[Fact] = []
        self._read(history)

    def _read(self, history: Sequence[Event]) -> None:
        phases = {one.id: one for one in self.deal.rules.phases}
        asked: dict[int, Decide] = {}
        turn: list[Act] = []
        phase: Phase | None = None
        offerer, over = None, False
        chosen: tuple[int, ...] = ()
        for number, event in enumerate(history):
            match event:
                case TurnOpened():
                    self.acts += turn
                    asked, turn = {one.seat: one.question for one in event.asked}, []
                case ActionTaken(seat=seat, action=GameAct() as act):
                    assert phase is not None
                    assert asked[seat].phase == phase.id
                    turn.append(Act(number, seat, phase, act, False))
                    if len(turn) == len(asked):
                        turn = [one._replace(closed=True) for one in turn]
                case WorldChanged(change=Consequences(facts=facts)):
                    acts = tuple(turn)
                    for place, fact in enumerate(facts):
                        skipped = False
                        if fact.kind == "phase":
                            phase, acts = phases[fact.name], ()
                            after = [one for one in facts[place + 1 :] if one.kind != "revealed"]
                            skipped = bool(phase.verbs and after) and (
                                after[0].kind == "phase" or after[0].name == "rounds-over"
                            )
                        self.facts.append(
                            Fact(number, fact, phase, acts, skipped, over, offerer, chosen)
                        )
                        if fact.kind == "offered":
                            offerer = fact.seat
                        elif fact.kind == "closed":
                            offerer = None
                        elif fact.kind == "chosen":
                            chosen = fact.seats
                        over = over or fact.kind == "ended"
        self.acts += turn

    def hearers(self, phase: Phase, seat: int, act: GameAct) -> set[Who]:
        """Who may learn of an act."""
        if act.to is not None:
            return {seat, act.to}
        if phase.visibility == "public":
            return {*range(len(self.roles)), "spectator"}
        if phase.visibility == "team":
            return {n for n, one in enumerate(self.roles) if one.team == self.roles[seat].team}
        if phase.visibility == "named" and act.target is not None:
            return {seat, act.target}
        return {seat}

    def of_the_end(self, phase: Phase) -> set[Who]:
        """Who may learn of what the end of a phase does."""
        if phase.visibility == "public":
            return {*range(len(self.roles)), "spectator"}
        teams = {one.team for one in self.roles if _can_be(one, phase.who)}
        if phase.visibility == "team" and len(teams) == 1:
            return {seat for seat, one in enumerate(self.roles) if one.team in teams}
        return set()

    def noticed_acts(self, viewer: Who) -> list[Act]:
        """Exactly the acts that a viewer notices."""
        return [
            one
            for one in self.acts
            if viewer in self.hearers(one.phase, one.seat, one.act)
            and (one.closed or one.phase.order == "turns" or one.seat == viewer)
        ]

    def may_notice(self, viewer: Who, one: Fact) -> bool:
        """Whether a viewer may learn of a fact."""
        fact, phase = one.fact, one.phase
        if fact.kind in ("ended", "eliminated"):
            return True
        if fact.kind in ("saved", "unprotected", "unmarked"):
            return False
        if fact.kind == "phase":
            assert phase is not None
            if one.skipped:
                return False
            if phase.visibility == "public":
                return True
            able = [n for n, role in enumerate(self.roles) if _can_be(role, phase.who)]
            return bool(phase.verbs) and viewer in able
        if one.over:
            return fact.kind == "revealed" and self.deal.rules.roles_at_end
        if fact.kind == "counted" and fact.seat is not None and viewer == fact.seat:
            return True
        return any(viewer in may for may in self._causes(one))

    def _causes(self, one: Fact) -> Iterator[set[Who]]:
        """Who may learn of a fact by each effect that it can have come of."""
        fact, phase = one.fact, one.phase
        assert phase is not None
        kind = {
            "protected": ("protect",),
            "revealed": ("reveal",),
            "marked": ("mark",),
            "counted": ("count",),
            "chosen": ("vote",),
            "gave": ("give", "accept"),
            "offered": ("offer",),
            "closed": ("accept", "refuse"),
            "guessed": ("guess",),
        }[fact.kind]
        if not one.acts:
            for effect in phase.effects:
                if effect.do in kind:
                    yield self._learn(one, effect, None, self.of_the_end(phase))
            return
        doer = {"offered": fact.seat, "guessed": fact.seat, "closed": fact.other}.get(fact.kind)
        for act in one.acts:
            if doer is not None and act.seat != doer:
                continue
            for verb in phase.verbs:
                if verb.id == act.act.verb:
                    for effect in verb.effects:
                        if effect.do in kind:
                            may = self.hearers(phase, act.seat, act.act)
                            yield self._learn(one, effect, act, may)
        # The phase may have ended in the same breath.
        for effect in phase.effects:
            if effect.do in kind:
                yield self._learn(one, effect, None, self.of_the_end(phase))

    def _learn(self, one: Fact, effect: Effect, act: Act | None, may: set[Who]) -> set[Who]:
        if effect.do == "reveal":
            match effect.to:
                case "all":
                    return {*range(len(self.roles)), "spectator"}
                case "actor":
                    return set() if act is None else {act.seat}
                case "target":
                    return set() if act is None or act.act.target is None else {act.act.target}
                case "offerer":
                    return set() if one.offerer is None else {one.offerer}
                case "chosen":
                    return {*one.chosen}
                case SeatFilter() as some:
                    return {n for n, role in enumerate(self.roles) if _can_be(role, some)}
        if effect.do == "count" and effect.whom is not None and "spectator" not in may:
            return set()
        if effect.do in ("accept", "refuse") and one.offerer is not None:
            return {*may, one.offerer} if may != set() else {one.offerer}
        return may

    def roles_known(self, viewer: Who) -> tuple[set[str], set[str]]:
        """Ids of roles, and of teams, that a viewer may have been told."""
        roles, teams = set(), set()
        if isinstance(viewer, int):
            own = self.roles[viewer]
            roles |= {own.id} | {one.id for one in self.roles if _known(own, one)}
        for one in self.facts:
            if one.fact.word and self.may_notice(viewer, one):
                if one.fact.kind == "eliminated" and one.fact.name == "role":
                    roles.add(one.fact.word)
                elif one.fact.kind in ("eliminated", "revealed"):
                    (roles if one.fact.name == "role" else teams).add(one.fact.word)
        return roles, teams


def _known(own: Role, other: Role) -> bool:
    return other.id in own.knows or other.team in own.knows


def _can_be(role: Role, wanted: SeatFilter) -> bool:
    return (
        (not wanted.roles or role.id in wanted.roles)
        and (not wanted.teams or role.team in wanted.teams)
        and role.team not in wanted.not_teams
    )
