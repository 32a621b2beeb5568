"""From a plan to its episodes."""

from typing import Any

import msgspec
import pytest

from actors.runs.forecast.forecast import forecast
from actors.runs.plan.episode_setup import beginning
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.pairings import pairings, pairings_of
from actors.runs.plan.plan_file import PlanFile, Seats, TaskChoice, plan_shape
from actors.runs.plan.plan_run import choose_tasks, plan_run
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog, Task
from actors.social.plan_section import Section
from actors.tabletop.catalog.starter import starter_catalog as tables
from actors.tabletop.tasks import SessionTasks
from actors.toml_file import BadFile
from actors.worldtree.environment import WORLDTREE
from events import environments
from events.base import replace
from events.evaluation import Dimension, JudgeSpec

CATALOG = Catalog(
    name="small",
    tasks=(
        *(
            Task(id=f"t{n}", scenario="s", characters=("a", "b"), tags=("even",) * (n % 2 == 0))
            for n in range(10)
        ),
        Task(id="trio", scenario="s3", characters=("a", "b", "c"), tags=("three",)),
    ),
)
WARM = MindEntry(kind="rehearsal", temper="generous")
WARM_AT_TABLE = MindEntry(kind="rehearsal", temper="open")
GPT = MindEntry(kind="model", model="openai/some-model")
JUDGE = JudgeSpec(name="j", kind="model", dimensions=(Dimension(name="goal", low=0, high=10),))


def plan(**changes) -> PlanFile:
    return plan_shape("social")(minds={"warm": WARM, "gpt": GPT}, **changes)


def episodes(plan: PlanFile, run: str = "r1"):
    return plan_run(run, plan, CATALOG, [JUDGE], path="plan.toml").episodes


def test_all_pairings_put_every_mind_into_every_seat() -> None:
    planned = episodes(plan(tasks=TaskChoice(ids=("t1", "trio"))))
    assert {e.minds for e in planned if e.task == "t1"} == {
        ("warm", "warm"),
        ("warm", "gpt"),
        ("gpt", "warm"),
        ("gpt", "gpt"),
    }
    assert sum(e.task == "trio" for e in planned) == 8


def test_pairings_can_be_given_or_be_of_one_mind() -> None:
    two = TaskChoice(ids=("t1",))
    given = episodes(plan(tasks=two, seats=Seats(pairings=(("gpt", "warm"),))))
    assert [e.minds for e in given] == [("gpt", "warm")]
    same = episodes(plan(tasks=two, seats=Seats(pairings="same")))
    assert [e.minds for e in same] == [("warm", "warm"), ("gpt", "gpt")]
    with pytest.raises(BadFile, match="3 seats"):
        episodes(plan(seats=Seats(pairings=(("gpt", "warm"),))))


def test_a_limit_draws_tasks_by_seed() -> None:
    def drawn(seed: int) -> set[str]:
        choice = TaskChoice(tags=("even",), limit=3, seed=seed)
        return {e.task for e in episodes(plan(tasks=choice))}

    assert len(drawn(1)) == 3
    assert drawn(1) == drawn(1)
    assert len({frozenset(drawn(seed)) for seed in range(8)}) > 1


def test_tasks_that_need_a_past_are_played_alone_only_where_they_are_asked_for() -> None:
    needing = {s.id for s in starter_catalog().scenarios if s.needs}

    def scenarios(**choice) -> set[str]:
        tasks = choose_tasks(starter_catalog(), TaskChoice(**choice), "plan.toml")
        scenarios = {task.id: task.scenario for task in starter_catalog().tasks}
        return {scenarios[task.id] for task in tasks}

    assert needing
    assert not needing & scenarios()
    assert scenarios(tags=("memory-hard",)) == needing
    named = next(task for task in starter_catalog().tasks if task.scenario in needing)
    assert scenarios(ids=(named.id,)) == {named.scenario}


def test_a_section_with_which_nothing_can_begin_is_refused() -> None:
    town = environments.installed()["sandbox"]
    asked = plan_shape("sandbox")(
        environment="sandbox",
        minds={"warm": WARM},
        seats=Seats(pairings="same"),
        sandbox=town.plans.section(start="tomorrow"),
    )
    with pytest.raises(BadFile, match="cannot begin: 'tomorrow' is no date"):
        plan_run("r1", asked, town.starter(), [], path="plan.toml")


def test_every_task_of_a_plan_is_asked_whether_it_can_begin_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    begin = SessionTasks.begin

    def odd(self, catalog, task, settings, seed):
        asked.append(task)
        begun = begin(self, catalog, task, settings, seed)
        left = begun.setup.characters[: -1 if task.endswith("-3") else None]
        return begun._replace(setup=replace(begun.setup, characters=left))

    ids = [f"intention-{number}" for number in range(1, 4)]
    two = plan_shape("tabletop")(
        environment="tabletop",
        minds={"a": WARM_AT_TABLE, "b": WARM_AT_TABLE},
        tasks=TaskChoice(ids=tuple(ids[:2])),
        seats=Seats(pairings="same", repeats=3),
    )
    all_three = msgspec.structs.replace(two, tasks=TaskChoice(ids=tuple(ids)))
    monkeypatch.setattr(SessionTasks, "begin", odd)
    assert len(plan_run("r1", two, tables(), []).episodes) == 12
    assert asked == ids[:2]
    with pytest.raises(BadFile, match=r"'intention-3' cannot begin: .* 4 characters"):
        plan_run("r1", all_three, tables(), [], path="plan.toml")


def test_the_same_run_plans_the_same_episodes_and_another_run_others() -> None:
    assert episodes(plan()) == episodes(plan())
    ids = {e.id for e in episodes(plan())}
    assert not ids & {e.id for e in episodes(plan(), run="r2")}


def test_each_of_some_sits_first_and_another_everywhere_else() -> None:
    two = TaskChoice(ids=("t1", "t2"))

    def rows(**seats: Any) -> list[tuple[str, ...]]:
        chosen = plan(tasks=two, seats=Seats(pairings="first", **seats))
        assert pairings_of(chosen, 25) == len(pairings(chosen, 25, "p"))
        return [one.minds for one in episodes(chosen)]

    assert rows() == 2 * [("warm", "warm"), ("gpt", "gpt")]
    assert rows(first=("gpt", "gpt")) == 2 * [("gpt", "gpt")]
    assert rows(others="warm") == 2 * [("warm", "warm"), ("gpt", "warm")]
    of_many = plan(seats=Seats(pairings="first", first=("gpt",), others="warm"))
    assert pairings(of_many, 4, "p") == (("gpt", "warm", "warm", "warm"),)
    assert pairings(of_many, 1, "p") == (("gpt",),)


def test_pairings_of_a_task_share_a_seed_and_repeats_do_not() -> None:
    planned = episodes(plan(tasks=TaskChoice(ids=("t1",)), seats=Seats(repeats=2)))
    assert len(planned) == 8
    assert len({e.seed for e in planned}) == 2
    assert len({e.id for e in planned}) == 8


def test_a_task_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(BadFile, match="no task 't99'; the nearest is 't9'"):
        episodes(plan(tasks=TaskChoice(ids=("t99",))))
    with pytest.raises(BadFile, match="its tags are: even, three"):
        episodes(plan(tasks=TaskChoice(tags=("odd",))))


def test_a_catalog_of_another_environment_is_refused() -> None:
    class Boards(environments.Catalog, frozen=True, kw_only=True, tag="boards.Catalog"):
        """What something else plays."""

    with pytest.raises(BadFile, match="catalog 'b' is of the environment 'boards', not 'social'"):
        plan_run("r1", plan(), Boards(name="b"), [], path="plan.toml")


@pytest.mark.parametrize(
    ("order", "cap", "expected"), [("round_robin", 5, 3 + 2 + 5), ("simultaneous", 5, 5 + 5 + 10)]
)
def test_a_forecast_counts_every_call(order: str, cap: int, expected: int) -> None:
    rules = Section(order=order, turn_cap=cap)
    catalog = starter_catalog()
    planned = plan_run("r1", plan(tasks=TaskChoice(limit=1), social=rules), catalog, [JUDGE])
    counts = forecast(planned, catalog)
    # gpt in seat 1 acts in turns 1, 3, 5; in seat 2 in turns 2, 4; in both, always.
    assert msgspec.structs.asdict(counts) == {
        "episodes": 4,
        "tasks": 1,
        "evaluations": 4,
        "people_seats": 0,
        "play_calls": expected,
        "judge_calls": 4,
        "chains": 0,
        "chain_length": 0,
        "note_calls": 0,
        "chain_scenarios": (0, 0),
        "chain_hard": 0,
        "estimates": (),
        "usd": None,
    }


def test_when_an_episode_is_given_up_is_the_plans_and_each_episode_records_it() -> None:
    catalog = starter_catalog()
    for given, most in (({}, 3), ({"give_up_after": 8}, 8)):
        planned = plan_run("r1", plan(tasks=TaskChoice(limit=1), **given), catalog, ())
        began = beginning("r1", planned.plan, catalog, planned.episodes[0])
        assert (planned.plan.give_up_after, began.give_up_after) == (most, most)


@pytest.mark.parametrize(
    "given", ["the-lemon-tree-en", "the-lemon-tree-e", "lemon-tree-en", "walk.lemon-tree-en"]
)
def test_the_id_of_a_tree_suggests_its_walk_and_not_one_of_its_questions(given: str) -> None:
    trees = WORLDTREE.starter()
    with pytest.raises(BadFile, match=r"the nearest is 'walk\.the-lemon-tree-en'"):
        choose_tasks(trees, TaskChoice(ids=(given,)), "plan.toml")
