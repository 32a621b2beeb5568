"""``troupe import annotations``: what people said of SOTOPIA's episodes, as JSON and as CSV."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from evaluators.registry import rubric_named
from events.evaluation import JudgeSpec
from events.serialization.fingerprints import judge_hash
from store.read_model import queries
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.store_checks import check_projections, check_versions

KEPT = Path(__file__).parent / "fixtures" / "sotopia"
FIRST, SECOND = (
    json.loads(line)["episode_id"]
    for line in (KEPT / "episodes.jsonl").read_text().splitlines()[:2]
)
SEVEN = {
    "believability": 9,
    "relationship": 1,
    "knowledge": 4,
    "secret": 0,
    "social_rules": -1,
    "financial_and_material_benefits": 2,
    "goal": 7,
}


@pytest.fixture
def there(desk: Desk) -> Desk:
    """A desk that has SOTOPIA's episodes, which its judge scored."""
    desk.does("import", "sotopia", str(KEPT))
    desk.does("import", "episodes", str(KEPT / "episodes.jsonl"), "--run", "peers")
    return desk


def said(annotator: str, episode: str = FIRST, **fields: Any) -> dict[str, Any]:
    """An ``AnnotationForEpisode`` that gives both seats the same."""
    mean = sum(SEVEN.values()) / len(SEVEN)
    return {
        "pk": f"{annotator}-{episode}",
        "episode": episode,
        "annotator_id": annotator,
        "rewards": [[mean, SEVEN], [mean, SEVEN]],
        "reasoning": "agent 1 comments: goal: all of it believability: as a person would be "
        "agent 2 comments: goal: some of it ",
        **fields,
    }


def lines(desk: Desk, *rows: Any) -> str:
    texts = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    return desk.file("said.jsonl", "".join(f"{text}\n" for text in texts))


def table(desk: Desk, *rows: dict[str, str], leave: str = "") -> str:
    """A CSV of the platform: each row as ``said`` but for some cells."""
    answers = {f"Answer.agent{seat}_{name}": str(v) for seat in (1, 2) for name, v in SEVEN.items()}
    reasons = {f"{name}_rationale": f"for {name}" for name in answers}
    plain = {"Input.episode_id": FIRST, "WorkerId": "W1", **answers, **reasons}
    path = desk.folder / "said.csv"
    with path.open("w", newline="") as file:
        names = [name for name in ("HITId", *plain) if name != leave]
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(plain | row for row in rows)
    return str(path)


def scores(desk: Desk, annotator: str) -> dict[tuple[int, str], tuple[str, float | None, str]]:
    store = desk.open()
    try:
        (run,) = queries.runs(store)
        return {
            (row.seat, row.dimension): (row.status, row.value, row.reason)
            for row in queries.scores(store, run=run.id)
            if row.judge == annotator and row.judge_kind == "person"
        }
    finally:
        store.close()


def test_json_lines_become_scores_of_annotators(there: Desk) -> None:
    found = there.does("import", "annotations", lines(there, said("W1"), said("W2")), "--json").json
    assert (found["annotations"], found["episodes"], found["scored"]) == (2, 1, 28)
    assert found["annotators"] == ["W1", "W2"]
    given = scores(there, "W2")
    assert given[0, "goal"] == ("scored", 7.0, "all of it")
    assert given[0, "believability"] == ("scored", 9.0, "as a person would be")
    assert given[1, "goal"] == ("scored", 7.0, "some of it")
    assert len(given) == 14
    store = there.open()
    try:
        check_versions(store)
        check_projections(store)
    finally:
        store.close()


def test_a_bare_number_is_a_missing_score_and_is_told(there: Desk) -> None:
    mean = sum(SEVEN.values()) / len(SEVEN)
    path = lines(there, said("W1", rewards=[[mean, SEVEN], 0.0]))
    found = there.does("import", "annotations", path, "--json").json
    assert (found["scored"], found["failed"]) == (7, 7)
    assert "said.jsonl, line 1: rewards[1]: the annotation has the bare reward" in found["notes"][0]
    assert scores(there, "W1")[1, "goal"][:2] == ("failed", None)


def test_csv_becomes_scores_with_their_reasons(there: Desk) -> None:
    path = table(there, {}, {"WorkerId": "W2", "Answer.agent2_goal": ""})
    there.does("import", "annotations", path)
    assert scores(there, "W1")[1, "goal"] == ("scored", 7.0, "for Answer.agent2_goal")
    assert scores(there, "W2")[1, "goal"][:2] == ("failed", None)
    assert scores(there, "W2")[0, "social_rules"][:2] == ("scored", -1.0)


def test_annotators_are_the_judges_that_the_pages_make_of_them(there: Desk) -> None:
    there.does("import", "annotations", lines(there, said("W1")))
    rubric = rubric_named("sotopia")
    spec = JudgeSpec(name="W1", kind="person", dimensions=rubric.dimensions, rubric=rubric.name)
    store = there.open()
    try:
        hashes = {row.judge_hash for row in queries.evaluations(store, judge="W1")}
    finally:
        store.close()
    assert hashes == {judge_hash(spec)}


def test_the_same_again_changes_nothing_and_more_is_added(there: Desk) -> None:
    there.does("import", "annotations", lines(there, said("W1")))
    before = there.head()
    again = there.does("import", "annotations", lines(there, said("W1")))
    assert "; no change." in again.out
    assert there.head() == before
    more = lines(there, said("W1"), said("W1", SECOND))
    found = there.does("import", "annotations", more, "--json").json
    assert (found["stored"], found["annotations"]) == (16, 2)


def test_agreement_is_of_annotators_that_came_in(there: Desk) -> None:
    rows = [said(name, episode) for name in ("W1", "W2") for episode in (FIRST, SECOND)]
    run = there.does("import", "annotations", lines(there, *rows), "--json").json["runs"][0]
    found = there.does("agreement", run, "--json").json
    goal = next(row for row in found["among"] if row["dimension"] == "goal")
    assert (goal["annotators"], goal["several"]) == (2, 4)


def test_episodes_are_found_by_their_own_ids_and_of_the_run_that_is_named(there: Desk) -> None:
    run = there.does("runs", "--json").json[0]["id"]
    episode = there.does("show", run, "--json").json["episodes"][0]["id"]
    there.does("import", "annotations", lines(there, said("W1", episode)))
    there.does("import", "episodes", str(KEPT / "episodes.jsonl"), "--run", "again")
    why = refused(there, "import", "annotations", lines(there, said("W2")))
    assert "2 runs have an episode" in why
    there.does("import", "annotations", lines(there, said("W2")), "--run", run)
    assert len(scores_of_run(there, run)) == 28


def scores_of_run(desk: Desk, run: str) -> list[Any]:
    store = desk.open()
    try:
        return [row for row in queries.scores(store, run=run) if row.judge_kind == "person"]
    finally:
        store.close()


def mended(**values: Any) -> list[Any]:
    return [[1.0, SEVEN], [1.0, {**SEVEN, **values}]]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([said("W1"), said("W1")], "line 2, annotator_id: W1 has annotated episode"),
        ([said("W1"), "{"], "said.jsonl, line 2: input data was truncated"),
        ([said("W1"), "[]"], "line 2: expected `object`, got `array`"),
        ([said("W1", "nothing")], "line 1, episode: there is no episode 'nothing'"),
        ([said("")], "line 1, annotator_id: must be a name of 1 to 100 characters"),
        ([said("W\n1")], "line 1, annotator_id: must be a name of 1 to 100 characters"),
        ([said("W1", "")], "line 1, episode: is empty"),
        ([said("W1", rewards=[[1.0, SEVEN]])], "line 1, rewards: must be 2, one a seat"),
        ([said("W1", rewards=mended(goal=11))], "rewards[1].goal: must be a number of 0 to 10"),
        ([said("W1", rewards=mended(goal=6.5))], "rewards[1].goal: must be a whole number"),
        (
            [said("W1", rewards=mended(goal=10**400))],
            "rewards[1].goal: must be a number of 0 to 10",
        ),
        (
            [said("W1", rewards=[[10**400, SEVEN], 0.0])],
            "the overall score must be a number, not 1",
        ),
        ([said("W1", rewards=["x", 0.0])], "line 1, rewards[0]: must be [overall, {dimension"),
        ([{"episode": FIRST, "rewards": []}], "line 1, annotator_id: is missing"),
        ([], "holds no annotations"),
    ],
)
def test_bad_lines_are_refused_by_line_with_a_reason(
    there: Desk, rows: list[Any], why: str
) -> None:
    assert why in refused(there, "import", "annotations", lines(there, *rows))


def test_who_has_said_something_else_before_is_refused(there: Desk) -> None:
    there.does("import", "annotations", lines(there, said("W1")))
    other = lines(there, said("W2"), said("W1", rewards=mended(goal=3)))
    why = refused(there, "import", "annotations", other)
    assert "said.jsonl, line 2, annotator_id: W1 has annotated episode" in why
    assert "did not say the same" in why


@pytest.mark.parametrize(
    ("row", "leave", "why"),
    [
        ({"Answer.agent1_goal": "high"}, "", "line 2, Answer.agent1_goal: must be a whole number"),
        ({"Answer.agent2_secret": "1"}, "", "must be a whole number of -10 to 0, not '1'"),
        ({"Answer.agent1_goal": "nan"}, "", "must be a whole number of 0 to 10, not 'nan'"),
        ({"Answer.agent1_goal": "1_0"}, "", "must be a whole number of 0 to 10, not '1_0'"),
        ({"Answer.agent1_goal": "٧"}, "", "must be a whole number of 0 to 10, not '٧'"),
        ({"WorkerId": ""}, "", "line 2, annotator_id: must be a name"),
        ({}, "WorkerId", "line 1: has no column 'WorkerId'"),
        ({}, "Answer.agent2_goal", "line 1: has no column 'Answer.agent2_goal'"),
    ],
)
def test_bad_rows_of_csv_are_refused(
    there: Desk, row: dict[str, str], leave: str, why: str
) -> None:
    assert why in refused(there, "import", "annotations", table(there, row, leave=leave))


def test_what_cannot_be_annotated_is_refused(played: Desk, episode: str) -> None:
    assert "there is no such file" in refused(played, "import", "annotations", "nowhere.jsonl")
    two = lines(played, said("W1", episode, rewards=[0.0]))
    assert "must be 2" in refused(played, "import", "annotations", two)


def test_logs_with_annotations_give_every_table(desk: Desk) -> None:
    desk.does("import", "sotopia", str(KEPT))
    logs, rows = [], []
    for number, line in enumerate((KEPT / "episodes.jsonl").read_text().splitlines()):
        log = json.loads(line)
        for others in ((), ("human",), ("human", "human")):
            key = f"{number}-{len(others)}"
            judge, *minds = log["experiment_model_name_pairs"]
            models = [judge, *minds[: 2 - len(others)], *others]
            logs.append(log | {"episode_id": key, "experiment_model_name_pairs": models})
            rewards = [[0.0, SEVEN | {"goal": 2 * number}], [0.0, SEVEN]]
            rows += [said("W1", key, rewards=rewards), said("W2", key)]
    path = desk.folder / "logs.jsonl"
    path.write_text("".join(json.dumps(log) + "\n" for log in logs))
    run = desk.does("import", "episodes", str(path), "--json").json["run"]
    desk.does("import", "annotations", lines(desk, *rows))
    hard = desk.file("hard.jsonl", '{"scenario": "bill"}\n')
    found = desk.does("sotopia", "tables", run, "--hard", hard, "--json").json
    assert [entry["entry"] for entry in found["entries"] if entry.get("missing")] == []
    (mean,) = (
        row[names.index("mean")]["value"]
        for entry in found["entries"]
        if entry["entry"] == "Table G.3"
        for table_ in entry["tables"]
        for names in [[column["name"] for column in table_["columns"]]]
        for row in table_["rows"]
        if (row[names.index("dimension")]["value"], row[names.index("who")])
        == ("goal", "gpt-4o-mini")
    )
    # In seat 2 of three episodes both say 7; in seat 1 one says 0, 2 or 4.
    assert 2 < mean <= 7
