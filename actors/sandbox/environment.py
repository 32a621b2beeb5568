"""The environment of the sandbox (STSS): characters live in a tile town, or two of them talk.

What it does is in the modules beside this one, each loaded when it is first needed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Final

import msgspec

from actors.episodes import environment as port
from actors.episodes.catalogs.entries import Beginning, CatalogEntry, Remark, TaskEntry
from actors.episodes.formats import Formats
from actors.episodes.mind import Mind
from actors.episodes.planning_support import Living
from actors.episodes.typed_answers import Wording
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.setup import ENDINGS, NAME, Case, Idle, Settings, Told, Town
from actors.sandbox.views import Notice, Resident, Speaker, View
from actors.sandbox.vocabulary import VOCABULARY
from events.base import Event
from events.environments import Action
from events.episode import EpisodeStarted


class Sandbox(port.Environment[Any]):
    """Towns and cases."""

    name = NAME
    vocabulary = VOCABULARY
    endings = ENDINGS
    tempers = ("ga", "ga+tdp", "forgetful", "homebody")
    answers_are_told = False

    # ------------------------------------------------------------ rules

    def setup_fault(self, setup: Town | Case, seats: int) -> str | None:
        """What is wrong with the map, who lives there, or the settings."""
        from actors.sandbox.setup_faults import setup_fault

        return setup_fault(setup, seats)

    def initial(self, setup: Town | Case) -> Any:
        """Everybody at home; or before the first word."""
        from actors.sandbox.rules import initial

        return initial(setup)

    def evolve(self, world: Any, event: port.Happening) -> Any:
        """What happened, asked and answered."""
        from actors.sandbox.rules import evolve

        return evolve(world, event)

    def next_step(self, world: Any) -> port.Step:
        """The next instant of the town's time."""
        from actors.sandbox.rules import next_step

        return next_step(world)

    def action_fault(self, question: Any, action: Any, seat: int, seats: int) -> str | None:
        """An answer to another question, or nothing in it."""
        from actors.sandbox.rules import action_fault

        return action_fault(question, action)

    def nothing(self, question: Any) -> Idle:
        """No answer."""
        return Idle()

    def canonical(self, question: Any, action: Any) -> Action:
        """On one line; said to whom."""
        from actors.sandbox.rules import canonical

        return canonical(question, action)

    def narration(self, text: str, seats: tuple[int, ...]) -> Told:
        """Noticed by those it is for, and nothing changes."""
        return Told(text=text, seats=seats)

    # ------------------------------------------------------------ sight

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> Resident | Speaker:
        """Who a seat is, where, and what it knows of the town."""
        from actors.sandbox.sight import background

        return background(episode, started, seat, memory)

    def shared(self, background: Resident | Speaker) -> Resident | Speaker:
        """Names and addresses are the same strings for all who know them."""
        from actors.sandbox.sight import shared

        return shared(background)

    def shared_news(self, news: Sequence[Notice]) -> Sequence[Notice]:
        """What somebody does is the same for all who perceive it."""
        from actors.sandbox.sight import shared_news

        return shared_news(news)

    def reducer(self, started: EpisodeStarted, viewer: port.Viewer) -> port.Reducer:
        """Its own doings, what it perceives, its own talks."""
        from actors.sandbox.sight import reducer

        return reducer(started, viewer)

    def noticed_by(self, event: port.Happening) -> Collection[int] | None:
        """Whose doings, perceptions and talks it is about."""
        from actors.sandbox.sight import noticed_by

        return noticed_by(event)

    def view(self, history: Sequence[Event], viewer: port.Viewer, memory: str = "") -> View:
        """The life so far."""
        from actors.sandbox.sight import view

        return view(history, viewer, memory)

    def account(self, view: View) -> port.Account:
        """The view in words, by the town's clock."""
        from actors.sandbox import render

        return render.account(view)

    def entry_writer(
        self, started: EpisodeStarted, viewer: port.Viewer
    ) -> Callable[[Notice], port.Entry]:
        """A line of what is done, perceived or said."""
        from actors.sandbox import render, sight

        setup = started.setup
        names = sight.names_of(setup)
        if isinstance(setup, Case):
            return render.RenderedWords(names, setup.at, 60, town=False).entry
        settings = setup.settings
        return render.RenderedWords(names, settings.start, settings.step_s, town=True).entry

    def outcome(self, reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
        """How much was said."""
        from actors.sandbox import render

        return render.outcome(reason, summary)

    def describe(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        """How long it lives, and how far one sees."""
        from actors.sandbox import render

        return render.settings(settings)

    def labels(self, setup: Town | Case) -> Mapping[str, str]:
        """The task and its kind."""
        task = setup.task
        return {"task": task.id, "kind": task.kind} if task is not None else {}

    @property
    def shapes(self) -> port.Shapes:
        """How what is sent to seats is typed."""
        return port.Shapes(reduce(or_, (Resident, Speaker)), Notice)

    # ------------------------------------------------------------ minds

    def prompt_writer(self, background: Resident | Speaker) -> port.PromptWriter:
        """Asks a plain model."""
        from actors.sandbox.prompt_writer import TownPromptWriter

        return TownPromptWriter(background)

    def answer_schema(self, question: Any, background: Resident | Speaker) -> dict[str, Any]:
        """What is done, where and for how long; or what is said."""
        from actors.sandbox import answers

        return answers.schema(question)

    def read_answer(
        self, question: Any, background: Resident | Speaker, text: str, label: str
    ) -> Action:
        """Unknown places are refused with what is known."""
        from actors.sandbox import answers

        return answers.read(question, background, text, label)

    def wording(self, question: Any, background: Resident | Speaker) -> Wording:
        """The time, the place, who is there."""
        from actors.sandbox import typed_answers

        return typed_answers.wording(question, background)

    def typed(self, question: Any, background: Resident | Speaker, text: str) -> Action:
        """``do making tea at Mill Lane:kitchen for 20``."""
        from actors.sandbox import typed_answers

        return typed_answers.typed(question, background, text)

    def living(self, background: Resident | Speaker) -> Living:
        """A day's life in a town, or one talk."""
        from actors.sandbox.planning_support import living

        return living(background)

    def rehearsal(self, temper: str, seed: int | None = None) -> Mind:
        """Lives by temper."""
        from actors.sandbox.rehearsal.mind import RehearsalMind

        return RehearsalMind(temper, seed)

    # ------------------------------------------------------------ plans and catalogs

    def starter(self) -> Catalog:
        """Ternby: a harbour village of twelve."""
        from actors.sandbox.catalog.starter import town_catalog

        return town_catalog()

    def template(self) -> Mapping[str, str]:
        """A village of twelve to be edited; a map is easier drawn."""
        from actors.sandbox.catalog.pages import template

        return template(self)

    def entries(self, catalog: Catalog) -> Sequence[CatalogEntry]:
        """Maps with their sizes, inhabitants, tasks."""
        from actors.sandbox.catalog.pages import entries

        return entries(catalog)

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """A map room by room; what counts in a task."""
        from actors.sandbox.catalog.pages import facts

        return facts(entry.item)

    @property
    def full_names(self) -> Collection[str]:
        """Inhabitants are called as they are."""
        return ("inhabitant",)

    def check(self, catalog: Catalog) -> Iterable[Remark]:
        """What is wrong or odd with maps, inhabitants and tasks."""
        from actors.sandbox.catalog.check import check

        return check(catalog)

    @property
    def formats(self) -> Formats:
        """STSS's published files; a town in one file."""
        from actors.sandbox.formats import FORMATS

        return FORMATS

    @property
    def section(self) -> type[msgspec.Struct]:
        """How long a town lives, what is perceived, and how plain models are asked."""
        from actors.sandbox.plan_section import Section

        return Section

    def settings(self, section: Any, seed: int) -> Settings:
        """The section; each episode gets a seed of its own."""
        from actors.sandbox.plan_section import settings_of

        del seed
        return settings_of(section)

    @property
    def stage(self) -> Path:
        """The map and the forms for pages."""
        return Path(__file__).parent / "stage"

    def questions_at_most(self, setup: Town | Case, seats: int) -> tuple[int, ...] | None:
        """Of a case; a town may ask as often as somebody does something else."""
        return (setup.rounds, setup.rounds + 1) if isinstance(setup, Case) else None

    def days(self, setup: Town | Case) -> float | None:
        """Of a town."""
        if isinstance(setup, Case):
            return None
        return setup.settings.steps * setup.settings.step_s / 86_400

    def tasks(self, catalog: Catalog) -> Sequence[TaskEntry]:
        """Social tasks, by kind, and cases."""
        from actors.sandbox.conversation.cases import case_tasks

        social = [
            TaskEntry(id=task.id, seats=len(task.characters), tags=(task.kind, *task.tags))
            for task in catalog.tasks
        ]
        return [*social, *case_tasks(catalog)]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """The performer is about the task these days."""
        from actors.sandbox.conversation.cases import begin_case, is_case
        from actors.sandbox.town.task_setup import begin

        if is_case(task):
            return begin_case(catalog, task, settings, seed)
        return begin(catalog, task, settings, seed)


SANDBOX: Final = Sandbox()
"""What the entry point names."""
