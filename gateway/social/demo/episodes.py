"""The part of the demo that plays single episodes: score, replay, fork, compare."""

from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from actors.episodes.rules import INITIAL, State, evolve
from actors.runs.work import Work
from evaluators.judge_file import judge_named
from gateway.cli.running import work_with_progress
from gateway.cli.transcripts import print_account, print_lineage, print_transcript
from gateway.errors import GatewayError
from gateway.forking import fork_episode, prepare_fork
from gateway.plans import prepare, record_run
from gateway.read_models import episode_details
from gateway.scoring import scoring_of
from gateway.settings import Settings
from gateway.social.demo.finishing import finish
from store import queries
from store.history import lineage, read_history
from store.log import EventStore
from store.records import EpisodeRow, ScoreRow

PLAN = Path(__file__).with_name("episodes.toml")
FIRST_JUDGE, SECOND_JUDGE = "rehearsal-strict", "rehearsal-lenient"
TASK_TO_READ, MINDS_TO_READ = "night_accordion-yuki-noor", ("stubborn", "candid")
"""The episode that is replayed and forked: the same in every demo."""
FORKED_SEAT, OTHER_MIND = 0, "generous"


class ReplayDiffers(GatewayError):
    """A replayed state is not the one that was live."""

    def __init__(self, episode: str, number: int) -> None:
        super().__init__(f"the state of {episode} after event {number} differs from the live one")
        self.episode, self.number = episode, number


class Played(NamedTuple):
    """What was played, and where the one to be read was forked."""

    run: str
    episode: EpisodeRow
    forked_at: int


class Witness:
    """Remembers every state that episodes went through while they were played."""

    def __init__(self) -> None:
        self.states: dict[str, list[State]] = {}

    def __call__(self, episode: str, state: State) -> None:
        """An episode has just come into this state."""
        self.states.setdefault(episode, []).append(state)


def show_episodes(out: Console, settings: Settings, store: EventStore) -> Played:
    """Play, score twice, replay, fork, compare."""
    run, witness = _play(out, settings, store)
    _score_again(out, settings, store, run)
    _replay(out, store, run, witness)
    episode = _the_one_to_read(store, run)
    fork, at = _fork(out, settings, store, episode)
    _compare_fork(out, settings, store, episode, fork)
    return Played(run, episode, at)


def _play(out: Console, settings: Settings, store: EventStore) -> tuple[str, Witness]:
    prepared = prepare(store, PLAN)
    plan, episodes = prepared.planned.plan, prepared.planned.episodes
    tasks = len({episode.task for episode in episodes})
    out.rule("[bold]1. Play and score")
    out.print(
        f"{len(episodes)} episodes: {tasks} tasks of the starter catalog, two rehearsal minds "
        f"({' and '.join(mind.name for mind in plan.minds)}) in all pairings, one rehearsal judge. "
        "Every message travels over a NATS server of our own; every action is stored before "
        "anybody hears of it."
    )
    witness = Witness()

    def begin() -> Work:
        record_run(store, prepared)
        return Work(prepared.run, [episode.id for episode in episodes], plan.judges)

    finish(work_with_progress(settings, store, begin, plan.concurrency, witness=witness))
    return prepared.run, witness


def _score_again(out: Console, settings: Settings, store: EventStore, run: str) -> None:
    out.rule("[bold]2. Score again with a second judge")
    out.print("The stored episodes are read again; nothing is played a second time.")
    work = scoring_of(store, run, judge_named(SECOND_JUDGE)).work
    finish(work_with_progress(settings, store, lambda: work, 1))


def _replay(out: Console, store: EventStore, run: str, witness: Witness) -> None:
    """Fold the events of the episode to be read again, and hold every state to the live one."""
    row = _the_one_to_read(store, run)
    out.rule("[bold]3. Replay")
    state, live = INITIAL, witness.states[row.id]
    history = read_history(store, row.id)
    for numbered, was in zip(history, live, strict=True):
        state = evolve(state, numbered.event)
        if state != was:
            raise ReplayDiffers(row.id, numbered.number)
    out.print(
        f"Episode [bold]{row.id}[/]: {len(history)} events replayed; after each of them the state "
        "is the one that was live. It reads:"
    )
    print_account(episode_details(store, row.id, "narrator").account, row.minds)


def _the_one_to_read(store: EventStore, run: str) -> EpisodeRow:
    return next(
        row
        for row in queries.episodes(store, run=run)
        if row.task == TASK_TO_READ and row.minds == MINDS_TO_READ
    )


def _fork(
    out: Console, settings: Settings, store: EventStore, episode: EpisodeRow
) -> tuple[str, int]:
    """Fork an episode from its middle, with another mind; the fork's id, and where."""
    at = len(read_history(store, episode.id)) // 2
    who = episode.characters[FORKED_SEAT]
    out.print()
    out.rule("[bold]4. Fork: what if?")
    was = episode.minds[FORKED_SEAT]
    out.print(f"From event {at} on, {who} is played by {OTHER_MIND!r} instead of {was!r}.")
    seat = f"{FORKED_SEAT + 1}=rehearsal:{OTHER_MIND}"
    prepared = prepare_fork(store, episode.id, at, [seat])

    def begin() -> Work:
        return Work.continuing([fork_episode(store, prepared)])

    finish(work_with_progress(settings, store, begin, 1))
    print_lineage(lineage(store, episode.id), prepared.id)
    out.print()
    print_transcript(episode_details(store, prepared.id, "narrator").account, after=at)
    return prepared.id, at


def _compare_fork(
    out: Console, settings: Settings, store: EventStore, episode: EpisodeRow, fork: str
) -> None:
    work = scoring_of(store, fork, judge_named(FIRST_JUDGE)).work
    finish(work_with_progress(settings, store, lambda: work, 1, quiet=True))
    out.print(f"\nWhat judge {FIRST_JUDGE} says of the two, as goal and secret:")
    for what, id_ in (("as it was", episode.id), ("the fork", fork)):
        scores = queries.scores(store, episode=id_, judge=FIRST_JUDGE)
        seats = [
            f"{name} {_value(scores, seat, 'goal')} and {_value(scores, seat, 'secret')}"
            for seat, name in enumerate(episode.characters)
        ]
        out.print(f"  {what:<10} {'; '.join(seats)}")
    out.print()


def _value(scores: list[ScoreRow], seat: int, dimension: str) -> str:
    value = next(s.value for s in scores if (s.seat, s.dimension) == (seat, dimension))
    return "missing" if value is None else f"{value:g}"
