import pytest

from actors.episodes.registry import game_of
from actors.episodes.views.differences import differences, shared_past
from events.episode import ActionFailure, EpisodeEnded, EpisodeForked
from tests.support.builders import Move, act, episode, mind, numbered, opened, started

PARENT: list[Move] = [(0, "Ninety?"), (1, "Eighty."), (0, "Done."), (1, act("leave", "Bye."))]
LATE = ActionFailure(reason="timeout")


def parent():
    return numbered(episode(started(), PARENT))


def fork_of(history, at, moves: list[Move], minds=(), stream="episode-e2"):
    """A fork after event ``at``, in which a turn was open."""
    seats = minds or history[0].event.minds
    own = [EpisodeForked(parent="e1", at=at, minds=seats)]
    for turn, (seat, did) in enumerate(moves, start=history[at].event.turn):
        events = episode(history[0].event, [(seat, did)], end=None)
        own += [opened(turn, (seat,))] if own[1:] else []
        own.append(type(events[-1])(**{**_fields(events[-1]), "turn": turn}))
    own.append(EpisodeEnded(reason="left", turn=turn))
    past = history[: at + 1]
    return [
        *past,
        *(one._replace(number=one.number + at + 1) for one in numbered(own, stream)),
    ]


def _fields(struct):
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def beside(one, other):
    histories = (one, other)
    seen = [[numbered.event for numbered in history] for history in histories]
    game = game_of(one[0].event)
    accounts = [game.words.account(game.sight.view(events, "narrator")) for events in seen]
    return differences(histories, tuple(accounts))


def said(side):
    return [entry.text for entry in side]


def test_a_fork_shares_the_past_and_differs_from_the_first_other_turn_on():
    history = parent()
    fork = fork_of(history, 3, [(1, "Eighty."), (0, "No."), (1, LATE)], (mind(), mind("late")))
    found = beside(history, fork)
    assert found.shared == 3
    assert [(turn.turn, turn.same) for turn in found.turns] == [(2, True), (3, False), (4, False)]
    assert found.parts == 3
    assert [list(map(said, turn.entries)) for turn in found.turns[1:]] == [
        [["Done."], ["No."]],
        [["Bye."], [""]],
    ]
    assert found.turns[2].entries[1][0].failed
    assert [(other.seat, other.minds[1].name) for other in found.minds] == [(1, "late")]
    assert found.endings == ("fewer than two were left",) * 2


def test_one_that_goes_on_for_longer_stands_beside_nothing():
    history = parent()
    found = beside(history, fork_of(history, 5, [(0, act("leave", "I'm off."))]))
    assert [list(map(said, turn.entries)) for turn in found.turns] == [
        [["Done."], ["I'm off."]],
        [["Bye."], []],
    ]


def test_a_fork_in_which_the_same_happens_does_not_part():
    history = parent()
    found = beside(history, fork_of(history, 5, PARENT[2:]))
    assert found.parts is None
    assert found.minds == ()


@pytest.mark.parametrize(("places", "shared"), [((3, 3), 3), ((3, 5), 3), ((5, 5), 5)])
def test_two_forks_share_what_the_earlier_of_them_shares(places, shared):
    history = parent()
    one, other = (
        fork_of(history, at, PARENT[history[at].event.turn - 1 :], stream=f"episode-f{place}")
        for place, at in enumerate(places)
    )
    assert shared_past((one, other)) == shared
    assert beside(one, other).parts is None


def test_episodes_of_their_own_share_nothing_however_alike():
    found = beside(parent(), parent())
    assert found.shared == -1
    assert found.parts is None
    assert len(found.turns) == len(PARENT)
