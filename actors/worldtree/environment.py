"""The environment of world trees (SocialEval): a protagonist walks a written tree of scenes towards
a social goal, and is asked which line shows an ability.

What it does is in the modules beside this one, each loaded when it is first needed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from actors.episodes.catalogs.entries import Beginning, CatalogEntry, Remark, TaskEntry
from actors.episodes.environment import (
    Account,
    Entry,
    PromptWriter,
    Reducer,
    Shapes,
    Viewer,
)
from actors.episodes.formats import Formats
from actors.episodes.mind import Mind
from actors.episodes.typed_answers import Wording
from actors.worldtree import rules
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.free_lines.part import LINES
from actors.worldtree.parts import Composed, Part
from actors.worldtree.setup import Choose, Chose, Inquiry, NoChoice, Settings, Walk
from actors.worldtree.translation.part import TRANSLATIONS
from actors.worldtree.views import ChoiceBackground, Notice, View
from actors.worldtree.vocabulary import VOCABULARY
from events.base import Event, replace
from events.environments import Action
from events.episode import ActionFailure, EpisodeStarted


class Choices(Part[rules.World]):
    """One seat, a tree, a way through it; or one question."""

    prefixes = ("walk", "ask")
    own = (rules.WalkWorld, rules.InquiryWorld, ChoiceBackground, View)
    vocabulary = VOCABULARY
    endings = rules.ENDINGS
    shapes = Shapes(ChoiceBackground, Notice)

    def setup_fault(self, setup: Walk | Inquiry, seats: int) -> str | None:
        """What is wrong with the tree, the sample or the settings."""
        from actors.worldtree.setup_faults import setup_fault

        return setup_fault(setup, seats)

    def initial(self, setup: Walk | Inquiry) -> rules.World:
        """At the root, or before the question."""
        return rules.initial(setup)

    # The functions themselves: they are called several times a turn.
    evolve = staticmethod(rules.evolve)
    next_step = staticmethod(rules.next_step)

    def action_fault(self, question: Choose, action: Action, seat: int, seats: int) -> str | None:
        """An option that there is not."""
        if not isinstance(action, Chose):
            return "an option must be chosen"
        count = len(question.options)
        if 0 <= action.option < count:
            return None
        return f"there is no option {action.option}; options are 0 to {count - 1}"

    def nothing(self, question: Choose) -> NoChoice:
        """No choice."""
        return NoChoice()

    def accepts(self, action: NoChoice, failure: ActionFailure) -> bool:
        """The mind's own are votes for nothing."""
        return failure.reason in rules.OWN_FAILURES

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> ChoiceBackground:
        """The protagonist, the others as far as everybody knows them, and the scenario."""
        from actors.worldtree import sight

        return sight.background(episode, started, seat)

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Reducer:
        """Scenes and chosen lines; who has no seat notices the answers, too."""
        from actors.worldtree import sight

        return sight.reducer(started, viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """The story so far."""
        from actors.worldtree import sight

        return sight.view(history, viewer)

    def account(self, view: View) -> Account:
        """The view in words of the story's language."""
        from actors.worldtree import render

        return render.account(view)

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        """A line, an entrance or an answer."""
        from actors.worldtree import render, sight

        story = sight.story_of(started)
        name, language = story.protagonist.name, story.language
        return lambda notice: render.entry(notice, name, language)

    def labels(self, setup: Walk | Inquiry) -> Mapping[str, str]:
        """What is played, in which language, with which orientation."""
        walk = isinstance(setup, Walk)
        story = setup.tree if isinstance(setup, Walk) else setup.sample
        return {
            "kind": "walk" if walk else "ability",
            "language": story.language,
            "orientation": story.orientation,
        }

    def prompt_writer(self, background: ChoiceBackground) -> PromptWriter:
        """Asks which line the protagonist says."""
        from actors.worldtree.prompt_writer import ChoiceWriter

        return ChoiceWriter(background)

    def reasks(self, background: ChoiceBackground) -> int:
        """As the settings say: the published scripts do not ask again."""
        return background.reasks

    def answer_schema(self, question: Choose, background: ChoiceBackground) -> dict[str, Any]:
        """An explanation, then a letter."""
        from actors.worldtree.answers import answer_schema

        return answer_schema(len(question.options), background.prompts)

    def read_answer(
        self, question: Choose, background: ChoiceBackground, text: str, label: str
    ) -> Chose:
        """The option that a model means."""
        from actors.worldtree.answers import read_choice

        return read_choice(question.options, text, label, background.prompts)

    def wording(self, question: Choose, background: ChoiceBackground) -> Wording:
        """The options with their letters."""
        from actors.worldtree import typed_answers

        return typed_answers.wording(question, background)

    def typed(self, question: Choose, background: ChoiceBackground, text: str) -> Chose:
        """A letter, or an option's own words."""
        from actors.worldtree.options.letters import option_named

        return Chose(option=option_named(text, question.options))

    def carried_over(
        self, question: Choose, action: Chose | NoChoice, other: Choose
    ) -> Chose | None:
        """The same line, wherever it stands: people are not asked three times."""
        from actors.worldtree import typed_answers

        return typed_answers.same_line(question, action, other)

    def rehearsal(self, temper: str, seed: int | None = None) -> Mind:
        """Chooses by temper."""
        from actors.worldtree.rehearsal import RehearsalMind

        return RehearsalMind(temper, seed)

    def questions_at_most(self, setup: Walk | Inquiry, seats: int) -> tuple[int, ...]:
        """Those at every node of the longest path. What was asked in vain is asked again."""
        return (rules.questions_at_most(setup),)

    def told_at_most(self, setup: Walk | Inquiry, seat: int) -> str:
        """The longest way through the tree; before an inquiry's question all has been told."""
        return rules.told_at_most(setup)

    def tasks(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """Walks and inquiries."""
        from actors.worldtree import tasks

        return tasks.entries(catalog)

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """At a tree's root, or with a sample."""
        from actors.worldtree.task_setup import begin

        return begin(catalog, task, settings, seed)


class WorldTrees(Composed):
    """What is the same for all parts: the catalog, a plan's section, and files."""

    tempers = (
        *("steady", "wavering", "first", "last"),
        *("prosocial", "selfish", "longest", "shortest"),
    )

    def outcome(self, reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
        """What came of it for the goal or the question; why, where nothing did."""
        from actors.worldtree import render

        return render.outcome(reason, summary)

    def describe(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        """How often each question is asked, in which language, and what is told."""
        from actors.worldtree import render

        return render.settings(settings)

    @property
    def stage(self) -> Path:
        """The way through the tree so far; the options as cards."""
        return Path(__file__).parent / "stage"

    @property
    def section(self) -> type[msgspec.Struct]:
        """A preset, and what differs from it."""
        from actors.worldtree.plan_section import Section

        return Section

    def settings(self, section: Any, seed: int) -> Settings:
        """The preset, filled in."""
        from actors.worldtree.plan_section import settings_of

        return settings_of(section, seed)

    def starter(self) -> Catalog:
        """Crossroads: a tree of Troupe's own for each orientation."""
        from actors.worldtree.catalog.starter import starter_catalog

        return starter_catalog()

    def template(self) -> Mapping[str, str]:
        """One tree of Crossroads."""
        from actors.episodes.catalogs.writer import entries_of

        starter = self.starter()
        return entries_of(self, replace(starter, trees=starter.trees[:1]))

    def entries(self, catalog: Catalog) -> Sequence[CatalogEntry]:
        """Trees with their goals, samples, drafts."""
        from actors.worldtree.catalog.pages import entries

        return entries(catalog)

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """A whole tree, scene by scene."""
        from actors.worldtree.catalog.pages import facts

        return facts(entry.item)

    def check(self, catalog: Catalog) -> Iterable[Remark]:
        """The defects of its trees."""
        from actors.worldtree.catalog.check import check

        return check(catalog)

    @property
    def formats(self) -> Formats:
        """SocialEval's world trees and ability samples."""
        from actors.worldtree.formats import FORMATS

        return FORMATS


WORLDTREE: Final = WorldTrees(Choices(), LINES, TRANSLATIONS)
"""What the entry point names."""
