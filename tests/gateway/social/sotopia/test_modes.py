"""``troupe sotopia modes``, over runs of every mode, played offline."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.modes import Mode
from actors.toml_file import BadFile
from evaluators.social.modes.comparison import ModeFigure, student
from evaluators.social.modes.table import modes_table
from evaluators.tables.plain_tables import for_people
from gateway.errors import BadArgument
from gateway.services.runs.run_list import RunList, RunListQuery
from gateway.social.sotopia.modes_command import comparison_of
from store.open_store import open_store
from store.read_model import queries
from tests.gateway.command import Desk
from tests.gateway.served import BROWSER, client, gateway_over
from tests.support.runs import carry_out_here, chain_plan, plan, record, settings_of

ONE = """
[minds.calm]
kind = "rehearsal"
temper = "candid"
"""
TWO = ONE + '[minds.wily]\nkind = "rehearsal"\ntemper = "wily"\n'


def test_students_t_is_that_of_the_book():
    found = student(np.array([8.0, 9, 7, 8]), np.array([6.0, 7, 6, 7]))
    assert found is not None
    assert found.t == pytest.approx(3.0)
    assert found.p == pytest.approx(0.024, abs=5e-4)
    assert student(np.array([1.0]), np.array([1.0, 2.0])) is None
    assert student(np.array([1.0, 1.0]), np.array([1.0, 1.0])) is None


async def test_the_modes_of_some_runs_are_beside_each_other(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    settings = settings_of(tmp_path, store, nats_server, space)
    runs = []
    for mode in get_args(Mode):
        text = plan(ONE, tasks=3, judges='["rehearsal-strict"]', rules=f'mode = "{mode}"')
        runs.append(record(store, tmp_path, text))
        assert (await carry_out_here(settings, store, runs[-1])).done
    found = comparison_of(store, runs)
    assert {row.mode for row in found.rows} == set(get_args(Mode))

    def row(mode: Mode, measure: str) -> ModeFigure:
        (one,) = [r for r in found.rows if (r.mode, r.measure) == (mode, measure)]
        return one

    for mode in get_args(Mode):
        assert row(mode, "episodes").found.value == 3
        assert row(mode, "calls").found.value == 0
        assert 0 < row(mode, "words_per_turn").found.value < 100
        assert (row(mode, "goal").test is None) == (mode == "interactive")
    rows = queries.episodes(store, run=runs[0])
    turns = [one.turns for one in rows]
    assert row("interactive", "turns").found.value == pytest.approx(sum(turns) / 3)
    # Two tasks of three or more seats and whispers apart, a rehearsed script is what was played.
    for measure in ("turns", "goal", "secrets_told"):
        assert row("script", measure).found == row("script-turn", measure).found
    shown = for_people(modes_table(found))
    assert [column.name for column in shown.columns][3:] == list(get_args(Mode))
    assert found.no_findings[0].startswith("Rehearsal mind calm and judge rehearsal-strict")
    with pytest.raises(BadArgument, match="one mind in all its seats"):
        comparison_of(
            store,
            [record(store, tmp_path, plan(TWO, tasks=1, pairings='[["calm", "wily"]]'))],
        )
    store.close()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (plan(TWO, rules='mode = "script"'), "seats.pairings: in mode 'script' one mind writes"),
        (
            plan('[minds.me]\nkind = "person"\n', pairings='"same"', rules='mode = "script-turn"'),
            "a person cannot sit in one",
        ),
    ],
)
def test_who_cannot_sit_down_is_refused_when_the_run_is_planned(
    tmp_path: Path, text: str, why: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    with pytest.raises(BadFile, match=why):
        record(store, tmp_path, text)
    assert not queries.runs(store)
    store.close()


def test_chains_are_not_played_by_one_who_writes_for_all(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    text = chain_plan(minds=ONE, pairings='"same"').replace("[rules]", '[rules]\nmode = "script"')
    with pytest.raises(BadFile, match="no character remembers"):
        record(store, tmp_path, text)
    store.close()


def test_the_mode_is_told_to_those_who_know_everything_alone(desk: Desk) -> None:
    text = plan(ONE, tasks=1, rules='mode = "script"')
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    (episode,) = (one["id"] for one in desk.does("show", run, "--json").json["episodes"])
    first = desk.does("show", episode).out.splitlines()[0]
    assert first.endswith(", script)")
    seat = desk.does("show", episode, "--as", "1").out
    assert "script)" not in seat
    assert "catalog starter; played as script; began" in desk.does("show", run).out
    assert desk.does("show", run, "--json").json["mark"] == "script"
    plain = desk.file("usual.toml", plan(ONE, tasks=1))
    usual = desk.does("run", plain, "--json").json["run"]["id"]
    assert "played as" not in desk.does("show", usual).out
    listed = desk.does("runs", "--json").json
    assert [(one["id"], one["mark"]) for one in listed] == [(usual, ""), (run, "script")]
    assert "script" in desk.does("runs", "--format", "csv").out
    store = desk.open()
    try:
        gateway = gateway_over(store, desk.folder / "served")
        address = f"/episodes/{episode}"
        with client(gateway, "researcher") as one:
            assert "· script ·" in one.get(address, headers=BROWSER).text
        with client(gateway, "spectator", episode=episode) as one:
            shown = one.get(address, headers=BROWSER)
            assert shown.status_code == 200
            assert "· script" not in shown.text
        board = RunList(gateway.settings, store)
        shown_runs = board.show(RunListQuery())
        assert [entry.run.mark for entry in shown_runs.entries] == ["", "script"]
        assert board.marks_of([run]) == {usual: "", run: "script"}
    finally:
        store.close()
