"""What a language model is shown that translates a tree."""

from typing import Any

from actors.templates import Templates
from actors.worldtree.environment import TRANSLATIONS
from actors.worldtree.setup import Settings
from actors.worldtree.translation.draft import Draft, Kept, Refusal
from actors.worldtree.translation.setup import Named, NameThem, Rendered
from actors.worldtree.translation.tasks import translation
from actors.worldtree.trees.tree import Line
from tests import golden
from tests.actors.worldtree.example_trees import LAMP
from tests.actors.worldtree.table import Table


def answered(question: Any) -> Named | Rendered:
    if isinstance(question, NameThem):
        return Named(names=tuple(f"«{name}»" for name in question.names))
    return Rendered(
        lines=tuple(Line(role=one.role, text=f"译{n}") for n, one in enumerate(question.pieces, 1))
    )


def shown(table: Table) -> list[tuple[str, str, str]]:
    """All prompts of an episode: version, system, user."""
    background = TRANSLATIONS.sight.background("e1", table.started, 0, "")
    writer, eyes = (
        TRANSLATIONS.prompts.writer(background),
        TRANSLATIONS.sight.reducer(table.started, 0),
    )
    found: list[tuple[str, str, str]] = []
    seen: list[Any] = []
    read = 0
    while table.state.open:
        for number, event in enumerate(table.history[read:], read):
            seen += eyes.apply(number, event)
        read = len(table.history)
        prompt = writer.prompt(table.question, seen, table.state.turn)
        found.append((prompt.version, prompt.system, prompt.user))
        table.answer(answered(table.question))
    return found


def test_a_translation_is_asked_for_in_these_words() -> None:
    table = Table(translation(LAMP, Settings()))
    names, _, _, scene, *_ = shown(table)
    words = {"system": names[1], "user, for the names": names[2], "user": scene[2]}
    golden.check("worldtree/translations/scene", names[0], words)

    desk = table.state.world
    kept = tuple(Kept(scene=n, lines=lines) for n, lines in enumerate(desk.passages) if n != 1)
    refused = (Refusal(scene=1, comment="Too stiff.\nScene 9.", lines=desk.passages[1]),)
    draft = Draft(id="again", tree=LAMP.id, names=desk.names, kept=kept, refused=refused)
    (again,) = shown(Table(translation(LAMP, Settings(), draft)))
    golden.check("worldtree/translations/again", again[0], {"user": again[2]})


def test_every_template_of_translations_has_a_golden_prompt() -> None:
    templates = Templates("actors.worldtree.translation.prompts").names()
    assert set(templates) == golden.templates_of("worldtree/translations")
