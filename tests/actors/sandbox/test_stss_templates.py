"""Tasks that chance makes of STSS's templates, which are made by hand here in their form."""

import json
from pathlib import Path
from typing import Any

import pytest

from actors.sandbox.formats.csv_layers import BadLayers
from actors.sandbox.formats.stss_templates import HOURS, Instantiated, instantiated
from tests.properties.published import STSS, needs_stss

NAMES = tuple(f"{first} Lund" for first in ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gil", "Hal"))


def person(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "innate": "kind",
        "learned": "mends",
        "currently": "",
        "lifestyle": "",
        "living_area": "Elm:House:room",
    }


def goal(**given: Any) -> dict[str, Any]:
    alike = {"keyword": "dance", "alter_kwd": ["ball"], "start_time": "N/A", "location": "N/A"}
    return alike | {"duration_in_minutes": 30} | given


def template(kind: str, *goals: dict[str, Any], **given: Any) -> dict[str, Any]:
    task = {"target": given.pop("target", []), "target_num": 5, "goal": list(goals) or [goal()]}
    return {
        "goal": "Dance at #location_0 at #time_0",
        "FPG": "#performer dances with #target_num",
        "Description": "#target_num people dance with #performer.",
        "task_type": kind,
        "task": task,
        "performer": "Ada Lund",
    } | given


def made(folder: Path, *templates: dict[str, Any], seed: int = 7) -> Instantiated:
    people = {name: person(name) for name in NAMES} | {"shared": {"vision_r": 8}}
    (folder / "characteristics.json").write_text(json.dumps(people))
    (folder / "meta.json").write_text(json.dumps(templates))
    return instantiated([folder / "meta.json"], folder, seed, 3, 5)


def test_a_task_has_a_cast_and_its_texts_say_whom_where_and_when(tmp_path: Path) -> None:
    at = goal(start_time="2023-02-14 19:00", location="the Hall")
    public, meet, some = made(
        tmp_path,
        template("Public Activity", at),
        template("Personal appointment", target=["Bo Lund"], FPG="#performer meets #target_0"),
        template("Find partner", goal(required_character=["Cy Lund"])),
    ).tasks
    others = public["n_characters"] - 1
    assert 3 <= others <= 5
    assert public["all_chars"][0] == "Ada Lund"
    assert len(set(public["all_chars"])) == others + 1
    assert set(public["all_chars"]) <= set(NAMES)
    needed = public["task"]["target_num"]
    assert needed == -(-others // 2) + 1
    assert public["goal"] == "Dance at the Hall at 2023-02-14 19:00"
    assert public["FPG"] == f"Ada Lund dances with {needed}"
    assert public["env_name"] == "base_7_public_activity_0"
    assert meet["FPG"] == "Ada Lund meets Bo Lund"
    assert "Bo Lund" in meet["all_chars"]
    assert meet["task"]["target_num"] == 5
    assert some["all_chars"][:2] == ["Ada Lund", "Cy Lund"]
    assert some["task"]["target_num"] == -(-(some["n_characters"] - 1) // 3) + 1


def test_times_places_and_performers_that_are_open_are_drawn_by_seed(tmp_path: Path) -> None:
    open_ = template(
        "Online meeting",
        goal(start_time="#TBD", location="#TBD"),
        performer="#Any",
        location_choices=["the Hall", "the Mill"],
    )
    own = open_ | {"time_choices": ["2023-02-14 12:00"], "performer_choices": ["Fay Lund"]}
    found = [made(tmp_path, open_, own, seed=seed).tasks for seed in range(20)]
    assert found[3] == made(tmp_path, open_, own, seed=3).tasks
    times = {one["task"]["goal"][0]["start_time"] for one, _ in found}
    assert times == set(HOURS)
    assert {one["task"]["goal"][0]["location"] for one, _ in found} == {"the Hall", "the Mill"}
    assert len({one["performer"] for one, _ in found}) > 3
    for one, fixed in found:
        when = one["task"]["goal"][0]["start_time"]
        assert one["goal"].endswith(f"at {when} on {when}")  # as the published program has it
        assert one["all_chars"][0] == one["performer"]
        assert fixed["task"]["goal"][0]["start_time"] == "2023-02-14 12:00"
        assert fixed["performer"] == "Fay Lund"
        assert not {"performer_choices", "time_choices", "location_choices"} & set(fixed)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (template("Ball"), "no. 1: there is no task_type 'Ball'"),
        (
            template("Party", performer="Adda Lund"),
            "'Adda Lund' is not in characteristics.json; did",
        ),
        (template("Party", target=["Zoe"]), "'Zoe' is not in characteristics.json"),
        (template("Party", goal(location="#TBD")), "there are no location_choices"),
        (template("Party", goal(keyword=3)), "task.goal.0.keyword"),
        (template("Party") | {"task": {"target_num": 3, "goal": []}}, "give at least one"),
    ],
)
def test_what_is_wrong_is_said_with_the_template(
    tmp_path: Path, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(BadLayers) as refused:
        made(tmp_path, given)
    assert why in str(refused.value.rows[0])


class TestPublished:
    pytestmark = needs_stss

    def test_seed_1234_gives_the_published_casts(self, tmp_path: Path) -> None:
        published = {
            int(one["env_name"].rpartition("_")[2]): one
            for one in json.loads((STSS / "tasks_dlc.json").read_text())
        }
        assert len(published) == 10
        # The file has ten of the twenty that were made; of the others only their draws matter.
        filler = template("Online meeting", performer="Rajiv Patel")
        added = ("all_chars", "n_characters", "env_name")
        templates = [
            {k: v for k, v in published.get(n, filler).items() if k not in added} for n in range(20)
        ]
        (tmp_path / "meta.json").write_text(json.dumps(templates))
        tasks = instantiated([tmp_path / "meta.json"], STSS, 1234).tasks
        for number, one in published.items():
            assert set(tasks[number]["all_chars"]) == set(one["all_chars"])
            assert tasks[number]["n_characters"] == one["n_characters"]
            assert tasks[number]["task"]["target_num"] == one["task"]["target_num"]
