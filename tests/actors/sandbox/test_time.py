"""Time without steps is time with steps: nothing happens at an instant that is left out."""

from bisect import bisect_right

import pytest

from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.setup import Town
from events.serialization.codec import encode
from tests.actors.sandbox.lives import lived, whims
from tests.actors.sandbox.random_towns import random_larger_town, random_town
from tests.actors.sandbox.step_loop import standing, ticking

FEW = [7, 13, 24]
"""Towns that are played fast, in which people meet, talk, sleep and lose their way."""


def check(town: Town, seed: int) -> None:
    """A town's history and what everybody did are the same, with and without a clock that ticks."""
    history, worlds = lived(town, whims(town, seed=seed))
    with ticking():
        expected, _ = lived(town, whims(town, seed=seed))
    assert [encode(event) for event in history] == [encode(event) for event in expected]

    did = trajectory_of(history)
    steps = [world.at for world in worlds]
    for step in range(town.settings.steps):
        world = worlds[bisect_right(steps, step) - 1]
        assert did.tiles[step].tolist() == [list(standing(walk, step)) for walk in world.walks]
        for spans, doing in zip(did.spans, world.doings, strict=True):
            now = next(span for span in spans if span.start <= step < span.end)
            assert (now.text, now.address) == (doing.text, doing.address)


@pytest.mark.parametrize("seed", FEW)
def test_a_town_lives_as_if_its_clock_ticked(seed: int):
    check(random_town(seed), seed)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(50))
def test_fifty_towns_live_as_if_their_clocks_ticked(seed: int):
    check(random_larger_town(seed) if seed % 2 else random_town(seed), seed)


def test_when_all_are_done_stands_beside_what_they_do():
    _, worlds = lived(random_town(3))
    for world in worlds:
        assert list(world.untils) == [doing.until for doing in world.doings]
