"""``import troupe``: the same as the commands do, from Python."""

import asyncio
import gc
import io
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import troupe
from actors.models.settings import ModelSettings
from actors.runs.plan.mind_entries import MindEntry
from actors.toml_file import Table
from evaluators.judges.judge_file import JudgeFile, judge_from
from gateway.error_sentences import sentence_of
from tests.gateway.command import Desk
from tests.gateway.test_help import HEAVY
from tests.support.runs import plan
from tests.support.servers.stub_llm import StubServer, StubSettings
from troupe.models import ModelOptions

ROOT = Path(__file__).parents[2]
MINDS = {"a": "rehearsal:candid", "b": {"kind": "rehearsal", "temper": "wily"}}
PLAN: dict[str, Any] = {
    "name": "two",
    "seed": 5,
    "minds": MINDS,
    "tasks": {"limit": 1},
    "seats": {"pairings": [["a", "b"], ["b", "a"]]},
    "judges": {"use": ["rehearsal-strict"]},
}


def said(entries: Any) -> list[tuple[Any, ...]]:
    """What was said and done, without ids."""
    return [(one.turn, one.seat, one.kind, one.text) for one in entries]


def test_importing_it_loads_nothing_heavy_and_all_names_are_there() -> None:
    code = (
        "import sys, troupe\n"
        f"print([name for name in {(*HEAVY, 'msgspec', 'asyncio')!r} if name in sys.modules])\n"
        "assert not [name for name in troupe.__all__ if getattr(troupe, name) is None]\n"
        "assert set(troupe.__all__) <= set(dir(troupe))\n"
        "print([name for name in ('litellm', 'matplotlib', 'statsmodels', 'pandas', 'litestar') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[]"]


def test_an_episode_is_played_offline_and_has_turns_and_an_outcome(played: troupe.Episode) -> None:
    assert played.status == "ended"
    assert played.outcome
    assert len(set(played.minds)) == 2, "rehearsals of different tempers"
    assert {one.seat for one in played.turns} == {0, 1}
    assert all(one.text in str(played.transcript()) for one in played.turns)
    assert played.store.runs.rows()[0]["status"] == "ended"


def test_the_same_seed_and_minds_give_the_same_episode(data: Path) -> None:
    first, second = (
        troupe.play("social", minds=minds, seed=9, where=data, progress=False)
        for minds in (["rehearsal:candid"] * 2, "rehearsal:candid")
    )
    assert first.id != second.id
    assert said(first.turns) == said(second.turns)
    assert first.minds == ("candid", "candid")


def test_a_plan_is_a_file_its_text_or_a_dict(desk: Desk) -> None:
    text = plan(tasks=1, judges='["rehearsal-strict"]')
    asked: list[Any] = [
        text,
        desk.file("plan.toml", text),
        Path(desk.file("plan.toml", text)),
        PLAN,
    ]
    runs = [troupe.run(one, progress=False) for one in asked]
    assert [run.status for run in runs] == ["ended"] * 4
    told = [[said(one.turns) for one in run.episodes] for run in runs]
    assert told[0] == told[1] == told[2] != told[3]
    assert {one.minds for one in runs[3].episodes} == {("a", "b"), ("b", "a")}
    rows = runs[3].scores.rows()
    assert len(runs[3].scores.to_pandas()) == len(rows) > 0
    shown = desk.does("show", runs[3].id, "--json").json
    assert shown["counts"]["scores_asked"] == len([r for r in rows if not r["derived"]])
    written = desk.file("again.toml", shown_source(desk, runs[3].id))
    again = troupe.run(written, progress=False)
    assert [said(one.turns) for one in again.episodes] == told[3], "what was recorded says it all"


def shown_source(desk: Desk, run: str) -> str:
    from actors.runs.state import load_run

    store = desk.open()
    try:
        state = load_run(store, run)
        assert state is not None
        return state.plan.source
    finally:
        store.close()


def test_an_episode_is_scored_and_forked_where_it_is_kept(
    played: troupe.Episode, nothing_left: None
) -> None:
    scores = troupe.score(played, "rehearsal-strict", progress=False)
    rows = scores.rows()
    assert {row["status"] for row in rows} == {"scored"}
    assert {row["judge"] for row in rows} == {"rehearsal-strict"}
    assert troupe.score(played, "rehearsal-strict", progress=False).rows() == rows, "not again"
    at = played.turns[3].number
    forked = troupe.fork(played, at=at, minds={2: "rehearsal:stubborn"}, progress=False)
    assert (forked.status, forked.row.parent, forked.row.forked_at) == ("ended", played.id, at)
    assert forked.minds == (played.minds[0], "stubborn")
    assert said(forked.turns[:4]) == said(played.turns[:4])
    mine = troupe.score(forked, "rehearsal-strict", progress=False).rows()
    assert {row["episode"] for row in mine} == {forked.id}
    assert {row["mind"] for row in mine} == set(forked.minds)


def test_it_works_on_postgresql_by_its_address(data: Path, postgres_url: str) -> None:
    episode = troupe.play("social", where=postgres_url, progress=False)
    rows = troupe.score(episode, "rehearsal-strict", progress=False).rows()
    assert {row["episode"] for row in rows} == {episode.id}
    with troupe.open_store(postgres_url) as store:
        assert [row["episode"] for row in store.episodes.rows()] == [episode.id]
    assert not (data / "troupe.db").exists()


def test_progress_is_told_to_the_caller_and_work_within_it_is_refused(data: Path) -> None:
    told: list[troupe.Progress] = []
    threads = set()

    def tell(now: troupe.Progress) -> None:
        told.append(now)
        threads.add(threading.current_thread())

    troupe.run(PLAN, where=data, progress=tell)
    assert threads == {threading.current_thread()}
    assert (told[0].episodes_ended, told[0].episodes) == (0, 2)
    assert told[-1].done
    with pytest.raises(troupe.Error, match="cannot begin work of its own"):
        troupe.run(PLAN, where=data, progress=lambda _: troupe.play("social", where=data))


def test_on_a_terminal_bars_say_how_far_it_is(
    data: Path, monkeypatch: pytest.MonkeyPatch, nothing_left: None
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    shown, silent = Terminal(), Terminal()
    for stream, progress in ((shown, True), (silent, False)):
        monkeypatch.setattr(sys, "stderr", stream)
        troupe.run(PLAN, where=data, progress=progress)
    assert re.search(r"episodes played .*2/2", shown.getvalue())
    assert not silent.getvalue()


def test_a_model_takes_the_settings_of_plans_and_judge_files() -> None:
    assert ModelOptions.__annotations__.keys() | {"model"} == set(ModelSettings.__struct_fields__)
    model = troupe.Model("openai/gpt-4o", temperature=0.3, stop=["END"], extra={"top_k": 4})
    mind = Table("mind", "", model.mind).shaped(MindEntry).spec()
    judge = judge_from(model.judge, "judge")
    assert (mind.name, mind.temperature, mind.stop) == ("openai/gpt-4o", 0.3, ("END",))
    assert judge.model is not None
    assert (judge.name, judge.model.temperature) == ("gpt-4o", 0.3)
    assert (mind.max_tokens, judge.model.max_tokens) == (
        MindEntry(kind="model").max_tokens,
        JudgeFile().max_tokens,
    ), "what is left out is as in the file"


async def test_it_works_where_a_loop_runs_waited_for_or_awaited(
    data: Path, nothing_left: None
) -> None:
    waited = troupe.play("social", seed=1, where=data, progress=False)
    told = []
    both = await asyncio.gather(
        troupe.aio.play("social", seed=1, where=data, progress=told.append),
        troupe.aio.run(PLAN, where=data, progress=False),
    )
    assert said(both[0].turns) == said(waited.turns)
    assert both[1].status == "ended"
    assert told[-1].done


WAITING = {"minds": {"far": "remote"}, "tasks": {"limit": 1}}


async def test_what_is_cancelled_stops_cleanly_and_says_how_to_go_on(
    data: Path, nothing_left: None
) -> None:
    begun = asyncio.Event()
    waiting = asyncio.ensure_future(
        troupe.aio.run(WAITING, where=data, progress=lambda _: begun.set())
    )
    await begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError) as cancelled:
        await waiting
    (row,) = troupe.open_store(data).runs.rows()
    assert cancelled.value.__notes__ == [
        f"Run {row['run']} was begun; `troupe resume {row['run']}` goes on."
    ]
    assert troupe.open_store(data).run(row["run"]).why == "stopped by you"


def test_ctrl_c_stops_cleanly(data: Path, nothing_left: None) -> None:
    told: list[troupe.Progress] = []

    def interrupt(now: troupe.Progress) -> None:
        told.append(now)
        if len(told) == 1:
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt) as stopped:
        troupe.run(WAITING, where=data, progress=interrupt)
    assert "goes on" in stopped.value.__notes__[0]
    assert troupe.open_store(data).runs.rows()[0]["status"] == "paused"


@pytest.mark.parametrize(
    ("call", "command"),
    [
        (lambda: troupe.run("nope.toml"), ["run", "nope.toml"]),
        (lambda: troupe.run("examples/first.toml"), ["run", "examples/first.toml"]),
        (lambda: troupe.score("e9x", "facts"), ["score", "e9x", "--judge", "facts"]),
        (lambda: troupe.score("e9x", "strict"), ["score", "e9x", "--judge", "strict"]),
        (lambda: troupe.fork("e9x", at=3), ["fork", "e9x", "--at", "3"]),
    ],
)  # fmt: skip
def test_errors_are_the_sentences_of_the_command_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, call: Any, command: list[str]
) -> None:
    monkeypatch.chdir(desk.folder)
    with pytest.raises(troupe.Error) as met:
        call()
    assert desk.says(*command).err == f"troupe: {sentence_of(met.value)}\n"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: troupe.play("socail"), "did you mean 'social'"),
        (lambda: troupe.play("social", "nope"), "has no task 'nope'"),
        (lambda: troupe.play("social", minds="rehearsal:candit"), "did you mean 'candid'"),
        (lambda: troupe.play("social", minds="rehersal"), "did you mean 'rehearsal'"),
        (lambda: troupe.play("social", minds=["remote"] * 3), "has 2 seats; give a mind for each"),
        (lambda: troupe.play("social", settings={"turns": 2}), "there is no field 'turns'"),
        (lambda: troupe.run({**PLAN, "minds": {"a": None}}), "minds.a 'None': is no mind"),
        (lambda: troupe.run({**PLAN, "budget": {"usd": None}}), "plan, budget.usd: no setting"),
        (lambda: troupe.run({**PLAN, "sed": 1}), "did you mean 'seed'"),
        (lambda: troupe.run(None), "a plan is a file's path, its text or a dictionary, not a N"),  # type: ignore[arg-type]
        (lambda: troupe.score(None, "rehearsal-strict"), "an Episode or an id, not a NoneType"),  # type: ignore[arg-type]
        (lambda: troupe.score("e", 3), "a judge is a name, a file, a Model or a dict"),  # type: ignore[arg-type]
        (
            lambda: troupe.run(
                {**PLAN, "judges": {"use": [troupe.Model("a/x"), troupe.Model("b/x")]}}
            ),
            "two judges are called 'x'",
        ),
        (lambda: troupe.Model("openai/x", temprature=1), "did you mean 'temperature'"),  # type: ignore[call-arg]
        (lambda: troupe.Model("openai/x", temperature=7), "temperature: must be a number from 0"),
        (lambda: troupe.open_store("nowhere"), "there is no store at"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_sentence_and_nothing_is_begun(
    data: Path, call: Any, why: str
) -> None:
    with pytest.raises(troupe.Error, match=r"^[^\n]+$") as met:
        call()
    assert why in str(met.value)
    assert not data.exists() or not troupe.open_store(data).runs.rows()


async def test_a_model_plays_and_judges_more_than_once_in_a_process(
    data: Path, nothing_left: None
) -> None:
    async with StubServer(StubSettings()) as stub:
        model = troupe.Model("stub", adapter="direct", base_url=stub.url, temperature=0.1)
        for seed in (1, 2):
            episode = await troupe.aio.play(
                "social", minds=[model, "rehearsal:wily"], seed=seed, where=data, progress=False
            )
            assert episode.minds == ("stub", "wily")
            scores = await troupe.aio.score(episode, model, progress=False)
            assert {row["judge"] for row in scores.rows()} == {"stub"}
    calls = episode.store.calls.rows()
    assert {row["purpose"] for row in calls} >= {"act", "judge"}


async def test_an_error_that_was_awaited_is_told_of_once(data: Path) -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    with pytest.raises(troupe.Error):
        await troupe.aio.run({}, where=data, progress=False)
    gc.collect()
    await asyncio.sleep(0)
    assert not told


def test_a_model_that_cannot_be_asked_is_said_before_anything_begins(data: Path) -> None:
    away = troupe.Model("gone", adapter="direct", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(troupe.Error, match="gone"):
        troupe.play("social", minds=away, where=data, progress=False)
    assert not troupe.open_store(data).runs.rows()


@pytest.mark.long
def test_a_script_of_a_user_is_checked_strictly(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import asyncio\n"
        "import troupe\n"
        "model = troupe.Model('openai/gpt-4o-mini', temperature=0.2)\n"
        "run: troupe.Run = troupe.run({'minds': {'a': model}}, where='data')\n"
        "episode: troupe.Episode = troupe.play('social', minds=[model, 'rehearsal:wily'])\n"
        "reveal_type(troupe.score(run, model).rows())\n"
        "reveal_type(troupe.fork(episode, at=3, minds={1: model}).outcome)\n"
        "reveal_type(asyncio.run(troupe.aio.run('plan.toml', progress=print)).status)\n"
        "troupe.run(3)\n"
        "troupe.play('social', mind=model)\n"
        "troupe.Model('x', temprature=1)\n"
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(script)],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT)},
    )  # fmt: skip
    lines = [line.partition(": ")[2] for line in checked.stdout.splitlines()]
    revealed = [line.partition('"')[2].rstrip('"') for line in lines if "Revealed" in line]
    assert [one.replace("builtins.", "") for one in revealed] == [
        "list[dict[str, Any]]",
        "str",
        "str",
    ]
    errors = [line for line in lines if line.startswith("error")]
    assert len(errors) == 3, checked.stdout
    assert 'Argument 1 has incompatible type "int"' in errors[0] or '"int"' in errors[0]
    assert "mind" in errors[1]
    assert "temprature" in errors[2]
