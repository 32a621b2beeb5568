"""What a process knows of its runs: plans, casts and budgets, read again when they change."""

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from actors.models.errors import BudgetSpent
from actors.runs.execution import run_cache
from actors.runs.execution.run_cache import KEEP_S, RunCache, UnplannedChain, UnplannedEpisode
from actors.runs.execution.work import evaluation_job
from actors.runs.judges import add_judge
from actors.runs.state import RunState, load_run
from evaluators.judges.judge_file import judge_named
from events.agent import ModelAnswered, ModelAsked
from events.evaluation import JudgeSpec
from events.minds import ModelSpec
from events.run import Budget, RunPaused, RunResumed
from events.serialization.codec import decode_job, encode
from events.serialization.fingerprints import evaluation_id
from events.wire.messages import Evaluate
from store.log.event_store import ANY, NEW
from store.read_model.catalogs import load_catalog, save_catalog
from tests.support.runs import chain_plan, plan, record


def answer(tokens: int) -> list[ModelAsked | ModelAnswered]:
    asked = ModelAsked(turn=1, attempt=0, purpose="act", model="m", request_hash="h")
    answered = ModelAnswered(
        turn=1, attempt=0, request_hash="h", text="", input_tokens=tokens, output_tokens=1
    )
    return [asked, answered]


def test_a_run_is_read_again_when_its_stream_has_moved(store, tmp_path):
    run = record(store, tmp_path, plan())
    cache = RunCache(store)
    first = cache.run(run)
    assert cache.run(run) is first
    store.append(f"run-{run}", ANY, [RunPaused(reason="stopped")])
    assert first is not None
    assert (first.status, cache.run(run).status) == ("running", "paused")
    assert cache.run("r-unknown") is None


def test_a_run_that_nobody_asks_for_any_more_is_not_kept(store, tmp_path):
    now = [0.0]
    cache = RunCache(store, clock=lambda: now[0])
    old, used = (record(store, tmp_path, plan()) for _ in range(2))
    first = cache.run(old)
    for now[0] in (0.5 * KEEP_S, KEEP_S, 1.5 * KEEP_S):
        cache.run(used)
    assert len(cache) == 1
    # Whoever has its state goes on with it.
    for planned in first.episodes:
        assert cache.beginning(old, first, planned.id).run == old
    assert cache.run(old).episodes == first.episodes


def test_a_budget_is_counted_once_as_long_as_anybody_spends_of_it(store, tmp_path):
    now = [0.0]
    cache = RunCache(store, clock=lambda: now[0])
    run = record(store, tmp_path, plan(budget="tokens = 100"))
    keeper = cache.budget_of(run)
    now[0] = KEEP_S
    cache.refresh_budgets()
    assert len(cache) == 0
    assert cache.budget_of(run) is keeper
    seen = weakref.ref(keeper)
    del keeper
    now[0] = 2 * KEEP_S
    cache.refresh_budgets()
    assert seen() is None


def test_an_episode_begins_as_the_plan_says(store, tmp_path):
    run = record(store, tmp_path, plan(rules="turn_cap = 7"))
    cache = RunCache(store)
    state = cache.run(run)
    for planned in state.episodes:
        begun = cache.beginning(run, state, planned.id)
        assert tuple(mind.name for mind in begun.minds) == planned.minds
        assert (begun.run, begun.task, begun.setup.rules.seed) == (run, planned.task, planned.seed)
        assert begun.setup.rules.turn_cap == 7
    with pytest.raises(UnplannedEpisode, match="plans no episode 'e-other'"):
        cache.beginning(run, state, "e-other")


def test_a_run_keeps_to_the_catalog_it_was_planned_with(store, tmp_path):
    run = record(store, tmp_path, plan())
    first = RunCache(store)
    state = first.run(run)
    begun = [first.beginning(run, state, planned.id) for planned in state.episodes]
    save_catalog(store, replace(load_catalog(store, "starter"), tasks=()))
    resumed = RunCache(store)
    state = resumed.run(run)
    assert [resumed.beginning(run, state, planned.id) for planned in state.episodes] == begun


def test_an_episode_of_a_chain_begins_with_the_chains_cast_and_its_place(store, tmp_path):
    run = record(store, tmp_path, chain_plan(length=3, pairs=2))
    cache = RunCache(store)
    state = cache.run(run)
    for chain in state.chains:
        for index, id_ in enumerate(chain.episodes):
            planned = cache.planned(run, state, id_)
            begun = cache.beginning(run, state, id_)
            assert (begun.chain, begun.index) == (chain.id, index)
            assert tuple(character.id for character in begun.setup.cast) == chain.characters
            assert (begun.scenario, begun.task) == (planned.scenario, planned.scenario)
            assert begun.setup.rules.seed == planned.seed
            assert len(begun.setup.relationships) == len(chain.relationships)
    with pytest.raises(UnplannedEpisode, match="plans no episode 'e-other'"):
        cache.planned(run, state, "e-other")


def test_a_chain_begins_as_the_plan_says(store, tmp_path):
    run = record(store, tmp_path, chain_plan(length=3, memory='["none", "summary"]'))
    cache = RunCache(store)
    state = cache.run(run)
    for chain in state.chains:
        begun = cache.chain_beginning(run, state, chain.id)
        assert (begun.run, begun.catalog) == (run, "starter")
        assert (begun.characters, begun.episodes) == (chain.characters, chain.episodes)
        assert tuple(mind.name for mind in begun.minds) == chain.minds
        assert begun.memory.name == chain.memory
        assert begun.scenarios == tuple(
            cache.planned(run, state, id_).scenario for id_ in chain.episodes
        )
    assert {chain.memory for chain in state.chains} == {"none", "summary"}
    with pytest.raises(UnplannedChain, match="plans no chain 'h-other'"):
        cache.chain_beginning(run, state, "h-other")


def test_a_budget_counts_what_was_spent_before_and_elsewhere(store, tmp_path):
    run = record(store, tmp_path, plan(budget="tokens = 100"))
    store.append("agent-e1.0", NEW, answer(60), correlation=run)
    cache = RunCache(store)
    keeper = cache.budget_of(run)
    assert keeper.tokens == 61
    keeper.check()
    store.append("agent-e2.0", NEW, answer(60), correlation=run)
    cache.refresh_budgets()
    with pytest.raises(BudgetSpent, match="has spent 122 of its 100 tokens"):
        keeper.check()
    store.append(f"run-{run}", ANY, [RunResumed(budget=Budget(tokens=500))])
    cache.run(run)
    keeper.check()
    assert cache.budget_of("") is None
    assert cache.budget_of("r-unknown") is None


def test_of_jobs_that_begin_at_once_one_reads_their_run(store, tmp_path, monkeypatch):
    run = record(store, tmp_path, plan())
    cache, asked, loads = RunCache(store), threading.Semaphore(0), []
    all_asked = threading.Event()

    def version(of: str) -> int:
        asked.release()
        return type(store).version(store, of)

    def load(*named: object) -> RunState:
        loads.append(named)
        assert all_asked.wait(10)
        return load_run(*named)

    monkeypatch.setattr(store, "version", version)
    monkeypatch.setattr(run_cache, "load_run", load)
    with ThreadPoolExecutor(4) as threads:
        states = [threads.submit(cache.run, run) for _ in range(4)]
        for _ in states:
            assert asked.acquire(timeout=10)
        all_asked.set()
    assert len({id(state.result()) for state in states}) == 1
    assert len(loads) == 1


def sent_along(judge: JudgeSpec, episode: str, run: str) -> Evaluate:
    """A job as earlier versions wrote it, with the whole judge, as it is read now."""
    job = {"type": "Evaluate", "evaluation": evaluation_id(episode, judge), "episode": episode}
    read = decode_job(encode({**job, "judge": judge, "run": run}))
    assert isinstance(read, Evaluate)
    return read


def judge_of(cache: RunCache, job: Evaluate) -> JudgeSpec | None:
    return cache.judge_of(job, cache.run(job.run))


def test_a_job_brings_no_judge_it_names_one_that_the_log_knows(store, tmp_path):
    run = record(store, tmp_path, plan(judges='["rehearsal-strict"]'))
    cache = RunCache(store)
    planned, later = judge_named("rehearsal-strict"), judge_named("rehearsal-lenient")
    thief = ModelSpec(name="x", adapter="direct", base_url="http://thief/v1", api_key_env="HOME")
    evil = replace(planned, kind="model", model=thief)
    episode = cache.run(run).episodes[0].id
    assert judge_of(cache, evaluation_job(episode, planned, run)) == planned
    assert judge_of(cache, sent_along(planned, episode, run)) == planned
    for job in (evaluation_job(episode, evil, run), sent_along(evil, episode, run)):
        assert judge_of(cache, job) is None
    assert judge_of(cache, evaluation_job(episode, later, run)) is None
    for _ in range(2):
        add_judge(store, later)
    assert judge_of(cache, evaluation_job(episode, later, run)) == later
    assert judge_of(cache, evaluation_job("e-fork", later)) == later
