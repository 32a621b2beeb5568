"""What is looked at after a round of chaos finds damage where there is some, and only there."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
import sqlalchemy as sa

from actors.episodes.rules.decide import EpisodeState
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.agent import ModelAnswered, ModelAsked
from events.base import replace
from events.serialization.codec import event_of
from store.log.event_store import EventStore
from store.open_store import open_store
from store.projections import tables
from tests.faults.chaos.asked import Asked, NotingStub
from tests.faults.chaos.checks import Told, crossings, violations
from tests.faults.chaos.member import Seen, digest_of_state
from tests.faults.chaos.rounds import plan_of
from tests.faults.chaos.signing import KEY_VARIABLE, Signature, now
from tests.support.runs import carry_out_here, record, settings_of
from tests.support.servers.stub_llm import StubSettings
from tests.support.store_checks import whole_log


class Played(NamedTuple):
    """A run that nothing has happened to."""

    store: EventStore
    told: Told


@pytest_asyncio.fixture
async def played(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Played]:
    monkeypatch.setenv(KEY_VARIABLE, Signature("here", now()).key)
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    seen: list[Seen] = []

    def witness(episode: str, state: EpisodeState) -> None:
        seen.append(Seen(episode, state.number, digest_of_state(state)))

    async with NotingStub(StubSettings()) as stub:
        run = record(store, tmp_path, plan_of(stub.url, length=2))
        settings = settings_of(tmp_path, store, nats_server, space)
        assert (await carry_out_here(settings, store, run, witness=witness)).done
    log = whole_log(store)
    committed = {envelope.position: envelope.recorded_at / 1e6 for envelope in log}
    yield Played(store, Told(run, log, committed, stub.asked, seen))
    store.close()


def asked_again(told: Told) -> None:
    """The model gets a question once more whose answer is stored."""
    answer = next(event_of(e) for e in told.envelopes if e.tag == ModelAnswered.__name__)
    assert isinstance(answer, ModelAnswered)
    late = max(told.committed.values()) + 1.0
    told.asked = [*told.asked, Asked(late, answer.request_hash, "worker-1", sent=late, paid=True)]


def never_asked(told: Told) -> None:
    """An answer is stored that the model has not given."""
    told.asked = told.asked[1:]


def asked_behind_the_answer(told: Told) -> None:
    """An agent's stream has a question once more behind its answer."""
    question = next(e for e in told.envelopes if e.tag == ModelAsked.__name__)
    position = told.envelopes[-1].position + 1
    told.envelopes.append(replace(question, position=position))


def answered_once_too_often(told: Told) -> None:
    """An agent's stream has two answers where the model gave one."""
    answer = next(e for e in told.envelopes if e.tag == ModelAnswered.__name__)
    position = told.envelopes[-1].position + 1
    told.envelopes.append(replace(answer, position=position))
    told.committed = {**told.committed, position: max(told.committed.values())}


def event_lost(told: Told) -> None:
    """A version is missing."""
    del told.envelopes[len(told.envelopes) // 2]


def event_twice(told: Told) -> None:
    """An event is there a second time, as its stream's next."""
    last = told.envelopes[-1]
    again = replace(last, position=last.position + 1, version=last.version + 1)
    told.envelopes.append(again)


def another_state(told: Told) -> None:
    """An episode came into a state that its events do not give."""
    told.seen = [*told.seen, told.seen[0]._replace(digest="another")]


def state_of_no_event(told: Told) -> None:
    """A process acted on an event that was never stored."""
    told.seen = [*told.seen, told.seen[0]._replace(number=1_000_000)]


def no_witness(told: Told) -> None:
    """No process has noted its states."""
    told.seen = []


DAMAGE = {
    asked_again: "after the answer was stored",
    never_asked: "was stored but never given",
    asked_behind_the_answer: "behind its answer",
    answered_once_too_often: "behind its answer",
    event_lost: "not in order or not all there",
    event_twice: "an event id is there twice",
    another_state: "was in another state at event",
    state_of_no_event: "which is not stored",
    no_witness: "were seen by nobody",
}


async def test_damage_is_found_and_nothing_else(played: Played):
    assert violations(*played, 0) == []
    for damage, words in DAMAGE.items():
        told = replace(played.told, envelopes=[*played.told.envelopes])
        damage(told)
        assert any(words in found for found in violations(played.store, told, 0)), damage.__doc__


async def test_tables_that_are_not_what_the_log_says_are_found(played: Played):
    assert violations(*played, 0) == []
    with played.store.engine.begin() as connection:
        connection.execute(sa.update(tables.chains).values({tables.chains.c.done: 1}))
    assert any("a rebuild makes" in found for found in violations(*played, 0))
    assert violations(*played, 0) == [], "they were rebuilt"


async def test_a_run_that_stood_still_is_found(played: Played, tmp_path: Path):
    after = played.store.head()
    run = record(played.store, tmp_path, plan_of("http://127.0.0.1:1", length=2))
    told = replace(played.told, run=run, envelopes=played.store.read_all(after))
    found = violations(played.store, told, after)
    assert f"run {run} is running" in found
    assert sum(line.endswith("is planned") for line in found) == 2 * 2
    assert sum("has advanced over []" in line for line in found) == 2


async def test_a_request_is_not_held_against_a_process_that_froze_while_sending_it(played: Played):
    told = played.told
    assert crossings(told) == 0
    asked_again(told)
    answer = told.asked[-1].request_hash
    told.asked[-1].sent = next(one.sent for one in told.asked if one.request_hash == answer) + 1.5
    told.committed |= dict.fromkeys(told.committed, told.asked[-1].sent)
    told.asked[-1].at = told.asked[-1].sent + 1.0
    assert violations(played.store, told, 0) == []
    assert crossings(told) == 1


async def test_an_answer_that_a_frozen_process_had_paid_for_is_no_violation(played: Played):
    told = replace(played.told, envelopes=[*played.told.envelopes])
    answered_once_too_often(told)
    answer = event_of(told.envelopes[-1])
    assert isinstance(answer, ModelAnswered)
    last: dict[str, int] = {e.stream: e.version for e in told.envelopes[:-1]}
    stream = told.envelopes[-1].stream
    again = replace(told.envelopes[-1], event_id="another", version=last[stream] + 1)
    told.envelopes[-1] = again
    first = next(one for one in told.asked if one.request_hash == answer.request_hash)
    assert violations(played.store, told, 0) != []
    told.asked = [*told.asked, replace(first, member="worker-1")]
    assert violations(played.store, told, 0) == []


async def test_what_two_processes_ask_at_once_has_crossed(played: Played):
    told = played.told
    told.asked = [*told.asked, replace(told.asked[0], member="worker-1")]
    assert violations(played.store, told, 0) == []
    assert crossings(told) == 1
    told.asked[-1].sent -= 1.5  # another took over from who was killed
    assert crossings(told) == 0
