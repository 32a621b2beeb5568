"""What comes with world trees can be looked at before anything is played."""

from tests.gateway.command import Desk


def test_tasks_that_follow_from_trees_are_listed_and_a_tree_is_shown_scene_by_scene(
    desk: Desk,
) -> None:
    listed = desk.does("catalog", "show", "tasks", "-c", "crossroads").out
    assert "walk.ice-for-saturday-zh  walk, zh, cooperation, prosocial" in listed
    assert "tasks in catalog crossroads" in listed
    page = " ".join(desk.does("catalog", "show", "ice-for-saturday-en").out.split())
    for words in ("Cooperation (prosocial)", "2 achieved, 3 partly, 3 not", "[Capacity for Trust]"):
        assert words in page


def test_the_demo_walks_two_trees_and_draws_one(desk: Desk) -> None:
    shown = desk.does("worldtree", "demo").out
    for words in ("星期六的冰", "The lemon tree", "prosocial", "troupe worldtree report r"):
        assert words in shown
    (picture,) = (desk.data_dir / "reports").glob("*.svg")
    assert "The lemon tree" in picture.read_text(encoding="utf-8")
