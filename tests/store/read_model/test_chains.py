"""Chains and what their characters remember, as the lists tell it."""

import pytest

from events.base import replace
from events.chain import ChainAdvanced, ChainFailed
from events.evaluation import Scored
from events.memory import MemoryFailed
from store.id_lookup import AmbiguousId, UnknownId
from store.jsonl.export_import import export_chain, export_run, import_file
from store.log.event_store import ANY, NEW
from store.open_store import open_store
from store.projections.maintenance.rebuild import rebuild
from store.read_model import queries
from store.read_model.records import ChainRow
from tests.store.histories import (
    ask,
    call,
    chain_started,
    evaluate,
    fork,
    planned_chain,
    play,
    play_chain,
    recalled,
    whole_run,
    written,
)


def chain(store) -> ChainRow:
    return queries.chain(store, "h1")


def test_a_chain_is_planned_playing_and_ended(store):
    store.append("run-r1", NEW, [planned_chain("h1", "e1", "e2")])
    assert queries.chains(store) == queries.chains(store, "r1") == [chain(store)]
    assert (chain(store).status, chain(store).run, chain(store).started_at) == (
        "planned",
        "r1",
        None,
    )
    assert (chain(store).minds, chain(store).characters) == (("calm", "keen"), ("ada", "ben"))
    assert (chain(store).memory, chain(store).module, chain(store).length) == (
        "notes",
        "summary",
        2,
    )
    store.append("chain-h1", NEW, [chain_started("r1", "e1", "e2")])
    assert (chain(store).status, chain(store).done) == ("playing", 0)
    play_chain(store, "h2", "e3", "e4", run="r1")
    row = queries.chain(store, "h2")
    assert (row.status, row.done, row.failed, row.length) == ("ended", 2, 0, 2)
    assert row.ended_at == store.read("chain-h2")[-1].recorded_at


def test_episodes_that_were_given_up_count_as_done_and_failed(store):
    store.append("chain-h1", NEW, [chain_started("r1", "e1", "e2")])
    store.append("chain-h1", 0, [ChainAdvanced(index=0, episode="e1", outcome="failed")])
    assert (chain(store).done, chain(store).failed, chain(store).status) == (1, 1, "playing")


def test_a_chain_given_up_says_why_until_it_goes_on(store):
    store.append("chain-h1", NEW, [chain_started("r1", "e1")])
    store.append("chain-h1", 0, [ChainFailed(reason="no room", attempts=3)])
    assert (chain(store).status, chain(store).reason) == ("failed", "no room")
    store.append("chain-h1", 1, [ChainAdvanced(index=0, episode="e1", outcome="ended")])
    assert (chain(store).status, chain(store).reason, chain(store).ended_at) == (
        "playing",
        "",
        None,
    )


def test_a_memory_that_was_given_up_is_counted_at_its_chain(store):
    store.append("chain-h1", NEW, [chain_started("r1", "e1")])
    store.append("memory-h1.1", NEW, [MemoryFailed(reason="bug", attempts=3)])
    assert chain(store).memories_failed == 1
    assert queries.memories(store, "h1") == []


def test_episodes_know_their_chain_and_their_place_in_it(store):
    store.append("run-r1", NEW, [planned_chain("h1", "e9", "e1")])
    assert [(row.id, row.chain, row.index) for row in queries.episodes(store, run="r1")] == [
        ("e9", "h1", 0),
        ("e1", "h1", 1),
    ]
    play_chain(store, "h1", "e9", "e1", run="r1")
    play(store, "e5", run="r1")
    assert [row.id for row in queries.episodes(store, chain="h1")] == ["e9", "e1"]
    assert (queries.episode(store, "e5").chain, queries.episode(store, "e5").index) == ("", 0)


def test_a_fork_of_a_chains_episode_is_of_no_chain(store):
    play_chain(store, "h1", "e1", "e2")
    fork(store, "e2", 2, "f1")
    assert (queries.episode(store, "f1").chain, queries.episode(store, "f1").index) == ("", 0)
    assert [row.id for row in queries.episodes(store, chain="h1")] == ["e1", "e2"]


def test_what_was_recalled_and_written_stands_side_by_side(store):
    play_chain(store, "h1", "e1", "e2", "e3", run="r1")
    rows = queries.memories(store, "h1")
    assert [(row.index, row.seat, row.episode) for row in rows] == [
        (0, 0, "e1"),
        (1, 0, "e2"),
        (2, 0, "e3"),
    ]
    last = rows[-1]
    assert (last.recalled, last.dropped, last.recalled_tokens, last.limit_tokens) == (
        (1,),
        (0,),
        40,
        1000,
    )
    assert (last.words, last.tokens, last.writer, last.attempts, last.within_bounds) == (
        2,
        40,
        "acme/m1",
        1,
        True,
    )
    assert (last.cost_usd, last.input_tokens, last.output_tokens) == (0.5, 100, 20)
    assert last.recalled_at < last.written_at


def test_what_is_not_written_yet_has_no_time(store):
    play_chain(store, "h1", "e1")
    store.append("memory-h1.0", ANY, [recalled(1, "e2")])
    row = queries.memories(store, "h1")[-1]
    assert (row.index, row.episode, row.written_at, row.cost_usd) == (1, "e2", None, None)
    note = replace(written(1, "e2", cost_usd=None), within_bounds=False)
    store.append("memory-h1.0", ANY, [note])
    row = queries.memories(store, "h1")[-1]
    assert (row.within_bounds, row.cost_usd, row.recalled_at is not None) == (False, None, True)


def test_what_memories_ask_is_spent_by_the_run_and_listed_under_the_chain(store):
    store.append("run-r1", NEW, [planned_chain("h1", "e1", "e2")])
    play_chain(store, "h1", "e1", "e2", run="r1")
    call(store, "e1", run="r1")
    assert queries.spent(store, "r1") == (2 * 0.5 + 0.25, 3 * 120)
    by_memory = [row for row in queries.calls(store, run="r1") if row.purpose == "remember"]
    answered = [row for row in by_memory if row.answered]
    assert [(row.chain, row.seat, row.turn, row.episode) for row in answered] == [
        ("h1", 0, 0, ""),
        ("h1", 0, 1, ""),
    ]
    totals = {row.purpose: row for row in queries.call_totals(store, run="r1")}
    assert (totals["remember"].cost_usd, totals["act"].cost_usd) == (1.0, 0.25)


def test_searching_for_facts_is_spent_by_the_run_as_well(store):
    ask(store, "chain-h1", run="r1", purpose="find")
    ask(store, "hard-x", run="r1", purpose="find")
    assert queries.spent(store, "r1") == (0.5, 240)
    assert {row.chain for row in queries.calls(store)} == {"h1", ""}


def test_scores_keep_what_they_quote(store):
    play(store, "e1")
    evaluate(store, "v1", "e1")
    quoted = Scored(seat=0, dimension="no_parroting", value=0, quotes=("I want", "„alles“"))
    store.append("evaluation-v1", ANY, [quoted])
    quotes = {row.dimension: row.quotes for row in queries.scores(store) if row.seat == 0}
    assert quotes == {"goal": (), "no_parroting": ("I want", "„alles“")}


def test_a_score_without_the_words_it_was_asked_for_says_so_in_its_reason(store):
    play(store, "e1")
    evaluate(store, "v1", "e1")
    marked = Scored(
        seat=0, dimension="no_parroting", value=0, reason="It recites.", evidence_missing=True
    )
    store.append("evaluation-v1", ANY, [marked])
    rows = {row.dimension: row for row in queries.scores(store) if row.seat == 0}
    assert rows["no_parroting"].reason == "It recites. [evidence = missing]"
    assert (rows["no_parroting"].status, rows["no_parroting"].value) == ("scored", 0)
    assert "missing" not in rows["goal"].reason


def test_the_beginning_of_a_chains_id_is_enough_when_it_is_the_only_one(store):
    play_chain(store, "h1ab", "e1")
    play_chain(store, "h1cd", "e2")
    assert queries.chain(store, "h1a").id == "h1ab"
    with pytest.raises(AmbiguousId, match="2 chains begin with 'h1': h1ab or h1cd"):
        queries.memories(store, "h1")
    with pytest.raises(UnknownId, match="no chain 'h1ax'; did you mean h1ab"):
        queries.episodes(store, chain="h1ax")


def test_rows_of_chains_can_be_made_again(store):
    play_chain(store, "h1", "e1", "e2", run="r1")
    before = queries.chains(store), queries.memories(store, "h1")
    rebuild(store, ["chains"])
    assert (queries.chains(store), queries.memories(store, "h1")) == before


@pytest.mark.parametrize(("export", "what"), [(export_run, "r1"), (export_chain, "h1")])
def test_a_chain_is_exported_with_what_was_remembered(store, tmp_path, export, what):
    elsewhere = open_store(f"sqlite:///{tmp_path}/elsewhere.db", durable=False)
    whole_run(elsewhere)
    elsewhere.append("run-r1", ANY, [planned_chain("h1", "c1", "c2")], correlation="r1")
    play_chain(elsewhere, "h1", "c1", "c2", run="r1")
    call(elsewhere, "c1", run="r1")
    evaluate(elsewhere, "v9", "c1", run="r1")
    brought = export(elsewhere, what, tmp_path / "out.jsonl")
    assert import_file(store, tmp_path / "out.jsonl").stored == brought
    for stream in ("chain-h1", "memory-h1.0", "episode-c2", "agent-c1.0", "evaluation-v9"):
        ours, theirs = store.read(stream), elsewhere.read(stream)
        assert [e.event_id for e in ours] == [e.event_id for e in theirs] != []
    assert queries.memories(store, "h1") == queries.memories(elsewhere, "h1")
    elsewhere.close()
