"""A chain's past: what was played, as its seats saw it."""

from pathlib import Path

import pytest

from actors.social.catalog.needed_facts import says
from actors.social.hard_scenarios.chain_history import NoPast, PastEpisode, chain_past
from tests.actors.social.hard_scenarios.chains import begun, past_of, stored
from tests.actors.social.meetings import CAST, TEACHING
from tests.support.builders import act
from tests.support.managed_episodes import open_at


def test_what_was_played_of_a_chain_is_read_from_the_store(tmp_path: Path):
    store = open_at(tmp_path)
    past = chain_past(store, stored(store, TEACHING, played=3))
    assert [episode.scenario for episode in past.episodes] == list(TEACHING[:3])
    assert [episode.index for episode in past.episodes] == [0, 1, 2]
    assert [who.id for who in past.latest.setup.cast] == list(CAST)
    assert past.begun.scenarios == TEACHING


def test_a_chain_that_never_began_or_of_which_nothing_was_played_has_no_past(tmp_path: Path):
    store = open_at(tmp_path)
    with pytest.raises(NoPast, match="nothing of chain 'hnone' was played"):
        chain_past(store, "hnone")
    store.append("chain-hempty", -1, [begun(["s0"])])
    with pytest.raises(NoPast):
        chain_past(store, "hempty")


def test_what_all_heard_is_without_deeds_and_whispers_and_what_came_after_somebody_left():
    three = {"cast": (*past_of([]).latest.setup.cast, past_of([]).latest.setup.cast[0])}
    moves = [
        (0, "Everybody hears this."),
        (1, act("physical", "bangs a pot")),
        (0, act("speak", "Only you hear this.", to=(1,))),
        (2, act("leave", "I'm off.")),
        (1, "Two of us hear this."),
    ]
    from tests.support.builders import mind, scenario

    stage = scenario(id="s0", goals=("a", "b", "c"))
    (episode,) = past_of(
        moves, scenario=stage, minds=(mind(),) * 3, relationships=(), **three
    ).episodes
    assert [line.text for line in episode.said] == ["Everybody hears this.", "I'm off."]


def test_a_seat_saw_the_situation_its_own_goal_and_what_it_noticed():
    (episode,) = past_of([(0, "The bag is in the loft.")]).episodes
    seen = episode.seen_by(1)
    assert says(seen, (("loft",), ("stove",), ("listen",)))
    assert not says(seen, (("talk",),)), "the other's goal"


def test_an_episode_that_never_began_is_no_past():
    with pytest.raises(ValueError, match="'e9' never began"):
        PastEpisode("e9", [])
