"""Trees walked the whole path: played, stored, shown, replayed, forked; and the demo's part."""

from gateway.cli.support import open_session
from gateway.worldtree.demo import OUTCOMES, part
from store import queries
from tests.gateway.command import Desk


def test_the_demo_walks_two_trees_and_draws_one(desk: Desk, capsys) -> None:
    with open_session() as (settings, store):
        show = part(settings, store, 6)
        rows = queries.episodes(store)
        capsys.readouterr()
        show()
    assert {(row.status, row.summary["kind"]) for row in rows} == {("ended", "walk")}
    assert len({row.summary["tree"] for row in rows}) == 2
    (drawing,) = (desk.data_dir / "reports").glob("*.svg")
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    page = capsys.readouterr().out
    assert str(drawing) in page
    counts = [int(word) for word in page.split() if word.isdigit()]
    assert sum(counts) == len(rows) - sum(row.summary["outcome"] not in OUTCOMES for row in rows)
    assert max(len(line) for line in page.splitlines() if str(drawing) not in line) <= 80

    # What is stored is shown, replayed and forked as any episode is.
    walk = max(rows, key=lambda row: row.turns)
    steps = len(walk.summary["path"].split()) - 1
    assert walk.turns == steps
    shown = desk.does("show", walk.id).out
    assert shown.count("answer 1: is for") + shown.count("第1次回答") == steps
    assert "answer 1" not in desk.does("show", walk.id, "--as", "1").out
    state = desk.does("replay", walk.id, "--at", "5", "--json").json["state"]
    assert state["path"] == [int(node) for node in walk.summary["path"].split()[:2]]
    forked = desk.does("fork", walk.id, "--at", "5", "--seat", "1=rehearsal:last").out
    assert f"forked from {walk.id} after event 5" in forked
