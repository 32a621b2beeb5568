import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from actors.social.catalog.check import check
from actors.social.catalog_items import BigFive, RelationshipKind
from actors.social.formats.catalog_reader import (
    CHARACTERS,
    RELATIONSHIPS,
    SCENARIOS,
    TASKS,
    CatalogRefused,
    read_published,
)
from actors.social.setup import SeatRelationship
from actors.social.sight import background, view
from tests.properties.published import SOTOPIA, needs_sotopia
from tests.support.builders import mind, social_start

Rows = dict[str, list[dict[str, Any]]]

TRAITS = "Openness to Experience - High; Conscientiousness - Low; Extraversion - Low"


def person(id_: str, **fields: Any) -> dict[str, Any]:
    return {
        "agent_id": id_,
        "first_name": id_.title(),
        "last_name": "Wu",
        "age": 30,
        "occupation": "Baker",
        "gender": "Woman",
        "gender_pronoun": "She/her",
        "public_info": "Bakes.",
        "big_five": TRAITS,
        "moral_values": ["Care", " Fairness"],
        "schwartz_personal_values": ["Power"],
        "personality_and_values": "Brisk.",
        "decision_making_style": "Rational",
        "secret": "Owes money.",
        "mbti": "INTJ",
        **fields,
    }


def scene(id_: str = "env1", **fields: Any) -> dict[str, Any]:
    return {
        "env_id": id_,
        "codename": "loan",
        "source": "hand-craft",
        "scenario": "A bakery.",
        "agent_goals": ["Lend (<extra_info>50</extra_info>)", "Borrow"],
        "relationship": "3",
        "age_constraint": "[(18, 70), (21, 70)]",
        "occupation_constraint": "nan",
        "agent_constraint": "none",
        **fields,
    }


def related(id_: str, kind: Any, one: str = "amy", other: str = "bea") -> dict[str, Any]:
    return {
        "relationship_id": id_,
        "agent1_id": one,
        "agent2_id": other,
        "relationship": kind,
        "background_story": "Unbeknownst to Amy, Bea owes money.",
    }


def combo(id_: str = "t1", env: str = "env1", agents: Any = ("amy", "bea")) -> dict[str, Any]:
    return {"combo_id": id_, "env_id": env, "agent_ids": list(agents)}


@pytest.fixture
def rows() -> Rows:
    return {
        CHARACTERS: [person("amy"), person("bea")],
        SCENARIOS: [scene()],
        RELATIONSHIPS: [related("r1", "2"), related("r2", "3"), related("r3", 3)],
        TASKS: [combo()],
    }


def written(folder: Path, rows: Rows) -> Path:
    for file, lines in rows.items():
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in lines))
    return folder


def bad_rows(folder: Path, rows: Rows) -> list[tuple[str, int, str]]:
    with pytest.raises(CatalogRefused) as refused:
        read_published(written(folder, rows))
    return [(row.file, row.line, row.field) for row in refused.value.rows]


def test_a_catalog_comes_in_whole(tmp_path: Path, rows: Rows):
    catalog = read_published(written(tmp_path, rows), "mine")
    amy, _ = catalog.characters
    assert catalog.name == "mine"
    assert (amy.name, amy.age, amy.pronouns, amy.secret) == ("Amy Wu", 30, "She/her", "Owes money.")
    assert amy.big_five == BigFive(openness="high", conscientiousness="low", extraversion="low")
    assert amy.moral_values == ("Care", "Fairness")
    (scenario,) = catalog.scenarios
    assert scenario.goals == ("Lend (<extra_info>50</extra_info>)", "Borrow")
    assert scenario.relationships == (RelationshipKind.FRIEND,)
    assert scenario.ages == ((18, 70), (21, 70))
    assert scenario.occupations == ()
    assert "hand-craft" in scenario.tags


def test_a_task_has_the_first_of_the_pairs_relationships_that_the_scenario_asks_for(
    tmp_path: Path, rows: Rows
):
    (task,) = read_published(written(tmp_path, rows)).tasks
    assert task.relationships == ("r2",)
    assert {"hand-craft", "friend"} <= set(task.tags)


def test_a_pair_without_a_relationship_are_strangers(tmp_path: Path, rows: Rows):
    rows[SCENARIOS] = [scene(relationship="0")]
    rows[RELATIONSHIPS] = []
    (task,) = read_published(written(tmp_path, rows)).tasks
    assert task.relationships == ()
    assert "stranger" in task.tags


def test_a_published_story_is_for_narrator_and_judge(tmp_path: Path, rows: Rows):
    catalog = read_published(written(tmp_path, rows))
    friends = catalog.relationships[1]
    started = social_start(
        run="",
        task="",
        catalog="",
        scenario=catalog.scenarios[0],
        cast=catalog.characters,
        relationships=(SeatRelationship(seats=(0, 1), kind=friends.kind, story=friends.story),),
        minds=(mind(), mind()),
    )
    assert background("e1", started, 0).others[0].story == ""
    assert (
        view([started], "narrator").relationships[0].story == "Unbeknownst to Amy, Bea owes money."
    )


@pytest.mark.parametrize(
    ("file", "row", "field", "reason"),
    [
        (CHARACTERS, person("amy"), "agent_id", "'amy' is there twice, first in line 1"),
        (CHARACTERS, person("cyd", age="30"), "age", "expected `int`, got `str`"),
        (CHARACTERS, person("cyd", age=151), "age", "expected `int` <= 150"),
        (CHARACTERS, person("cyd", big_five="Openness: high"), "big_five", "<trait> - <degree>"),
        (CHARACTERS, {"agent_id": "cyd", "age": 3}, "first_name", "is missing"),
        (SCENARIOS, scene("env2", agent_goals=["one"]), "agent_goals", "2 goals"),
        (SCENARIOS, scene("env2", scenario="<p>a"), "scenario", "line 1, column 1"),
        (SCENARIOS, scene("env2", relationship="6"), "relationship", "0 (stranger) to 5 (family)"),
        (SCENARIOS, scene("env2", age_constraint="[(70, 18), (1, 2)]"), "age_constraint", "like"),
        (SCENARIOS, scene("env2", age_constraint="__import__('os')"), "age_constraint", "like"),
        (SCENARIOS, scene("env2", age_constraint="[1]"), "age_constraint", "like"),
        (SCENARIOS, scene("env2", occupation_constraint="actor"), "occupation_constraint", "like"),
        (SCENARIOS, scene("env2", agent_constraint="tall"), "agent_constraint", "not known"),
        (RELATIONSHIPS, related("r4", "x"), "relationship", "not 'x'"),
        (RELATIONSHIPS, related("r4", "3", other="zoe"), "agent2_id", "no character 'zoe'"),
        (RELATIONSHIPS, related("r4", "3", other="amy"), "agent2_id", "another character"),
        (TASKS, combo("t2", env="env9"), "env_id", "no scenario 'env9'"),
        (TASKS, combo("t2", agents=["amy", "zoe"]), "agent_ids", "no character 'zoe'"),
        (TASKS, combo("t2", agents=["amy"]), "agent_ids", "2 different characters"),
        (TASKS, combo("t1"), "combo_id", "there twice"),
    ],
)
def test_a_bad_row_is_named_with_file_line_field_and_reason(
    tmp_path: Path, rows: Rows, file: str, row: dict[str, Any], field: str, reason: str
):
    rows[file].append(row)
    with pytest.raises(CatalogRefused) as refused:
        read_published(written(tmp_path, rows))
    (bad,) = refused.value.rows
    assert (bad.file, bad.line, bad.field) == (file, len(rows[file]), field)
    assert reason in bad.reason
    assert f"{file}, line {bad.line}, {field}: " in str(refused.value)


def test_a_pair_that_is_not_what_the_scenario_asks_for_is_refused(tmp_path: Path, rows: Rows):
    rows[SCENARIOS] = [scene(relationship="5")]
    assert bad_rows(tmp_path, rows) == [(TASKS, 1, "agent_ids")]


def test_lines_that_are_not_json_or_not_utf8_are_named(tmp_path: Path, rows: Rows):
    written(tmp_path, rows)
    with (tmp_path / TASKS).open("ab") as file:
        file.write(b'{"combo_id": \n\n\xff\n')
    with pytest.raises(CatalogRefused) as refused:
        read_published(tmp_path)
    assert [(row.line, row.field) for row in refused.value.rows] == [(2, ""), (4, "")]
    assert "byte 1 is not UTF-8" in refused.value.rows[1].reason


def test_a_file_that_is_not_there_is_named(tmp_path: Path, rows: Rows):
    written(tmp_path, rows)
    (tmp_path / SCENARIOS).unlink()
    with pytest.raises(CatalogRefused, match=r"environment_profiles\.jsonl: cannot be read"):
        read_published(tmp_path)


def test_a_bad_row_is_not_blamed_on_the_rows_that_refer_to_it(tmp_path: Path, rows: Rows):
    rows[CHARACTERS][1]["age"] = -1
    assert bad_rows(tmp_path, rows) == [(CHARACTERS, 2, "age")]


def test_twenty_bad_rows_are_listed_and_the_rest_counted(tmp_path: Path, rows: Rows):
    rows[CHARACTERS] += [person(f"x{number}", age=-1) for number in range(25)]
    with pytest.raises(CatalogRefused, match=r"25 bad rows: .*; and 5 more$") as refused:
        read_published(written(tmp_path, rows))
    assert len(refused.value.rows) == 20
    assert refused.value.count == 25


def test_an_occupation_that_does_not_fit_is_a_warning(tmp_path: Path, rows: Rows):
    rows[SCENARIOS] = [scene(occupation_constraint="[bak, 'actor']")]
    catalog = read_published(written(tmp_path, rows))
    (why,) = {remark.why for remark in check(catalog) if remark.place == ("task", 0)}
    assert why == "seat 2 asks for the occupation 'actor', Bea Wu has 'Baker'"


class TestPublishedCatalog:
    pytestmark = needs_sotopia

    def test_it_comes_in_whole(self):
        catalog = read_published(SOTOPIA)
        assert len(catalog.characters) == 40
        assert len(catalog.scenarios) == 90
        assert len(catalog.relationships) == 120
        assert len(catalog.tasks) == 450
        assert Counter(r.kind for r in catalog.relationships) == {
            "stranger": 15,
            "known_by_name": 19,
            "acquaintance": 31,
            "friend": 24,
            "romantic": 16,
            "family": 15,
        }

    def test_every_task_names_a_relationship_and_only_five_miss_their_occupation(self):
        catalog = read_published(SOTOPIA)
        assert all(len(task.relationships) == 1 for task in catalog.tasks)
        odd = [remark for remark in check(catalog) if remark.place[:1] == ("task",)]
        assert len({remark.place for remark in odd}) == 5
        assert all("occupation" in remark.why for remark in odd)

    def test_reading_it_again_gives_the_same(self):
        assert read_published(SOTOPIA) == read_published(SOTOPIA)
