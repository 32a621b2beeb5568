"""A translation: what it asks for, what it refuses, and that nothing but texts changes."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from actors.episodes.mind import Scene
from actors.models.errors import Unreadable
from actors.runtime.errors import CommandRefused
from actors.worldtree import catalog
from actors.worldtree.environment import TRANSLATIONS
from actors.worldtree.formats.fields import FieldReader
from actors.worldtree.formats.files import read_path
from actors.worldtree.formats.tree_reader import read_tree
from actors.worldtree.formats.tree_writer import written
from actors.worldtree.setup import Settings
from actors.worldtree.translation.draft import Draft, Kept, Refusal
from actors.worldtree.translation.prompt_writer import TranslationPromptWriter, read
from actors.worldtree.translation.rehearsal import Marking
from actors.worldtree.translation.script import Script, translated
from actors.worldtree.translation.setup import Named, NameThem, NoTranslation, Render, Rendered
from actors.worldtree.translation.tasks import translation
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.tree import Line, Tree
from events.base import replace
from tests.actors.worldtree.example_trees import CATALOG, LAMP, edge, ending, scene, tree
from tests.actors.worldtree.table import UNREADABLE, Table
from tests.properties.published import DATA

OURS = Path(catalog.__path__[0])
PUBLISHED = DATA / "socialeval" / "worldtrees"
NAMES = {"Mira": "米拉", "Oto": "奥托", "Ana": "安娜"}


def at_work(of: Tree = LAMP, **fields: Any) -> Table:
    return Table(replace(translation(of, Settings()), **fields))


def chinese(question: NameThem | Render) -> Named | Rendered:
    """What a translator answers who only says which text it was."""
    if isinstance(question, NameThem):
        return Named(names=tuple(NAMES[name] for name in question.names))
    lines = [Line(role=one.role, text=f"{one.kind}：{one.text}") for one in question.pieces]
    return Rendered(lines=tuple(lines))


def result(table: Table) -> Tree:
    world = table.state.world
    return translated(world.script, world.setup.to, world.glossary, dict(enumerate(world.passages)))


def test_names_come_first_and_then_the_frame_and_each_scene_after_its_parent() -> None:
    table = at_work()
    assert table.question == NameThem(names=("Mira", "Oto", "Ana"), characters=3)
    asked: list[Render] = []
    table.play(lambda question: asked.append(question) or chinese(question))  # type: ignore[func-returns-value, arg-type]
    renders = asked[1:]
    assert [(one.scene, one.after) for one in renders] == [
        (0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2),
    ]  # fmt: skip
    assert [one.kind for one in renders[0].pieces] == [
        "title", "scenario", "identity", "public", "private", "goal", "public", "private", "goal",
    ]  # fmt: skip
    assert {one.role for one in renders[2].pieces} == {"", "米拉", "奥托", "安娜"}
    by = renders[1].pieces[renders[3].by]
    assert (by.kind, by.text) == ("option", "Give it.")
    assert table.summary["passages"] == 7


def test_only_texts_change() -> None:
    table = at_work()
    table.play(chinese)
    made = result(table)
    assert (made.id, made.language, made.pair) == ("lamp-zh", "zh", "lamp-en")
    assert made.protagonist.name == "米拉"
    assert made.protagonist.orientation == LAMP.protagonist.orientation
    for was, now in zip(LAMP.nodes, made.nodes, strict=True):
        assert (was.id, was.kind, was.goal, was.state) == (now.id, now.kind, now.goal, now.state)
        assert [type(beat) for beat in was.dialogue] == [type(beat) for beat in now.dialogue]
        for old, new in zip(was.edges, now.edges, strict=True):
            assert (old.to, old.kind, old.abilities, old.labels, old.state) == (
                new.to, new.kind, new.abilities, new.labels, new.state,
            )  # fmt: skip
            assert new.line == Line(role="米拉", text=f"option：{old.line.text}")
            assert old.question is not None
            assert new.question is not None
            assert new.question.labels == old.question.labels
            assert len(new.question.distractors) == 3
            assert new.question.pieces == (f"#question#{new.question.text}",)


@pytest.mark.parametrize(
    ("pieces", "becomes"),
    [
        (("#question#Who?", "regulation "), ("#question#谁？", "regulation ")),
        (
            ("#question# Who?   #skill#Task Management",),
            ("#question# 谁？   #skill#Task Management",),
        ),
        (("Who?", "#state#(1,1,1)\r"), ("谁？", "#state#(1,1,1)\r")),
        (("#question#W", "ho?", "#skill#x"), ("#question#谁？", "#skill#x")),
    ],
)
def test_markers_and_labels_of_a_question_stay(pieces: Any, becomes: Any) -> None:
    asked = edge(1, "Go.")
    question = replace(asked.question, text="Who?", pieces=pieces, distractors=())
    of = tree(scene(0, replace(asked, question=question)), ending(1, 2))
    table = at_work(of)

    def answer(question: Any) -> Any:
        if isinstance(question, NameThem):
            return chinese(question)
        texts = ["谁？" if piece.kind == "question" else "某" for piece in question.pieces]
        pairs = zip(question.pieces, texts, strict=True)
        return Rendered(lines=tuple(Line(role=one.role, text=text) for one, text in pairs))

    table.play(answer)
    found = result(table).nodes[0].edges[0].question
    assert found is not None
    assert found.pieces == becomes


def test_blanks_around_a_name_make_it_nobody_elses() -> None:
    of = tree(scene(0, edge(1, "Go."), dialogue=(Line(role="Oto ", text="Well?"),)), ending(1, 2))
    table = at_work(of)
    table.answer(Named(names=table.question.names))
    table.play(
        lambda asked: Rendered(
            lines=tuple(Line(role=one.role.strip(), text="x") for one in asked.pieces)
        )
    )
    assert table.history[-1].reason == "translated"  # type: ignore[attr-defined]


def test_of_other_endings_the_lines_are_translated_and_what_they_count_for_is_not_shown() -> None:
    other = (Line(role="Mira", text="Run!"), Line(role="state", text="-1 -1"))
    counted = (Line(role="goal achievement", text="2"), Line(role="description", text=""))
    start = scene(0, edge(1, "Go.", other_endings=(other,)), edge(1, "Stay."), dialogue=counted)
    of = tree(start, ending(1, 2))
    assert Script(of, "d").names == ("Mira", "Oto")
    table = at_work(of)
    table.play(chinese)
    (found,) = result(table).nodes[0].edges[0].other_endings
    assert found == (Line(role="米拉", text="aside：Run!"), other[1])
    assert result(table).nodes[0].dialogue == counted


def lines(question: Render, **change: Any) -> list[Line]:
    found = list(chinese(question).lines)  # type: ignore[union-attr]
    if "role" in change:
        found[-1] = Line(role=change["role"], text="x")
    if "text" in change:
        found[-1] = Line(role=found[-1].role, text=change["text"])
    return found


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda question: lines(question)[:-1], r"there are 8 texts, not 9 \(title 1, scenario 1"),
        (lambda question: [*lines(question), Line(text="more")], "10 texts, not 9"),
        (lambda question: lines(question, role="Mira"), r"text 9 \(goal\) is of 'Mira'; .* '奥托'"),
        (lambda question: lines(question, role=""), "text 9 .* is nobody's"),
        (lambda question: lines(question, text=" "), r"text 9 \(goal\) is empty"),
        (lambda question: lines(question, text="x" * 20_001), "longer than 20,000"),
    ],
)
def test_another_number_of_texts_or_another_role_is_refused(spoil: Any, why: str) -> None:
    table = at_work()
    table.answer(chinese(table.question))
    with pytest.raises(CommandRefused, match=why):
        table.answer(Rendered(lines=tuple(spoil(table.question))))


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("a", "b"), "2 names, not 3"),
        (("a", "b", " "), "no name"),
        (("a", "b", "A"), "'Mira' and 'Ana' are both called 'A'"),
    ],
)
def test_a_glossary_that_leaves_out_or_mixes_up_is_refused(names: Any, why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        at_work().answer(Named(names=names))


def test_what_failed_is_asked_again_and_the_third_time_given_up() -> None:
    table = at_work()
    asked = table.question
    table.answer(NoTranslation(), UNREADABLE)
    assert table.question == asked
    table.answer(chinese(asked))
    for _ in range(3):
        table.answer(NoTranslation(), UNREADABLE)
    assert table.state.ended == "failed"
    told = TRANSLATIONS.words.account(TRANSLATIONS.sight.view(table.history, 0)).entries
    assert [entry.kind for entry in told] == ["nothing", "names", *["nothing"] * 3]


def prompts(table: Table) -> list[str]:
    """What a model in the seat would read, turn by turn."""
    background = TRANSLATIONS.sight.background("e1", table.started, 0, "")
    writer, eyes = TranslationPromptWriter(background), TRANSLATIONS.sight.reducer(table.started, 0)
    seen: list[Any] = []
    found: list[str] = []
    read_up_to = 0

    def answer(question: Any) -> Any:
        nonlocal read_up_to
        for number, event in enumerate(table.history[read_up_to:], read_up_to):
            seen.extend(eyes.apply(number, event))
        read_up_to = len(table.history)
        prompt = writer.prompt(question, seen, table.state.turn)
        found.append(f"{prompt.system}\n{prompt.user}")
        return chinese(question)

    table.play(answer)
    return found


def test_a_scene_is_shown_with_the_glossary_and_the_translated_way_to_it() -> None:
    found = prompts(at_work())
    last = found[-1]
    for text in ("Mira = 米拉", "scenario：A ferry landing at dusk.", "narration：Scene 0."):
        assert text in last
    for text in ("米拉: option：Please.", "turn：Why should I?", "米拉: option：I swear."):
        assert text in last
    assert "option：I pay." not in last  # It leads elsewhere.
    assert last.index("option：Please.") < last.index("turn：Why should I?")


def test_no_prompt_holds_an_ability_an_outcome_or_an_id() -> None:
    of = replace(LAMP, id="«id»", orientation="Negotiation")
    for prompt in prompts(at_work(of)):
        for secret in (
            "«id»",
            "«label»",
            "Persuasive Skill",
            "Negotiation",
            "achieved",
            "polarity",
        ):
            assert secret not in prompt


def test_what_was_refused_is_translated_again_with_what_was_said_of_it() -> None:
    table = at_work()
    table.play(chinese)
    done = table.state.world
    kept = tuple(Kept(scene=n, lines=lines) for n, lines in enumerate(done.passages) if n != 2)
    refused = (Refusal(scene=2, comment="too stiff", lines=done.passages[2]),)
    draft = Draft(id="again", tree=LAMP.id, names=done.names, kept=kept, refused=refused)
    drafted = replace(CATALOG, drafts=(draft,))
    assert [task.id for task in TRANSLATIONS.tasks.entries(drafted)] == [
        "translation.lamp-en", "translation.again",
    ]  # fmt: skip
    again = Table(TRANSLATIONS.tasks.begin(drafted, "translation.again", Settings(), 1).setup)
    assert (again.question.scene, again.question.comment) == (2, "too stiff")
    (prompt,) = prompts(again)
    assert "too stiff" in prompt
    assert "narration：Scene 0." in prompt
    assert again.summary["kept"] == 6
    assert result(again) == result(table)


def test_a_draft_that_does_not_fit_its_tree_is_refused() -> None:
    names = ("a", "b", "c")
    for fields, why in (
        ({"names": ("a",)}, "has 1 names, the tree 3"),
        ({"names": names, "kept": (Kept(scene=99, lines=()),)}, "no passage 99"),
        ({"names": names, "kept": (Kept(scene=1, lines=()),)}, "there are 0 texts"),
        ({"to": "en"}, "is in 'en' already"),
    ):
        setup = replace(translation(LAMP, Settings()), **fields)
        assert why in (TRANSLATIONS.rules.setup_fault(setup, 1) or "")


def test_answers_are_read_and_those_out_of_order_are_not() -> None:
    render = Render(scene=1, pieces=())
    text = '{"texts": [{"number": 1, "role": "米拉", "text": " 好 "}]}'
    assert read(render, text, "m") == Rendered(lines=(Line(role="米拉", text="好"),))
    with pytest.raises(Unreadable, match="keep the order"):
        read(render, text.replace("1", "2"), "m")
    names = NameThem(names=("Mira",), characters=1)
    assert read(names, '```{"names": ["米拉"]}```', "m") == Named(names=("米拉",))


def test_the_rehearsal_marks_every_text_and_keeps_names() -> None:
    table, mind = at_work(), Marking()
    background = TRANSLATIONS.sight.background("e1", table.started, 0, "")

    def answer(question: Any) -> Any:
        scene = Scene(background=background, seen=[], turn=1, question=question, seat=0, seats=1)
        return asyncio.run(mind.decide(scene, None)).action  # type: ignore[arg-type]

    table.play(answer)
    assert result(table).nodes[1].dialogue[1] == Line(role="Oto", text="[zh] Why should I?")


def test_nodes_that_no_path_leads_to_are_translated_too() -> None:
    of = replace(LAMP, nodes=(*LAMP.nodes, ending(9, None)))
    passages = Script(of, "d").passages
    assert (passages[-1].node, passages[-1].after) == (9, 0)


def bones(of: Tree) -> Any:
    """All of a tree as its file has it, but for the texts and what its language is called."""

    def without(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: without(part, name) for name, part in value.items()}
        if key == "question":
            return bool(value)
        if isinstance(value, list):
            # Labels of abilities are no texts, nor are the numbers of a line that is none.
            return value if key == "skill" else [without(part, key) for part in value]
        return bool(value) if isinstance(value, str) and key not in ("type", "cid") else value

    found = written(of)
    return without({key: found[key] for key in found if key not in ("id", "language", "pair")})


def marked(of: Tree) -> Tree:
    """A tree whose texts are all marked, by way of a whole episode."""

    def answer(question: NameThem | Render) -> Named | Rendered:
        if isinstance(question, NameThem):
            return Named(names=tuple(f"<{name}>" for name in question.names))
        return Rendered(lines=tuple(Line(role=p.role, text=f"*{p.text}") for p in question.pieces))

    table = at_work(of)
    table.play(answer)  # type: ignore[arg-type]
    return result(table)


def check_bones(trees: Sequence[Tree]) -> None:
    for of in trees:
        made = marked(of)
        assert bones(made) == bones(replace(of, source="")), of.id
        read = read_tree(written(made), FieldReader("x"), made.id)
        assert read is not None
        for was, now in zip(of.nodes, read.nodes, strict=True):
            assert [edge.abilities for edge in was.edges] == [edge.abilities for edge in now.edges]
            assert list(map(askable, was.edges)) == list(map(askable, now.edges)), of.id


def test_of_our_own_trees_nothing_but_texts_changes() -> None:
    check_bones(read_path(OURS).trees[:2])


@pytest.mark.published
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"the published trees are not in {PUBLISHED}")
def test_of_the_published_trees_nothing_but_texts_changes() -> None:
    trees = read_path(PUBLISHED).trees
    assert len(trees) == 56
    check_bones(trees)
