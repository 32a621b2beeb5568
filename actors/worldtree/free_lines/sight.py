"""Who may know what of a free line: the seat neither its candidates nor its orientation, nobody
the explanation but those who may know everything."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from actors.episodes.port.game import Shapes
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import OpenSight, Viewer, setup_of
from actors.episodes.port.words import Account, Entry, EpisodeWords, Portrait
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.worldtree.free_lines.setup import NoLine, Writing, WritingView, Written, Wrote
from actors.worldtree.render import beats, ending
from actors.worldtree.sight import OMNISCIENT, known, known_beats, language_of, own, seed_of
from actors.worldtree.trees.tree import Profile
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened


class LineViewReducer:
    def __init__(self, viewer: Viewer) -> None:
        self._whole, self._turn = viewer in OMNISCIENT, 0

    def apply(self, number: int, event: Event) -> Sequence[Written]:
        """The line, once it is written, or that there is none."""
        match event:
            case TurnOpened(turn=turn):
                self._turn = turn
            case ActionTaken(action=Wrote(text=text, why=why, abilities=abilities)):
                more = {"why": why, "abilities": abilities} if self._whole else {}
                return (Written(number=number, turn=self._turn, text=text, **more),)  # type: ignore[arg-type]
            case ActionTaken(action=NoLine()):
                return (Written(number=number, turn=self._turn, text=""),)
        return ()


def entry(name: str, written: Written) -> Entry:
    """A line in an account."""
    return Entry(
        number=written.number,
        turn=written.turn,
        seat=0,
        who=name,
        kind="line" if written.text else "nothing",
        text=written.text,
        line=f"{name}: {written.text}" if written.text else f"{name} says nothing",
        idle=not written.text,
    )


def _portrait(profile: Profile) -> Portrait:
    facts = (("Known to all", profile.public), ("Known to it alone", profile.private))
    return Portrait(
        seat=0,
        name=profile.name,
        facts=tuple((what, text) for what, text in facts if text),
        goal=profile.goal,
    )


class LineSight(OpenSight[WritingView, Written]):
    """A seat's background is its view of the beginning."""

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> LineViewReducer:
        """The line, when it is written."""
        check_viewer(viewer, len(started.minds))
        return LineViewReducer(viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> WritingView:
        """An episode as a viewer may see it."""
        started = beginning_of(history)
        check_viewer(viewer, len(started.minds))
        setup = setup_of(started, Writing)
        whole, course = viewer in OMNISCIENT, course_of(history)
        return WritingView(
            language=setup.language,
            prompts=language_of(setup.settings, setup.language),
            prompt=setup.settings.prompt,
            reasks=setup.settings.reasks,
            seed=seed_of(setup.settings),
            protagonist=(known if viewer == "spectator" else own)(setup.protagonist),
            cast=tuple(map(known, setup.cast)),
            scenario=setup.scenario,
            before=known_beats(setup.before),
            orientation="" if not whole else setup.orientation,
            candidates=setup.candidates if whole else (),
            whole=whole,
            written=noticed(history, LineViewReducer(viewer)),
            turn=course.turn,
            ended=course.ended,
        )


class LineWords(EpisodeWords[WritingView, Written]):
    """What led to the line, and the line."""

    def account(self, view: WritingView) -> Account:
        notes = [("Before", "\n".join(beats(view.before, view.language)))]
        if view.candidates:
            lines = [f"{place}. {one.text}" for place, one in enumerate(view.candidates, 1)]
            notes.append(("Lines that the tree has here", "\n".join(lines)))
        return Account(
            situation=view.scenario,
            portraits=(_portrait(view.protagonist),),
            relationships=tuple(f"{one.name}: {one.public}" for one in view.cast),
            entries=tuple(entry(view.protagonist.name, one) for one in view.written),
            notes=tuple(note for note in notes if note[1]),
            turn=view.turn,
            ended=view.ended,
            ending=ending(view.ended),
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Written], Entry]:
        """The line, said by the protagonist."""
        return partial(entry, setup_of(started, Writing).protagonist.name)


class LinePresentation(Presentation[Writing]):
    """By the tree."""

    def labels(self, setup: Writing) -> Mapping[str, str]:
        """That it is a line, in which language, of which orientation."""
        return {"kind": "line", "language": setup.language, "orientation": setup.orientation}


SHAPES: Final = Shapes(WritingView, Written, WritingView)
SIGHT: Final = LineSight()
WORDS: Final = LineWords()
PRESENTATION: Final = LinePresentation()
