"""The rules of a translation: names first, then a passage a turn; what failed is asked again."""

from collections.abc import Mapping
from typing import Final

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.rules import Ask, End, Happening, Rules
from actors.worldtree.translation.script import OTHER, Script, ScriptPassage
from actors.worldtree.translation.setup import (
    MOST_CHARACTERS,
    Named,
    NameThem,
    NoTranslation,
    Render,
    Rendered,
    Translation,
    TranslationView,
)
from actors.worldtree.trees.tree import Line
from events.base import replace
from events.environments import Action
from events.episode import ActionTaken, Asked
from events.untrusted.safe_text import shortened


class TranslationState(msgspec.Struct, frozen=True, kw_only=True):
    setup: Translation
    script: Script
    names: tuple[str, ...] | None = None
    """The glossary; None: it is not made yet."""
    passages: tuple[tuple[Line, ...] | None, ...]
    """For each passage its translation; None: there is none yet."""

    @property
    def scene(self) -> int | None:
        """The first passage without a translation; None: all are done."""
        return next((n for n, lines in enumerate(self.passages) if lines is None), None)

    @property
    def glossary(self) -> dict[str, str]:
        """What each name becomes."""
        return dict(zip(self.script.names, self.names or (), strict=False))


def render(setup: Translation, script: Script, scene: int, names: tuple[str, ...] | None) -> Render:
    """The question for a passage, its roles by the glossary."""
    passage: ScriptPassage = script.passages[scene]
    called = dict(zip(script.names, names or (), strict=False))
    refused = next((one for one in setup.refused if one.scene == scene), None)
    return Render(
        scene=scene,
        pieces=tuple(
            replace(piece, role=called.get(piece.role, piece.role)) for piece in passage.pieces
        ),
        after=passage.after,
        by=passage.by,
        comment=refused.comment if refused else "",
        refused=refused.lines if refused else (),
    )


def _naming_fault(question: NameThem, action: Named) -> str | None:
    names = action.names
    if len(names) != len(question.names):
        return f"there are {len(names)} names, not {len(question.names)}"
    for was, name in zip(question.names, names, strict=True):
        if not name.strip() or "\n" in name or len(name) > 200:
            return f"what {shortened(was)!r} becomes is no name: {shortened(name)!r}"
    first: dict[str, str] = {}
    for was, name in list(zip(question.names, names, strict=True))[: question.characters]:
        other = first.setdefault(name.casefold().strip(), was)
        if other != was:
            return f"{shortened(other)!r} and {shortened(was)!r} are both called {name!r}"
    return None


def rendering_fault(question: Render, lines: tuple[Line, ...]) -> str | None:
    """What is wrong with a passage's translation."""
    pieces = question.pieces
    if len(lines) != len(pieces):
        return f"there are {len(lines)} texts, not {len(pieces)} ({_counted(question)})"
    for number, (piece, line) in enumerate(zip(pieces, lines, strict=True), 1):
        if line.role.strip() != piece.role.strip():  # answers are read without blanks around
            said = f"of {shortened(line.role)!r}" if line.role else "nobody's"
            right = repr(shortened(piece.role)) if piece.role else "nobody"
            return f"text {number} ({piece.kind}) is {said}; it belongs to {right}"
        if not line.text.strip():
            return f"text {number} ({piece.kind}) is empty"
        if len(line.text) > MOST_CHARACTERS:
            return f"text {number} is longer than {MOST_CHARACTERS:,} characters"
    return None


def _counted(question: Render) -> str:
    counts: dict[str, int] = {}
    for piece in question.pieces:
        counts[piece.kind] = counts.get(piece.kind, 0) + 1
    return ", ".join(f"{kind} {count}" for kind, count in counts.items())


class TranslationRules(Rules[Translation, TranslationState, NameThem | Render, Action]):
    """Names first, then a passage a turn."""

    def setup_fault(self, setup: Translation, seats: int) -> str | None:
        """Why a translation cannot begin."""
        if seats != 1:
            return f"one mind translates, not {seats}"
        if setup.to != OTHER[setup.tree.language]:
            return f"the tree is in {setup.tree.language!r} already"
        script = Script(setup.tree, setup.digest)
        if not script.passages[0].pieces and len(script.passages) == 1:
            return "the tree has no text"
        if setup.names and len(setup.names) != len(script.names):
            return f"the glossary has {len(setup.names)} names, the tree {len(script.names)}"
        for kept in setup.kept:
            if not 0 <= kept.scene < len(script.passages):
                return f"there is no passage {kept.scene} to keep"
            question = render(setup, script, kept.scene, setup.names)
            if fault := rendering_fault(question, kept.lines):
                return f"the translation of passage {kept.scene} that is kept is none: {fault}"
        return None

    def initial(self, setup: Translation) -> TranslationState:
        """Before the first turn."""
        script = Script(setup.tree, setup.digest)
        kept = {one.scene: one.lines for one in setup.kept}
        return TranslationState(
            setup=setup,
            script=script,
            names=setup.names or (None if script.names else ()),
            passages=tuple(
                kept.get(number, None if passage.pieces else ())
                for number, passage in enumerate(script.passages)
            ),
        )

    def evolve(self, world: TranslationState, event: Happening) -> TranslationState:
        """The state after an answer."""
        if not isinstance(event, ActionTaken):
            return world
        match event.action:
            case Named(names=names):
                return replace(world, names=names)
            case Rendered(lines=lines):
                at = world.scene
                assert at is not None, "a passage was asked for"
                passages = (*world.passages[:at], lines, *world.passages[at + 1 :])
                return replace(world, passages=passages)
        return world

    def next_step(self, world: TranslationState) -> Ask | End:
        """The glossary, the next passage, or the end."""
        question: NameThem | Render
        if world.names is None:
            question = NameThem(names=world.script.names, characters=world.script.characters)
        elif (scene := world.scene) is not None:
            question = render(world.setup, world.script, scene, world.names)
        else:
            summary: dict[str, str | int | float | bool] = {
                "kind": "translation",
                "tree": world.setup.tree.id,
                "language": world.setup.to,
                "passages": len(world.passages),
                "kept": len(world.setup.kept),
            }
            return End(reason="translated", summary=summary)
        return Ask(asked=(Asked(seat=0, question=question),))

    def action_fault(
        self, question: NameThem | Render, action: Action, seat: int, seats: int
    ) -> str | None:
        """What is wrong with an answer, as half a sentence."""
        if isinstance(question, NameThem):
            return _naming_fault(question, action) if isinstance(action, Named) else "must be names"
        if not isinstance(action, Rendered):
            return "must be the passage's translation"
        return rendering_fault(question, action.lines)

    def nothing(self, question: NameThem | Render) -> NoTranslation:
        del question
        return NoTranslation()


class TranslationLimits(Limits[Translation, TranslationView]):
    """What failed is asked again."""

    def questions(self, setup: Translation, seats: int) -> tuple[int, ...]:
        """The glossary and each passage that is not kept."""
        world = RULES.initial(setup)
        return (world.passages.count(None) + (world.names is None),)


class TranslationPresentation(Presentation[Translation]):
    """By the tree."""

    def labels(self, setup: Translation) -> Mapping[str, str]:
        """That it is a translation, from which language, of which orientation."""
        tree = setup.tree
        return {"kind": "translation", "language": tree.language, "orientation": tree.orientation}


RULES: Final = TranslationRules()
LIMITS: Final = TranslationLimits()
PRESENTATION: Final = TranslationPresentation()
