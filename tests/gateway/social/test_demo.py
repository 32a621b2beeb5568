"""``troupe demo``: everything once, in a data folder of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest

from gateway.http.authentication import Access
from gateway.settings import read_settings
from gateway.social.facts_used import facts_recalled
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from store.read_model.records import RunRow

# `.ci/run` and everybody new run the demo itself.
pytestmark = pytest.mark.long


class Demo(NamedTuple):
    """What the demo left."""

    code: int
    out: str
    err: str
    data_dir: Path


def run_named(store: EventStore, name: str) -> RunRow:
    """The run of that name."""
    (run,) = [run for run in queries.runs(store) if run.name == name]
    return run


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo, run once as a process of its own in a terminal of 80 columns."""
    folder = tmp_path_factory.mktemp("demo")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TROUPE_")}
    done = subprocess.run(
        [sys.executable, "-c", "from gateway.cli.main import main; main()", "demo"],
        env={**kept, "TROUPE_DATA_DIR": str(folder), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    return Demo(done.returncode, done.stdout, done.stderr, folder)


def test_it_ends_well_and_shows_progress_meanwhile(demo: Demo) -> None:
    assert demo.code == 0, demo.err
    assert "Traceback" not in demo.err
    assert "episodes played" in demo.err


def test_it_leaves_many_episodes_each_scored_twice_and_one_fork(demo: Demo) -> None:
    store = open_store(f"sqlite:///{demo.data_dir / 'troupe.db'}")
    try:
        run = run_named(store, "demo")
        episodes = queries.episodes(store, run=run.id)
        assert run.status == "ended"
        assert len(episodes) >= 20
        assert {row.status for row in episodes} == {"ended"}
        pairs = {row.minds for row in episodes}
        minds = {name for pair in pairs for name in pair}
        assert pairs == {(one, other) for one in minds for other in minds}, "in all pairings"
        for row in episodes:
            judged = queries.evaluations(store, episode=row.id)
            assert {e.judge for e in judged} == {"rehearsal-strict", "rehearsal-lenient"}
            assert {e.status for e in judged} == {"ended"}
        forks = [row for row in queries.episodes(store) if row.parent]
        assert len(forks) == 1
        (fork,) = forks
        parent = queries.episode(store, fork.parent or "")
        assert parent.id in {row.id for row in episodes}
        assert fork.minds != parent.minds
        assert fork.status == "ended"
    finally:
        store.close()


def test_those_who_remember_get_what_they_want_where_it_takes_the_past(demo: Demo) -> None:
    store = open_store(f"sqlite:///{demo.data_dir / 'troupe.db'}")
    try:
        run = run_named(store, "demo-chains")
        chains = queries.chains(store, run=run.id)
        shares = {share.memory: share for share in facts_recalled(store, run.id).shares}
    finally:
        store.close()
    assert {(chain.status, chain.done, chain.failed) for chain in chains} == {("ended", 5, 0)}
    assert [chain.memory for chain in chains].count("summary") >= 2, "so that a slope has a test"
    assert shares["summary"].used > shares["summary"].needed / 2
    assert shares["none"].used == 0
    assert shares["none"].came_up == shares["none"].needed == shares["summary"].needed


def test_its_lesson_and_the_reports_come_first(demo: Demo) -> None:
    lines = demo.out.splitlines()
    lesson, _, rest = " ".join(demo.out.split()).partition("Meeting 4")
    used = re.search(r"With notes, (\d+) of \d+ facts .* Without, (\d+) of \d+ facts", lesson)
    assert used
    assert int(used[1]) > int(used[2])
    first = lines[:12]
    reports = [line.split()[1] for line in first if line.endswith(".html")]
    assert len(reports) == 2, "of the chains and of the episodes"
    for report in reports:
        assert Path(report).read_text(encoding="utf-8").startswith("<!")
    assert "with notes" in rest
    assert ["open", reports[0]] in [line.split() for line in lines[-8:]], "on the last screen"


async def test_it_ends_with_links_to_a_stage_and_to_a_seat_that_waits(
    demo: Demo, tmp_path: Path
) -> None:
    stage, seat = [line for line in demo.out.splitlines() if line.startswith("http://")]
    assert demo.out.splitlines()[-1] == seat
    store = open_store(f"sqlite:///{demo.data_dir / 'troupe.db'}")
    try:
        run = run_named(store, "demo-seat")
        (waiting,) = queries.episodes(store, run=run.id)
        assert (run.detached, waiting.status, waiting.minds) == (True, "planned", ("host", "you"))
        leads = [parse_qs(urlsplit(link).query)["to"] for link in (stage, seat)]
        watched = leads[0][0].removeprefix("/episodes/")
        assert queries.episode(store, watched).status == "ended"
        assert leads[1] == [f"/seat/{waiting.id}/2"]
        settings = read_settings({"TROUPE_DATA_DIR": str(demo.data_dir)})
        access = Access(settings, store, {})
        device = ""
        for link in (stage, seat):
            state, session, device = await access.enter(urlsplit(link).fragment, device)
            assert (await access.principal(session)).may_sit(waiting.id, 1)
            assert state.bound
    finally:
        store.close()


def test_it_is_short_enough_to_be_read(demo: Demo) -> None:
    assert len(demo.out.splitlines()) <= 80


def test_it_is_worth_reading_secrets_come_out_and_are_kept_and_tempers_differ(demo: Demo) -> None:
    store = open_store(f"sqlite:///{demo.data_dir / 'troupe.db'}")
    try:
        run = run_named(store, "demo")
        scores = queries.scores(store, run=run.id, judge="rehearsal-strict")
    finally:
        store.close()

    def values(mind: str, dimension: str) -> list[float]:
        rows = [s for s in scores if (s.mind, s.dimension) == (mind, dimension)]
        return [s.value for s in rows if s.value is not None]

    candid, stubborn = values("candid", "secret"), values("stubborn", "secret")
    assert sum(value < 0 for value in candid) > len(candid) / 2
    assert sum(value < 0 for value in stubborn) < len(stubborn) / 4
    goals = values("candid", "goal") + values("stubborn", "goal")
    assert min(goals) <= 2, "some are refused"
    assert max(goals) >= 7, "some get what they came for"


def test_it_says_that_the_replay_was_exact_and_that_scores_are_no_findings(demo: Demo) -> None:
    assert re.search(r"after each of \d+ events,\s+the state is as it was", demo.err)
    assert "they are not findings" in " ".join(demo.out.split())


def test_it_ends_with_what_to_type_next_and_what_it_names_is_there(demo: Demo) -> None:
    store = open_store(f"sqlite:///{demo.data_dir / 'troupe.db'}")
    try:
        for command in ("show", "diff", "fork"):
            (named,) = re.findall(rf"  troupe {command} (e\w+)", demo.out.partition("Next")[2])
            assert queries.episode(store, named).status == "ended"
    finally:
        store.close()


def test_it_fits_a_narrow_terminal_but_for_paths_that_are_there_to_be_copied(demo: Demo) -> None:
    wide = [line for line in demo.out.splitlines() if len(line) > 80]
    assert all(str(demo.data_dir) in line or line.startswith("http://") for line in wide)


def test_it_leaves_no_server_behind(demo: Demo) -> None:
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(demo.data_dir) not in listing.stdout
