"""The kinds of episodes that world trees are played in, each an environment by itself.

A walk, a question about an ability, a line of one's own and a translation have nothing in common
but trees. Each is a ``Part``: an ``Environment`` of one kind of setup. ``Composed`` is all of them
as one: it finds the part by the type of what it is given.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from actors.episodes import environment as port
from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.mind import Decision, Journal, Mind, Scene
from actors.episodes.typed_answers import Wording
from actors.episodes.views.progress import beginning_of
from actors.worldtree.setup import NAME
from events.base import Event
from events.environments import Action, Vocabulary
from events.episode import ActionFailure, EpisodeStarted

if TYPE_CHECKING:
    pass

W = TypeVar("W")


class Part(port.Environment[W]):
    """One kind of episode, or some that are alike."""

    name = NAME

    prefixes: ClassVar[tuple[str, ...]]
    """How its tasks' ids begin, up to the first dot."""
    own: ClassVar[tuple[type, ...]]
    """Its states, backgrounds and views, which no other part has."""


class Composed(port.Environment[Any]):
    """Several parts as one environment. What is no part's own, such as the catalog, is added by a
    subclass."""

    name = NAME

    def __init__(self, *parts: Part[Any]) -> None:
        self.parts = parts
        self._by_prefix = {prefix: part for part in parts for prefix in part.prefixes}
        self._of: dict[type, Part[Any]] = {
            kind: part
            for part in parts
            for kind in (
                *part.own,
                *part.vocabulary.setups,
                *part.vocabulary.questions,
                *part.vocabulary.actions,
            )
        }
        self.endings = {k: words for part in parts for k, words in part.endings.items()}
        told = [part.endings_of_seats for part in parts]
        self.endings_of_seats = {k: words for own in told for k, words in own.items()}
        self.vocabulary = _together([part.vocabulary for part in parts])

    def setup_fault(self, setup: Any, seats: int) -> str | None:
        return self._of[type(setup)].setup_fault(setup, seats)

    def initial(self, setup: Any) -> Any:
        return self._of[type(setup)].initial(setup)

    def evolve(self, world: Any, event: port.Happening) -> Any:
        return self._of[type(world)].evolve(world, event)

    def next_step(self, world: Any) -> port.Step:
        return self._of[type(world)].next_step(world)

    def action_fault(self, question: Any, action: Any, seat: int, seats: int) -> str | None:
        return self._of[type(question)].action_fault(question, action, seat, seats)

    def nothing(self, question: Any) -> Action:
        return self._of[type(question)].nothing(question)

    def canonical(self, question: Any, action: Any) -> Action:
        return self._of[type(question)].canonical(question, action)

    def accepts(self, action: Any, failure: ActionFailure) -> bool:
        return self._of[type(action)].accepts(action, failure)

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Any:
        return self._of[type(started.setup)].background(episode, started, seat, memory)

    def reducer(self, started: EpisodeStarted, viewer: port.Viewer) -> port.Reducer:
        return self._of[type(started.setup)].reducer(started, viewer)

    def view(self, history: Sequence[Event], viewer: port.Viewer, memory: str = "") -> Any:
        started = beginning_of(history)
        return self._of[type(started.setup)].view(history, viewer, memory)

    def account(self, view: Any) -> port.Account:
        return self._of[type(view)].account(view)

    def entry_writer(
        self, started: EpisodeStarted, viewer: port.Viewer
    ) -> Callable[[Any], port.Entry]:
        return self._of[type(started.setup)].entry_writer(started, viewer)

    def questions_at_most(self, setup: Any, seats: int) -> tuple[int, ...] | None:
        return self._of[type(setup)].questions_at_most(setup, seats)

    def told_at_most(self, setup: Any, seat: int) -> str | None:
        return self._of[type(setup)].told_at_most(setup, seat)

    @property
    def shapes(self) -> port.Shapes:
        found = [part.shapes for part in self.parts]
        background = reduce(or_, [one.background for one in found])
        return port.Shapes(background, reduce(or_, [one.notice for one in found]))

    def labels(self, setup: Any) -> Mapping[str, str]:
        return self._of[type(setup)].labels(setup)

    def tags(self, setup: Any) -> Sequence[str]:
        return self._of[type(setup)].tags(setup)

    def prompt_writer(self, background: Any) -> port.PromptWriter:
        return self._of[type(background)].prompt_writer(background)

    def read_answer(self, question: Any, background: Any, text: str, label: str) -> Action:
        return self._of[type(question)].read_answer(question, background, text, label)

    def reasks(self, background: Any) -> int | None:
        return self._of[type(background)].reasks(background)

    def answer_schema(self, question: Any, background: Any) -> dict[str, Any] | None:
        return self._of[type(question)].answer_schema(question, background)

    def wording(self, question: Any, background: Any) -> Wording:
        return self._of[type(question)].wording(question, background)

    def typed(self, question: Any, background: Any, text: str) -> Action:
        return self._of[type(question)].typed(question, background, text)

    def carried_over(self, question: Any, action: Any, other: Any) -> Action | None:
        return self._of[type(question)].carried_over(question, action, other)

    def rehearsal(self, temper: str, seed: int | None = None) -> Mind:
        if temper not in ("", *self.tempers):
            raise port.UnknownTemper(temper, self.tempers)
        return _Rehearsals(self._of, temper, seed)

    def tasks(self, catalog: Any) -> Sequence[TaskEntry]:
        return [task for part in self.parts for task in part.tasks(catalog)]

    def begin(self, catalog: Any, task: str, settings: Any, seed: int) -> Beginning:
        part = self._by_prefix.get(task.partition(".")[0])
        if part is None:
            raise MissingItem(catalog.name, "task", task)
        return part.begin(catalog, task, settings, seed)


class _Rehearsals:
    """The offline mind: that of the part whose question it is asked."""

    def __init__(self, parts: Mapping[type, Part[Any]], temper: str, seed: int | None) -> None:
        self._parts, self._temper, self._seed = parts, temper, seed

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """What the part's own decides."""
        mind = self._parts[type(scene.question)].rehearsal(self._temper, self._seed)
        return await mind.decide(scene, calls)


def _together(found: Sequence[Vocabulary]) -> Vocabulary:
    """Each struct once, in the parts' order."""

    def all_(name: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(getattr(one, name) for one in found)))

    return Vocabulary(
        setups=all_("setups"),
        settings=all_("settings"),
        questions=all_("questions"),
        actions=all_("actions"),
        changes=all_("changes"),
        catalogs=all_("catalogs"),
    )
