"""What a run lists as gone wrong: notes that there are not, answers that could not be used."""

from pathlib import Path

from gateway.cli.views.run_tables import _went_wrong
from gateway.services.runs.run_details import run_details
from tests.support.managed_episodes import open_at
from tests.support.runs import carry_out_here, chain_plan, record, settings_of
from tests.support.servers.stub_llm import StubServer, StubSettings


async def test_notes_that_failed_and_unreadable_answers_are_listed_with_their_remedy(
    tmp_path: Path,
) -> None:
    store = open_at(tmp_path)
    try:
        async with StubServer(StubSettings(empty=1.0)) as stub:
            memory = (
                '[memories.own]\nmodule = "summary"\nmodel = "openai/stub"\nadapter = "direct"\n'
                f'base_url = "{stub.url}"\n'
            )
            text = chain_plan(length=2, pairs=1, memory='["own"]', turn_cap=2)
            run = record(store, tmp_path, text + memory)
            settings = settings_of(tmp_path, store, None, "wrong")
            assert (await carry_out_here(settings, store, run)).done
        shown = run_details(store, run)
    finally:
        store.close()
    (calls,) = shown.calls
    assert (calls.purpose, calls.unreadable, calls.unanswered) == ("remember", calls.answered, 0)
    counts = shown.counts
    assert (counts.notes, counts.notes_failed) == (4, 4)
    assert counts.answers == counts.answers_unreadable == calls.answered == 4 * 3
    said = dict(_went_wrong(counts))
    assert said["notes failed"].startswith("4 of 4; give the memory a larger max_tokens")
    assert "`troupe doctor` says" in said["answers unreadable"]
    assert "calls without an answer" not in said
