"""Free lines as an environment: one seat, one turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from actors.episodes import environment as port
from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.typed_answers import Wording
from actors.episodes.views.progress import beginning_of, check_viewer
from actors.worldtree import sight
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.free_lines import places
from actors.worldtree.free_lines.rehearsal import Rehearsal
from actors.worldtree.free_lines.setup import (
    MOST_CHARACTERS,
    NoLine,
    WriteLine,
    Writing,
    WritingView,
    Written,
    Wrote,
)
from actors.worldtree.free_lines.sight import LineViewReducer, account, entry, view
from actors.worldtree.parts import Part
from actors.worldtree.setup import Settings
from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.tree import Tree
from events.base import Event, replace
from events.environments import Action, Vocabulary
from events.episode import ActionTaken, Asked, EpisodeStarted

TAG: Final = "line"
"""Of the tasks that are drawn; a plan has to name it."""
EVERY: Final = "every-line"
"""Of the tasks at all the other nodes; a plan has to name it."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an episode."""

    setup: Writing
    taken: bool = False
    """The seat was asked, and has answered or failed; where it has failed the episode is given
    up."""


class Lines(Part[Page]):
    """The part."""

    prefixes = (TAG,)
    own = (Page, WritingView)
    endings = {"written": "the line was written"}  # noqa: RUF012
    vocabulary = Vocabulary(
        setups=(Writing,),
        settings=(Settings,),
        questions=(WriteLine,),
        actions=(Wrote, NoLine),
        catalogs=(Catalog,),
    )

    def setup_fault(self, setup: Writing, seats: int) -> str | None:
        if seats != 1:
            return f"one mind writes a line, not {seats}"
        return None if setup.candidates else "there is no line to compare with"

    def initial(self, setup: Writing) -> Page:
        return Page(setup=setup)

    def evolve(self, world: Page, event: port.Happening) -> Page:
        return Page(setup=world.setup, taken=True) if isinstance(event, ActionTaken) else world

    def next_step(self, world: Page) -> port.Step:
        setup = world.setup
        if not world.taken:
            return port.Ask(asked=(Asked(seat=0, question=WriteLine(length=setup.length)),))
        summary: dict[str, Any] = {
            "kind": "line",
            "tree": setup.tree,
            "node": setup.node,
            "language": setup.language,
            "orientation": setup.orientation,
        }
        return port.End(reason="written", summary=summary)

    def action_fault(self, question: WriteLine, action: Any, seat: int, seats: int) -> str | None:
        del question, seat, seats
        if not isinstance(action, Wrote):
            return "must be a line"
        if not action.text.strip():
            return "the line is empty"
        if len(action.text) > MOST_CHARACTERS:
            return f"the line has {len(action.text):,} characters; {MOST_CHARACTERS:,} at most"
        unknown = [one for one in action.abilities if one not in ABILITIES]
        return f"{unknown[0]!r} is none of the 32 abilities" if unknown else None

    def nothing(self, question: WriteLine) -> Action:
        return NoLine()

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> WritingView:
        return view(started, [started], seat)

    def reducer(self, started: EpisodeStarted, viewer: port.Viewer) -> LineViewReducer:
        check_viewer(viewer, len(started.minds))
        return LineViewReducer(viewer)

    def view(self, history: Sequence[Event], viewer: port.Viewer, memory: str = "") -> WritingView:
        return view(beginning_of(history), history, viewer)

    def account(self, view: WritingView) -> port.Account:
        return account(view, self.ending(view.ended))

    def entry_writer(
        self, started: EpisodeStarted, viewer: port.Viewer
    ) -> Callable[[Written], port.Entry]:
        return partial(entry, started.setup.protagonist.name)

    @property
    def shapes(self) -> port.Shapes:
        return port.Shapes(WritingView, Written)

    def labels(self, setup: Writing) -> Mapping[str, str]:
        return {"kind": TAG, "language": setup.language, "orientation": setup.orientation}

    def questions_at_most(self, setup: Writing, seats: int) -> tuple[int, ...]:
        return (1,)

    def prompt_writer(self, background: WritingView) -> port.PromptWriter:
        from actors.worldtree.free_lines import prompt_writer as asking

        return asking.LinePromptWriter(background)

    def reasks(self, background: WritingView) -> int:
        return background.reasks

    def read_answer(
        self, question: WriteLine, background: WritingView, text: str, label: str
    ) -> Action:
        from actors.worldtree.free_lines import prompt_writer as asking

        return asking.read(text, label, background.protagonist.name, background.prompts)

    def answer_schema(self, question: WriteLine, background: WritingView) -> dict[str, Any] | None:
        from actors.worldtree.free_lines import prompt_writer as asking

        return asking.schema(background.prompts)

    def wording(self, question: WriteLine, background: WritingView) -> Wording:
        unit = "words" if background.language == "en" else "characters"
        about = f"What does {background.protagonist.name} say or do next?"
        return Wording(lead=about, hint=f"one line, about {question.length} {unit}")

    def typed(self, question: WriteLine, background: WritingView, text: str) -> Wrote:
        return Wrote(text=text.strip())

    def rehearsal(self, temper: str, seed: int | None = None) -> Rehearsal:
        return Rehearsal(temper, seed)

    def tasks(self, catalog: Catalog) -> Sequence[TaskEntry]:
        chosen = places.drawn(catalog.trees)
        return [
            TaskEntry(
                id=f"{TAG}.{tree.id}.{place.node.id}",
                seats=1,
                tags=(which, tree.language, tree.orientation.lower(), *_group(tree)),
                only_by=which,
            )
            for tree in catalog.trees
            for place in places.places(tree)
            for which in [TAG if (tree.id, place.node.id) in chosen else EVERY]
        ]

    def begin(self, catalog: Catalog, task: str, settings: Any, seed: int) -> Beginning:
        of, _, node = task.removeprefix(f"{TAG}.").rpartition(".")
        tree = next((tree for tree in catalog.trees if tree.id == of), None)
        place = places.place_of(tree, int(node)) if tree and node.isdecimal() else None
        if tree is None or place is None:
            raise MissingItem(catalog.name, "task", task)
        return Beginning(
            setup=writing(place, replace(settings, seed=seed)),
            scenario=tree.id,
            title=f"{tree.title or tree.id}, a line at node {node}",
            characters=(tree.protagonist.name,),
            tags=(TAG, tree.language, tree.orientation.lower(), *_group(tree)),
        )


def writing(place: places.LinePlace, settings: Settings) -> Writing:
    """What an episode at a place begins with."""
    tree = place.tree
    candidates = tuple(edge.line for edge in place.node.edges)
    return Writing(
        tree=tree.id,
        node=place.node.id,
        language=tree.language,
        orientation=tree.orientation,
        protagonist=sight.own(tree.protagonist),
        cast=tuple(map(sight.known, tree.cast)),
        scenario=tree.scenario,
        before=sight.known_beats(place.before),
        candidates=candidates,
        length=places.mean_length(candidates, tree.language),
        settings=settings,
    )


def _group(tree: Tree) -> tuple[str, ...]:
    found = BY_NAME.get(tree.orientation)
    return (found.group,) if found else ()


LINES: Final = Lines()
