"""Table 4: what annotators mark, and what comes of it."""

import csv
import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.toml_file import BadFile
from actors.worldtree.trees.tree import Tree
from evaluators.worldtree.lines.annotations import Mark, marks_of, read_marks
from evaluators.worldtree.lines.items import LETTERS, Item, shuffled
from evaluators.worldtree.lines.ratios import ALL, between, chosen, is_similar, ratios, steps_of
from evaluators.worldtree.lines.sheet import as_csv
from evaluators.worldtree.lines.tables import ratios_table
from evaluators.worldtree.values.results import Results, Walked
from events.base import replace
from store.read_model.records import ScoreRow
from tests.actors.worldtree.example_trees import LAMP
from tests.evaluators.worldtree.free_lines import item, mark
from tests.evaluators.worldtree.made_up import graph

ITEMS = [item(n) for n in range(4)]
BY_ID = {one.id: one for one in ITEMS}


def paper_marks() -> list[Mark]:
    """Of four items those of three annotators: any [0, 3], [1, 2], [3, 0], [0, 3]."""
    said = {
        "ann": [(0,), (1,), (), (2,)],
        "bo": [(0,), (1, 2), (), (2,)],
        "cy": [(1,), (), (), (2,)],
    }
    return [mark(n, who, *same) for who, all_ in said.items() for n, same in enumerate(all_)]


def test_similarity_is_what_the_majority_finds_and_selection_what_the_walks_then_took() -> None:
    took = {
        ("m", "t0", 0): ["Candidate 0 of 0", "Candidate 1 of 0"],  # Half of its walks.
        ("m", "t1", 1): ["Candidate 1 of 1"],
        ("m", "t2", 2): ["Candidate 0 of 2"],  # Not similar: its walk says nothing.
        ("other", "t3", 3): ["Candidate 2 of 3"],
    }
    (row,) = ratios(ITEMS, paper_marks(), took)
    assert (row.items, row.marked, row.similar, row.passed, row.selected) == (4, 4, 3, 2, 1.5)
    assert (row.similarity, row.selection) == (0.75, 0.75)
    assert (row.raters, row.rated) == (3, 4)
    assert row.kappa == pytest.approx(0.625)


def test_what_nobody_marked_or_walked_is_missing_and_not_zero() -> None:
    (row,) = ratios(ITEMS, [mark(0, "ann", 0)], {})
    assert (row.marked, row.similarity, row.selection, row.kappa) == (1, 1.0, None, None)
    (row,) = ratios(ITEMS, [], {})
    assert (row.marked, row.similarity) == (0, None)


def test_minds_and_languages_have_rows_of_their_own_and_all_together() -> None:
    items = [item(0, "a"), item(1, "a", "zh"), item(2, "b", "zh")]
    rows = ratios(items, [mark(2, "ann", 0)], {})
    found = [(row.who, row.language, row.items, row.similar) for row in rows]
    assert found == [
        ("a", "zh", 1, 0), ("a", "en", 1, 0),
        ("b", "zh", 1, 1),
        (ALL, "zh", 2, 1), (ALL, "en", 1, 0),
    ]  # fmt: skip
    table = ratios_table(rows, "ann", rehearsal=["a"])
    assert "no finding" in table.note
    assert [row[0] for row in table.rows] == ["a", "a", "b", "all", "all"]


@pytest.mark.parametrize(
    ("marked", "similar", "same"),
    [
        ([(0,), (0, 1), ()], True, {0}),
        ([(0, 1), (0, 1), (0,)], True, {0, 1}),
        ([(0,), (1,), ()], True, {0, 1}),  # They agree that there is one, not which.
        ([(0,), (1,), (1,)], True, {1}),
        ([(0,), ()], False, {0}),  # A half is no majority.
    ],
)
def test_a_candidate_means_the_same_where_the_majority_or_else_the_most_say_so(
    marked: list[tuple[int, ...]], similar: bool, same: set[int]
) -> None:
    marks = [mark(0, f"a{n}", *one) for n, one in enumerate(marked)]
    assert is_similar(marks) == similar
    assert chosen(marks) == same


def test_kappa_is_over_items_that_equally_many_have_marked() -> None:
    more = [*paper_marks(), mark(4, "ann", 0)]
    (row,) = ratios([*ITEMS, item(4)], more, {})
    assert (row.marked, row.raters, row.rated) == (5, 3, 4)
    assert row.kappa == pytest.approx(0.625)


def went(tree: Tree, *walks: tuple[str, tuple[int, ...]]) -> Results:
    """Walks of a mind, by the ids of their trees."""
    walked = (Walked(who="m", tree=id_, outcome="not", path=path) for id_, path in walks)
    return Results(trees={tree.id: tree}, samples={}, walks=tuple(walked))


def test_steps_are_the_lines_that_lead_along_the_walks_of_all_runs() -> None:
    runs = (
        went(LAMP, (LAMP.id, (0, 1, 4)), ("gone", (0, 2))),
        went(LAMP, (LAMP.id, (0, 2))),
    )
    assert steps_of(runs) == {
        ("m", LAMP.id, 0): ["Please.", "Give it."],
        ("m", LAMP.id, 1): ["I pay."],
    }


def test_of_lines_to_the_same_node_it_is_not_known_which_was_chosen() -> None:
    assert steps_of([went(graph("t", {0: (1, 1)}, (2,)), ("t", (0, 1)))]) == {}


def test_a_judge_is_an_annotator_and_can_be_held_to_people() -> None:
    row = ScoreRow(
        evaluation="v", episode="e0", run="r", judge="j", judge_kind="model", judge_hash="h",
        seat=0, mind="m", character="Mira", dimension="similar", status="scored", value=1.0,
        reason="", evidence=(), quotes=("Candidate 0 of 0",),
    )  # fmt: skip
    assert marks_of([row], BY_ID, "j") == [mark(0, "j", 0)]
    judged = [mark(0, "j", 0), mark(1, "j", 2), mark(2, "j", 0), mark(9, "j", 0)]
    (one,) = between(ITEMS, paper_marks(), judged)
    assert (one.items, one.agreed, one.alike) == (3, 2, 1)


# ------------------------------------------------------------------ sheets


def filled(items: list[Item], answers: dict[str, str], by: str = "ann") -> str:
    """A sheet as it comes back."""
    rows = list(csv.DictReader(io.StringIO(as_csv(items))))
    for row in rows:
        row["same"], row["annotator"] = answers.get(row["item"], ""), by
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(tmp_path: Path, *texts: str) -> list[Mark]:
    paths = []
    for place, text in enumerate(texts):
        paths.append(tmp_path / f"{place}.csv")
        paths[-1].write_text(text, encoding="utf-8")
    return read_marks(paths, BY_ID)


def test_letters_mean_the_candidates_in_the_order_in_which_they_are_shown(tmp_path: Path) -> None:
    sheet = list(csv.DictReader(io.StringIO(as_csv(ITEMS))))
    orders = {tuple(BY_ID[row["item"]].order) for row in sheet}
    assert len(orders) > 1, "they are shuffled"
    for row in sheet:
        order = BY_ID[row["item"]].order
        shown = [row[LETTERS[place]] for place in range(3)]
        assert shown == [BY_ID[row["item"]].candidates[place] for place in order]
    (found,) = read(tmp_path, filled(ITEMS, {"e1": " b，a "}))
    assert found.same == set(ITEMS[1].order[:2])


def test_who_says_none_is_counted_and_who_says_nothing_is_not(tmp_path: Path) -> None:
    found = read(tmp_path, filled(ITEMS, {"e0": "None", "e1": "", "e2": "AC", "e3": "无"}))
    assert [(one.item, len(one.same)) for one in found] == [("e0", 0), ("e2", 2), ("e3", 0)]


def test_a_sheet_says_neither_who_wrote_a_line_nor_begins_a_formula() -> None:
    items = [item(0, "«mind»")]
    text = as_csv([replace(items[0], text="=1+1")])
    assert "«mind»" not in text
    assert "'=1+1" in text


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("", "line 1", "no column 'item'"),
        ("item,same,annotator\ne0,A,\n", "line 2", "who marked it"),
        ("item,same,annotator\ne9,A,ann\n", "line 2", "no item 'e9'"),
        ("item,same,annotator\n,A,ann\n", "line 2", "which item"),
        ("item,same,annotator\ne0,A,ann\ne0,B,ann\n", "line 3", "marked by ann already"),
        ("item,same,annotator\ne0,A D,ann\n", "line 2", "right is none, or letters of A, B, C"),
        ("item,same,annotator\ne0,?,ann\n", "line 2", "right is none"),
        ("item,same,annotator\ne0,,ann\n", "same", "no row is filled in"),
        ('item,same,annotator\n"e0' + "x" * 200_000, "line 2", "CSV"),
    ],
)
def test_an_odd_sheet_is_refused_with_the_line_and_what_is_right(
    tmp_path: Path, text: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile, match=why) as caught:
        read(tmp_path, text)
    assert (caught.value.where, caught.value.path) == (where, str(tmp_path / "0.csv"))


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_read_or_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "fuzzed.csv"
    path.write_bytes(b"item,same,annotator\n" + content)
    with suppress(BadFile):
        assert read_marks([path], BY_ID)


def test_the_order_of_a_sheet_follows_from_its_seed_alone() -> None:
    items = [item(n) for n in range(20)]
    assert shuffled(items, 1) == shuffled(items[::-1], 1)
    assert shuffled(items, 1) != shuffled(items, 2) != items
