"""``[tasks] list``: the tasks of some scenarios, with who is under test in the seats it names."""

from pathlib import Path
from typing import Any

import pytest

from actors.episodes.catalogs.scenario_lists import ListedScenario
from actors.runs.plan.listed_tasks import with_list_read
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.pairings import pairings, pairings_of
from actors.runs.plan.plan_file import PlanFile, Seats, TaskChoice, parse_plan, plan_shape
from actors.runs.plan.plan_run import choose_tasks, plan_run
from actors.social.catalog_items import Catalog, Scenario, Task
from actors.toml_file import BadFile

TWO = ("x", "y")
CATALOG = Catalog(
    name="small",
    scenarios=(Scenario(id="later", context="", goals=("", ""), needs=("a fact",)),),
    tasks=(
        Task(id="a1", scenario="a", characters=TWO, tags=("even",)),
        Task(id="a2", scenario="a", characters=TWO),
        Task(id="b1", scenario="b", characters=TWO),
        Task(id="c1", scenario="c", characters=TWO),
        Task(id="m1", scenario="later", characters=TWO),
    ),
)
MIND = MindEntry(kind="rehearsal", temper="generous")


def listed(*lines: str | tuple[str, int], **more: Any) -> TaskChoice:
    entries = [
        ListedScenario(scenario=one)
        if isinstance(one, str)
        else ListedScenario(scenario=one[0], seat=one[1])
        for one in lines
    ]
    return TaskChoice(list=tuple(entries), **more)


def chosen(choice: TaskChoice) -> list[str]:
    return [task.id for task in choose_tasks(CATALOG, choice, "plan.toml")]


def played(choice: TaskChoice, **seats: Any) -> set[tuple[str, tuple[str, ...]]]:
    plan: PlanFile = plan_shape("social")(
        minds={"p": MIND, "q": MIND, "r": MIND}, tasks=choice, seats=Seats(**seats)
    )
    episodes = plan_run("r1", plan, CATALOG, [], path="plan.toml").episodes
    assert len({one.id for one in episodes}) == len(episodes)
    return {(one.task, one.minds) for one in episodes}


def test_all_tasks_of_the_listed_scenarios_are_chosen() -> None:
    assert chosen(listed("c", ("a", 2), ("a", 1))) == ["a1", "a2", "c1"]
    assert chosen(listed("a", "b", tags=("even",))) == ["a1"]
    assert chosen(listed("a", "b", ids=("a2", "c1"))) == ["a2"]
    assert chosen(TaskChoice(list=())) == ["a1", "a2", "b1", "c1"]


def test_a_list_chooses_what_plans_choose_only_if_it_is_named() -> None:
    assert chosen(listed("later")) == ["m1"]


def test_those_under_test_sit_in_the_seats_that_are_named() -> None:
    choice = listed(("a", 2), "b", ("c", 1), ("c", 2))
    found = played(choice, pairings="first", first=("p", "q"), others="r")
    one, other = {("p", "r"), ("q", "r")}, {("r", "p"), ("r", "q")}
    assert found == {
        *((task, row) for task in ("a1", "a2") for row in other),
        *(("b1", row) for row in one),
        *(("c1", row) for row in one | other),
    }


def test_a_mind_that_plays_with_itself_does_so_once() -> None:
    choice = listed(("c", 1), ("c", 2))
    assert played(choice, pairings="first", first=("p",)) == {("c1", ("p", "p"))}
    found = played(choice, pairings="first", first=("p", "r"), others="r")
    assert found == {("c1", ("p", "r")), ("c1", ("r", "p")), ("c1", ("r", "r"))}


def test_other_pairings_say_themselves_who_sits_where() -> None:
    choice = listed(("c", 2))
    assert len(played(choice, pairings="all")) == 9
    assert len(played(choice, pairings="same")) == 3
    assert played(choice, pairings=(("p", "q"),)) == {("c1", ("p", "q"))}


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("tested", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("others", ["", "p", "r"])
def test_the_pairings_are_counted_as_they_are_made(
    seats: int, tested: tuple[int, ...], others: str
) -> None:
    given = Seats(pairings="first", first=("p", "q"), others=others)
    plan = PlanFile(minds={"p": MIND, "q": MIND, "r": MIND}, seats=given)
    assert pairings_of(plan, seats, tested) == len(pairings(plan, seats, "p", tested))


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        (listed("a", "aa"), "no task of the scenario 'aa'; the nearest is 'a'"),
        (listed("x1", "a", "x2", "x1"), "no task of the scenarios 'x1', 'x2'"),
        (listed(("a", 3)), "seat 3 of scenario 'a': a task of it has 2 seats"),
        (listed("b", tags=("even",)), "no task of the list fits; its tags are: even"),
        (listed("a", ids=("b1",)), "no task of the list fits"),
    ],
)
def test_a_list_that_the_catalog_does_not_fit_is_refused(choice: TaskChoice, why: str) -> None:
    with pytest.raises(BadFile, match=r"^plan\.toml, tasks") as refused:
        chosen(choice)
    assert why in str(refused.value)


def test_a_list_in_the_plan_is_as_good_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "hard.jsonl").write_text('{"scenario": "a", "seat": 2}\n')
    text = 'minds.p = {{ kind = "rehearsal" }}\n[tasks]\nlist = {}\n'
    path = tmp_path / "plan.toml"
    named = parse_plan(text.format('"hard.jsonl"'), path).tasks
    written = parse_plan(text.format('[{ scenario = "a", seat = 2 }]'), path).tasks
    assert with_list_read(named, tmp_path, path) == written == listed(("a", 2))
    with pytest.raises(BadFile, match="write the lines of the list here") as refused:
        with_list_read(named, None, path)
    assert refused.value.where == "tasks.list"
    with pytest.raises(BadFile, match=r"tasks\.list\[0\]\.seat: must be a whole number at least 1"):
        parse_plan(text.format('[{ scenario = "a", seat = 0 }]'), path)
