"""``troupe town demo``: two days of our own town, ten times, in a data folder of its own."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from actors.sandbox.catalog.starter import town_catalog
from gateway.sandbox.demo import PLAN, PLANNING
from store.open_store import open_store
from store.read_model import queries


@pytest.mark.long  # whoever is new runs the demo itself
def test_it_plays_a_task_of_each_kind_twice_and_links_the_map(tmp_path: Path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TROUPE_")}
    done = subprocess.run(
        [sys.executable, "-c", "from gateway.cli.main import main; main()", "town", "demo"],
        env={**kept, "TROUPE_DATA_DIR": str(tmp_path), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    (run,) = queries.runs(store)
    episodes = queries.episodes(store)
    assert len(episodes) == 10
    assert {row.status for row in episodes} == {"ended"}
    assert all(len(row.minds) == 12 for row in episodes)
    assert not [row for row in episodes if row.failed_actions]
    assert f"troupe town score {run.id}" in done.stdout
    (linked,) = re.findall(r"/enter\?to=/episodes/(\w+)#", done.stdout)
    assert queries.episode(store, linked).minds[0] == PLANNING
    store.close()


def test_its_plan_names_tasks_of_all_five_kinds():
    ids = tomllib.loads(PLAN.read_text(encoding="utf-8"))["tasks"]["ids"]
    kinds = [task.kind for task in town_catalog().tasks if task.id in ids]
    assert sorted(kinds) == ["appointment", "companions", "help", "online", "public"]
