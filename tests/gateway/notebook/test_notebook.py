"""A store in a notebook: the same rows as the commands show, and nothing is written."""

import builtins
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluators.scores.score_columns import read_columns
from gateway.errors import BadArgument
from gateway.notebook import BadChoice, BadFilter, MissingLibrary, Store, open_store
from gateway.notebook.analysis_store import NoStore
from gateway.notebook.curves import NoCurves
from gateway.notebook.episodes import TRANSCRIPT
from store.id_lookup import UnknownId
from store.open_store import open_store as open_to_write
from store.parquet.schemas import SCHEMAS
from store.read_model import queries
from tests.evaluators.synthetic import INJECTION, RUN, fill

EXAMPLE = Path(__file__).parents[3] / "examples" / "analysis.ipynb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("notebook")
    store = open_to_write(f"sqlite:///{made / 'troupe.db'}", durable=False)
    fill(store, episodes=12)
    store.close()
    return made


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with open_store(folder) as opened:
        yield opened


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_table_is_read_in_all_three_forms_with_the_columns_it_documents(
    store: Store, name: str
) -> None:
    table = getattr(store, name)
    rows = table.to_arrow()
    names = list(SCHEMAS[name].names)
    assert rows.column_names[: len(names)] == names == list(table.columns)
    assert len(table.to_pandas()) == len(table.to_polars()) == rows.num_rows
    assert rows.num_rows or name in ("chains", "memories")


def test_a_table_is_narrowed_in_the_database_by_every_column_it_says(store: Store) -> None:
    every = store.scores.to_pandas()
    some = store.scores(run=RUN[:6], judge="careful-model", dimension=["goal", "overall"])
    table = some(mind="warm").to_pandas()
    expected = every[
        (every.judge == "careful-model")
        & every.dimension.isin(["goal", "overall"])
        & (every.mind == "warm")
    ]
    keys = ["episode", "seat", "dimension"]
    assert (
        table.sort_values(keys)
        .reset_index(drop=True)
        .equals(expected.sort_values(keys).reset_index(drop=True))
    )
    assert set(table.dimension) == {"goal", "overall"}
    failed = store.scores(status="failed").to_pandas()
    assert len(failed) == (every.status == "failed").sum() > 0
    episode = every.episode.iloc[0]
    assert set(store.actions(episode=episode, seat=1).to_pandas().seat) == {1}
    assert store.actions(failure="unreadable").to_pandas().turn.tolist() == [2, 2]
    with_gpt = store.episodes(mind="gpt-test").to_pandas()
    assert 0 < len(with_gpt) < 12
    assert all("gpt-test" in minds for minds in with_gpt.minds)
    assert set(store.calls(purpose="judge").to_pandas().model) == {"openai/judge-test"}
    assert store.episodes(mind="gpt")(mind="warm").to_arrow().num_rows == 0


def test_what_cannot_be_narrowed_or_found_is_said_in_a_sentence(store: Store) -> None:
    with pytest.raises(BadFilter, match="did you mean 'dimension'"):
        store.scores(dimensions="goal")
    with pytest.raises(UnknownId, match="no run 'r9'"):
        store.scores(run="r9").to_arrow()
    with pytest.raises(UnknownId, match="no judge"):
        store.scores(judge="nobody").to_arrow()
    with pytest.raises(BadArgument, match="seat from 1 to 2"):
        store.transcript(store.episodes.to_pandas().episode.iloc[0], viewer="7")


def test_what_cannot_be_compared_or_drawn_is_said_in_a_sentence(store: Store) -> None:
    run = store.runs.to_pandas().run.iloc[0]
    with pytest.raises(BadChoice, match="by: there is no 'minds'; did you mean 'mind'"):
        store.compare(run, by="minds")  # type: ignore[arg-type]
    with pytest.raises(BadChoice, match="dimension: there is no 'gaol'; did you mean 'goal'"):
        store.compare(run, dimension="gaol")
    with pytest.raises(BadChoice, match="no 'gaol'"):
        store.compare(run).plot("gaol")
    with pytest.raises(NoCurves, match="no chains"):
        store.curves(run).plot("goal")


def test_where_there_is_no_store_it_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="name its data folder"):
        open_store(tmp_path / "nowhere")
    assert not list(tmp_path.iterdir())


def test_without_the_libraries_all_else_works_and_what_is_missing_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    assert store.runs.to_arrow().num_rows
    assert [batch.num_rows for batch in store.episodes.batches()]
    for read in (store.runs.to_pandas, store.runs.to_polars):
        with pytest.raises(MissingLibrary, match="make notebook"):
            read()


def test_a_transcript_is_rows_and_text_and_shows_a_seat_what_it_may_know(store: Store) -> None:
    episode = store.episodes(status="ended").to_pandas().episode.iloc[0]
    told = store.transcript(episode)
    rows = told.to_pandas()
    assert list(rows) == TRANSCRIPT.names
    assert str(told).count("\n[") == len(rows) > 4
    secrets = [p.secret for p in told.account.portraits if p.secret]
    assert secrets
    for seat in (1, 2):
        mine = store.transcript(episode, viewer=seat).text
        hidden = [p.secret for p in told.account.portraits if p.seat != seat - 1 and p.secret]
        assert not [secret for secret in hidden if secret in mine]


def test_what_shows_itself_is_escaped_and_asks_nothing_of_any_network(store: Store) -> None:
    rows = store.actions.to_pandas()
    (episode,) = rows[rows.text.str.contains("onerror", na=False)].episode.unique()
    compared = store.compare(RUN)
    shown: list[Any] = [
        store.scores, store.run(RUN), store.episode(episode), compared, compared.plot("goal"),
    ]  # fmt: skip
    for one in shown:
        html = one._repr_html_()
        assert INJECTION not in html
        assert "<script" not in html
        assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", html)
    assert "&lt;script&gt;" in store.episode(episode)._repr_html_()


def test_a_comparison_is_that_of_the_statistics_in_every_form(store: Store, folder: Path) -> None:
    compared = store.compare(RUN, judge="rehearsal-strict", dimension="goal")
    table = compared.to_pandas()
    assert set(table.dimension) == {"goal"}
    assert set(table.judge) == {"rehearsal-strict"}
    assert "Mind against mind, judged by rehearsal-strict" in repr(compared)
    assert "no findings" in compared._repr_html_()
    assert compared.to_latex().startswith("\\begin{table}")
    assert compared.plot("goal").save(folder / "goal.svg").read_text().startswith("<svg")
    one = table.iloc[0]
    assert one.difference == pytest.approx(one.mean_a - one.mean_b)


def test_a_run_goes_on_and_is_seen(folder: Path, store: Store) -> None:
    writing = open_to_write(f"sqlite:///{folder / 'troupe.db'}", durable=False)
    try:
        before = store.episodes.to_arrow().num_rows
        from tests.store.histories import planned, play

        writing.append("run-rlater", -1, [planned("elater")], correlation="rlater")
        play(writing, "elater", run="rlater")
        assert store.episodes.to_arrow().num_rows == before + 1
        assert store.runs.to_pandas().run.tolist()[-1] == "rlater"
        assert len(read_columns(writing, RUN)) == store.scores(run=RUN).to_arrow().num_rows
        assert [row.id for row in queries.runs(writing)] == store.runs.to_pandas().run.tolist()
    finally:
        writing.close()


def test_the_example_runs_and_its_check_by_hand_agrees(
    played_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat

    monkeypatch.setenv("TROUPE_DATA_DIR", str(played_data))
    monkeypatch.setattr(builtins, "print", lambda *_, **__: None)
    cells = [cell for cell in nbformat.read(EXAMPLE, 4).cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    names: dict[str, Any] = {}
    for cell in cells:
        exec(compile(cell.source, cell.id, "exec"), names)
    assert len(names["pairs"]) == 2
    assert names["by_scenario"].mean() == pytest.approx(names["ours"].difference)


@pytest.mark.long
def test_the_example_runs_in_a_kernel_and_shows_tables_and_a_plot(
    played_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("TROUPE_DATA_DIR", str(played_data))
    notebook = nbformat.read(EXAMPLE, 4)
    place = {"metadata": {"path": str(EXAMPLE.parent)}}
    NotebookClient(notebook, timeout=100, kernel_name="python3", resources=place).execute()
    shown = [
        out["data"] for cell in notebook.cells for out in cell.get("outputs", ()) if "data" in out
    ]
    assert sum("<svg" in data.get("text/html", "") for data in shown) == 1
    assert any("Mind against mind" in data.get("text/html", "") for data in shown)
