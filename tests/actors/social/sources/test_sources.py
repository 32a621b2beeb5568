"""Sources of scenarios: what is read of each data set, and how bad files are refused."""

import json
from pathlib import Path

import pytest

from actors.social.catalog_items import InteractionKind
from actors.social.sources.entries import Bargain, FriendLists, Vignette
from actors.social.sources.json_lines import SourceRefused
from actors.social.sources.read_source import read_source
from actors.toml_file import BadFile

BARGAIN = {
    "items": {
        "Category": ["bike", "bike"],
        "Title": ["Road bike", "Road bike"],
        "Price": [100.0, 100.0],
        "Description": ["Two owners.\nNew chain.", ""],
    },
    "agent_info": {
        "Bottomline": ["None", "None"],
        "Role": ["seller", "buyer"],
        "Target": [None, 70],
    },
    "events": {},
}
KEYS = ["Name", "School", "Company"]
FRIENDS = {
    "uuid": "u1",
    "scenario_kbs": [
        [[KEYS, ["Jo", "Oak", "Ink"]], [KEYS, ["Al", "Elm", "Tin"]]],
        [[KEYS, ["Al", "Elm", "Tin"]], [KEYS, ["Jo", "Oak", "Zinc"]]],
    ],
}


def lines(*rows: object) -> str:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def changed(row: dict, path: str, value: object) -> dict:
    """A copy of a row with one field changed."""
    copy = json.loads(json.dumps(row))
    *steps, last = path.split(".")
    inner = copy
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return copy


@pytest.fixture
def source(tmp_path: Path):
    def read(name: str, text: str):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return read_source(str(path))

    return read


def test_situations_of_social_chemistry_are_vignettes_each_once(source) -> None:
    text = (
        'area\tsituation\trot\nam\tnot  calling "back"\ta\nam\tnot calling "back"\tb\nam\thi\tc\n'
    )
    found = source("social-chem-101.tsv", text)
    assert found.name == "social_chemistry"
    assert found.label == "social_chemistry, social-chem-101.tsv"
    assert found.entries == (Vignette("line 2", 'not calling "back"'), Vignette("line 4", "hi"))


def test_behaviours_of_normbank_are_vignettes(source) -> None:
    found = source("normbank.csv", 'setting,behavior\nlibrary,"talk, loudly"\n')
    assert (found.name, found.entries) == ("normbank", (Vignette("line 2", "talk, loudly"),))


def test_contexts_of_social_iqa_are_vignettes(source) -> None:
    rows = [{"context": "Tracy didn't go home.", "question": "Why?", "answerA": "a"}] * 2
    found = source("dev.jsonl", lines(*rows, {"context": "Sydney walked past."}))
    assert found.name == "social_iqa"
    assert [one.text for one in found.entries] == ["Tracy didn't go home.", "Sydney walked past."]


def test_a_bargain_has_its_list_price_and_the_target_of_whoever_buys(source) -> None:
    (found,) = source("train.jsonl", lines(BARGAIN)).entries
    assert found == Bargain("line 1", "Road bike", "Two owners. New chain.", 100.0, 70.0, 1)


def test_friends_with_the_same_attributes_are_one_person(source) -> None:
    found = source("friends.jsonl", lines(FRIENDS))
    assert found.name == "mutual_friends"
    (lists,) = found.entries
    assert isinstance(lists, FriendLists)
    assert set(lists.friends[0]) & set(lists.friends[1]) == {
        (("Name", "Al"), ("School", "Elm"), ("Company", "Tin"))
    }


def test_own_vignettes_have_an_id_and_a_kind(source) -> None:
    text = '[[vignette]]\nid = "hedge"\ntext = "the hedge\\nhas to go"\nkind = "conflict"\n'
    found = source("mine.toml", text)
    assert found.entries == (Vignette("hedge", "the hedge has to go", "conflict"),)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.tsv", "situation\tx\nfine\t1\n\t2\n", "a.tsv, line 3: 'situation' says nothing"),
        ("a.tsv", "text\tx\nfine\t1\n", "a.tsv, line 1: has no column 'situation'"),
        (
            "a.tsv",
            "situation\tsituation\none\tanother\n",
            "a.tsv, line 1: names the column 'situation' twice; rename one of them",
        ),
        ("a.csv", "behavior\n", "a.csv: has no rows"),
        ("a.csv", f"behavior\n{'long ' * 300}\n", "a.csv, line 2: 'behavior' has 1,499 characters"),
        ("a.toml", '[[vignette]]\nid = "a"\ntext = 3\n', "a.toml, line 3: must be text"),
        ("a.toml", '[[vignette]]\nid = "a"\n', "a.toml, line 1"),
        ("a.toml", '[[vignette]]\nid = "a"\ntext = " "\n', "a.toml, line 3"),
        ("a.toml", '[[vignete]]\nid = "a"\n', "a.toml, line 1"),
        ("a.toml", '[[vignette]]\nid = "a"\ntext = "…"\n', "line 3: the text of vignette 'a' says"),
        ("a.toml", '[[vignette]]\nid = "a\\nb"\ntext = "b"\n', "line 2: id 'a\\nb' is not on one"),
        (
            "a.toml",
            '[[vignette]]\nid = "a"\ntext = "b"\nkind = "c\\n"\n',
            "line 4: kind 'c\\n' is not on one line",
        ),
        ("a.toml", "[[vignette]\n", "a.toml, line 1"),
        ("a.tsv", 'situation\nb c\n"no" again\n', "a.tsv, line 3: cannot be read as CSV"),
        ("a.tsv", "situation\nb c\ncaf\udce9\n", "a.tsv, line 3: is not in UTF-8"),
        (
            "a.toml",
            '[[vignette]]\nid = "a"\ntext = "b"\n[[vignette]]\nid = "a"\ntext = "c"\n',
            "a.toml, line 5: the id 'a' is there twice",
        ),
        ("a.txt", "", "a.txt: is no source"),
        ("absent.tsv", None, "absent.tsv: there is no such file"),
    ],
)
def test_a_bad_table_or_list_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str | None, why: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(BadFile) as refused:
        read_source(str(path))
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (
            [changed(FRIENDS, "scenario_kbs", [[[[], []]], [[[], []]]])],
            "line 1, scenario_kbs[0][0]: has no attributes",
        ),
        ([{"context": "fine"}, "not json"], "a.jsonl, line 2: JSON is malformed"),
        ([{"context": 3}], "a.jsonl, line 1, context: expected `str`, got `int`"),
        ([{"context": "fine"}, {"context": " "}], "line 2, context: must be a text"),
        ([[]], "a.jsonl, line 1: is not one JSON object a line"),
        ([{"text": "x"}], "a.jsonl, line 1: has none of the fields"),
        ([], "a.jsonl: is empty"),
        ([changed(BARGAIN, "items.Price", [-1.0])], "line 1, items.Price: must be US dollars"),
        ([changed(BARGAIN, "items.Price", [])], "line 1, items.Price: is empty"),
        ([changed(BARGAIN, "items.Title", [" "])], "line 1, items.Title: must be a text"),
        (
            [BARGAIN, changed(BARGAIN, "agent_info.Target", [1.0, None])],
            "line 2, agent_info.Target: must be US dollars above 0, not None",
        ),
        (
            [changed(BARGAIN, "agent_info.Role", ["buyer", "buyer"])],
            "agent_info.Role: must be a buyer and a seller",
        ),
        ([changed(FRIENDS, "scenario_kbs", [[], [], []])], "the friends of two, not of 3"),
        ([changed(FRIENDS, "scenario_kbs", [[], []])], "scenario_kbs[0]: must be 1 to 40 friends"),
        (
            [changed(FRIENDS, "scenario_kbs", [[[["A"], ["x"]]], [[["A"], ["y"]]]])],
            "the two lists have no friend in common",
        ),
        (
            [changed(FRIENDS, "scenario_kbs", [[[["A", "B"], ["x"]]], [[["A"], ["y"]]]])],
            "scenario_kbs[0][0]: has 2 attributes and 1 values",
        ),
    ],
)
def test_bad_json_lines_are_refused_with_their_lines(source, rows: list, why: str) -> None:
    with pytest.raises(SourceRefused) as refused:
        source("a.jsonl", lines(*rows))
    assert why in str(refused.value)


def test_troupes_own_vignettes_are_a_source() -> None:
    found = read_source("vignettes")
    assert (found.name, found.label) == ("vignettes", "vignettes")
    assert len(found.entries) >= 120
    assert {one.kind for one in found.entries} == set(InteractionKind)
