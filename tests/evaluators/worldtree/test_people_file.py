"""People's walks and answers from CSV."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.toml_file import BadFile
from evaluators.worldtree.people_file import with_people
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.values.results import Results
from tests.evaluators.worldtree.made_up import by_id, graph, sample, tree

TREE = graph("t", {0: (1, 2), 2: (3, 4), 3: ()}, (0, 2))
"""Node 1 does not achieve the goal, 4 does, 3 is a dead end."""
RESULTS = Results(
    trees=by_id(TREE, tree("e", "en")),
    samples={"s": sample("s", "Leadership Skill")},
    minds=("gpt",),
)
HEAD = "participant,language,task,item,answer\n"


def read(folder: Path, text: str) -> Results:
    path = folder / "people.csv"
    path.write_text(HEAD + text, encoding="utf-8")
    return with_people(RESULTS, path)


def test_a_walk_is_several_rows_and_may_be_walked_again(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "p1,zh,walk.t,0,2\np2,zh,walk.t,0,A\np1,zh,walk.t,2,b\np1,zh,walk.t,0,2\n"
        "p1,zh,walk.t,2,1\np3,zh,walk.t,0,\n",
    )
    assert [(walk.who, walk.outcome, walk.path) for walk in found.walks] == [
        ("p2", "not", (0, 1)),
        ("p1", "achieved", (0, 2, 4)),
        ("p1", "unscored", (0, 2, 3)),
        ("p3", "undecided", (0,)),
    ]
    assert found.people == ("p1", "p2", "p3")
    assert goal_table(found).rows[0].participants == 3


def test_the_first_line_of_a_question_is_right(tmp_path: Path) -> None:
    found = read(tmp_path, "p1,zh,ask.s,,1\np2,zh,ask.s,,D\np3,zh,ask.s,,\n")
    assert [one.verdict for one in found.answers] == ["right", "wrong", "undecided"]


@pytest.mark.parametrize("between", [";", "\t"])
def test_spreadsheets_of_other_countries_are_read(tmp_path: Path, between: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text((HEAD + "p1,zh,ask.s,,1\n").replace(",", between), encoding="utf-8-sig")
    assert [one.verdict for one in with_people(RESULTS, path).answers] == ["right"]


def test_a_walk_that_was_left_is_counted_as_unfinished(tmp_path: Path) -> None:
    found = read(tmp_path, "p1,zh,walk.t,0,2\np1,zh,walk.t,0,1\np2,zh,walk.t,0,2\n")
    assert (len(found.walks), found.left_out.unfinished) == (1, 2)


@pytest.mark.parametrize(
    ("rows", "where", "why"),
    [
        ("", "", "holds no answers"),
        (",zh,walk.t,0,1\n", "line 2", "participant is empty"),
        ("gpt,zh,walk.t,0,1\n", "line 2", "name of a mind"),
        ("p,zh,walk.t,0,1\np,cn,walk.t,0,1\n", "line 3", "must be zh or en"),
        ("p,en,walk.t,0,1\n", "line 2", "is in zh, not in en"),
        ("p,zh,walk.x,0,1\n", "line 2", "no task 'walk.x'"),
        ("p,zh,walks.t,0,1\n", "line 2", "did you mean 'walk.t'?"),
        ("p,zh,t,0,1\n", "line 2", "no task 't'"),
        ("p,zh,walk.t,root,1\n", "line 2", "id of the node"),
        ("p,zh,walk.t,2,1\n", "line 2", "no walk has begun"),
        ("p,zh,walk.t,0,1\np,zh,walk.t,1,1\n", "line 3", "ended in line 2"),
        ("p,zh,walk.t,0,2\np,zh,walk.t,1,1\n", "line 3", "leads to node 2"),
        ("p,zh,walk.t,0,3\n", "line 2", "1 to 2, or A to B, is '3'"),
        ("p,zh,ask.s,,E\n", "line 2", "1 to 4"),
        ("p,zh,ask.s,0,A\n", "line 2", "item must be empty"),
    ],
)
def test_a_bad_row_is_named_with_what_would_be_right(
    tmp_path: Path, rows: str, where: str, why: str
) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path, rows)
    assert refused.value.where == where
    assert why in refused.value.why


CELLS = st.sampled_from(
    ["p", "zh", "en", "walk.t", "ask.s", "0", "1", "2", "A", "", '"', "³", "\0", "9" * 5000]
)
ROWS = st.lists(st.lists(CELLS, max_size=6).map(",".join), max_size=5).map("\n".join)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
def test_whatever_stands_in_a_file_is_read_or_refused(tmp_path: Path, rows: str) -> None:
    try:
        found = read(tmp_path, rows)
    except BadFile:
        return
    assert found.people
