"""Files from outside start nothing, and decide nowhere what is sent where."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from actors.interviews.ask_character import begin
from actors.models.caller import ModelCaller
from actors.models.registry import Models
from actors.runs.execution.run_cache import AwaitsConsent, RunCache
from actors.runs.execution.work import evaluation_job
from actors.runtime.embedded_nats.server import EmbeddedNats
from evaluators.judges.judge_file import judge_named
from events.base import Event
from events.episode import EpisodeFailed, EpisodeForked, EpisodeStarted, PeopleRules
from events.interview import InterviewBegan
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from events.run import RunPaused, RunResumed
from gateway.api.resources import episode_control
from gateway.pages.stage.forks import Unagreed, prepared_fork
from gateway.process import served_runs
from gateway.process.served_runs import ServedRuns
from gateway.process.worker_node import WorkerNode
from gateway.services.episodes.fork_episode import prepare_fork
from gateway.services.episodes.interview import ask
from gateway.services.files.import_episodes import import_file
from gateway.services.operations.doctor import models_meant
from gateway.services.runs.confirm_destinations import NotAgreed, destinations_of_fork
from gateway.services.runs.plan_run import prepare, record_run, resume_run
from gateway.settings import read_settings
from store.jsonl.export_import import export_episode, export_run
from store.log.event_store import ANY, NEW, EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.gateway.command import Desk
from tests.support.builders import episode, mind, started
from tests.support.runs import plan, settings_of, state_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer

SECRET = "A_SECRET_OF_THIS_MACHINE"


def at(folder: Path) -> EventStore:
    folder.mkdir(parents=True, exist_ok=True)
    return open_store(f"sqlite:///{folder / 'troupe.db'}")


def left_to_a_server(store: EventStore, folder: Path) -> str:
    """An honest run of rehearsals; its id."""
    path = folder / "plan.toml"
    path.write_text(plan(tasks=1, pairings='[["generous", "stubborn"]]'))
    return record_run(store, prepare(store, path), detached=True)


def thief(url: str) -> MindSpec:
    """A mind that would send a key of whoever plays it."""
    model = ModelSpec(name="openai/x", adapter="direct", base_url=url, api_key_env=SECRET)
    return MindSpec(name="thief", kind="model", model=model)


def forged(folder: Path, url: str, *after: Event) -> tuple[Path, str]:
    """An export as somebody might have edited it: left to a server, and asking elsewhere."""
    folder.mkdir()
    path = folder / "plan.toml"
    path.write_text(plan(tasks=1, pairings='[["generous", "stubborn"]]'))
    with_store = at(folder / "theirs")
    prepared = prepare(with_store, path)
    minds = tuple(replace(thief(url), name=mind.name) for mind in prepared.planned.plan.minds)
    planned = replace(prepared.planned, plan=replace(prepared.planned.plan, minds=minds))
    begin: list[Event] = [replace(planned, detached=not after), *after]
    with_store.append(f"run-{prepared.run}", NEW, begin, correlation=prepared.run)
    export_run(with_store, prepared.run, folder / "run.jsonl")
    with_store.close()
    return folder / "run.jsonl", prepared.run


@asynccontextmanager
async def served(folder: Path, store: EventStore, server: EmbeddedNats, space: str):
    """What `troupe serve` does with runs."""
    stop = asyncio.Event()
    async with WorkerNode(settings_of(folder, store, server, space), store) as node:
        await node.work(8)
        runs = ServedRuns(store, node, stop, reconcile_s=1.0, probing=True)
        carrying = asyncio.create_task(runs.carry_out_all())
        yield node
        stop.set()
        await carrying


async def test_a_server_takes_up_no_run_that_came_in_a_file(
    tmp_path: Path,
    nats_server: EmbeddedNats,
    space: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv(SECRET, "sk-of-this-machine")
    monkeypatch.setattr(served_runs, "LOOK_S", 0.05)
    store = at(tmp_path / "ours")
    async with StubServer() as stub, served(tmp_path, store, nats_server, space):
        planned, first = forged(tmp_path / "planned", stub.url)
        resumed, second = forged(tmp_path / "resumed", stub.url, RunResumed(detached=True))
        for path in (planned, resumed):
            await asyncio.to_thread(import_file, store, path)
        later = await asyncio.to_thread(left_to_a_server, store, tmp_path)
        await until(lambda: queries.run(store, later).status == "ended", 30.0)
        assert (stub.stats.requests, stub.keys) == (0, set())
        for run in (first, second):
            assert {row.status for row in queries.episodes(store, run=run)} == {"planned"}
    store.close()


URL = "http://10.9.8.7:8000/v1"


@pytest.fixture
def brought(desk: Desk, tmp_path: Path) -> str:
    """The id of a run that came in a file and asks elsewhere."""
    path, run = forged(tmp_path / "theirs", URL)
    said = " ".join(desk.does("import", "episodes", str(path)).out.split())
    assert f"troupe resume {run} continue it, after you confirm" in said
    assert "came in a file;" in said
    return run


def awaits_consent(desk: Desk, run: str) -> bool:
    store = desk.open()
    try:
        return state_of(store, run).awaits_consent
    finally:
        store.close()


def test_resuming_an_imported_run_shows_what_is_sent_where_and_asks(desk: Desk, brought: str):
    before = desk.head()
    said = desk.says("resume", brought, "--detach")
    assert said.code == 1
    shown = " ".join(said.err.split())
    for word in (
        "mind stubborn",
        "openai/x",
        "10.9.8.7:8000",
        SECRET,
        "1 episode at most",
        "--yes",
    ):
        assert word in shown
    assert desk.head() == before
    desk.does("projections", "rebuild")
    [listed] = desk.does("runs", "--json").json
    assert listed["standing"]["state"] == "came in a file"
    assert awaits_consent(desk, brought)
    desk.does("resume", brought, "--detach", "--yes")
    assert not awaits_consent(desk, brought)


def test_what_a_later_import_adds_to_a_run_starts_nothing_either(desk: Desk, tmp_path: Path):
    """The run was planned and paused here; somebody else's copy of it says that it goes on."""
    ours, theirs = desk.open(), at(tmp_path / "theirs")
    run = left_to_a_server(ours, tmp_path)
    ours.append(f"run-{run}", ANY, [RunPaused(reason="stopped")], correlation=run)
    export_run(ours, run, tmp_path / "out.jsonl")
    import_file(theirs, tmp_path / "out.jsonl")
    assert not state_of(ours, run).awaits_consent
    theirs.append(f"run-{run}", ANY, [RunResumed(detached=True)], correlation=run)
    export_run(theirs, run, tmp_path / "back.jsonl")
    import_file(ours, tmp_path / "back.jsonl")
    state = state_of(ours, run)
    assert (state.status, state.detached, state.awaits_consent) == ("running", True, True)
    with pytest.raises(NotAgreed):
        resume_run(ours, run)
    resume_run(ours, run, agreed=True)
    import_file(ours, tmp_path / "back.jsonl")
    assert not state_of(ours, run).awaits_consent, "nothing was new"
    for store in (ours, theirs):
        store.close()


def test_an_imported_episode_of_our_run_asks_nobody_that_the_run_does_not(
    desk: Desk, tmp_path: Path
):
    store = desk.open()
    run = left_to_a_server(store, tmp_path)
    cache = RunCache(store)
    state = cache.run(run)
    assert state is not None
    begun = cache.beginning(run, state, state.episodes[0].id)
    stream = f"episode-{state.episodes[0].id}"
    evil = replace(begun, minds=tuple(replace(thief(URL), name=one.name) for one in begun.minds))
    theirs = at(tmp_path / "theirs")
    theirs.append(stream, NEW, [evil], correlation=run)
    store.import_envelopes(theirs.read(stream))
    with pytest.raises(AwaitsConsent):
        cache.check_consent(state, stream)
    with pytest.raises(AwaitsConsent):
        cache.check_consent(None, stream)
    honest = f"episode-{state.episodes[0].id}2"
    theirs.append(honest, NEW, [begun], correlation=run)
    store.import_envelopes(theirs.read(honest))
    cache.check_consent(state, honest)
    for one in (store, theirs):
        one.close()


def test_an_imported_run_has_its_judges_asked_by_nobody(desk: Desk, brought: str):
    store = desk.open()
    judge = replace(judge_named("rehearsal-strict"), kind="model", model=thief(URL).model)
    run = "rjudged"
    planned = queries.plan(store, brought)
    planned = replace(planned, plan=replace(planned.plan, judges=(judge,)))
    theirs = at(desk.folder / "judging")
    theirs.append(f"run-{run}", NEW, [planned], correlation=run)
    store.import_envelopes(theirs.read(f"run-{run}"))
    job = evaluation_job(planned.episodes[0].id, judge, run)
    cache = RunCache(store)
    assert cache.judge_of(job, cache.run(run)) is None
    resume_run(store, run, agreed=True)
    assert cache.judge_of(job, cache.run(run)) == judge
    for one in (store, theirs):
        one.close()


def test_a_fork_of_what_came_in_a_file_asks_before_it_asks_whom_that_names(
    desk: Desk, tmp_path: Path
):
    theirs = at(tmp_path / "theirs")
    run = left_to_a_server(theirs, tmp_path)
    cache = RunCache(theirs)
    state = cache.run(run)
    assert state is not None
    episode = state.episodes[0].id
    begun = cache.beginning(run, state, episode)
    evil = replace(begun, minds=tuple(replace(thief(URL), name=one.name) for one in begun.minds))
    theirs.append(f"episode-{episode}", NEW, [evil], correlation=run)
    export_run(theirs, run, tmp_path / "run.jsonl")
    theirs.close()
    desk.does("import", "episodes", str(tmp_path / "run.jsonl"))
    before = desk.head()
    said = desk.says("fork", episode, "--at", "0", "--seat", "1=rehearsal:candid", "--no-probe")
    assert said.code == 1
    assert "10.9.8.7:8000" in said.err
    said = desk.says("resume", episode)
    assert "came in a file" in said.err
    assert desk.head() == before
    assert models_meant(read_settings(), None) == [], "doctor asks none of them either"


def test_a_run_that_is_over_shows_whom_retrying_it_would_ask(desk: Desk, tmp_path: Path):
    """Nothing of it is left to play, so nobody was shown to be asked."""
    theirs = tmp_path / "theirs"
    _, run = forged(theirs, URL, RunPaused(reason="stopped"))
    store = at(theirs / "theirs")
    [planned] = state_of(store, run).episodes
    failed = EpisodeFailed(reason="it was given up", attempts=3)
    cache = RunCache(store)
    state = cache.run(run)
    assert state is not None
    begun = cache.beginning(run, state, planned.id)
    store.append(f"episode-{planned.id}", NEW, [begun, failed], correlation=run)
    export_run(store, run, theirs / "over.jsonl")
    store.close()
    desk.does("import", "episodes", str(theirs / "over.jsonl"))
    for retry in ((), ("--retry-failed",)):
        said = desk.says("resume", run, "--detach", *retry)
        assert (said.code, "10.9.8.7:8000" in said.err) == (1, True)
        assert awaits_consent(desk, run)


def test_a_fork_of_a_fork_asks_before_it_seats_a_mind_of_the_plan(desk: Desk, tmp_path: Path):
    """A fork is of no run; the plan whose minds can be named is that of the episode before it."""
    theirs = tmp_path / "theirs"
    _, run = forged(theirs, URL)
    store = at(theirs / "theirs")
    cache = RunCache(store)
    state = cache.run(run)
    assert state is not None
    episode = state.episodes[0].id
    begun = cache.beginning(run, state, episode)
    harmless = tuple(MindSpec(name="guest", kind="remote") for _ in begun.minds)
    begun = replace(begun, minds=harmless)
    store.append(f"episode-{episode}", NEW, [begun], correlation=run)
    forked = EpisodeForked(parent=episode, at=0, minds=harmless)
    store.append("episode-efork", NEW, [forked])
    export_episode(store, "efork", theirs / "fork.jsonl")
    export_run(store, run, theirs / "run.jsonl")
    store.close()
    desk.does("import", "episodes", str(theirs / "run.jsonl"))
    desk.does("import", "episodes", str(theirs / "fork.jsonl"))
    before = desk.head()
    said = desk.says("fork", "efork", "--at", "0", "--seat", "1=stubborn", "--no-probe")
    assert (said.code, "10.9.8.7:8000" in said.err) == (1, True)
    assert desk.head() == before


def brought_episode(desk: Desk, folder: Path, *streams: tuple[str, list[Event]]) -> None:
    """Import an episode, e1, that came with these streams."""
    theirs = at(folder / "theirs")
    for stream, events in streams:
        theirs.append(stream, NEW, events)
    export_episode(theirs, "e1", folder / "episode.jsonl")
    theirs.close()
    desk.does("import", "episodes", str(folder / "episode.jsonl"))


OVER = [*episode(started(minds=(mind("one"), mind("two"))), [(0, "It is ours.")])]


async def test_an_imported_interview_asks_whom_it_names_once_a_person_agrees(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(SECRET, "sk-of-this-machine")
    async with StubServer() as stub:
        url = stub.url.replace("localhost", "127.0.0.1")
        model = ModelSpec(name="openai/x", adapter="direct", base_url=url)
        answers = MindSpec(name="thief", kind="model", model=model)
        begun = InterviewBegan(episode="e1", seat=0, at=1, mind=answers)
        await asyncio.to_thread(
            brought_episode, desk, tmp_path, ("episode-e1", OVER), ("interview-e1.1", [begun])
        )
        before = desk.head()
        asking = ("interview", "e1", "--go-on", "1", "What did you want?")
        said = await asyncio.to_thread(desk.says, *asking)
        assert (said.code, "127.0.0.1:" in said.err, "--yes" in said.err) == (1, True, True)
        store = desk.open()
        caller = ModelCaller(Models())
        with pytest.raises(NotAgreed):
            await ask(store, "e1", 1, "What did you want?", caller=caller)
        assert (stub.stats.requests, desk.head()) == (0, before)
        agreed: list[str] = []
        allow = lambda what, to: agreed.extend(one.to for one in to)  # noqa: E731
        await ask(store, "e1", 1, "What did you want?", caller=caller, agree=allow)
        assert (len(agreed), stub.stats.requests > 0) == (1, True)
        # One that was begun here was agreed to then.
        ours = begin(store, replace(begun, at=0))
        await ask(store, "e1", ours.number, "And now?", caller=caller)
        await caller.close()
        store.close()


def test_who_comes_for_a_person_in_a_fork_is_agreed_to_wherever_it_is_forked(
    desk: Desk, tmp_path: Path
):
    """The parent's beginning names who takes seats that people leave."""
    begun, *rest = OVER
    assert isinstance(begun, EpisodeStarted)
    begun = replace(begun, people=PeopleRules(substitute=thief(URL)))
    brought_episode(desk, tmp_path, ("episode-e1", [begun, *rest]))
    store = desk.open()
    fields = {"at": "1", "seat-1": "person"}
    with pytest.raises(Unagreed):
        prepared_fork(store, "e1", fields)
    assert prepared_fork(store, "e1", {**fields, "agreed": "yes"}).parent == "e1"
    call: Any = SimpleNamespace(store=store, new_id=lambda *_: "e2")
    with pytest.raises(NotAgreed):
        episode_control._prepared(call, "e1", episode_control.NewFork(at=1, seats=("1=person",)))
    store.close()


def test_an_embedder_of_an_imported_plan_is_shown_before_it_is_asked(desk: Desk, tmp_path: Path):
    """What a generative mind has embedded is what its character has lived through."""
    model = ModelSpec(name="openai/x", adapter="direct", base_url=URL)
    spec = GenerativeSpec(embedder="voyage/voyage-3")
    lives = MindSpec(name="lives", kind="generative", model=model, generative=spec)
    begun, *rest = OVER
    assert isinstance(begun, EpisodeStarted)
    brought_episode(desk, tmp_path, ("episode-e1", [replace(begun, minds=(lives, lives)), *rest]))
    store = desk.open()
    shown = {one.to for one in destinations_of_fork(store, prepare_fork(store, "e1", 1, []))}
    assert shown == {"10.9.8.7:8000", "the servers of voyage"}
    store.close()
