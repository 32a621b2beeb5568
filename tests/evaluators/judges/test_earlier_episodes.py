"""The past of a chain's episode: what was before it, read when it is looked at."""

from pathlib import Path

import pytest

from evaluators.judges.earlier_episodes import EarlierEpisodes, latest, past_of
from events.base import Event
from events.chain import ChainStarted
from events.episode import EpisodeFailed, EpisodeForked
from events.memory import MemorySpec
from store.log.event_store import NEW
from store.read_model.episode_history import read_history
from tests.support.builders import episode, started
from tests.support.managed_episodes import open_at

IDS = ("e1", "e2", "e3", "e4")


@pytest.fixture
def store(tmp_path: Path):
    store = open_at(tmp_path)
    yield store
    store.close()


def play(store, index: int, chain: str = "h1") -> None:
    moves = [(0, f"This is meeting number {index}.")]
    events = episode(started(chain=chain, index=index), moves)
    store.append(f"episode-{IDS[index]}", NEW, events)


def begin(store) -> None:
    first = started()
    chain = ChainStarted(
        run="r1",
        catalog="test",
        characters=("ada", "ben"),
        minds=first.minds,
        memory=MemorySpec(name="none", module="none"),
        episodes=IDS,
        scenarios=("stall",) * 4,
    )
    store.append("chain-h1", NEW, [chain])


def said(history) -> str:
    return history[2].event.action.text


def test_what_was_before_is_there_in_order_and_nothing_else(store) -> None:
    begin(store)
    for index in range(4):
        play(store, index)
    past = past_of(store, read_history(store, "e3"))
    assert [said(history) for history in past] == [
        "This is meeting number 0.",
        "This is meeting number 1.",
    ]
    assert said(past[-1]) == "This is meeting number 1."
    assert [said(history) for history in past[1:]] == ["This is meeting number 1."]
    with pytest.raises(IndexError):
        past[2]


def test_the_latest_comes_first_and_what_never_began_is_passed_over(store) -> None:
    begin(store)
    play(store, 0)
    given_up: list[Event] = [EpisodeFailed(reason="its chain was given up", attempts=3)]
    store.append("episode-e2", NEW, given_up)
    play(store, 3)
    past = past_of(store, read_history(store, "e4"))
    assert [len(history) for history in past[1:]] == [0, 0]
    found = list(latest(past))
    assert [index for index, _ in found] == [0]
    assert found[0][1].account.entries[0].text == "This is meeting number 0."


def test_a_fork_of_a_chains_episode_has_its_past(store) -> None:
    begin(store)
    play(store, 0)
    play(store, 1)
    forked = EpisodeForked(parent="e2", at=1, minds=started().minds)
    store.append("episode-fork", NEW, [forked])
    past = past_of(store, read_history(store, "fork"))
    assert [said(history) for history in past] == ["This is meeting number 0."]


@pytest.mark.parametrize("chain", ["", "gone"])
def test_an_episode_of_no_chain_or_of_one_that_is_not_here_has_no_past(store, chain: str) -> None:
    play(store, 2, chain=chain)
    assert len(past_of(store, read_history(store, "e3"))) == 0


def test_nothing_is_read_before_it_is_looked_at() -> None:
    past = EarlierEpisodes(None, IDS)  # type: ignore[arg-type]  # Reading would fail at once.
    assert len(past[1:]) == 3
    assert next(latest(past[:0]), None) is None
