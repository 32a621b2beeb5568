"""Tables 3 and G.4: people and models."""

import pytest

from actors.episodes.catalogs.scenario_lists import ListedScenario, ScenarioList
from evaluators.social.tables.people_rows import table_3, table_g4
from evaluators.social.tables.table_input import NothingToShow
from evaluators.tables.plain_tables import Figure, PlainTable, cell_text, for_people
from tests.evaluators.social.tables.scores import Said, given

PLAYED = [
    *(
        Said(("amber", "person"), ({"goal": model}, {"goal": human}), task=f"t{place}")
        for place, (model, human) in enumerate(zip((6, 7, 6, 7), (8, 9, 7, 8), strict=True))
    ),
    *(
        Said(("person", "human"), ({"goal": value}, {"goal": value + 1}), task=f"t{value}")
        for value in (6.0, 7.0)
    ),
    Said(("amber", "birch"), ({"goal": 0.0}, {"goal": 0.0})),
]


def rows(table: PlainTable) -> list[list[str]]:
    """As people read them."""
    return [[cell_text(cell) for cell in row] for row in for_people(table).rows]


def test_rows_are_the_model_people_with_it_and_people_among_themselves() -> None:
    (table,) = table_3(given(PLAYED, words={("e000", 0): (91, 2), ("e000", 1): (50, 3)}))
    assert [row[:3] for row in rows(table)] == [
        ["amber (w H)", "4", "45.5"],
        ["human (w amber)", "4", "16.7"],
        ["human (w H)", "4", "–"],
    ]
    # 8, 9, 7, 8 against 6, 7, 6, 7 differ; 6, 7, 7, 8 do not.
    assert [row[3] for row in rows(table)] == ["6.50", "8.00*", "7.00"]


def test_a_seat_that_a_person_shared_with_a_mind_is_human() -> None:
    said = [*PLAYED, Said(("amber", "calm + person"), ({"goal": 6.0}, {"goal": 8.0}), shared=(1,))]
    (table,) = table_3(given(said))
    assert [row[0] for row in rows(table)] == ["amber (w H)", "human (w amber)", "human (w H)"]
    assert rows(table)[1][1] == "5"
    assert "1 seat that a person and a mind shared" in table.note


def test_a_person_whom_the_plan_names_is_human() -> None:
    said = [Said(("amber", "guest"), ({"goal": 6.0}, {"goal": 8.0}))]
    assert len(table_3(given(said, people=["guest"]))) == 1
    with pytest.raises(NothingToShow, match="no person"):
        table_3(given(said))


def test_only_the_listed_seats_count() -> None:
    entries = (ListedScenario(scenario="s0", seat=1),)
    (table,) = table_3(given(PLAYED, hard=ScenarioList(name="hard-20", entries=entries)))
    assert [row[:2] for row in rows(table)] == [["amber (w H)", "4"], ["human (w H)", "2"]]
    assert "hard-20" in table.title


def test_table_g4_has_each_judge_and_the_mean_of_people() -> None:
    said = [
        Said(("amber", "person"), ({"goal": 6.0}, {"goal": 8.0}), episode="e1"),
        *(
            Said(
                ("amber", "person"),
                ({"goal": value}, {"goal": value}),
                episode="e1",
                judge=name,
                kind="person",
            )
            for name, value in (("ann", 2.0), ("bob", 5.0))
        ),
    ]
    tables = table_g4(given(said))
    assert [one.title.rpartition("judged by ")[2] for one in tables] == ["strict", "2 annotators"]
    figures = [cell for cell in tables[1].rows[0] if isinstance(cell, Figure)]
    assert figures[0].value == 3.5
