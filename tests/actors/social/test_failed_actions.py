"""A mind that fails is no character that does nothing: not for the rules, not for who sees it."""

import pytest

from actors.episodes.rules.decide import INITIAL, Continue, Fork, Reopen, evolve, follow
from actors.episodes.rules.failed_actions import A_FAULT
from actors.social.actions import NOTHING
from actors.social.render import account, transcript
from actors.social.sight import view
from evaluators.judges.judge_form import QUOTED
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.registry import built_in
from evaluators.social.believability.case import case_of
from evaluators.social.believability.rules import no_repetition, questions_answered
from evaluators.social.first_template_values import material
from evaluators.social.rehearsal_judge import NEVER_HEARD, judge
from events.base import Event, replace
from events.episode import ActionFailure, EpisodeEnded, EpisodeFailed
from events.evaluation import ScoreAbstained
from events.wire.messages import TakeAction
from tests.actors.social.table import Game, table
from tests.support.builders import Move, act, episode, mind, numbered, started

UNREAD = ActionFailure(reason="unreadable", detail="no JSON object", raw="<think>")


def fail(game: Game) -> tuple[Event, ...]:
    """The seat that is asked gives no answer."""
    command = TakeAction(
        seat=game.state.waiting[0], turn=game.state.turn, action=NOTHING, failure=UNREAD
    )
    return game.do(command)


def test_a_failed_action_is_no_stale_turn_and_ends_no_row_of_them():
    game = Game(table(stale_turns=2))
    fail(game)
    fail(game)
    assert game.state.ended is None
    assert game.state.world.stale == 0
    game.act("none")
    fail(game)
    assert game.state.world.stale == 1
    game.act("none")
    assert game.state.ended == "stale"


def test_where_all_act_at_once_one_failure_leaves_open_whether_the_turn_was_stale():
    game = Game(table(order="simultaneous", stale_turns=1))
    game.act("none")
    fail(game)
    assert game.state.ended is None
    game.act("none")
    game.act("none")
    assert game.state.ended == "stale"


def test_an_episode_is_given_up_when_one_seat_fails_again_and_again():
    game = Game(table(turn_cap=99))
    for _ in range(2):
        fail(game)
        game.act()
    last = fail(game)[-1]
    assert isinstance(last, EpisodeFailed)
    assert last.attempts == 3
    assert last.reason.startswith("seat 1 gave no answer 3 times in a row (not readable: ")
    assert "no JSON object" in last.reason


@pytest.mark.parametrize(
    ("most", "end"), [(1, ("failed", 1)), (5, ("failed", 9)), (0, ("turn_cap", 20))]
)
def test_a_plan_says_how_many_failures_give_an_episode_up(most: int, end: tuple[str, int]):
    game = Game(replace(table(turn_cap=20), give_up_after=most))
    while game.state.ended is None:
        game.act() if game.state.waiting[0] else fail(game)
    assert (game.state.ended, game.state.turn) == end


def test_an_episode_that_ends_without_an_answer_of_anybody_is_given_up():
    game = Game(table(turn_cap=4))
    for _ in range(3):
        fail(game)
    last = fail(game)[-1]
    assert isinstance(last, EpisodeFailed)
    assert last.reason.startswith("no seat gave an answer at all (not readable: ")


def test_an_answer_in_between_is_a_new_start():
    game = Game(table(turn_cap=12, stale_turns=0))
    for turn in range(12):
        game.act() if turn % 6 > 3 else fail(game)
    assert game.state.ended == "turn_cap"


def test_what_was_given_up_goes_on_with_the_next_turn_when_reopened_and_a_fork_begins_anew():
    game = Game(table(turn_cap=99))
    for _ in range(5):
        fail(game)
    assert game.state.ended == "failed"
    game.do(Reopen())
    turn = game.state.turn
    game.do(Continue())
    assert (game.state.turn, game.state.waiting) == (turn + 1, (1,))
    game.do(Fork(parent="e1", minds=(mind("a"), mind("b"))))
    assert game.state.failing == (0, 0)


def test_an_old_history_that_ended_after_failures_keeps_its_end():
    """Before they were told apart, two failures in a row ended an episode as stale."""
    history = episode(table(), [(0, UNREAD), (1, UNREAD)], end="stale")
    state = INITIAL
    for event in history[:-1]:
        state = evolve(state, event)
    assert [type(event).__name__ for event in follow(state)] == ["TurnOpened"], "a fork goes on"
    state = evolve(state, history[-1])
    assert state.ended == "stale"
    assert follow(state) == ()


MOVES: list[Move] = [(0, "Where were you?"), (1, UNREAD), (0, "Well?"), (1, "At home.")]


@pytest.mark.parametrize("viewer", [0, 1])
def test_seats_notice_nothing_of_a_failure(viewer: int):
    seen = view(episode(started(), MOVES), viewer)
    assert [line.turn for line in seen.lines] == [1, 3, 4]


@pytest.mark.parametrize("viewer", ["judge", "spectator"])
def test_who_does_not_play_is_told_that_it_was_no_choice_and_not_what_plays(viewer: str):
    seen = view(episode(started(), MOVES), viewer)
    assert seen.lines[1].failure == A_FAULT
    assert "Turn 2. Ben Okafor gave no answer" in transcript(seen)


def test_the_narrator_is_told_why():
    entry = account(view(episode(started(), MOVES), "narrator")).entries[1]
    assert entry.line == "Ben Okafor gave no answer"
    assert entry.failed == "not readable: it wrote prose, not JSON; it said: “<think>”"
    assert not entry.idle


def test_a_judge_reads_that_a_turn_was_a_technical_failure():
    told = material(view(episode(started(), MOVES), "judge"), QUOTED)["transcript"][1]["what"]
    assert told == "[gave no answer: a technical failure, no choice of the character's]"


def test_rules_that_judge_do_not_hold_a_failure_against_a_seat():
    case = case_of(JudgedEpisode(numbered(episode(started(), MOVES))))
    assert questions_answered(case, 1).passed is not False
    silent: list[Move] = [(0, "Where were you?"), (1, act("none"))]
    assert (
        questions_answered(case_of(JudgedEpisode(numbered(episode(started(), silent)))), 1).passed
        is False
    )
    assert no_repetition(case, 1).passed


def test_a_judge_is_not_told_who_was_late_or_stopped_it():
    why = "the person in seat 2 did not answer in time"
    over = [
        *episode(started(), MOVES, end=None),
        EpisodeEnded(reason="abandoned", turn=2, detail=why),
    ]
    judged = JudgedEpisode(numbered(over)).account
    assert (judged.ended, judged.detail) == ("abandoned", "")
    assert account(view(over, "narrator")).detail == why


def test_the_rehearsal_judge_scores_no_seat_that_was_never_heard():
    moves: list[Move] = [(0, "Hello, Ben."), (1, UNREAD), (0, "Are you there?"), (1, UNREAD)]
    strict = built_in()["rehearsal-strict"]
    scores = judge(view(episode(started(), moves), "judge"), strict)
    reasons = {score.reason for score in scores if score.seat == 1}
    assert reasons == {NEVER_HEARD}
    assert all(isinstance(score, ScoreAbstained) for score in scores if score.seat == 1)
