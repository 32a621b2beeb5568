"""Games that tests play act by act, by the rules and sight alone."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from actors.episodes.port.rules import Ask, End
from actors.episodes.port.sight import Viewer
from actors.games.deals import cards_of
from actors.games.rules import RULES
from actors.games.ruleset import Ruleset
from actors.games.setup import Consequences, Deal, Decide, GameAct, GameFact, Player, Settings
from actors.games.sight import SIGHT, ActSeen, FactSeen
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec

NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ivo", "Jo", "Kit", "Lou")


def ruleset(phases: Sequence[Mapping[str, Any]], **fields: Any) -> Ruleset:
    """Rules with these phases, as a file would have them. Without roles there are two of one team,
    ``wolf`` (team ``pack``), and others, ``farmer`` (team ``village``)."""
    roles = [
        {"id": "wolf", "name": "a wolf", "team": "pack", "goal": "g", "count": [_count(2, 2)]},
        {"id": "farmer", "name": "a farmer", "team": "village", "goal": "g"},
    ]
    titled = [{"title": one["id"], **one} for one in phases]
    whole = {
        "id": "test",
        "title": "A test",
        "about": "A test.",
        "least": 2,
        "most": 12,
        "roles": roles,
        "phases": titled,
    }
    return msgspec.convert(whole | fields, Ruleset)


def verb(id_: str, *effects: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A verb as a file has it."""
    return {"id": id_, "text": id_, "effects": list(effects), **fields}


def role(id_: str, team: str = "", **fields: Any) -> dict[str, Any]:
    """A role as a file has it, for one seat."""
    given = {"count": [_count(2, 1)], "goal": "g"}
    return {"id": id_, "name": f"the {id_}", "team": team or id_, **given, **fields}


def _count(players: int, count: int) -> dict[str, int]:
    return {"players": players, "count": count}


def deal_of(
    rules: Ruleset,
    roles: Sequence[str],
    values: Mapping[str, str | int] | None = None,
    seed: int = 1,
) -> Deal:
    """A deal in which each seat has the role that is named."""
    named = {one.id: one for one in rules.roles}
    return Deal(
        rules=rules,
        players=tuple([Player(id=name.lower(), name=name) for name in NAMES[: len(roles)]]),
        cards=cards_of([named[one] for one in roles], values or {}),
        values=dict(values or {}),
        settings=Settings(),
        seed=seed,
    )


class Table:
    """A game that goes on as its seats act."""

    def __init__(self, deal: Deal) -> None:
        seats = len(deal.players)
        self.deal = deal
        self.minds = tuple([MindSpec(name=f"m{seat}", kind="remote") for seat in range(seats)])
        self.history: list[Event] = [
            EpisodeStarted(
                run="", task="t", scenario="s", title="t", catalog="c", environment="games",
                characters=tuple(one.name for one in deal.players), setup=deal, minds=self.minds,
            )
        ]  # fmt: skip
        self.world = RULES.initial(deal)
        self.facts: list[GameFact] = []
        self.end: End | None = None
        self.open: dict[int, Decide] = {}
        self._follow()

    @property
    def phase(self) -> str:
        """The id of the phase that goes on."""
        return self.world.here.id

    def act(self, seat: int, verb: str = "pass", **fields: Any) -> "Table":
        """A seat answers."""
        act, question = GameAct(verb=verb, **fields), self.open.pop(seat)
        fault = RULES.action_fault(question, act, seat, len(self.minds))
        assert fault is None, fault
        self._happens(ActionTaken(turn=self.world.turns, seat=seat, action=act))
        if not self.open:
            self._follow()
        return self

    def all_act(self, verb: str = "pass", **fields: Any) -> "Table":
        """All who are asked answer alike."""
        for seat in tuple(self.open):
            self.act(seat, verb, **fields)
        return self

    def noticed(self, viewer: Viewer) -> list[ActSeen | FactSeen]:
        """All that a viewer has noticed so far."""
        return list(SIGHT.view(self.history, viewer).noticed)

    def facts_of(self, viewer: Viewer, kind: str = "") -> list[GameFact]:
        """The facts that a viewer has noticed."""
        seen = [one.fact for one in self.noticed(viewer) if isinstance(one, FactSeen)]
        return [one for one in seen if kind in ("", one.kind)]

    def told(self, kind: str) -> list[tuple[int, ...] | None]:
        """Who is told of each fact of a kind."""
        return [one.to for one in self.facts if one.kind == kind]

    def _follow(self) -> None:
        while isinstance(step := RULES.next_step(self.world), Consequences):
            self.facts += step.facts
            self._happens(WorldChanged(change=step))
        if isinstance(step, Ask):
            self._happens(TurnOpened(turn=self.world.turns + 1, asked=step.asked))
            self.open = {one.seat: one.question for one in step.asked}
        else:
            assert isinstance(step, End)
            self.end = step

    def _happens(self, event: Any) -> None:
        self.history.append(event)
        self.world = RULES.evolve(self.world, event)
