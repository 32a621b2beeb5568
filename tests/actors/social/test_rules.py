import pytest

from actors.episodes.rules.decide import INITIAL, Continue, Fork, Start, decide, evolve
from actors.runtime.errors import CommandRefused
from actors.social.actions import Action
from events.base import replace
from events.episode import ActionFailure, ActionTaken, EpisodeEnded, TurnOpened
from events.run import RunEnded
from events.wire.messages import StopEpisode, TakeAction
from tests.actors.social.table import Game, table, tie
from tests.support.builders import mind, opened, with_setup


def speakers(game: Game) -> list[tuple[int, ...]]:
    return [event.seats for event in game.history if isinstance(event, TurnOpened)]


def play(game: Game, turns: int) -> Game:
    while game.state.waiting and game.state.turn <= turns:
        game.act()
    return game


def test_starting_seats_the_cast_and_opens_the_first_turn():
    first = table()
    assert decide(INITIAL, Start(started=first)) == (first, opened(1, (0,)))


def test_starting_the_same_episode_again_changes_nothing():
    game = Game(table())
    assert game.do(Start(started=table())) == ()


def test_starting_another_episode_in_its_place_is_refused():
    game = Game(table())
    with pytest.raises(CommandRefused, match="begun already"):
        game.do(Start(started=table(turn_cap=3)))


def test_in_round_robin_seats_speak_in_turn_and_who_left_is_skipped():
    game = Game(table(3))
    for kind in ("speak", "leave", "speak", "speak"):
        game.act(kind)
    assert speakers(game) == [(0,), (1,), (2,), (0,), (2,)]


def test_when_all_act_at_once_a_turn_closes_with_the_last_of_them():
    game = Game(table(3, order="simultaneous"))
    assert len(game.act(seat=2)) == 1
    assert game.state.waiting == (0, 1)
    assert len(game.act(seat=0)) == 1
    assert game.act(seat=1)[1] == opened(2, (0, 1, 2))


def test_who_left_is_not_asked_when_all_act_at_once():
    game = Game(table(3, order="simultaneous"))
    game.act("leave", seat=1)
    game.act(seat=0)
    game.act(seat=2)
    assert game.state.waiting == (0, 2)


def test_a_random_order_is_the_same_for_the_same_seed_and_another_for_another():
    orders = {
        seed: tuple(speakers(play(Game(table(3, order="random", seed=seed)), 20)))
        for seed in range(10)
    }
    again = tuple(speakers(play(Game(table(3, order="random", seed=4)), 20)))
    assert again == orders[4]
    assert len(set(orders.values())) == 10
    assert set(orders[4]) == {(0,), (1,), (2,)}


def test_a_random_order_is_that_of_earlier_versions():
    """What was played once has to be gone on with in the same order for ever."""
    game = play(Game(table(3, order="random", seed=7)), 8)
    assert [seat for (seat,) in speakers(game)[:8]] == [2, 1, 0, 1, 0, 2, 0, 1]


def test_it_ends_at_the_turn_cap():
    game = play(Game(table(turn_cap=3)), 9)
    assert game.history[-1] == EpisodeEnded(reason="turn_cap", turn=3)


def test_it_ends_when_fewer_than_two_are_left():
    game = Game(table(3))
    game.act("leave")
    assert game.act("leave")[1] == EpisodeEnded(reason="left", turn=2)


def test_it_ends_after_stale_turns_in_a_row():
    game = Game(table(stale_turns=2))
    for kind in ("none", "speak", "none", "none"):
        last = game.act(kind)
    assert last[1] == EpisodeEnded(reason="stale", turn=4)


def test_a_turn_of_several_is_stale_only_if_nobody_did_anything():
    game = Game(table(order="simultaneous", stale_turns=1))
    game.act("none")
    game.act("speak")
    assert game.state.world.stale == 0
    game.act("none")
    game.act("none")
    assert game.state.ended == "stale"


def test_stale_turns_never_end_it_when_that_is_switched_off():
    game = Game(table(stale_turns=0, turn_cap=9))
    while game.state.waiting:
        game.act("none")
    assert game.state.ended == "turn_cap"


def test_of_several_endings_the_one_that_says_most_is_recorded():
    game = Game(table(turn_cap=2, stale_turns=1))
    game.act("speak")
    game.act("leave")
    assert game.state.ended == "left"


def test_stopping_records_the_last_turn_in_which_somebody_acted():
    game = Game(table())
    game.act()
    ended = game.do(StopEpisode(detail="enough"))
    assert ended == (EpisodeEnded(reason="stopped", turn=1, detail="enough"),)
    assert game.do(StopEpisode()) == ()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (TakeAction(seat=2, turn=1, action=Action(kind="none")), "no seat 2; seats are 0 to 1"),
        (TakeAction(seat=1, turn=1, action=Action(kind="none")), "waits for seat 0"),
        (TakeAction(seat=0, turn=2, action=Action(kind="none")), "turn 1 is open"),
        (TakeAction(seat=0, turn=1, action=Action(kind="speak", text=" ")), "needs a text"),
        (TakeAction(seat=0, turn=1, action=Action(kind="speak", text="x", to=(5,))), "no seat 5"),
        (TakeAction(seat=0, turn=1, action=Action(kind="speak", text="x", to=(0,))), "to itself"),
    ],
)
def test_a_wrong_action_is_refused_with_a_sentence(command: TakeAction, sentence: str):
    game = Game(table())
    with pytest.raises(CommandRefused, match=sentence):
        game.do(command)


def test_who_left_or_comes_after_the_end_is_refused():
    game = Game(table(3))
    game.act("leave")
    with pytest.raises(CommandRefused, match="seat 0 cannot act in turn 2: turn 2 is open"):
        game.do(TakeAction(seat=0, turn=2, action=Action(kind="none")))
    game.do(StopEpisode())
    with pytest.raises(CommandRefused, match=r"the episode is over \(stopped\)"):
        game.do(TakeAction(seat=1, turn=2, action=Action(kind="none")))


def test_the_last_action_delivered_again_after_the_end_is_taken_once():
    game = Game(table(turn_cap=1))
    game.act()
    assert game.do(TakeAction(seat=0, turn=1, action=Action(kind="leave"))) == ()


def test_doing_nothing_has_neither_words_nor_witnesses_and_keeps_its_failure():
    game = Game(table())
    failure = ActionFailure(reason="timeout")
    action = Action(kind="none", text="I do nothing.", to=(1,))
    taken, _ = game.do(TakeAction(seat=0, turn=1, action=action, failure=failure))
    assert taken == ActionTaken(turn=1, seat=0, action=Action(kind="none"), failure=failure)


def test_what_a_seat_was_shown_when_it_acted_is_remembered():
    game = Game(table())
    assert game.state.last_seen == (-1, -1)
    game.act()
    assert game.state.last_seen == (1, -1)
    game.act()
    assert game.state.last_seen == (1, 3)


def test_a_fork_in_the_middle_of_a_turn_waits_for_those_who_had_not_acted():
    game = Game(table(3, order="simultaneous"))
    game.act(seat=1)
    minds = tuple(mind(f"new{seat}") for seat in range(3))
    game.do(Fork(parent="e1", minds=minds, run="r2"))
    assert game.do(Continue()) == ()
    assert game.state.waiting == (0, 2)
    assert game.state.minds == minds


def test_a_fork_after_an_action_opens_the_turn_that_follows():
    game = Game(table())
    cut = game.history[:1], evolve(INITIAL, game.history[0])
    assert decide(cut[1], Continue()) == (opened(1, (0,)),)
    game.act()
    state = INITIAL
    for event in game.history[:3]:
        state = evolve(state, event)
    assert decide(state, Continue()) == (opened(2, (1,)),)


def test_a_fork_of_the_end_is_refused_and_says_where_it_can_be_forked():
    game = play(Game(table(turn_cap=1)), 9)
    with pytest.raises(CommandRefused, match=r"event 3 .* is its end .* forked at is 2"):
        game.do(Fork(parent="e1", minds=game.state.minds))


def test_a_fork_needs_a_mind_for_every_seat():
    game = Game(table())
    with pytest.raises(CommandRefused, match="1 minds were given for 2 seats"):
        game.do(Fork(parent="e1", minds=(mind(),)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cast": table().setup.cast[:1]}, "at least two seats"),
        ({"cast": table(3).setup.cast}, "2 minds were given for 3 seats"),
        ({"minds": (mind(),)}, "1 minds were given for 2 seats"),
        ({"rules": table(turn_cap=0).setup.rules}, "turn cap"),
        ({"rules": table(stale_turns=-1).setup.rules}, "stale turns"),
        ({"rules": table(seed=2**70).setup.rules}, "64 bits"),
        ({"relationships": (tie(0, 0),)}, "two different seats"),
        ({"relationships": (tie(0, 2),)}, "two different seats"),
        ({"relationships": (tie(0, 1), tie(1, 0))}, "more than one relationship"),
        ({"relationships": (tie(0, 1, story="<p>"),)}, r"story of seats \(0, 1\) cannot be read"),
    ],
)
def test_an_episode_that_cannot_be_played_is_refused(changes: dict, sentence: str):
    setup = {name: value for name, value in changes.items() if name != "minds"}
    first = with_setup(table(), **setup)
    first = replace(first, minds=changes.get("minds", first.minds))
    with pytest.raises(CommandRefused, match=sentence):
        decide(INITIAL, Start(started=first))


def test_an_event_of_something_else_is_no_part_of_a_history():
    event = RunEnded(episodes_ended=1, episodes_failed=0, evaluations_ended=0, evaluations_failed=0)
    with pytest.raises(TypeError, match="RunEnded"):
        evolve(INITIAL, event)
