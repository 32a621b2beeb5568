"""Human baselines from CSV."""

from pathlib import Path

import pytest

from actors.lifelong.formats import Baseline, read_baselines
from actors.toml_file import BadFile


def write(folder: Path, text: str) -> Path:
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_row_is_a_score(tmp_path: Path):
    path = write(
        tmp_path, "index,dimension,value,participant\n0,goal,7.5,p1\n12,believability,9,p2\n"
    )
    assert read_baselines(path) == [
        Baseline(index=0, dimension="goal", value=7.5, participant="p1"),
        Baseline(index=12, dimension="believability", value=9.0, participant="p2"),
    ]


def test_columns_may_stand_in_any_order_beside_others(tmp_path: Path):
    path = write(tmp_path, "\ufeffvalue,note,index,dimension\n3,x,1,goal\n")
    (only,) = read_baselines(path)
    assert (only.index, only.dimension, only.value) == (1, "goal", 3.0)


def test_rows_without_a_participant_are_somebody_each(tmp_path: Path):
    path = write(tmp_path, "index,dimension,value\n0,goal,7\n0,goal,8\n")
    assert len({row.participant for row in read_baselines(path)}) == 2


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("index,value\n0,1\n", "line 1", "no column 'dimension'"),
        ("index,dimension,value\n0,goal,7\n-1,goal,7\n", "line 3", "index must be"),
        ("index,dimension,value\n0,,7\n", "line 2", "dimension is empty"),
        ("index,dimension,value\n0,goal,high\n", "line 2", "'high'"),
        ("index,dimension,value\n0,goal,nan\n", "line 2", "must be a number"),
        ("index,dimension,value\n", "", "holds no scores"),
    ],
)
def test_a_bad_row_is_named_with_what_is_wrong(tmp_path: Path, text: str, where: str, why: str):
    with pytest.raises(BadFile) as refused:
        read_baselines(write(tmp_path, text))
    assert refused.value.where == where
    assert why in refused.value.why


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path):
    with pytest.raises(BadFile, match="there is no such file"):
        read_baselines(tmp_path / "none.csv")
