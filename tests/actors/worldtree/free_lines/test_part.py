"""A free line: what its writer is shown, how an answer is read, where lines can be written."""

import asyncio
import json
from typing import Any

import pytest

from actors.episodes.mind import Scene
from actors.models.errors import Unreadable
from actors.runtime.errors import CommandRefused
from actors.worldtree.environment import LINES
from actors.worldtree.free_lines.places import DRAWN, drawn, mean_length, places
from actors.worldtree.free_lines.prompt_writer import CHINESE, LinePromptWriter, read
from actors.worldtree.free_lines.setup import NoLine, WriteLine, Writing, Wrote
from actors.worldtree.free_lines.tasks import EVERY, TAG
from actors.worldtree.setup import Settings
from actors.worldtree.tasks import samples_in
from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.tree import Line, Tree
from events.base import replace
from events.serialization.codec import encode
from tests.actors.worldtree.example_trees import CATALOG, LAMP, edge, ending, scene, tree
from tests.actors.worldtree.table import UNREADABLE, Table


def writing(node: int = 1, **settings: object) -> Writing:
    begun = LINES.tasks.begin(CATALOG, f"line.lamp-en.{node}", Settings(**settings), 5)  # type: ignore[arg-type]
    assert isinstance(begun.setup, Writing)
    return begun.setup


def prompt(setup: Writing) -> str:
    table = Table(setup)
    background = LINES.sight.background("e1", table.started, 0, "")
    found = LinePromptWriter(background).prompt(table.question, [], 1)
    return f"{found.system}\n{found.user}"


def test_a_writer_reads_all_that_led_to_the_node_and_nothing_else() -> None:
    shown = prompt(writing())
    for text in (
        "Scene 0.",
        "Mira: Please.",
        "(Ana enters)",
        "- Ana: A guest.",
        "Why should I?",
        MIRA_KNOWS,
    ):
        assert text in shown
    assert shown.index("Mira: Please.") < shown.index("Why should I?")
    for text in ("I pay.", "I swear.", "Give it.", "Ending", "Distractor", "«hidden»", "Negotiat"):
        assert text not in shown


MIRA_KNOWS = "«private» has sold the ferry."


def test_the_prompt_holds_the_same_whatever_the_candidates_show() -> None:
    setup = writing()
    other = replace(setup, candidates=(Line(text="x"), Line(text="y")), orientation="Conflict")
    assert prompt(setup) == prompt(other)


def test_the_32_abilities_and_a_length_are_told_in_the_prompts_language() -> None:
    in_english, in_chinese = prompt(writing()), prompt(writing(prompts="zh"))
    assert all(f"- {ability}\n" in in_english for ability in ABILITIES)
    assert all(f"- {CHINESE[one]} ({one})\n" in in_chinese for one in ABILITIES)
    assert "about 2 words, in English" in in_english
    assert "用英文写一句，大约2个单词" in in_chinese


def test_a_seat_is_sent_nothing_of_the_candidates() -> None:
    table = Table(writing())
    sent = encode(LINES.sight.background("e1", table.started, 0, "")) + encode(table.question)
    for secret in (b"I pay", b"I swear", b"Negotiation", b"hidden", b"lamp-en"):
        assert secret not in sent
    assert b"I pay" in encode(LINES.sight.view(table.history, "judge"))


def test_an_episode_ends_with_the_line() -> None:
    table = Table(writing())
    table.answer(Wrote(text="Take my coat for it.", why="a trade"))
    assert table.history[-1].reason == "written"  # type: ignore[attr-defined]
    assert table.summary == {
        "kind": "line",
        "tree": "lamp-en",
        "node": 1,
        "language": "en",
        "orientation": "Negotiation",
    }
    why = [LINES.sight.view(table.history, who).written[0].why for who in ("judge", "spectator", 0)]
    assert why == ["a trade", "", ""]
    entries = LINES.words.account(LINES.sight.view(table.history, "judge")).entries
    assert [entry.line for entry in entries] == ["Mira: Take my coat for it."]


def test_a_line_is_asked_for_again_as_often_as_the_settings_say() -> None:
    for often in (0, 2):
        background = LINES.sight.background("e1", Table(writing(reasks=often)).started, 0, "")
        assert LINES.limits.reasks(background) == often


def test_a_rehearsals_line_follows_the_seed_of_its_episode() -> None:
    said = set()
    for seed in range(8):
        setup = replace(writing(), settings=Settings(seed=seed))
        table = Table(setup)
        background = LINES.sight.background("e1", table.started, 0, "")
        scene_ = Scene(
            background=background, seen=[], turn=1, question=table.question, question_id=0,
            seat=0, seats=1,
        )  # fmt: skip
        calls: Any = None
        said.add(asyncio.run(LINES.rehearsal("").decide(scene_, calls)).action)
    assert len(said) > 3


def test_nothing_is_written_behind_an_ending() -> None:
    over = replace(ending(1, 2), edges=(edge(0, "Again."), edge(0, "Once more.")))
    of = tree(scene(0, edge(1, "a"), edge(1, "b")), over)
    assert [place.node.id for place in places(of)] == [0]
    assert [sample.node for sample in samples_in(of)] == [0, 0]


def test_who_gave_no_line_has_failed() -> None:
    table = Table(writing())
    table.answer(NoLine(), UNREADABLE)
    assert table.state.ended == "failed"


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Wrote(text=" "), "empty"),
        (Wrote(text="x" * 2001), "2,001 characters"),
        (Wrote(text="x", abilities=("Juggling",)), "none of the 32"),
        (NoLine(), "must be a line"),
    ],
)
def test_what_is_no_line_is_refused(action: Wrote | NoLine, why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        Table(writing()).answer(action)


@pytest.mark.parametrize(
    "answer",
    [
        '{"why": "w", "abilities": ["persuasive skill", "Juggling"], "line": "Mira: Lend it."}',
        '```json\n{"reason": "w", "abilities": "说服能力", "line": "“Lend it.”"}\n```',
        'Of course!\n{"why": "w", "ability": ["说服能力 (Persuasive Skill)"], "Line": "Lend it."}',
    ],
)
def test_answers_are_read_however_they_are_wrapped(answer: str) -> None:
    assert read(answer, "m", "Mira") == Wrote(
        text="Lend it.", abilities=("Persuasive Skill",), why="w"
    )


def test_what_stands_before_a_colon_stays_unless_it_is_the_speakers_name() -> None:
    for line, text in (("Mira ：Lend it.", "Lend it."), ("Listen: lend it.", "Listen: lend it.")):
        assert read(json.dumps({"line": line}), "m", "Mira").text == text


def test_an_answer_without_a_line_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read('{"why": "w"}', "m", "Mira")


def wide(id_: str, choices: int) -> Tree:
    """A tree of one long way with so many choices."""
    nodes = [scene(n, edge(n + 1, f"on {n}"), edge(-1, f"off {n}")) for n in range(choices)]
    return tree(*nodes, ending(choices, 2), replace(ending(0, 0), id=-1), id=id_)


def test_a_hundred_nodes_a_language_are_drawn_and_the_others_are_there_by_name() -> None:
    trees = tuple(wide(f"t{n}", 30) for n in range(4))
    other = replace(wide("zh", 5), language="zh")
    tasks = LINES.tasks.entries(replace(CATALOG, trees=(*trees, other)))
    counts = {by: sum(task.only_by == by for task in tasks) for by in (TAG, EVERY)}
    assert counts == {TAG: DRAWN + 5, EVERY: 20}
    more = drawn((*trees, wide("t9", 1)))
    assert len(more - drawn(trees)) <= 1  # What is added moves no more than itself.


def test_only_nodes_with_a_choice_that_can_be_reached_are_places() -> None:
    alone = scene(7, edge(2, "a"), edge(3, "b"))
    single = scene(8, edge(2, "only"))
    found = places(replace(LAMP, nodes=(*LAMP.nodes, alone, single)))
    assert [place.node.id for place in found] == [0, 1]


def test_a_length_is_words_or_chinese_characters() -> None:
    lines = (Line(text="one two three"), Line(text="one"))
    assert mean_length(lines, "en") == 2
    assert mean_length((Line(text="你 好 吗"), Line(text="好")), "zh") == 2
    assert Table(writing()).question == WriteLine(length=2)


def test_a_person_types_the_line_alone() -> None:
    table = Table(writing())
    background = LINES.sight.background("e1", table.started, 0, "")
    asked = LINES.people.wording(table.question, background)
    assert (asked.lead, asked.hint) == (
        "What does Mira say or do next?",
        "one line, about 2 words",
    )
    table.answer(LINES.people.typed(table.question, background, " Lend it me. "))
    assert table.history[-2].action == Wrote(text="Lend it me.")  # type: ignore[attr-defined]
