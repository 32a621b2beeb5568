"""Published files of trees and samples: which form they have, and what is in them."""

import json
from pathlib import Path

import pytest

from actors.worldtree.catalog_items import Catalog, Sample
from actors.worldtree.formats.catalogs import TreesRefused, read_catalog, write_catalog
from actors.worldtree.formats.files import NoTrees, read_path
from actors.worldtree.formats.questions import asked_text
from actors.worldtree.formats.tree_names import pairs_in
from actors.worldtree.trees.tree import Entrance, Line, Profile, State
from tests.actors.worldtree.plain import ending, line, node, option, read, sample, tree


def test_a_file_with_one_tree(tmp_path: Path):
    found = read(tmp_path, tree())
    (one,) = found.trees
    assert (found.forms, found.defects) == ({"tree"}, [])
    assert (one.id, one.language, one.orientation) == ("negotiation-en-3", "en", "Negotiation")
    assert (one.protagonist.name, one.cast[0].name) == ("Mira", "Oto")
    first = one.nodes[0].edges[0]
    assert first.state == State(self_interest=1, altruism=0, polarity=1)
    assert first.question is not None
    assert (first.question.text, first.abilities) == ("How?", ("Persuasive Skill",))
    assert [node.goal for node in one.nodes] == [None, 2, None, 1, 0]
    assert one.source == "[1,0]_en_example_3.json"


def test_narration_and_those_who_enter(tmp_path: Path):
    enters = {"profile": {"name": "Ana", "state": [0, 0, 1]}}
    found = read(
        tmp_path,
        tree(
            node(0, option(1, "A."), option(2, "B."), dialog=[line("Dusk.", "content"), enters]),
            ending(1, 2),
            ending(2, 0),
        ),
    )
    state = State(self_interest=0, altruism=0, polarity=1)
    assert found.trees[0].nodes[0].dialogue == (
        Line(text="Dusk."),
        Entrance(profile=Profile(name="Ana", state=state)),
    )
    assert found.defects == []


def test_an_option_without_abilities_takes_its_questions_and_keeps_other_endings(tmp_path: Path):
    other = {"type": "ending confusion", "content": [line("No."), line("[0,0,1]", "state")]}
    bare = option(1, "A.", skill=[])
    bare["confusion"].append(other)
    found = read(tmp_path, tree(node(0, bare, option(2, "B.")), ending(1, 2), ending(2, 0)))
    edge = found.trees[0].nodes[0].edges[0]
    assert (edge.labels, edge.abilities) == ((), ("Persuasive Skill",))
    assert [len(edge.question.distractors)] == [3] if edge.question else False
    assert [[said.role for said in lines] for lines in edge.other_endings] == [["Mira", "state"]]


def test_an_option_that_is_a_list_of_its_line_and_its_state_says_the_line(tmp_path: Path):
    listed = option(1, "A.") | {"content": [line("A."), line("(1, 1, 1)", "state")]}
    found = read(tmp_path, tree(node(0, listed, option(2, "B.")), ending(1, 2), ending(2, 0)))
    assert found.trees[0].nodes[0].edges[0].line == Line(role="Mira", text="A.")
    assert [(one.kind, one.field) for one in found.defects] == [
        ("other_type", "interactive_plot[0].choices[0].content")
    ]


@pytest.mark.parametrize(
    ("name", "id_", "language"),
    [
        ("[1,0]_cn_example_12.json", "negotiation-zh-12", "zh"),
        ("the-ferry-zh.json", "the-ferry-zh", "zh"),
        ("the ferry.json", "the-ferry", "en"),
        ("渡船.json", "negotiation-en", "en"),
    ],
)
def test_ids_and_languages_come_from_the_files_name(
    tmp_path: Path, name: str, id_: str, language: str
):
    (one,) = read(tmp_path, tree(), name).trees
    assert (one.id, one.language) == (id_, language)


def test_a_file_may_say_itself_what_it_is(tmp_path: Path):
    own = {"id": "lamp", "title": "The lamp", "language": "zh", "pair": "lamps"}
    (one,) = read(tmp_path, tree(**own)).trees
    assert (one.id, one.title, one.language, one.pair) == ("lamp", "The lamp", "zh", "lamps")


def test_an_id_without_a_letter_is_none(tmp_path: Path):
    (one,) = read(tmp_path, tree(id="../渡船"), "ferry-en.json").trees
    assert one.id == "ferry-en"


def test_languages_are_told_by_what_is_said(tmp_path: Path):
    said = [line("请把灯借给我。", "Oto")]
    chinese = tree(
        node(0, option(1, "好的。"), option(2, "不行。"), dialog=said), ending(1, 2), ending(2, 0)
    )
    assert read(tmp_path, chinese, "x.json").trees[0].language == "zh"


def test_trees_pair_by_orientation_and_shape_and_never_by_number(tmp_path: Path):
    other = tree(node(0, option(1, "A."), option(2, "B.")), ending(1, 2), ending(2, 0))
    for name, plain in {
        "[1,0]_cn_example_1.json": tree(),
        "[1,0]_en_example_1.json": other,
        "[1,0]_en_example_2.json": tree(),
    }.items():
        (tmp_path / name).write_text(json.dumps(plain))
    pairs = {one.id: one.pair for one in read_path(tmp_path).trees}
    name = "negotiation-en-2+negotiation-zh-1"
    assert pairs == {"negotiation-zh-1": name, "negotiation-en-1": "", "negotiation-en-2": name}


def test_a_translation_pairs_with_the_tree_that_it_says_it_is_of(tmp_path: Path):
    (tmp_path / "lamp-zh.json").write_text(json.dumps(tree(pair="lamp", language="zh")))
    assert pairs_in(read_path(tmp_path).trees) == 0, "the other is missing"
    (tmp_path / "lamp.json").write_text(json.dumps(tree(language="en")))
    trees = read_path(tmp_path).trees
    assert {one.id: one.pair for one in trees} == {"lamp-zh": "lamp", "lamp": "lamp"}
    assert pairs_in(trees) == 1


def test_nothing_pairs_where_two_could(tmp_path: Path):
    for name in ("a-zh", "a-en", "b-en"):
        (tmp_path / f"{name}.json").write_text(json.dumps(tree()))
    assert {one.pair for one in read_path(tmp_path).trees} == {""}


def test_a_list_of_trees_in_both_languages(tmp_path: Path):
    rows = [{"data_id": 7, "cn_data": tree(), "en_data": tree()}, {"data_id": 8, "en_data": None}]
    found = read(tmp_path, rows, "worldtree_data.json")
    assert (found.forms, [one.id for one in found.trees]) == ({"merged"}, ["7-zh", "7-en"])
    assert {one.pair for one in found.trees} == {"7"}
    (defect,) = found.defects
    assert str(defect).startswith("worldtree_data.json, [1]: holds neither cn_data nor en_data")


def test_what_is_wrong_in_a_list_has_its_place_in_the_file(tmp_path: Path):
    poor = tree(node(0, option(1, "A.")), ending(1, 2), source="elsewhere.json")
    found = read(tmp_path, [{"cn_data": poor}, poor, sample()], "list.json")
    places = [(defect.file, defect.node, defect.field) for defect in found.defects]
    field = "interactive_plot[0].choices"
    assert places == [("list.json", 0, f"[0].cn_data.{field}"), ("list.json", 0, f"[1].{field}")]
    assert [one.id for one in found.trees] == ["0-zh", "1"]
    assert [(one.id, one.language) for one in found.samples] == [("2", "en")]


def test_those_called_alike_get_a_number(tmp_path: Path):
    row = {"data_id": 1, "en_data": sample()}
    assert [one.id for one in read(tmp_path, [row, row]).samples] == ["1-en", "1-en-2"]


def test_a_list_of_samples(tmp_path: Path):
    short = sample() | {"choices": sample()["choices"][:2]}
    rows = [
        {"data_id": 1, "cn_data": sample(), "en_data": sample()},
        {"data_id": 2, "en_data": short},
    ]
    found = read(tmp_path, rows, "abilities.json")
    assert [one.id for one in found.samples] == ["1-zh", "1-en"]
    assert found.samples[1] == Sample(
        id="1-en",
        language="en",
        orientation="Negotiation",
        protagonist=Profile(name="Mira", goal="Get the lamp.", orientation=(1, 0)),
        before=(Line(text="Dusk."), Line(role="Oto", text="Well?")),
        question="How?",
        right=Line(role="Mira", text="Please."),
        distractors=tuple(Line(role="Mira", text=text) for text in ("No.", "Never.", "Perhaps.")),
        abilities=("Persuasive Skill",),
    )
    (defect,) = found.defects
    assert str(defect).startswith("abilities.json, [1].en_data.choices: has 1 distractor;")
    assert found.refused == []


def test_a_sample_of_nobody_is_refused(tmp_path: Path):
    found = read(tmp_path, [{"data_id": 1, "en_data": sample() | {"profile": []}}], "a.json")
    assert found.refused == ["a.json[0].en_data"]


def test_a_catalog_is_written_and_read_again(tmp_path: Path):
    rows = [{"data_id": 1, "cn_data": sample(), "en_data": sample()}]
    (tmp_path / "abilities.json").write_text(json.dumps(rows))
    (tmp_path / "ferry-en.json").write_text(json.dumps(tree(title="The ferry")))
    (tmp_path / "ferry-zh.json").write_text(json.dumps(tree(title="渡船")))
    catalog = read_catalog(tmp_path, "ferries").catalog
    folder = tmp_path / "out"
    folder.mkdir()
    written = write_catalog(catalog, folder)
    assert written.files == ("ferry-en.json", "ferry-zh.json", "samples.json")
    assert read_catalog(folder, "ferries").catalog == catalog
    assert isinstance(catalog, Catalog)
    assert {one.pair for one in catalog.trees} == {"ferry"}


def test_what_has_no_labels_is_written_with_its_abilities(tmp_path: Path):
    from tests.actors.worldtree.example_trees import LAMP

    write_catalog(Catalog(name="landing", trees=(LAMP,)), tmp_path)
    (again,) = read_path(tmp_path).trees
    abilities = [edge.abilities for node in LAMP.nodes for edge in node.edges]
    assert [edge.abilities for node in again.nodes for edge in node.edges] == abilities
    texts = [edge.question and edge.question.text for edge in LAMP.nodes[0].edges]
    assert [edge.question and edge.question.text for edge in again.nodes[0].edges] == texts


def test_a_catalog_comes_in_whole_or_not_at_all(tmp_path: Path):
    (tmp_path / "a.json").write_text(json.dumps(tree()))
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(TreesRefused, match=r"b\.json: is no JSON: line 1, column 2"):
        read_catalog(tmp_path, "x")


def test_a_path_without_files_is_refused(tmp_path: Path):
    with pytest.raises(NoTrees, match=r"is a folder without \.json files"):
        read_path(tmp_path)
    with pytest.raises(NoTrees, match="there is no such file"):
        read_path(tmp_path / "gone")


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("#question# How?",), "How?"),
        (("How?",), "How?"),
        ((" #question#How?\r", "#state#(1,1,1)\r"), "How?"),
        (("#question#怎么做？    #skill#Capacity for Trust",), "怎么做？"),
        (("#question#How?", "social warmth ", ""), "How?"),
        (
            ("#question# How does he like different", " cultures?"),
            "How does he like different cultures?",
        ),
        (
            ("#question# How does he like different", "cultures?"),
            "How does he like different cultures?",
        ),
        (("#question#他怎么欣赏不同", "的文化？"), "他怎么欣赏不同的文化？"),
        (("#question#怎么做？", "#skillExpressive Skill"), "怎么做？"),
        (("#question#How?#", "##skill#Expressive Skill"), "How?"),
        (("#question#How?", "skill#expressive skill"), "How?"),
        (("#question#How?", "{skill}expressive skill"), "How?"),
        (
            ("#question# Which skill does a question of state need?",),
            "Which skill does a question of state need?",
        ),
        ((), ""),
    ],
)
def test_what_is_asked_has_no_markers_and_no_labels(pieces: tuple[str, ...], text: str):
    assert asked_text(pieces) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["x", "#", "{", "skill", "question_"])
def test_a_long_question_is_read_once(text: str):
    asked_text((text * 300_000,))
