"""What is wrong with a file is named, with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from actors.worldtree.formats import json_text, tree_reader
from actors.worldtree.formats.fields import MOST_DEFECTS
from actors.worldtree.formats.files import read_path
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.defects import KINDS
from tests.actors.worldtree.plain import (
    Plain,
    ending,
    kinds,
    line,
    node,
    only,
    option,
    read,
    spoiled,
    tree,
)


def plot(value: Plain) -> Any:
    return value["interactive_plot"]


def first(value: Plain) -> Any:
    """The root's first option."""
    return plot(value)[0]["choices"][0]


def test_a_field_that_is_misspelt_is_named_with_what_was_meant(tmp_path: Path):
    def spoil(value: Plain) -> None:
        first(value)["skills"] = first(value).pop("skill")
        plot(value)[0]["dialog"].append({"speaker": "Ana"})

    found = read(tmp_path, spoiled(spoil))
    said = [str(defect) for defect in found.defects if defect.kind == "unknown_field"]
    assert "'speaker' is not read; known are role, content, profile" in said[1]
    assert "choices[0]: 'skills' is not read; did you mean 'skill'?" in said[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no JSON: line 1, column 1"),
        ('{"a": 1,\n}', "line 2, column 1"),
        ("{} {}", "there is something behind the end"),
        ('"tree"', "is no tree"),
        ("{}", "is no tree"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        (f'{{"a": {"9" * 5_000}}}', "a number that cannot be read"),
        ("[{}", "goes on with ',' or ends with ']'"),
        ("[1] 2", "there is something behind the end"),
        ("[{},]", "line 1, column 5"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(tmp_path: Path, text: str, said: str):
    found = read(tmp_path, text, "x.json")
    assert said in " ".join(map(str, found.defects))
    assert {defect.grade for defect in found.defects} == {"fatal"}
    assert "x.json" in found.refused
    assert not found.trees


def test_a_file_that_is_no_text_is_refused(tmp_path: Path):
    (tmp_path / "x.json").write_bytes(b'{"a":\n"\xff"}')
    assert "is no text in UTF-8: byte 8, in line 2" in str(only(read_path(tmp_path / "x.json")))


def test_a_list_that_breaks_off_is_refused_whole(tmp_path: Path):
    found = read(tmp_path, f"[{json.dumps({'data_id': 1, 'en_data': tree()})},", "x.json")
    assert (found.trees, kinds(found), found.refused) == ([], ["not_json"], ["x.json"])


def test_what_is_too_large_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_text, "MOST_TREE_BYTES", 1_000)
    assert kinds(read(tmp_path, tree())) == ["too_large"]
    monkeypatch.setattr(json_text, "MOST_MARKS", 50)
    assert "values" in str(only(read(tmp_path, [tree()], "list.json")))
    monkeypatch.setattr(json_text, "MOST_BYTES", 1_000)
    assert "bytes" in str(only(read(tmp_path, [tree()], "list.json")))


def test_what_is_told_on_the_ways_to_all_nodes_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    deep = [node(at, option(at + 1, "On."), option(at + 1, "Go.")) for at in range(30)]
    monkeypatch.setattr(tree_reader, "MOST_TOLD", 961)
    assert read(tmp_path, tree(*deep, ending(30, 2))).trees
    monkeypatch.setattr(tree_reader, "MOST_TOLD", 960)
    found = read(tmp_path, tree(*deep, ending(30, 2)))
    assert "tells 961 lines" in str(next(one for one in found.defects if one.kind == "too_large"))
    assert not found.trees


@pytest.mark.parametrize(
    ("kind", "change", "place"),
    [
        ("no_root", lambda t: plot(t)[0].update(cid=9), "interactive_plot: "),
        ("duplicate_id", lambda t: plot(t)[4].update(cid=3), "node 3, interactive_plot[4].cid"),
        ("unknown_target", lambda t: first(t).update(cid=7), "node 0, interactive_plot[0].choices"),
        ("unknown_target", lambda t: first(t).pop("cid"), "node 0, interactive_plot[0].choices"),
        ("cycle", lambda t: plot(t)[2]["choices"][0].update(cid=0), "0 → 2 → 0"),
        (
            "unknown_orientation",
            lambda t: t["predefined_profiles"][0].update(orientation=[0, 0]),
            "predefined_profiles[0].orientation",
        ),
        ("not_a_tree", lambda t: t.update(predefined_profiles=[]), "predefined_profiles"),
        ("not_a_tree", lambda t: plot(t)[1].update(cid=None), "interactive_plot[1].cid"),
        (
            "too_large",
            lambda t: plot(t)[0].update(choices=[option(1, f"{n}.") for n in range(27)]),
            "at most 26",
        ),
    ],
)
def test_a_fatal_defect_keeps_a_tree_out_and_no_other(
    tmp_path: Path, kind: str, change: Callable[[Plain], object], place: str
):
    (tmp_path / "good-en.json").write_text(json.dumps(tree()))
    (tmp_path / "bad-en.json").write_text(json.dumps(spoiled(change)))
    found = read_path(tmp_path)
    fatal = [defect for defect in found.defects if defect.grade == "fatal"]
    assert kind in {defect.kind for defect in fatal}
    assert place in " ".join(map(str, fatal))
    assert {defect.file for defect in found.defects} == {"bad-en.json"}
    assert ([one.id for one in found.trees], found.refused) == (["good-en"], ["bad-en.json"])


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (
            "no_goal",
            lambda t: (
                plot(t)[1].pop("goal achievement") and plot(t)[3].update({"goal achievement": 2})
            ),
        ),
        (
            "dead_end",
            lambda t: (
                plot(t)[2].update(choices=[], type="choice")
                or t.update(interactive_plot=plot(t)[:3])
            ),
        ),
        ("no_success", lambda t: plot(t)[1].update({"goal achievement": 1})),
        ("single_option", lambda t: plot(t)[2]["choices"].pop() and plot(t).pop()),
        ("no_question", lambda t: first(t)["confusion"][0].update(question=["#question# "])),
        ("several_questions", lambda t: first(t)["confusion"].append(first(t)["confusion"][0])),
        ("distractors", lambda t: first(t)["confusion"].pop()),
        ("options", lambda t: first(t)["confusion"][1].update(content=first(t)["content"])),
        ("options", lambda t: first(t)["confusion"][1].update(content=line(" "))),
        ("tells_state", lambda t: first(t)["content"].update(content="（-1，0， 1）")),
        ("malformed_triple", lambda t: first(t).update({"social state": [1, "- 1", 0]})),
        ("malformed_triple", lambda t: first(t).update({"social state": [1, 0, 1, ""]})),
        ("malformed_triple", lambda t: first(t).update({"social state": [1, True, 1]})),
        ("malformed_triple", lambda t: plot(t)[1].update(state=[1, 0])),
        ("other_type", lambda t: t.update(scenario=3)),
        ("other_type", lambda t: first(t)["confusion"][0].update(question="#question# How?")),
        ("other_type", lambda t: plot(t)[1].update(type="ende", choices=[])),
        ("other_type", lambda t: first(t).update(cid="1")),
        (
            "stray_marker",
            lambda t: first(t)["confusion"][0].update(question=["#question#How? #skill#x"]),
        ),
        ("other_role", lambda t: first(t)["confusion"][1]["content"].update(role="Oto")),
        ("empty_dialogue", lambda t: plot(t)[1].update(dialog=[])),
        ("labels_differ", lambda t: first(t).update(skill=["Adaptability"])),
        ("ending_with_options", lambda t: plot(t)[1].update(choices=[option(3, "More.")])),
    ],
)
def test_any_other_defect_is_named_and_the_tree_is_read(
    tmp_path: Path, kind: str, change: Callable[[Plain], object]
):
    found = read(tmp_path, spoiled(change))
    defect = only(found)
    assert (defect.kind, len(found.trees), found.refused) == (kind, 1, [])
    assert defect.grade != "fatal"
    assert defect.file == "[1,0]_en_example_3.json"
    assert defect.tree == found.trees[0].id
    assert defect.text


def test_an_option_of_no_known_ability_is_not_asked(tmp_path: Path):
    found = read(
        tmp_path,
        tree(node(0, option(1, "A.", "fencing"), option(2, "B.")), ending(1, 2), ending(2, 0)),
    )
    assert kinds(found) == ["unknown_ability", "no_ability"]
    edges = found.trees[0].nodes[0].edges
    assert [askable(edge) for edge in edges] == [False, True]


def test_nodes_that_no_way_leads_to_are_named(tmp_path: Path):
    assert kinds(read(tmp_path, tree(*plot(tree()), ending(9, 0)))) == ["unreachable"]


def test_keys_given_twice_and_halves_of_characters_are_named(tmp_path: Path):
    text = json.dumps(tree(scenario="\ud83d!")).replace('"alias": ""', '"alias": "", "alias": "M"')
    found = read(tmp_path, text)
    assert sorted(kinds(found)) == ["broken_text", "repeated_key"]
    assert found.trees[0].scenario == "\ufffd!"
    assert found.trees[0].protagonist.alias == "M"


def test_what_is_not_a_number_is_no_number(tmp_path: Path):
    text = json.dumps(tree(scenario=float("nan"))).replace('"behavior": 1', '"behavior": Infinity')
    found = read(tmp_path, text)
    assert kinds(found) == ["other_type", "other_type"]
    assert "is Infinity" in str(found.defects[0])


def test_a_tree_as_deep_as_its_file_is_read(tmp_path: Path):
    many, bare = 1_500, {"type": "situation choice", "confusion": [], "skill": []}
    steps = [
        node(at, option(at + 1, "On.", **bare), option(many, "Off.", **bare))
        for at in range(many - 1)
    ]
    found = read(tmp_path, tree(*steps, ending(many - 1, 2), ending(many, 0)))
    assert (kinds(found), len(found.trees[0].nodes)) == ([], many + 1)
    steps[-1]["choices"][0]["cid"] = 1
    cycle = only(read(tmp_path, tree(*steps, ending(many, 2))))
    assert (cycle.kind, len(str(cycle)) < 200) == ("cycle", True)


def test_of_very_many_defects_the_first_are_kept(tmp_path: Path):
    said = [3] * (MOST_DEFECTS + 500)
    found = read(
        tmp_path, tree(node(0, option(1, "A."), option(1, "B."), dialog=said), ending(1, 2))
    )
    assert len(found.defects) <= MOST_DEFECTS + 2
    assert "501 more are not listed" in " ".join(map(str, found.defects))


def test_every_kind_has_a_grade_and_words():
    assert {kind.grade for kind in KINDS.values()} == {"fatal", "tree", "question", "small"}
