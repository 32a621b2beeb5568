"""Every table with the long names that models have: at 80 columns and at 60 it is whole; as CSV it
is exact and as LaTeX it can be pasted."""

import csv
import io
import re
from collections.abc import Iterator

import pytest

from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import PlainTable, as_csv
from evaluators.tables.run_tables import calls_table
from gateway.cli.terminal.output import print_plain
from gateway.cli.views import plain_lists
from gateway.cli.views.forecast import estimates_table
from tests.gateway.command import Desk

MINDS = {
    "openai/gpt-4o-mini-2024-07-18-some-long-name": "generous",
    "anthropic/claude-3-5-sonnet-20241022-thinking": "stubborn",
    "meta-llama/Llama-3.3-70B-Instruct-Turbo-Free": "candid",
    "mistralai/Mixtral-8x22B-Instruct-v0.1-quantized": "wily",
}
FIRST, SECOND, *_ = MINDS


def plan(*minds: str, rest: str) -> str:
    told = "".join(
        f'[minds."{name}"]\nkind = "rehearsal"\ntemper = "{MINDS[name]}"\n' for name in minds
    )
    return f'{told}{rest}\n[judges]\nuse = ["rehearsal-strict", "rehearsal-lenient"]\n'


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One run of four minds and one of chains with two memories; nothing is written to it."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("narrow"), patch)
        tasks = plan(*MINDS, rest="[tasks]\nlimit = 1\n[social]\nturn_cap = 2")
        desk.does("run", desk.file("minds.toml", f'name = "minds"\n{tasks}'))
        chains = '[chains]\nlength = 3\npairs = 1\nmemory = ["summary", "none"]'
        seats = f'[seats]\npairings = [["{FIRST}", "{SECOND}"]]'
        text = plan(FIRST, SECOND, rest=f"{chains}\n{seats}\n[social]\nturn_cap = 2")
        desk.does("run", desk.file("chains.toml", f'name = "chains"\n{text}'))
        yield desk


@pytest.fixture(scope="module")
def ids(desk: Desk) -> dict[str, str]:
    runs = {row["name"]: row["id"] for row in desk.does("runs", "--json").json}
    shown = desk.does("show", runs["minds"], "--json").json
    chains = desk.does("chains", runs["chains"], "--json").json
    return {
        "RUN": runs["minds"],
        "CHAINS": runs["chains"],
        "EPISODE": next(e["id"] for e in shown["episodes"] if e["minds"] == [FIRST, SECOND]),
        "CHAIN": chains[0]["id"],
    }


def whole(out: str, width: int, *names: str) -> None:
    """No line is wider, and each part of each name stands there as one."""
    assert max(map(len, out.splitlines())) <= width, out
    for name in names:
        for part in re.findall(r"\w+", name):
            assert re.search(rf"\b{part}\b", out), (part, out)


TABLES = [
    (["runs"], ["minds", "chains", "started", "ended"]),
    (["show", "RUN"], [*MINDS, "Financial and material benefits", "missing scores"]),
    (["show", "EPISODE"], [FIRST, SECOND, "dimension", "reason"]),
    (["compare", "RUN", "rehearsal-strict", "rehearsal-lenient"], ["Spearman", "GOAL"]),
    (["contrast", "RUN", "-j", "rehearsal-strict"], [*MINDS, "Holm"]),
    (["chains"], [FIRST, SECOND, "summary"]),
    (["show", "CHAINS"], [FIRST, SECOND, "summary", "chains"]),
    (["show", "CHAIN"], ["tokens recalled"]),
    (["memory", "CHAIN"], ["left out", "written by"]),
    (["curves", "CHAINS", "-j", "rehearsal-strict"], [FIRST, SECOND, "first", "last", "scores"]),
    (["contrast", "CHAINS", "-j", "rehearsal-strict"], [FIRST, SECOND, "summary", "Holm"]),
    (["lineage", "EPISODE"], [FIRST, SECOND]),
]


@pytest.mark.parametrize(("words", "names"), TABLES, ids=lambda words: " ".join(words[:2]))
def test_every_table_is_whole_in_a_narrow_terminal(
    desk: Desk, ids: dict[str, str], words: list[str], names: list[str]
) -> None:
    for width in (60, 80):
        desk.width(width)
        whole(desk.does(*(ids.get(word, word) for word in words)).out, width, *names)


@pytest.mark.parametrize(("words", "names"), [TABLES[1], TABLES[4]], ids=["show", "contrast"])
def test_the_same_tables_come_as_csv_and_latex(
    desk: Desk, ids: dict[str, str], words: list[str], names: list[str]
) -> None:
    given = [ids.get(word, word) for word in words]
    rows = list(csv.DictReader(io.StringIO(desk.does(*given, "--format", "csv").out)))
    shown = desk.does(*given, "--json").json
    if words[0] == "show":
        cells = [row["cells"] for table in shown["tables"] for row in table["minds"]]
        exact = {repr(cell["mean"]["value"]) for each in cells for cell in each.values()}
        assert {row["mean"] for row in rows} == exact
        assert {row["mind"] for row in rows} == set(MINDS)
    else:
        tests = [test["contrast"] for family in shown["families"] for test in family["tests"]]
        assert [row["difference"] for row in rows] == [
            repr(t["difference"]["value"]) for t in tests
        ]
    latex = desk.does(*given, "--format", "latex")
    assert latex.out.count("\\begin{tabular}") == latex.out.count("\\end{tabular}") > 0
    assert FIRST in latex.out


@pytest.mark.parametrize("order", [["--json", "--format", "csv"], ["--format", "latex", "--json"]])
def test_json_and_another_form_together_are_wrong_usage(desk: Desk, order: list[str]) -> None:
    said = desk.says("runs", *order)
    assert said.code == 2
    assert said.out == ""
    assert "give one of the two" in said.err


def lists() -> list[PlainTable]:
    """Tables of what takes servers and money to have."""
    from actors.runs.forecast.estimates import Estimate, Range
    from events.wire.messages import WorkerReport
    from gateway.services.operations.fleet_status import DeadLetter, KindCounts, QueueDetails
    from store.read_model.records import CallTotals

    calls = [
        CallTotals(
            run="r", model=f"{name}-{'x' * 20}", purpose="remember", asked=123_456,
            answered=123_456, failed=12, input_tokens=1_234_567_890, output_tokens=98_765_432,
            cost_usd=1234.5678, unpriced=unpriced, latency_s=1.0,
        )
        for name, unpriced in ((FIRST, 0), (SECOND, 123_456))
    ]  # fmt: skip
    many = Range(low=12_345, high=23_456_789)
    estimates = [
        Estimate(kind="memory", name=f"notes of {name}", model=name, calls=many,
                 input_tokens=many, output_tokens=many, usd=(0.5, 12_345.0))
        for name in MINDS
    ]  # fmt: skip
    workers = [
        WorkerReport(worker="a-host-with-a-long-name.example.org-1234567", software="1.2.3",
                     episode_slots=128, episodes=99, evaluation_slots=16, evaluations=3)
    ]  # fmt: skip
    queue = QueueDetails(
        kinds=(KindCounts(kind="evaluation", queued=10_000, in_hand=16, dead=1),),
        dead=(
            DeadLetter(kind="evaluation", id="v" * 13, run="r" * 13, tries=5, died_at=1,
                       reason="the model server answered 503 Service Unavailable five times"),
        ),
    )  # fmt: skip
    return [
        calls_table(calls),
        estimates_table(estimates),
        plain_lists.workers_table(workers),
        *plain_lists.jobs_tables(queue),
        plain_lists.catalogs_table([("sotopia", "social", {"relationships": 120, "tasks": 450})]),
    ]


@pytest.mark.parametrize("table", lists(), ids=lambda table: table.name)
@pytest.mark.parametrize("width", [60, 80])
def test_lists_are_whole_and_have_all_forms(
    desk: Desk, table: PlainTable, width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.width(width)
    print_plain(table)
    said = re.sub(r"-x+\b", "", capsys.readouterr().out)
    words = [str(cell) for row in table.rows for cell in row if isinstance(cell, str)]
    shown = [
        word
        for row, columns in ((row, table.columns) for row in table.rows)
        for word, column in zip(row, columns, strict=True)
        if isinstance(word, str) and not column.only_csv
    ]
    whole(said, width, *(re.sub(r"-x+\b", "", word) for word in shown))
    (head, *_) = as_csv([table]).splitlines()
    assert len(head.split(",")) >= len([one for one in table.columns if not one.only_people])
    assert all(word in as_csv([table]) for word in words if word in MINDS)
    assert as_latex([table]).count("\\midrule") == 1
