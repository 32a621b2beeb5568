"""What an import may hold that nobody here would play: it ends, and is refused in a sentence."""

import pytest

from actors.episodes.rules.decide import INITIAL, Continue, Fork, decide, evolve
from actors.episodes.views.inconsistent_history import OddHistory, state_after, telling
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import CommandRefused
from actors.worldtree import sight
from actors.worldtree.setup import Chose, Inquiry, Settings, Stepped, Walk
from actors.worldtree.tasks import samples_in
from events.base import Event
from events.episode import ActionTaken, EpisodeFailed, TurnOpened, WorldChanged
from store.log.event_store import NEW, EventStore
from tests.actors.worldtree.example_trees import LAMP, edge, scene, tree
from tests.actors.worldtree.table import begun
from tests.support.managed_episodes import Company

ROUND = begun(Walk(tree=tree(scene(0, edge(0, "On."), edge(0, "Back."))), digest="d"))
"""A walk that never ends."""


def opened(settings: Settings) -> list[Event]:
    setup = Walk(tree=tree(scene(0, edge(1, "On."), edge(1, "Off.")), scene(1)), digest="d")
    started = begun(Walk(tree=setup.tree, digest="d", settings=settings))
    return [started, TurnOpened(turn=1, asked=())]


def test_a_walk_in_a_circle_is_not_gone_on_with():
    state = evolve(INITIAL, ROUND)
    (failed,) = decide(state, Continue())
    assert isinstance(failed, EpisodeFailed)
    assert "leads from node 0 back to it" in failed.reason
    with pytest.raises(CommandRefused, match="leads from node 0 back to it"):
        decide(state, Fork(parent="e1", minds=ROUND.minds))


@pytest.mark.parametrize(
    "odd",
    [
        WorldChanged(change=Stepped(edge=-1, votes=2)),
        WorldChanged(change=Stepped(edge=2, votes=2)),
        ActionTaken(turn=1, seat=0, question=-1, action=Chose(option=0)),
        ActionTaken(turn=1, seat=0, question=3, action=Chose(option=0)),
        ActionTaken(turn=1, seat=0, action=Chose(option=2)),
        ActionTaken(turn=1, seat=0, action=Chose(option=-1)),
    ],
)
def test_a_place_that_there_is_not_cannot_be_told(odd: Event):
    with pytest.raises(OddHistory, match="'worldtree'"):
        state_after([*opened(Settings()), odd])


def test_a_step_within_an_inquiry_cannot_be_told():
    asked = begun(Inquiry(sample=samples_in(LAMP)[0]))
    history = [asked, TurnOpened(turn=1, asked=()), WorldChanged(change=Stepped(edge=0, votes=2))]
    with pytest.raises(OddHistory, match="an inquiry has no steps"), telling("worldtree"):
        sight.SIGHT.view(history, "narrator")


ODD = WorldChanged(change=Stepped(edge=-1, votes=2))


@pytest.mark.parametrize("history", [[*opened(Settings()), ODD], [*opened(Settings()), ODD, ODD]])
async def test_who_goes_on_with_what_cannot_be_told_gives_it_up(
    history: list[Event], store: EventStore, bus: Bus
):
    store.append("episode-e1", NEW, history)
    async with Company(store, bus) as company:
        *before, failed = await company.go_on("e1").ended()
    assert before == history
    assert isinstance(failed, EpisodeFailed)
    assert "does not follow from the rules of environment 'worldtree'" in failed.reason
