"""What is asked of the talks of each kind of task."""

from typing import get_args

import pytest

from actors.sandbox.catalog_items import TaskKind
from evaluators.sandbox.language.conditions import NAMES, PARTS, conditions_of
from evaluators.sandbox.language.dimensions import CONDITIONS
from tests.evaluators.sandbox.language.made_up import BUY, DELIVER, case


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("public", ("invited", "time", "place")),
        ("appointment", ("opened", "time", "place")),
        ("companions", ("invited", "time", "place")),
        ("online", ("invited", "time")),
        ("help", ("request_1", "place_1", "request_2", "place_2")),
    ],
)
def test_each_kind_has_its_own_conditions_of_conversation_and_summary(
    kind: TaskKind, names: tuple[str, ...]
) -> None:
    for part in PARTS:
        assert tuple(one.name for one in conditions_of(case(kind), part)) == names


def test_they_name_what_the_task_says() -> None:
    texts = [one.text for one in conditions_of(case("public"), "conversation")]
    assert "Ada Bell" in texts[0]
    assert "garden party" in texts[0]
    assert "2023-02-14 19:00" in texts[1]
    assert "Hobbs Cafe" in texts[2]
    of_help = conditions_of(case("help"), "summary")
    assert [one.goal for one in of_help] == [BUY, BUY, DELIVER, DELIVER]
    assert "deliver medicine" in of_help[2].text
    assert "Bell house" in of_help[3].text


def test_the_published_variant_asks_of_summaries_of_appointments_what_public_ones_are_asked() -> (
    None
):
    of = case("appointment")
    assert conditions_of(of, "conversation", "published") == conditions_of(of, "conversation")
    asked = conditions_of(of, "summary", "published")
    assert [one.name for one in asked] == ["invited", "time", "place"]
    assert "N/A" in asked[2].text
    assert not any(one.agreed for one in asked)
    for kind in set(get_args(TaskKind)) - {"appointment"}:
        for part in PARTS:
            assert conditions_of(case(kind), part, "published") == conditions_of(case(kind), part)


def test_date_and_time_are_asked_for_as_the_published_prompts_do() -> None:
    for part in PARTS:
        for kind in ("public", "appointment", "companions", "online"):
            now, before = (
                next(
                    one
                    for one in conditions_of(case(kind), part, edition=edition)
                    if one.name == "time"
                )
                for edition in (2, 1)
            )
            assert "exact date and time" in now.text
            assert "exact date" not in before.text
        online = conditions_of(case("online"), part)[1]
        assert (online.what, "2023-02-14 20:30" in online.text) == ("date", True)
        assert conditions_of(case("online"), part, edition=1)[1].what == "time"


def test_every_condition_is_a_dimension() -> None:
    known = {dimension.name for dimension in CONDITIONS}
    found = {
        one.dimension
        for kind in get_args(TaskKind)
        for part in PARTS
        for one in conditions_of(case(kind), part)
    }
    assert found == known
    assert len(CONDITIONS) == 2 * len(NAMES)
