"""The social environment: characters with private goals meet and talk (SOTOPIA).

What it does is in the modules beside this one, each loaded when it is first needed: an event can be
read without them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from actors.episodes.catalogs.entries import (
    Beginning,
    CatalogEntry,
    Meeting,
    Remark,
    TaskEntry,
    item_of,
)
from actors.episodes.chain_support import ChainSupport
from actors.episodes.environment import (
    Account,
    Entry,
    Environment,
    PromptWriter,
    Reducer,
    Shapes,
    Viewer,
    setup_of,
)
from actors.episodes.formats import Formats
from actors.episodes.mind import Mind
from actors.episodes.typed_answers import Wording
from actors.social import actions, rules
from actors.social.actions import NOTHING, Act, Action
from actors.social.catalog_items import Catalog, RelationshipKind, Task
from actors.social.narration import Narrated
from actors.social.setup import NAME, EpisodeRules, SocialSetup
from actors.social.views import Background, SeenAction, View
from actors.social.vocabulary import VOCABULARY
from events.base import Event
from events.episode import EpisodeStarted


class SocialEnvironment(Environment[rules.SocialWorld]):
    """Two or more characters, a scenario, a private goal each."""

    name = NAME
    vocabulary = VOCABULARY
    # Prompts say "the turn cap was reached", as they did for what was scored before.
    endings = rules.ENDINGS | {"turn_cap": "all turns were taken"}
    endings_of_seats = {"turn_cap": "you have had all your turns"}  # noqa: RUF012
    turns_are_public = True
    tempers = ("generous", "candid", "guarded", "stubborn", "wily")
    shapes = Shapes(Background, SeenAction)
    older_sections = ("rules",)

    def setup_fault(self, setup: SocialSetup, seats: int) -> str | None:
        """What is wrong with the cast, the goals, the rules or the markup."""
        from actors.social.setup_faults import setup_fault

        return setup_fault(setup, seats)

    # The functions themselves: they are called several times a turn.
    initial = staticmethod(rules.initial)
    evolve = staticmethod(rules.evolve)
    next_step = staticmethod(rules.next_step)
    action_fault = staticmethod(actions.action_fault)

    def nothing(self, question: Act) -> Action:
        """The action ``none``."""
        return NOTHING

    def canonical(self, question: Act, action: Action) -> Action:
        """Doing nothing has neither words nor witnesses of its own."""
        return NOTHING if action.kind == "none" else action

    def narration(self, text: str, seats: tuple[int, ...]) -> Narrated:
        """Something that no character does."""
        return Narrated(text=text, seats=seats)

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> Background:
        """Character, situation, goal, and the others as far as the relationships tell."""
        from actors.social import sight

        return sight.background(episode, started, seat, memory)

    def shared(self, background: Background) -> Background:
        """Characters, and how others see them, are the same in all episodes they play in."""
        from actors.social import sight

        return sight.shared(background)

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Reducer:
        """Actions, without others' whispers."""
        from actors.social import sight

        return sight.reducer(started, viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """Situation, profiles, relationships and actions."""
        from actors.social import sight

        return sight.view(history, viewer, memory)

    def account(self, view: View) -> Account:
        """The view in words."""
        from actors.social import render

        return render.account(view)

    def entry_writer(
        self, started: EpisodeStarted, viewer: Viewer
    ) -> Callable[[SeenAction], Entry]:
        """An action with its words and its witnesses."""
        from actors.social import render, sight

        names = sight.labels(setup_of(started, SocialSetup), viewer)
        return lambda seen: render.entry(seen, names)

    def told(self, background: Background, notice: SeenAction) -> str:
        """An action, as the prompts tell it."""
        from actors.social import render

        return render.line(notice, render.labels_of(background))

    def outcome(self, reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
        """Why it is over, and how often prose was taken for speech."""
        from actors.social import render

        return render.outcome(reason, summary)

    def describe(self, settings: EpisodeRules) -> tuple[tuple[str, str], ...]:
        """Order of turns, and when episodes end."""
        from actors.social import render

        return render.settings(settings)

    def labels(self, setup: SocialSetup) -> Mapping[str, str]:
        """Where the scenario is from, and how the seats stand to each other."""
        kinds = dict.fromkeys(str(one.kind) for one in setup.relationships)
        related = {seat for one in setup.relationships for seat in one.seats}
        if len(related) < len(setup.cast):
            kinds.setdefault(str(RelationshipKind.STRANGER))
        return {"source": setup.scenario.source, "relationship": ", ".join(kinds)}

    def tags(self, setup: SocialSetup) -> Sequence[str]:
        """The scenario's."""
        return setup.scenario.tags

    def prompt_writer(self, background: Background) -> PromptWriter:
        """Asks for an action."""
        from actors.social.prompt_writer import ActScene

        return ActScene(background)

    def answer_schema(self, question: Act, background: Background) -> dict[str, Any]:
        """Kind, text and recipients."""
        from actors.social.answers import READER

        return READER.schema

    def read_answer(self, question: Act, background: Background, text: str, label: str) -> Action:
        """The action a model means, with the spellings that models use."""
        from actors.social.answers import read

        return read(text, background, label)

    def wording(self, question: Act, background: Background) -> Wording:
        """What can be said and done."""
        from actors.social import typed_answers

        return typed_answers.wording(background)

    def typed(self, question: Act, background: Background, text: str) -> Action:
        """What is said; behind a slash, what is done."""
        from actors.social import typed_answers

        return typed_answers.action_of_line(background, text)

    def rehearsal(self, temper: str, seed: int | None = None) -> Mind:
        """Bargains, tells, keeps secrets and leaves, by its temper."""
        from actors.social.rehearsal import RehearsalMind

        return RehearsalMind(temper, seed)

    @property
    def stage(self) -> Path:
        """Who is there, and who speaks to whom; a form for an action."""
        return Path(__file__).parent / "stage"

    @property
    def section(self) -> type[msgspec.Struct]:
        """Order of turns, and when an episode ends."""
        from actors.social.plan_section import Section

        return Section

    def settings(self, section: Any, seed: int) -> EpisodeRules:
        """The rules, with the plan's seed."""
        from actors.social.plan_section import rules_of

        return rules_of(section, seed)

    def questions_at_most(self, setup: SocialSetup, seats: int) -> tuple[int, ...]:
        """Every turn up to the cap."""
        from actors.social.plan_section import actions_at_most

        return actions_at_most(setup.rules, seats)

    def starter(self) -> Catalog:
        """A small port town."""
        from actors.social.catalog.starter import starter_catalog

        return starter_catalog()

    def tasks(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """Scenarios with their casts."""
        from actors.social.catalog.cast_task import task_entries

        return task_entries(catalog)

    def begin(self, catalog: Catalog, task: str, settings: EpisodeRules, seed: int) -> Beginning:
        """With the task's cast."""
        from actors.social.catalog.cast_task import cast_task

        return cast_task(catalog, item_of(catalog, "task", task), settings, seed)

    def begin_meeting(
        self, catalog: Catalog, meeting: Meeting, settings: EpisodeRules, seed: int
    ) -> Beginning:
        """With those who meet again."""
        from actors.social.catalog.cast_task import cast_task

        task = Task(id=meeting.scenario, **meeting._asdict())
        return cast_task(catalog, task, settings, seed)

    def entries(self, catalog: Catalog) -> Sequence[CatalogEntry]:
        """Characters, relationships, scenarios and tasks."""
        from actors.social.catalog.pages import entries

        return entries(catalog)

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """Goals, hints and secrets too."""
        from actors.social.catalog.pages import facts

        return list(facts(catalog, entry.item))

    filled_in = MappingProxyType({"task": ("id", "relationships")})

    def fill_in(self, catalog: Catalog, left_out: Collection[tuple[str, int, str]]) -> Catalog:
        """A task's id and relationships follow from its scenario and its cast."""
        from actors.social.catalog.casts import fill_in

        return fill_in(catalog, left_out)

    def check(self, catalog: Catalog) -> Iterable[Remark]:
        """Unknown ids, markup, casts that do not fit, seats that nobody fits, goals that speak to
        the wrong seat."""
        from actors.social.catalog.check import check

        return check(catalog)

    def template(self) -> Mapping[str, str]:
        """Two keepers of a lighthouse, and what stands between them."""
        from actors.social.catalog.starter import template

        return template()

    @property
    def chains(self) -> ChainSupport:
        """The same people meet again in other scenarios (LIFELONG-SOTOPIA)."""
        from actors.social.chains.support import SocialChains

        return SocialChains()

    @property
    def formats(self) -> Formats:
        """SOTOPIA's logs of episodes, and its published catalog."""
        from actors.social.formats import FORMATS

        return FORMATS


SOCIAL: Final = SocialEnvironment()
"""What the entry point names."""
