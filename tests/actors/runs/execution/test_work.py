"""What is left to do of a run, and which of its jobs may be queued now."""

import pytest

from actors.runs.execution.work import Work, evaluation_job
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, EpisodeOutcome
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeReopened
from events.evaluation import (
    Dimension,
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    JudgeSpec,
)
from events.run import PlannedChain
from events.wire.messages import ContinueEpisode, PlayEpisode

ENDED = EpisodeEnded(reason="left", turn=1)
FAILED = EpisodeFailed(reason="it broke", attempts=5)
JUDGE = JudgeSpec(name="j", kind="rehearsal", dimensions=(Dimension(name="goal", low=0, high=1),))


def chain(name: str, length: int) -> PlannedChain:
    return PlannedChain(
        id=f"h{name}",
        characters=("a", "b"),
        minds=("m", "m"),
        memory="none",
        episodes=tuple(f"e{name}{index}" for index in range(length)),
    )


def chained(*chains: PlannedChain, judges: tuple[JudgeSpec, ...] = ()) -> Work:
    work = Work("r1", [id_ for one in chains for id_ in one.episodes], judges, chains)
    work.line_up()
    return work


def advance(work: Work, id_: str, index: int, outcome: EpisodeOutcome = "ended") -> bool:
    event = ChainAdvanced(index=index, episode=f"e{id_[1:]}{index}", outcome=outcome)
    return work.note(f"chain-{id_}", event)


def queue(work: Work, most: int = 100) -> list[str]:
    """Take what may be queued, as if it was."""
    taken = work.take("episode", most)
    work.queued["episode"].update(dict.fromkeys(taken, 0.0))
    return taken


def test_of_each_chain_only_the_next_episode_may_be_queued():
    work = chained(chain("x", 3), chain("y", 2))
    assert queue(work) == ["ex0", "ey0"]
    assert queue(work) == []
    work.note("episode-ex0", ENDED)
    assert queue(work) == [], "it is not remembered yet"
    assert advance(work, "hx", 0)
    assert queue(work) == ["ex1"]
    assert not advance(work, "hz", 0), "another run's"


def test_what_is_said_twice_counts_once():
    work = chained(chain("x", 3))
    for _ in range(2):
        work.note("episode-ex0", ENDED)
        advance(work, "hx", 0)
    assert queue(work) == ["ex1"]
    assert work.progress.episodes_ended == 1
    advance(work, "hx", 1)
    advance(work, "hx", 0)
    assert queue(work) == ["ex2"]


def test_a_run_is_done_when_its_chains_are_not_when_their_episodes_are():
    work = chained(chain("x", 2))
    for index in range(2):
        work.note(f"episode-ex{index}", ENDED)
    assert (work.progress.episodes_ended, work.progress.done) == (2, False)
    advance(work, "hx", 0)
    advance(work, "hx", 1)
    assert not work.progress.done
    work.note("chain-hx", ChainEnded(ended=2, failed=0))
    assert work.progress.done
    assert (work.progress.chains, work.progress.chains_ended) == (1, 1)


def test_an_episode_that_failed_does_not_stop_its_chain():
    work = chained(chain("x", 2), judges=(JUDGE,))
    work.note("episode-ex0", FAILED)
    advance(work, "hx", 0, "failed")
    assert queue(work) == ["ex1"]
    assert (work.progress.episodes_failed, work.progress.evaluations) == (1, 1)


def test_a_chain_that_was_given_up_takes_its_other_episodes_with_it():
    work = chained(chain("x", 4), chain("y", 1), judges=(JUDGE,))
    queue(work)
    work.note("episode-ex0", ENDED)
    advance(work, "hx", 0)
    assert queue(work) == ["ex1"]
    # One of them is said to have failed, as give_up does; the others are inferred.
    work.note("episode-ex1", FAILED)
    work.note("chain-hx", ChainFailed(reason="it broke", attempts=5))
    assert queue(work) == []
    progress = work.progress
    assert (progress.episodes_ended, progress.episodes_failed) == (1, 3)
    assert (progress.chains_failed, progress.evaluations) == (1, 2)
    assert set(work.queued["episode"]) == {"ey0"}


def test_an_evaluation_begins_with_the_end_of_its_episode_and_not_with_its_chains_turn():
    work = chained(chain("x", 2), judges=(JUDGE,))
    assert work.take("evaluation", 9) == []
    work.note("episode-ex0", ENDED)
    (evaluation,) = work.take("evaluation", 9)
    assert work.scoring[evaluation].episode == "ex0"
    work.note(f"evaluation-{evaluation}", EvaluationEnded(scored=1, failed=0, abstained=0))
    assert work.take("evaluation", 9) == []
    assert work.progress.evaluations_ended == 1


@pytest.mark.parametrize("known", ["ended and advanced", "ended"])
def test_who_comes_later_goes_on_where_the_chain_is(known: str):
    one = chain("x", 3)
    work = Work("r1", one.episodes, (), [one])
    work.note("episode-ex0", ENDED)
    if known == "ended and advanced":
        advance(work, "hx", 0)
    work.line_up()
    (next_,) = work.take("episode", 9)
    assert next_ == ("ex1" if known == "ended and advanced" else "ex0")
    assert work.job("episode", next_) == PlayEpisode(run="r1", episode=next_)


def test_no_more_is_taken_than_asked_for_and_what_is_put_back_comes_first():
    work = Work("r1", [f"e{n}" for n in range(6)], ())
    work.line_up()
    assert queue(work, 2) == ["e0", "e1"]
    work.put_back("episode", ["e0", "e1"])
    assert not work.queued["episode"]
    assert queue(work, 3) == ["e0", "e1", "e2"]
    work.note("episode-e3", ENDED)
    assert queue(work) == ["e4", "e5"], "what has ended meanwhile is not queued"
    assert set(work.queued["episode"]) == {"e0", "e1", "e2", "e4", "e5"}


def test_only_forks_and_only_scores_are_less_than_a_run():
    forks = Work.continuing(["e1"])
    assert forks.partial
    assert forks.job("episode", "e1") == ContinueEpisode(episode="e1")
    scores = Work.scoring_only("r1", [evaluation_job(id_, JUDGE) for id_ in ("e1", "e2")])
    scores.line_up()
    first, second = scores.take("evaluation", 9)
    scores.note(f"evaluation-{first}", EvaluationEnded(scored=1, failed=0, abstained=0))
    assert not scores.progress.done
    scores.note(f"evaluation-{second}", EvaluationFailed(reason="it broke", attempts=5))
    assert (scores.progress.done, scores.progress.evaluations_failed) == (True, 1)


def test_what_was_given_up_and_reopened_is_to_be_done_again():
    work = Work("r1", ["e1", "e2"], (JUDGE,))
    work.line_up()
    assert queue(work) == ["e1", "e2"]
    work.note("episode-e1", FAILED)
    work.note("episode-e2", ENDED)
    (evaluation,) = work.take("evaluation", 10)
    work.note(f"evaluation-{evaluation}", EvaluationFailed(reason="it broke", attempts=5))
    assert work.progress.done
    for _ in range(2):  # heard of once more, it changes nothing
        work.note("episode-e1", EpisodeReopened())
        work.note(f"evaluation-{evaluation}", EvaluationReopened())
    assert queue(work) == ["e1"]
    assert work.take("evaluation", 10) == [evaluation]
    assert (work.progress.episodes_failed, work.progress.evaluations_failed) == (0, 0)
    work.note("episode-e1", ENDED)
    for id_ in (evaluation, *work.take("evaluation", 10)):
        work.note(f"evaluation-{id_}", EvaluationEnded(scored=1, failed=0, abstained=0))
    assert work.progress.done
    assert (work.progress.episodes_ended, work.progress.evaluations_ended) == (2, 2)


def test_an_episode_of_a_chain_is_not_reopened():
    work = chained(chain("x", 3))
    work.note("episode-ex0", FAILED)
    advance(work, "hx", 0, "failed")
    assert not work.note("episode-ex0", EpisodeReopened())
    assert queue(work) == ["ex1"]
