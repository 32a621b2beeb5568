"""What viewers see of a translation: each passage with its result. All viewers see the same,
because the passages contain nothing hidden."""

from collections.abc import Callable, Sequence
from typing import Final

from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import OpenSight, Viewer, setup_of
from actors.episodes.port.words import Account, Entry, EpisodeWords, Portrait
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.worldtree.render import ending
from actors.worldtree.translation.rules import render
from actors.worldtree.translation.script import Script
from actors.worldtree.translation.setup import (
    Named,
    NameThem,
    NoTranslation,
    Render,
    Rendered,
    Seen,
    SeenFailure,
    SeenNames,
    SeenPassage,
    Translation,
    TranslationView,
)
from actors.worldtree.trees.tree import Line
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened

LANGUAGES = {"zh": "Chinese", "en": "English"}


class TranslationViewReducer:
    """Notices answers, each with what was asked."""

    def __init__(self) -> None:
        self._turn = 0
        self._question: object = None

    def apply(self, number: int, event: Event) -> Sequence[Seen]:
        """The passage that was translated, or that none was."""
        if isinstance(event, TurnOpened):
            self._turn, self._question = event.turn, event.asked[0].question
        if not isinstance(event, ActionTaken):
            return ()
        turn = self._turn
        match event.action, self._question:
            case Named(names=names), NameThem(names=were):
                both = tuple(zip(were, names, strict=True))
                return (SeenNames(number=number, turn=turn, names=both),)
            case Rendered(lines=lines), Render() as question:
                return (_passage(number, turn, question, lines),)
            case NoTranslation(), _:
                return (SeenFailure(number=number, turn=turn),)
        return ()


def entry(seen: Seen) -> Entry:
    """An answer in an account."""
    match seen:
        case SeenNames():
            kind, text = "names", ", ".join(f"{was} = {name}" for was, name in seen.names)
        case SeenPassage():
            kind, text = "passage", in_words(seen.lines)
        case _:
            kind, text = "nothing", ""
    what = {"names": "the names", "nothing": "no answer"}.get(kind, "")
    if isinstance(seen, SeenPassage):
        what = passage_name(seen.scene)
    return Entry(
        number=seen.number,
        turn=seen.turn,
        seat=0,
        who="translator",
        kind=kind,
        text=text,
        line=f"{what}: {text}" if text else what,
        verb="translates" if text else "",
        idle=not text,
    )


def in_words(lines: Sequence[Line]) -> str:
    """Some lines, one below the other."""
    return "\n".join(f"{one.role}: {one.text}" if one.role else one.text for one in lines)


def passage_name(scene: int) -> str:
    """What a passage is called: the frame, or a scene by its number."""
    return f"scene {scene}" if scene else "the frame"


def first_text(seen: SeenPassage) -> str:
    return seen.lines[0].text if seen.lines else ""


def _passage(number: int, turn: int, asked: Render, lines: tuple[Line, ...]) -> SeenPassage:
    return SeenPassage(
        number=number,
        turn=turn,
        scene=asked.scene,
        after=asked.after,
        by=asked.by,
        pieces=asked.pieces,
        lines=lines,
    )


class TranslationSight(OpenSight[TranslationView, Seen]):
    """Everybody sees the same; a seat's background is its view of the beginning."""

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> TranslationViewReducer:
        """Answers, each with what was asked."""
        check_viewer(viewer, len(started.minds))
        return TranslationViewReducer()

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> TranslationView:
        """A translation as it stands."""
        started = beginning_of(history)
        check_viewer(viewer, len(started.minds))
        setup = setup_of(started, Translation)
        script, course = Script(setup.tree, setup.digest), course_of(history)
        return TranslationView(
            language=setup.tree.language,
            to=setup.to,
            title=setup.tree.title or setup.tree.id,
            names=tuple(zip(script.names, setup.names, strict=True)) if setup.names else (),
            kept=tuple(
                _passage(-1, 0, render(setup, script, one.scene, setup.names), one.lines)
                for one in setup.kept
            ),
            seen=noticed(history, TranslationViewReducer()),
            turn=course.turn,
            ended=course.ended,
        )


class TranslationWords(EpisodeWords[TranslationView, Seen]):
    """Names and passages."""

    def account(self, view: TranslationView) -> Account:
        names = ", ".join(f"{was} = {name}" for was, name in view.names)
        kept = [f"{passage_name(one.scene)}: {first_text(one)}" for one in view.kept]
        notes = [("Names", names), ("Kept from before", "\n".join(kept))]
        return Account(
            situation=f"{view.title}, from {LANGUAGES[view.language]} to {LANGUAGES[view.to]}.",
            portraits=(Portrait(seat=0, name="translator"),),
            entries=tuple(map(entry, view.seen)),
            notes=tuple(note for note in notes if note[1]),
            turn=view.turn,
            ended=view.ended,
            ending=ending(view.ended),
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Seen], Entry]:
        """What became of a passage."""
        return entry


SHAPES: Final = Shapes(TranslationView, Seen, TranslationView)
SIGHT: Final = TranslationSight()
WORDS: Final = TranslationWords()
