"""Cases cut from what happened in towns (STSS, section 3.2).

A case begins where a talk of the performer opens before the town's second day. It holds what the
two then were and knew, and nothing of what came later.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from actors.sandbox.catalog_items import Case, FrozenTask, Inhabitant, Partner, Task
from actors.sandbox.setup import (
    ActionStarted,
    Happened,
    Noticed,
    TalkClosed,
    TalkOpened,
    Town,
)
from evaluators.sandbox.language.recalled_context import (
    Moment,
    Recalled,
    Stretch,
    from_stream,
    from_thoughts,
)
from events.base import Event, Value, replace
from events.episode import EpisodeStarted, TurnOpened, WorldChanged
from events.thoughts import Decided

PERFORMER: Final = 0
"""The performer's seat in a town."""
A_PAIR: Final = 2
"""Cases of the same two and the same task, at most."""


class PlayedTown(NamedTuple):
    """An episode of a town that was played."""

    episode: str
    history: Sequence[Event]
    decisions: Callable[[int], Sequence[Decided]]
    """What the agent of a seat concluded, oldest first; nothing where it does not think."""


class Frozen(Value, frozen=True, kw_only=True):
    """What was cut from some towns."""

    tasks: tuple[FrozenTask, ...]
    """Those that were looked through, in the order in which they were met."""
    cases: tuple[Case, ...]
    """In the order of the tasks, then of the talks."""

    @property
    def empty(self) -> tuple[FrozenTask, ...]:
        there = {case.task.id for case in self.cases}
        return tuple(task for task in self.tasks if task.id not in there)


def freeze(towns: Iterable[PlayedTown]) -> Frozen:
    """The cases of some towns, in their order: the same towns, the same cases. Towns in which
    nobody has a task are passed over."""
    found: dict[str, list[Case]] = {}
    tasks: dict[str, FrozenTask] = {}
    pairs: Counter[tuple[str, str]] = Counter()
    slugs: dict[str, str] = {}
    for lived in towns:
        town = _town_of(lived.history)
        if town is None or town.task is None:
            continue
        task = town.task
        before = tasks.get(task.id) or FrozenTask(id=task.id, kind=task.kind)
        tasks[task.id] = replace(before, towns=before.towns + 1)
        for case in _cases_in(lived, town, task):
            pair = (task.id, case.target.inhabitant.id)
            if pairs[pair] < A_PAIR:
                pairs[pair] += 1
                id_ = f"{task.id}.{_slug(case.target.inhabitant.id, slugs)}.{pairs[pair]}"
                found.setdefault(task.id, []).append(replace(case, id=id_))
    cases = tuple(case for id_ in tasks for case in found.get(id_, ()))
    return Frozen(tasks=tuple(tasks.values()), cases=cases)


def _town_of(history: Iterable[Event]) -> Town | None:
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    return started.setup if started is not None and isinstance(started.setup, Town) else None


@dataclass
class _Sofar:
    """What a stream has told up to a fact."""

    turn: int = 0
    told: list[Stretch] = field(default_factory=list)
    doing: dict[int, ActionStarted] = field(default_factory=dict)


def _cases_in(lived: PlayedTown, town: Town, task: Task) -> Iterator[Case]:
    """All talks of the performer that can be cases, without ids of their own."""
    settings = town.settings
    start = datetime.fromisoformat(settings.start)
    second_day = datetime.combine(start.date() + timedelta(days=1), datetime.min.time())
    last = (second_day - start).total_seconds() / settings.step_s
    sofar = _Sofar()
    for number, event in enumerate(lived.history):
        match event:
            case TurnOpened(turn=turn):
                sofar.turn = turn
            case WorldChanged(change=Happened(at=at, facts=facts)):
                if at >= last:
                    return
                for fact in facts:
                    if isinstance(fact, TalkOpened) and PERFORMER in fact.seats:
                        target = max(fact.seats)
                        name = town.inhabitants[target].id
                        if task.kind != "appointment" or name in task.targets:
                            source = f"{lived.episode}#{number}"
                            yield _case(lived, town, task, sofar, target, at, source)
                    elif isinstance(fact, ActionStarted | Noticed | TalkClosed):
                        sofar.told.append(Stretch(at, fact))
                        if isinstance(fact, ActionStarted):
                            sofar.doing[fact.seat] = fact


def _case(
    lived: PlayedTown, town: Town, task: Task, sofar: _Sofar, target: int, at: int, source: str
) -> Case:
    seconds = at * town.settings.step_s
    start = datetime.fromisoformat(town.settings.start)
    names = [one.id for one in town.inhabitants]

    def partner(seat: int, other: int) -> Partner:
        moment = Moment(sofar.turn, seconds, start, names[other])
        thought = from_thoughts(lived.decisions(seat), moment)
        seen = from_stream(sofar.told, seat, moment, names, town.settings.step_s)
        return _partner(town.inhabitants[seat], sofar.doing.get(seat), thought, seen)

    return Case(
        id="",
        task=task,
        at=f"{start + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}",
        performer=partner(PERFORMER, target),
        target=partner(target, PERFORMER),
        source=source,
        rounds=town.settings.rounds,
        places=town.map.sectors.names,
    )


def _partner(
    inhabitant: Inhabitant, doing: ActionStarted | None, thought: Recalled, seen: Recalled
) -> Partner:
    if thought.currently:
        inhabitant = replace(inhabitant, currently=thought.currently)
    return Partner(
        inhabitant=inhabitant,
        doing=doing.text if doing else "",
        address=doing.address if doing else "",
        memories=thought.memories or seen.memories,
        schedule=thought.schedule or seen.schedule,
    )


def _slug(name: str, taken: dict[str, str]) -> str:
    """A name as part of an id: with a number where another, who differs by case or blanks alone,
    has it already. ``taken``: whose each is."""
    plain = slug = "-".join(name.casefold().split())
    number = 1
    while taken.setdefault(slug, name) != name:
        number += 1
        slug = f"{plain}-{number}"
    return slug
