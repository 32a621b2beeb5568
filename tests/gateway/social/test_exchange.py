"""Episodes that SOTOPIA wrote come in, are scored and compared like any, and go out to it again.

The files in ``fixtures/sotopia`` are its own: ``peer_sotopia.py play`` wrote them, in each of its
three turn orders, against a stub of a model server.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from store.read_model import queries
from store.read_model.catalogs import load_catalog
from store.read_model.episode_history import read_history
from tests.benchmarks.stub import stub_server
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.store_checks import check_projections, check_versions

KEPT = Path(__file__).parent / "fixtures" / "sotopia"
LOGS = KEPT / "EpisodeLog"
JUDGED = KEPT / "episodes.jsonl"
PEER = Path(__file__).parents[3] / ".venv-peers" / "bin" / "python"


@pytest.fixture
def there(desk: Desk) -> Desk:
    """A desk that has the catalog of SOTOPIA's episodes."""
    desk.does("import", "sotopia", str(KEPT))
    return desk


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(path: Path, *logs: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(log) + "\n" for log in logs))
    return str(path)


def plain_log(tag: str) -> dict[str, Any]:
    """The log of the fixtures with this tag, that nobody judged."""
    found = (json.loads(file.read_text()) for file in sorted(LOGS.iterdir()))
    return next(log for log in found if log["tag"].startswith(tag))


def test_what_sotopia_keeps_becomes_a_run_of_all_three_turn_orders(there: Desk) -> None:
    brought = there.does("import", "episodes", str(LOGS), "--run", "peers", "--json").json
    assert len(brought["ids"]) == 6
    assert sum("bare reward 0.0" in note for note in brought["notes"]) == 6
    (row,) = there.does("runs", "--json").json
    assert (row["id"], row["name"], row["status"]) == (brought["run"], "peers", "ended")
    assert (row["episodes_planned"], row["episodes_ended"]) == (6, 6)
    store = there.open()
    try:
        orders = {
            started.setup.rules.order
            for id_ in brought["ids"]
            if (started := read_history(store, id_)[0].event)
        }
        minds = {row.minds for row in queries.episodes(store, run=brought["run"])}
        check_versions(store)
        check_projections(store)
    finally:
        store.close()
    assert orders == {"round_robin", "simultaneous", "random"}
    assert minds == {
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o-mini", "gpt-4o"),
        ("gpt-4o-mini", "gpt-4o-mini"),
    }


def test_four_commands_lead_to_the_main_table_the_heat_map_and_a_comparison_of_judges(
    desk: Desk,
) -> None:
    """As docs/how-to/exchange.md shows them."""
    desk.does("import", "sotopia", str(KEPT))
    said = desk.does("import", "episodes", str(JUDGED), "--run", "peers")
    assert "Scores by gpt-4o" in said.out
    run = desk.does("runs", "--json").json[0]["id"]
    desk.does("score", run, "--judge", "rehearsal-strict")
    report = desk.folder / "report.html"
    desk.does("report", run, "--out", str(report))
    page = report.read_text()
    assert 'aria-label="Overall by partner, gpt-4o"' in page
    assert 'aria-label="Agreement of gpt-4o and rehearsal-strict"' in page
    compared = desk.does("compare", run, "gpt-4o", "rehearsal-strict", "--json").json
    assert {row["pairs"] for row in compared["dimensions"]} == {6}
    desk.does("export", run, "--format", "parquet", "--out", str(desk.folder / "tables"))


def test_importing_again_changes_nothing_wherever_the_files_lie(there: Desk) -> None:
    there.does("import", "episodes", str(JUDGED), "--run", "peers")
    before = there.head()
    elsewhere = there.folder / "elsewhere.jsonl"
    elsewhere.write_bytes(JUDGED.read_bytes())
    said = there.does("import", "episodes", str(elsewhere), "--run", "peers", "--json").json
    assert (said["stored"], there.head()) == (0, before)
    again = there.does("import", "episodes", str(elsewhere), "--run", "peers").out
    assert "; no change.\n" in again
    assert f"troupe show {said['run']}" in again
    assert "Scores by" not in again, "the run is not printed once more"


def test_a_run_is_called_as_its_file_unless_it_is_named(there: Desk) -> None:
    there.does("import", "episodes", str(JUDGED))
    there.does("import", "episodes", str(JUDGED), "--run", "other")
    assert {row["name"] for row in there.does("runs", "--json").json} == {"episodes", "other"}


def test_names_that_look_like_markup_are_shown_as_they_stand(there: Desk) -> None:
    log = plain_log("round-robin") | {"models": ["J", "[/]", "[bold]y"], "pk": "[/]"}
    log["rewards"] = [[1.0, {"goal": 1.0}], [2.0, {"goal": 2.0}]]
    path = written(there.folder / "log.jsonl", log)
    assert "[/]: 1 episode " in there.does("import", "episodes", path, "--run", "[/]").out
    (run,) = there.does("runs", "--json").json
    (episode,) = there.does("show", run["id"], "--json").json["episodes"]
    for what in (run["id"], episode["id"]):
        assert {"[/]", "[bold]y"} <= set(re.findall(r"\[[^\s,):]+", there.does("show", what).out))
    there.does("runs")
    there.does("lineage", episode["id"])


def test_nothing_of_an_imported_run_is_left_to_do(there: Desk) -> None:
    log = plain_log("round-robin")
    log["reasoning"] += "Environment comments: no answer: seat 1 in turn 1 (timeout)\n"
    path = written(there.folder / "failed.jsonl", log)
    run = there.does("import", "episodes", path, "--json").json["run"]
    before = there.head()
    for more in ((), ("--retry-failed",), ("--budget-usd", "1"), ("--detach",)):
        said = there.does("resume", run, *more)
        assert "nothing is left to do" in said.err
        assert "simulated elsewhere, came in as EpisodeLogs" in said.out
        assert "In 1 of 1 episodes" in said.out
        assert "--retry-failed" not in said.out
    assert there.head() == before


def test_equal_transcripts_are_different_episodes(there: Desk) -> None:
    log = plain_log("round-robin")
    twice = written(there.folder / "twice.jsonl", {**log, "pk": "a"}, {**log, "pk": "b"})
    assert len(there.does("import", "episodes", twice, "--json").json["ids"]) == 2
    # Also where nothing says so but that one judge scored both.
    del log["pk"]
    other = log | {"rewards": [[1.0, {"goal": 1.0}], [2.0, {"goal": 2.0}]]}
    alike = written(there.folder / "alike.jsonl", log, log, other)
    brought = there.does("import", "episodes", alike, "--json").json
    assert len(brought["ids"]) == 3
    assert there.does("import", "episodes", alike, "--json").json["stored"] == 0


def test_two_judges_of_one_episode_are_two_evaluations_of_it(there: Desk) -> None:
    log = plain_log("round-robin")
    second = {**log, "models": ["other", *log["models"][1:]]}
    for one, other in (("p", "p~2"), (None, None)):
        both = written(there.folder / "both.jsonl", {**log, "pk": one}, {**second, "pk": other})
        brought = there.does("import", "episodes", both, "--json").json
        assert len(brought["ids"]) == 1
        tables = there.does("show", brought["run"], "--json").json["tables"]
        assert [table["judge"]["name"] for table in tables] == ["gpt-4o", "other"]


def test_one_name_for_two_tales_is_refused(there: Desk) -> None:
    log = plain_log("round-robin")
    other = {**plain_log("random"), "pk": log["pk"]}
    path = written(there.folder / "two.jsonl", log, other)
    there.does("catalog", "list")  # which has the starter catalogs stored
    why = refused(there, "import", "episodes", path)
    assert "two.jsonl, line 1 and two.jsonl, line 2 are both of episode" in why
    assert there.does("runs", "--json").json == []


def test_an_export_of_ours_keeps_the_names_of_its_runs(played: Desk, run: str) -> None:
    path = str(played.folder / "run.jsonl")
    played.does("export", run, "--out", path)
    assert "keeps the names" in refused(played, "import", "episodes", path, "--run", "x")


def test_what_is_no_export_is_told_what_it_lacks_also_where_it_is_named(there: Desk) -> None:
    there.does("catalog", "list")  # which has the starter catalogs stored
    empty = there.file("empty.jsonl", "")
    assert "it is empty" in refused(there, "import", "episodes", empty, "--run", "x")
    log = plain_log("round-robin")
    del log["environment"]
    path = written(there.folder / "log.jsonl", log)
    why = refused(there, "import", "episodes", path, "--run", "x")
    assert "log.jsonl, line 1, environment: is missing" in why


def test_what_is_no_episode_is_refused(there: Desk) -> None:
    empty = there.folder / "empty"
    empty.mkdir()
    assert "holds no episodes" in refused(there, "import", "episodes", str(empty))
    assert "no such file" in refused(there, "import", "episodes", str(empty / "x"))


def test_rehearsals_stay_rehearsals_on_the_way_round(played: Desk, run: str) -> None:
    path = str(played.folder / "logs.jsonl")
    played.does("export", run, "--format", "sotopia", "--out", path)
    shown = played.does("show", run, "--json").json
    played.move(played.folder / "elsewhere")
    back = played.does("import", "episodes", path, "-c", "starter", "--json").json["run"]
    again = played.does("show", back, "--json").json
    assert again["rehearsal_minds"] == shown["rehearsal_minds"]
    assert again["rehearsal_judges"] == shown["rehearsal_judges"]
    means = [[table["minds"] for table in one["tables"]] for one in (shown, again)]
    assert [[row["mind"] for row in table] for table in means[0]] == [
        [row["mind"] for row in table] for table in means[1]
    ]
    # The same logs go out as came in, but for the experiment, which is the run's name.
    second = str(played.folder / "again.jsonl")
    played.does("export", back, "--format", "sotopia", "--out", second)
    key = lambda log: log["pk"]  # noqa: E731
    for one, other in zip(
        sorted(lines(Path(second)), key=key), sorted(lines(Path(path)), key=key), strict=True
    ):
        assert one == other


def test_a_catalog_that_loses_fields_or_replaces_another_says_so(there: Desk) -> None:
    first = there.does("import", "sotopia", str(KEPT))
    assert "'model_id', which says something in 2 rows, is not kept" in first.err.replace("\n", " ")
    assert "unchanged" in first.out
    changed = there.folder / "changed"
    there.does("catalog", "export", "sotopia", "--format", "sotopia", "--out", str(changed))
    scenes = changed / "environment_profiles.jsonl"
    scenes.write_text(scenes.read_text().replace("restaurant", "taxi"))
    said = there.does("catalog", "import", str(changed))
    assert "that was here" in said.err
    assert str(KEPT) in said.err.replace("\n", "")
    assert "replaced" in said.out
    assert "changed scenario" in said.out
    assert there.does("catalog", "import", str(changed), "--json").json["outcome"] == "unchanged"


def test_a_catalog_goes_out_and_comes_in_as_it_was(desk: Desk) -> None:
    folder = str(desk.folder / "files")
    desk.does("catalog", "list")
    export = ("catalog", "export", "--format", "sotopia", "--to", folder)
    notes = desk.does(*export, "starter", "--json").json["notes"]
    assert any("needs are left out" in note for note in notes)
    assert sum("kinds of interaction are left out" in note for note in notes) == 1
    assert sum("what kin somebody is" in note for note in notes) == 1
    desk.does("catalog", "import", str(KEPT), "--catalog", "kept")
    desk.does(*export, "kept")
    checked = desk.does("catalog", "check", folder, "--json").json
    assert (checked["format"], checked["catalog"], checked["errors"]) == ("sotopia", "sotopia", [])
    desk.does("import", "sotopia", folder, "--name", "again")
    store = desk.open()
    try:
        kept, again = (load_catalog(store, name) for name in ("kept", "again"))
    finally:
        store.close()
    assert [one.secret for one in again.characters] == [one.secret for one in kept.characters]
    assert again.scenarios == kept.scenarios
    assert [one.story for one in again.relationships] == [one.story for one in kept.relationships]


needs_peer = pytest.mark.skipif(
    not PEER.exists(), reason="sotopia is not installed: `make bench-peers` does"
)


@needs_peer
def test_whatever_sotopia_plays_comes_in(desk: Desk) -> None:
    """Every pairing of two models in every order of turns, as its server keeps it and judged."""
    with stub_server() as stub:
        peer("play", stub.url, desk.folder)
    kept = desk.folder / ".sotopia" / "data"
    desk.does("import", "sotopia", str(kept))
    brought = desk.does("import", "episodes", str(kept / "EpisodeLog"), "--json").json
    assert len(brought["ids"]) == 24
    judged = desk.does("import", "episodes", str(desk.folder / "episodes.jsonl"), "--json").json
    shown = desk.does("show", judged["run"], "--json").json
    assert {row["mind"] for row in shown["tables"][0]["minds"]} == {"gpt-4o", "gpt-4o-mini"}
    assert shown["counts"]["scores_failed"] == 0
    assert shown["counts"]["scores_asked"] == 12 * 14


@needs_peer
def test_sotopia_reads_renders_and_serializes_what_goes_out(played: Desk, run: str) -> None:
    """Both what it wrote itself and what was played here, with every action of every episode."""
    played.does("import", "sotopia", str(KEPT))
    own = played.does("import", "episodes", str(LOGS), "--json").json["run"]
    for number, (what, catalog) in enumerate([(own, "sotopia"), (run, "starter")]):
        folder = played.folder / f"out{number}"
        played.does("catalog", "export", catalog, "--format", "sotopia", "--to", str(folder))
        path = folder / "episodes.jsonl"
        played.does("export", what, "--format", "sotopia", "--out", str(path))
        exported = lines(path)
        found = peer_reads(folder)
        assert all(found["kept"])
        assert all(found["again"])
        for log, told in zip(exported, found["interactions"], strict=True):
            acts = [
                text
                for turn in log["messages"]
                for sender, _, text in turn
                if sender != "Environment" and "did nothing" not in text
            ]
            assert acts
            assert all(text in told for text in acts)
        for log, rendered in zip(exported, found["rendered"], strict=True):
            assert rendered[-2] == f"The reasoning is:\n{log['reasoning']}"
    tags = {log["tag"] for log in lines(played.folder / "out0" / "episodes.jsonl")}
    assert tags == {json.loads(file.read_text())["tag"] for file in LOGS.iterdir()}


def peer_reads(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(peer("read", str(folder), folder).splitlines()[-1])
    return found


def peer(what: str, where: str, home: Path) -> str:
    """What SOTOPIA printed when it was asked for something, with a home of its own."""
    done = subprocess.run(
        [str(PEER), str(Path(__file__).with_name("peer_sotopia.py")), what, where],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
