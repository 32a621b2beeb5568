"""The part of the demo that plays single episodes: score, replay, fork."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve
from evaluators.judges.judge_file import judge_named
from events.untrusted.safe_text import shortened
from gateway.cli.play_with_progress import work_with_progress
from gateway.cli.terminal.output import note
from gateway.errors import GatewayError
from gateway.services.episodes.fork_episode import begin_forks, prepare_fork
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.plan_run import begin_run, prepare
from gateway.settings import Settings
from gateway.social.demo.completeness import finish
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow

PLAN = Path(__file__).with_name("episodes.toml")
FIRST_JUDGE, SECOND_JUDGE = "rehearsal-strict", "rehearsal-lenient"
TASK_TO_READ, MINDS_TO_READ = "night_accordion-yuki-noor", ("stubborn", "candid")
"""The episode that is replayed and forked: the same in every demo."""
FORKED_SEAT, OTHER_MIND = 0, "generous"


class ReplayDiffers(GatewayError):
    """A replayed state is not the one that was live."""

    def __init__(self, episode: str, number: int) -> None:
        super().__init__(
            f"the state of {shortened(episode)} after event {number} differs from the live one"
        )
        self.episode, self.number = episode, number


class Played(NamedTuple):
    """What was played, and what was done with the one to be read."""

    run: str
    episodes: int
    episode: EpisodeRow
    """It was replayed and forked."""
    replayed: int
    """Its events; after each of them the replayed state was the live one."""
    fork: EpisodeRow
    at: int
    """The last event that the fork shares."""


class Witness:
    """Remembers every state that episodes went through while they were played."""

    def __init__(self) -> None:
        self.states: dict[str, list[EpisodeState]] = {}

    def __call__(self, episode: str, state: EpisodeState) -> None:
        """An episode has just come into this state."""
        self.states.setdefault(episode, []).append(state)


def play_episodes(settings: Settings, store: EventStore) -> Played:
    """Play, score twice, replay, fork, and score the fork."""
    run, episodes, witness = _play(settings, store)
    note("[dim]2  Score again with a second judge: what is stored is read, nothing is played[/]")
    _score(settings, store, run, SECOND_JUDGE)
    episode = _the_one_to_read(store, run)
    replayed = _replay(store, episode, witness)
    note(f"[dim]3  Replay {episode.id}: after each of {replayed} events, the state is as it was[/]")
    fork, at = _fork(settings, store, episode)
    return Played(run, episodes, episode, replayed, queries.episode(store, fork), at)


def _play(settings: Settings, store: EventStore) -> tuple[str, int, Witness]:
    prepared = prepare(store, PLAN)
    plan, episodes = prepared.planned.plan, prepared.planned.episodes
    minds = " and ".join(mind.name for mind in plan.minds)
    note(f"[dim]1  Play {len(episodes)} episodes between minds that are {minds}, and score them[/]")
    witness = Witness()

    begin = partial(begin_run, store, prepared)
    finish(work_with_progress(settings, store, begin, plan.concurrency, witness=witness))
    return prepared.run, len(episodes), witness


def _score(settings: Settings, store: EventStore, what: str, judge: str) -> None:
    work = scoring_of(store, what, judge_named(judge)).work
    finish(work_with_progress(settings, store, lambda: work, 1))


def _replay(store: EventStore, row: EpisodeRow, witness: Witness) -> int:
    """Fold the events of an episode, and hold every state to the live one; how many there are."""
    state, live = INITIAL, witness.states[row.id]
    history = read_history(store, row.id)
    for numbered, was in zip(history, live, strict=True):
        state = evolve(state, numbered.event)
        if state != was:
            raise ReplayDiffers(row.id, numbered.number)
    return len(history)


def _the_one_to_read(store: EventStore, run: str) -> EpisodeRow:
    return next(
        row
        for row in queries.episodes(store, run=run)
        if row.task == TASK_TO_READ and row.minds == MINDS_TO_READ
    )


def _fork(settings: Settings, store: EventStore, episode: EpisodeRow) -> tuple[str, int]:
    """Fork an episode from its middle, with another mind; the fork's id, and where."""
    at = len(read_history(store, episode.id)) // 2
    seat = f"{FORKED_SEAT + 1}=rehearsal:{OTHER_MIND}"
    note(f"[dim]4  Fork it: from event {at} on, seat {seat}[/]")
    prepared = prepare_fork(store, episode.id, at, [seat])
    finish(work_with_progress(settings, store, partial(begin_forks, store, [prepared]), 1))
    _score(settings, store, prepared.id, FIRST_JUDGE)
    return prepared.id, at
