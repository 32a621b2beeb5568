"""The plan of all games that comes with Troupe."""

from pathlib import Path

import pytest

from tests.gateway.command import Desk

PLAN = (Path(__file__).parents[3] / "plans" / "games.toml").read_text(encoding="utf-8")
SETS = 13


def test_the_plan_means_ten_games_of_each_set_by_each_mind(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", PLAN), "--dry-run").out
    assert f"{2 * 10 * SETS} of {10 * SETS} tasks" in said


@pytest.mark.parametrize(
    ("tags", "tasks"),
    [('"first-100", "hunt-8"', 100), ('"first-10", "hunt"', 40), ('"first-10", "theory"', 60)],
)
def test_the_plan_chooses_games_by_tags(desk: Desk, tags: str, tasks: int) -> None:
    plan = desk.file("plan.toml", PLAN.replace('"first-10"', tags))
    assert f"{2 * tasks} of {tasks} tasks" in desk.does("run", plan, "--dry-run").out


def test_every_game_of_the_plan_ends(desk: Desk) -> None:
    ids = ", ".join(
        f'"{one}-1"'
        for one in (
            "hunt-5",
            "odd-word-4",
            "ultimatum-2",
            "buy-sell-2",
            "trade-2",
            "public-goods-3",
        )
    )
    plan = desk.file("plan.toml", PLAN.replace('tags = ["first-10"]', f"ids = [{ids}]"))
    desk.does("run", plan)
    run = desk.does("runs", "--json").json[0]["id"]
    episodes = desk.does("show", run, "--json").json["episodes"]
    assert len(episodes) == 12
    assert {one["end_reason"] for one in episodes} <= {"won", "settled", "exhausted"}
    assert sum(one["failed_actions"] for one in episodes) == 0
