"""Table 3 and its kin: abilities told from what came of samples."""

import msgspec
import pytest

from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.values.ability_values import AbilityCell, AbilityRow, AbilityTable
from evaluators.worldtree.values.results import Answered, Results
from tests.evaluators.worldtree.made_up import answers, sample

SAMPLES = {
    one.id: one
    for one in (
        sample("s1", "Task Management"),
        sample("s2", "Task Management", "Time Management"),
        sample("s3", "Task Management", "Leadership Skill"),
        sample("s4", "Time Management"),
    )
}


def table_of(
    *given: Answered, minds: tuple[str, ...] = ("m",), people: tuple[str, ...] = ()
) -> AbilityTable:
    return ability_table(
        Results(trees={}, samples=SAMPLES, answers=given, minds=minds, people=people)
    )


def cell_of(row: AbilityRow, scope: str) -> AbilityCell:
    found = row.cell("zh", scope)
    assert found is not None
    return found


def test_a_sample_counts_once_for_each_of_its_abilities() -> None:
    given = answers("m", {"s1": "right", "s2": "right", "s3": "wrong", "s4": "undecided"})
    table = table_of(*given)
    row = table.rows[0]
    task = cell_of(row, "Task Management")
    assert (task.right, task.wrong, task.undecided) == (2, 1, 0)
    overall = cell_of(row, "overall")
    assert (overall.right, overall.wrong, overall.undecided) == (3, 2, 1)
    assert table.samples == {"zh": 4}


def test_an_undecided_answer_is_wrong_and_the_published_ratio_drops_it() -> None:
    row = table_of(*answers("m", {"s2": "right", "s4": "undecided"})).rows[0]
    time = cell_of(row, "Time Management")
    assert (time.ratio, time.published) == (50, 100)


def test_aspects_are_pooled_over_labels_and_the_scripts_are_plain_means() -> None:
    given = answers("m", {"s1": "right", "s2": "right", "s3": "wrong", "s4": "wrong"})
    row = table_of(*given).rows[0]
    assert cell_of(row, "Self-Management").ratio == pytest.approx(100 * 3 / 5)
    assert cell_of(row, "Self-Management").script == pytest.approx((100 * 2 / 3 + 50) / 2)
    assert cell_of(row, "overall").script == pytest.approx((100 * 2 / 3 + 50 + 0) / 3)


def test_what_nobody_could_read_has_no_published_ratio() -> None:
    cell = cell_of(table_of(*answers("m", {"s1": "undecided"})).rows[0], "overall")
    assert (cell.ratio, cell.published, cell.script) == (0, None, None)


def test_people_and_chance_have_rows_of_their_own() -> None:
    given = (
        *answers("p1", {"s1": "right", "s4": "wrong"}),
        *answers("p2", {"s1": "wrong", "s2": "wrong", "s4": "right"}),
    )
    average, best, single, chance = table_of(*given, minds=(), people=("p1", "p2")).rows
    assert cell_of(average, "overall").ratio == pytest.approx((50 + 25) / 2)
    assert cell_of(best, "Task Management").ratio == 100
    assert cell_of(best, "overall").ratio == pytest.approx(100 * (1 + 1) / (1 + 2))
    assert (single.who, single.kind) == ("p1", "person")
    assert {cell.ratio for cell in chance.cells} == {25}


def test_chance_finds_no_majority_now_and_then() -> None:
    """Three random votes among four options: 10/64 are for the right one, 40/64 for any."""
    two = msgspec.structs.replace(SAMPLES["s4"], distractors=SAMPLES["s4"].distractors[:1])
    results = Results(
        trees={},
        samples=SAMPLES | {"s4": two},
        answers=answers("m", {"s1": "right", "s4": "wrong"}),
        votes=(1, 3),
    )
    once, thrice = ability_table(results).rows
    assert (once.who, thrice.who) == ("chance, 1 vote", "chance, 3 votes")
    assert cell_of(once, "Task Management").ratio == pytest.approx(25)
    assert cell_of(thrice, "Task Management").ratio == pytest.approx(100 * 10 / 64)
    assert cell_of(thrice, "Task Management").published == pytest.approx(25)
    assert cell_of(thrice, "Time Management").ratio == pytest.approx(50)
    assert cell_of(thrice, "overall").ratio == pytest.approx(100 * (10 / 64 + 1 / 2) / 2)
    assert cell_of(thrice, "overall").script == pytest.approx((25 + 50) / 2)


def test_answers_to_samples_that_are_not_there_are_left_out() -> None:
    assert table_of(*answers("m", {"gone": "right"})).rows[0].cells == ()
