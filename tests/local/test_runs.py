"""Episodes with a judge, walks and chains with notes: what must be true whatever a model says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from events.episode import ActionTaken, EpisodeStarted
from gateway.services.calls.find_calls import turn_calls
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.gateway.command import Desk
from tests.local.played import MINDS, PAIR, Call, on_the_wire, run
from tests.support.runs import answers, chain_plan

EXAMPLE = Path(__file__).parents[2] / "examples" / "local.toml"
NOTES = chain_plan(
    length=2,
    pairs=1,
    memory='["summary-50"]',
    minds=MINDS,
    pairings=PAIR,
    turn_cap=2,
    concurrency=2,
)
WALKS = f"""
name = "walks"
environment = "worldtree"
catalog = "crossroads"
seed = 3
[tasks]
limit = 1
{MINDS}
[seats]
pairings = "all"
[worldtree]
shuffles = 1
[judges]
use = []
"""
PLANS = {"episodes": EXAMPLE, "notes": NOTES, "walks": WALKS}


class Played(NamedTuple):
    """A run that was carried out."""

    kind: str
    desk: Desk
    details: dict[str, Any]
    calls: list[Call]
    store: EventStore


@pytest.fixture(scope="module", params=PLANS)
def played(
    request: pytest.FixtureRequest, weights: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Played]:
    """Each of the plans, carried out once."""
    kind = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TROUPE_MODELS_DIR", str(weights))
        desk = Desk(tmp_path_factory.mktemp(kind), patch)
        calls = on_the_wire(patch)
        details = run(desk, PLANS[kind], kind)
        store = desk.open()
        yield Played(kind, desk, details, calls, store)
        store.close()


def test_the_run_ends_and_costs_nothing(played: Played):
    assert played.details["run"]["status"] == "ended"
    assert sum(row["cost_usd"] for row in played.details["calls"]) == 0


def test_answers_and_tokens_are_those_of_the_server(played: Played):
    probe, *calls = played.calls
    assert probe.sent["messages"][0]["content"].startswith("Answer with the word")
    stored = sorted(
        (one.text, one.input_tokens, one.output_tokens, one.cached_tokens, one.finish_reason)
        for _, one in answers(played.store)
    )
    assert stored == sorted(
        (
            call.text,
            (used := call.came["usage"])["prompt_tokens"],
            used["completion_tokens"],
            used["prompt_tokens_details"]["cached_tokens"],
            call.ending,
        )
        for call in calls
    )
    totals = played.details["calls"]
    assert sum(row["input_tokens"] for row in totals) == sum(row[1] for row in stored)
    assert sum(row["output_tokens"] for row in totals) == sum(row[2] for row in stored)


def test_an_answer_that_ends_by_itself_has_the_form_that_was_asked_for(played: Played):
    held = [call for call in played.calls if call.schema is not None]
    assert held or played.kind == "walks"
    for call in held:
        assert call.ending in ("stop", "length")
        if call.ending == "stop":
            jsonschema.validate(json.loads(call.text), call.schema)


def test_every_turn_is_readable(played: Played):
    counts = played.details["counts"]
    assert counts["turns"]
    assert counts["actions_failed"] == 0, counts
    assert counts["evaluations_missing"] == 0, counts


def test_no_prompt_of_a_seat_holds_what_is_private_to_another(played: Played):
    for row in queries.episodes(played.store):
        history = [numbered.event for numbered in read_history(played.store, row.id)]
        (begun,) = (event for event in history if isinstance(event, EpisodeStarted))
        cast = getattr(begun.setup, "cast", ())
        said = " ".join(str(event.action) for event in history if isinstance(event, ActionTaken))
        for turn in range(1, row.turns + 1):
            for call in turn_calls(played.store, row.id, turn):
                words = "\n".join(message.content for message in call.prompt)
                for seat, character in enumerate(cast):
                    if seat != call.seat and character.secret not in said:
                        assert character.secret not in words


def test_prompts_are_rendered_again_from_the_log_as_they_were_sent(played: Played):
    sent = {call.prompt for call in played.calls}
    told = 0
    for row in queries.episodes(played.store):
        for turn in range(1, row.turns + 1):
            for call in turn_calls(played.store, row.id, turn):
                assert call.checked == "same"
                assert "\n".join(message.content for message in call.prompt) in sent
                told += 1
    assert told
    assert played.desk.does("verify-store", "--json").json


def test_its_tables_say_that_a_local_model_played(played: Played):
    said = played.desk.does("show", played.details["run"]["id"])
    assert re.search(r"Local model mind small", said.out)
