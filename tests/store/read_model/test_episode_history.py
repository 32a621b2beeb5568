"""An episode's history, composed by reference, and the tree of forks."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from events.episode import EpisodeForked, EpisodeStarted
from store.id_lookup import UnknownId
from store.log.event_store import ANY, NEW, EventStore
from store.read_model.episode_history import (
    BrokenFork,
    NoSuchEvent,
    follow_history,
    lineage,
    read_history,
)
from tests.store.histories import CALM, fork, play, turn


def numbers(store: EventStore, episode: str, upto: int | None = None) -> list[int]:
    return [numbered.number for numbered in read_history(store, episode, upto)]


def streams(store: EventStore, episode: str, upto: int | None = None) -> list[tuple[str, int]]:
    history = read_history(store, episode, upto)
    return [(numbered.envelope.stream, numbered.envelope.version) for numbered in history]


def test_numbers_of_an_unforked_episode_are_its_versions(store):
    play(store, "e1")
    assert [(n.number, n.envelope.version) for n in read_history(store, "e1")] == [
        (version, version) for version in range(8)
    ]


def test_a_history_can_be_read_up_to_any_number(store):
    play(store, "e1")
    for upto in range(8):
        assert numbers(store, "e1", upto) == list(range(upto + 1))


def test_a_fork_has_its_parents_events_and_then_its_own(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    assert streams(store, "f1") == [
        *(("episode-e1", version) for version in range(5)),
        *(("episode-f1", version) for version in range(3)),
    ]
    assert numbers(store, "f1") == list(range(8))
    assert isinstance(read_history(store, "f1")[5].event, EpisodeForked)


def test_a_fork_of_a_fork_counts_on_through_all_of_its_past(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "f1", 6, "f2", turns=(3,))
    assert streams(store, "f2") == [
        *(("episode-e1", version) for version in range(5)),
        ("episode-f1", 0),
        ("episode-f1", 1),
        *(("episode-f2", version) for version in range(3)),
    ]
    assert numbers(store, "f2") == list(range(10))


def test_a_fork_may_share_only_what_its_parent_shares_itself(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "f1", 2, "f2")
    assert streams(store, "f2") == [
        *(("episode-e1", version) for version in range(3)),
        ("episode-f2", 0),
    ]


def test_a_fork_read_within_its_shared_past_is_its_parent(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "f1", 6, "f2", turns=(3,))
    for upto in range(5):
        assert streams(store, "f2", upto) == streams(store, "e1", upto)
    assert streams(store, "f2", 6) == streams(store, "f1", 6)


def test_a_parent_that_goes_on_does_not_change_its_forks(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "f1", 6, "f2")
    before = streams(store, "f2")
    store.append("episode-f1", 2, [EpisodeForked(parent="e1", at=4, minds=(CALM,))])
    assert streams(store, "f2") == before


@pytest.mark.parametrize("upto", [-1, 8, 999])
def test_a_number_outside_the_history_is_refused_with_its_bounds(store, upto):
    play(store, "e1")
    with pytest.raises(NoSuchEvent, match=rf"no event number {upto}: .* from 0 to 7") as refused:
        read_history(store, "e1", upto)
    assert (refused.value.episode, refused.value.number, refused.value.last) == ("e1", upto, 7)


@pytest.mark.parametrize("episode", ["e1", "f1", "f2"])
def test_a_history_can_be_read_behind_any_number(store, episode):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "f1", 6, "f2", turns=(3,))
    whole = read_history(store, episode)
    for after in range(-1, len(whole) + 2):
        assert read_history(store, episode, after=after) == whole[after + 1 :]
        for upto in range(len(whole)):
            part = read_history(store, episode, upto, after=after)
            assert part == whole[after + 1 : upto + 1]
        with pytest.raises(NoSuchEvent):
            read_history(store, episode, len(whole), after=after)


def test_behind_its_shared_past_a_fork_needs_no_parent(store):
    store.append("episode-f1", NEW, [EpisodeForked(parent="gone", at=3, minds=(CALM,))])
    assert [n.number for n in read_history(store, "f1", after=3)] == [4]
    with pytest.raises(BrokenFork):
        read_history(store, "f1", after=2)


@pytest.mark.parametrize("after", [-1, 2, 5, 7])
def test_following_gives_what_is_stored_and_then_each_new_event(store, after):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    following = follow_history(store, "f1", after=after)
    begun = read_history(store, "f1", after=after)
    assert list(islice(following, len(begun))) == begun
    for number in range(4, 7):
        store.append("episode-f1", ANY, turn(number))
    assert list(islice(following, 6)) == read_history(store, "f1", after=7)


def test_following_waits_for_an_episode_that_has_not_begun(store):
    with ThreadPoolExecutor(1) as threads:
        following = follow_history(store, "e1", poll_s=0.01)
        first = threads.submit(next, following)
        play(store, "e1")
        assert first.result().number == 0


@pytest.mark.parametrize("begun", [False, True])
def test_following_ends_where_no_more_is_to_come_with_all_that_is_stored_by_then(store, begun):
    if begun:
        play(store, "e1")

    def no_more() -> bool:
        play(store, "e1") if not begun else store.append("episode-e1", ANY, turn(9))
        return False

    followed = list(follow_history(store, "e1", poll_s=0.0, more=no_more))
    assert followed == read_history(store, "e1")


def test_following_reads_each_event_once(store, monkeypatch):
    play(store, "e1")
    fork(store, "e1", 4, "f1")
    read = []

    def counted(stream, *versions):
        envelopes = type(store).read(store, stream, *versions)
        read.extend(envelope.position for envelope in envelopes)
        return envelopes

    monkeypatch.setattr(store, "read", counted)
    following = follow_history(store, "f1")
    assert len(list(islice(following, 6))) == 6
    for number in range(3, 103):
        store.append("episode-f1", ANY, turn(number))
        assert len(list(islice(following, 2))) == 2
    twice = [position for position, times in Counter(read).items() if times > 1]
    assert len(twice) <= 1, "but for the fork's first event, which says where it begins"


def test_an_episode_that_is_not_there_is_unknown(store):
    with pytest.raises(UnknownId, match="no episode 'nobody'"):
        read_history(store, "nobody")


@pytest.mark.parametrize(
    ("parent", "at", "why"),
    [
        ("nobody", 3, "not in the store"),
        ("e1", 99, "its last event is number 7"),
        ("e1", -4, "no such number"),
        ("f1", 0, "itself a fork of this one"),
    ],
)
def test_a_fork_without_its_past_says_what_is_wrong(store, parent, at, why):
    play(store, "e1")
    store.append("episode-f1", NEW, [EpisodeForked(parent=parent, at=at, minds=(CALM,))])
    with pytest.raises(BrokenFork, match=why) as broken:
        read_history(store, "f1")
    assert (broken.value.episode, broken.value.parent, broken.value.at) == ("f1", parent, at)


def test_the_tree_is_the_same_from_wherever_it_is_asked_for(store):
    play(store, "e1")
    fork(store, "e1", 4, "f1", turns=(3,))
    fork(store, "e1", 2, "f2")
    fork(store, "f1", 6, "f3")
    play(store, "e2")
    trees = [lineage(store, episode) for episode in ("e1", "f1", "f2", "f3")]
    assert all(tree == trees[0] for tree in trees)
    assert [(depth, row.id, row.forked_at) for depth, row in trees[0].walk()] == [
        (0, "e1", None),
        (1, "f1", 4),
        (2, "f3", 6),
        (1, "f2", 2),
    ]


def test_an_episode_without_forks_is_a_tree_of_one(store):
    play(store, "e1")
    assert [row.id for _, row in lineage(store, "e1").walk()] == ["e1"]


def test_a_long_chain_of_forks_is_one_history(store):
    length = 40
    play(store, "e0")
    fork(store, "e0", 0, "f1")
    for number in range(2, length + 1):
        fork(store, f"f{number - 1}", number - 1, f"f{number}")
    history = read_history(store, f"f{length}")
    assert [numbered.number for numbered in history] == list(range(length + 1))
    assert [type(numbered.event) for numbered in history] == [
        EpisodeStarted,
        *[EpisodeForked] * length,
    ]
    assert [depth for depth, _ in lineage(store, "e0").walk()] == list(range(length + 1))
