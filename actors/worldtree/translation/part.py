"""Translations as an environment: one seat, a turn a passage."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from actors.episodes import environment as port
from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.views.progress import beginning_of, check_viewer
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.parts import Part
from actors.worldtree.setup import Settings
from actors.worldtree.translation import rules, sight
from actors.worldtree.translation.draft import Draft
from actors.worldtree.translation.rehearsal import Marking
from actors.worldtree.translation.script import OTHER
from actors.worldtree.translation.setup import (
    Named,
    NameThem,
    NoTranslation,
    Render,
    Rendered,
    Seen,
    Translation,
    TranslationView,
)
from actors.worldtree.trees.tree import Tree
from events.base import Event, replace
from events.environments import Action, Vocabulary
from events.episode import EpisodeStarted
from events.ids import digest_of
from events.serialization.codec import encode

TAG: Final = "translation"
"""Of its tasks; a plan has to name it."""


class Translations(Part[rules.TranslationState]):
    """The part."""

    prefixes = (TAG,)
    own = (rules.TranslationState, TranslationView)
    endings = {"translated": "all was translated"}  # noqa: RUF012
    vocabulary = Vocabulary(
        setups=(Translation,),
        settings=(Settings,),
        questions=(NameThem, Render),
        actions=(Named, Rendered, NoTranslation),
        catalogs=(Catalog,),
    )

    def setup_fault(self, setup: Translation, seats: int) -> str | None:
        return rules.setup_fault(setup, seats)

    def initial(self, setup: Translation) -> rules.TranslationState:
        return rules.initial(setup)

    def evolve(
        self, world: rules.TranslationState, event: port.Happening
    ) -> rules.TranslationState:
        return rules.evolve(world, event)

    def next_step(self, world: rules.TranslationState) -> port.Step:
        return rules.next_step(world)

    def action_fault(
        self, question: NameThem | Render, action: Any, seat: int, seats: int
    ) -> str | None:
        return rules.action_fault(question, action)

    def nothing(self, question: NameThem | Render) -> Action:
        return rules.nothing(question)

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> TranslationView:
        return sight.view(started, [started], seat)

    def reducer(self, started: EpisodeStarted, viewer: port.Viewer) -> sight.TranslationViewReducer:
        check_viewer(viewer, len(started.minds))
        return sight.TranslationViewReducer()

    def view(
        self, history: Sequence[Event], viewer: port.Viewer, memory: str = ""
    ) -> TranslationView:
        return sight.view(beginning_of(history), history, viewer)

    def account(self, view: TranslationView) -> port.Account:
        return sight.account(view, self.ending(view.ended))

    def entry_writer(
        self, started: EpisodeStarted, viewer: port.Viewer
    ) -> Callable[[Seen], port.Entry]:
        return sight.entry

    @property
    def shapes(self) -> port.Shapes:
        return port.Shapes(TranslationView, Seen)

    def labels(self, setup: Translation) -> Mapping[str, str]:
        tree = setup.tree
        return {"kind": TAG, "language": tree.language, "orientation": tree.orientation}

    def questions_at_most(self, setup: Translation, seats: int) -> tuple[int, ...]:
        world = rules.initial(setup)
        return (world.passages.count(None) + (world.names is None),)

    def prompt_writer(self, background: TranslationView) -> port.PromptWriter:
        from actors.worldtree.translation import prompt_writer as asking

        return asking.TranslationPromptWriter(background)

    def read_answer(
        self, question: NameThem | Render, background: TranslationView, text: str, label: str
    ) -> Action:
        from actors.worldtree.translation import prompt_writer as asking

        return asking.read(question, text, label)

    def answer_schema(
        self, question: NameThem | Render, background: TranslationView
    ) -> dict[str, Any] | None:
        from actors.worldtree.translation import prompt_writer as asking

        return asking.schema(question)

    def rehearsal(self, temper: str, seed: int | None = None) -> Marking:
        return Marking()

    def tasks(self, catalog: Catalog) -> Sequence[TaskEntry]:
        trees = {tree.id: tree for tree in reversed(catalog.trees)}
        of = [(tree.id, tree) for tree in catalog.trees]
        of += [(one.id, trees[one.tree]) for one in catalog.drafts if one.tree in trees]
        return [TaskEntry(f"{TAG}.{id_}", 1, _tags(tree), TAG) for id_, tree in of]

    def begin(self, catalog: Catalog, task: str, settings: Any, seed: int) -> Beginning:
        of = task.removeprefix(f"{TAG}.")
        draft = next((one for one in catalog.drafts if one.id == of), None)
        named = draft.tree if draft else of
        tree = next((tree for tree in catalog.trees if tree.id == named), None)
        if tree is None:
            raise MissingItem(catalog.name, "tree", named)
        to = OTHER[tree.language]
        return Beginning(
            setup=translation(tree, replace(settings, seed=seed), draft),
            scenario=tree.id,
            title=f"{tree.title or tree.id}, into {sight.LANGUAGES[to]}",
            characters=("translator",),
            tags=_tags(tree),
        )


def translation(tree: Tree, settings: Settings, draft: Draft | None = None) -> Translation:
    """What a translation into the other language begins with."""
    return Translation(
        tree=tree,
        digest=digest_of(encode(tree)),
        to=OTHER[tree.language],
        names=draft.names if draft else (),
        kept=draft.kept if draft else (),
        refused=draft.refused if draft else (),
        settings=settings,
    )


def _tags(tree: Tree) -> tuple[str, ...]:
    return (TAG, tree.language, tree.orientation.lower())


TRANSLATIONS: Final = Translations()
