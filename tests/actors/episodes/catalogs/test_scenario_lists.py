"""Lists of scenarios are read as they were written, and what is wrong with one is said."""

from pathlib import Path

import pytest

from actors.episodes.catalogs.scenario_lists import (
    ListedScenario,
    read_scenario_list,
    write_scenario_list,
)
from actors.toml_file import BadFile


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = (ListedScenario(scenario="a", seat=2), ListedScenario(scenario="b"))
    path = tmp_path / "mine.jsonl"
    write_scenario_list(path, entries)
    assert path.read_text() == '{"scenario":"a","seat":2}\n{"scenario":"b"}\n'
    found = read_scenario_list(path)
    assert (found.name, found.entries, found.scenarios) == ("mine", entries, {"a", "b"})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '{"scenario": "a"}\n{"scenario": 3}\n',
            "line 2, scenario: must be text at least 1 characters, not 3",
        ),
        ('{"scene": "a"}\n', "line 1, scene: there is no field 'scene' here"),
        ("{}\n", "line 1: the field 'scenario' is missing"),
        ('\n["a"]\n', "line 2: must be a table of scenario and seat"),
        ('{"scenario": "a", "seat": 0}\n', "line 1, seat: must be a whole number at least 1"),
        ('{"scenario": "a", "seat": 3}\n', "line 1, seat: must be from 1 to 2, not 3"),
        ('{"scenario": ""}\n', "line 1, scenario: must be text at least 1 characters"),
        ('{"scenario": "a"\n', "line 1: Input data was truncated"),
        ("[" * 100_000, "line 1: "),
        ("\n\n", "lists nothing; a line is"),
    ],
)
def test_a_list_that_cannot_be_right_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile) as refused:
        read_scenario_list(path, seats=2)
    assert refused.value.path == str(path)
    assert why in str(refused.value)


def test_a_list_that_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.jsonl: (no|No|there)"):
        read_scenario_list(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"scenario": "\xe9"}')
    with pytest.raises(BadFile, match="UTF-8"):
        read_scenario_list(tmp_path / "latin.jsonl")
