"""``troupe demo``: everything once, offline, in under a minute."""

from pathlib import Path

from rich.console import Console

from actors.runs.coordinator import Work
from actors.social.rules import INITIAL, State, evolve
from evaluators.agreement import compare
from evaluators.judge_file import judge_named
from evaluators.report import write_report
from gateway.cli.running import score_work, work_shown
from gateway.cli.output import console, print_next
from gateway.cli.support import open_desk
from gateway.cli.tables import print_agreement, print_judged
from gateway.cli.transcripts import print_lineage, print_transcript
from gateway.errors import GatewayError
from gateway.forking import fork_episode
from gateway.plans import prepare, record_run
from gateway.settings import Settings
from gateway.shown import episode_shown, run_shown
from store import queries
from store.history import lineage, read_history
from store.log import EventStore

PLAN = Path(__file__).with_name("demo.toml")
SECOND_JUDGE = "rehearsal-lenient"
OTHER_MIND = "candid"


class ReplayDiffers(GatewayError):
    """A replayed state is not the one that was live."""

    def __init__(self, episode: str, number: int) -> None:
        super().__init__(f"the state of {episode} after event {number} differs from the live one")
        self.episode, self.number = episode, number


class Witness:
    """Remembers every state that episodes went through while they were played."""

    def __init__(self) -> None:
        self.states: dict[str, list[State]] = {}

    def __call__(self, episode: str, state: State) -> None:
        """An episode has just come into this state."""
        self.states.setdefault(episode, []).append(state)


def run_demo() -> None:
    """Play, score twice, replay, fork, compare, report."""
    out = console()
    with open_desk() as (settings, store):
        run, witness = _play(out, settings, store)
        _score_again(out, settings, store, run)
        episode = _replay(out, store, run, witness)
        _fork(out, settings, store, episode)
        out.rule("[bold]What came out")
        for table in run_shown(store, run).tables:
            print_judged(table)
        scores = queries.scores(store, run=run)
        print_agreement(run, compare(scores, "rehearsal-strict", SECOND_JUDGE))
        report = write_report(store, run, settings.data_dir / "reports" / f"{run}.html")
        _farewell(out, settings, episode, report)


def _play(out: Console, settings: Settings, store: EventStore) -> tuple[str, Witness]:
    prepared = prepare(store, PLAN)
    episodes = prepared.planned.episodes
    tasks = len({episode.task for episode in episodes})
    out.rule("[bold]1. Play and score")
    out.print(
        f"{len(episodes)} episodes: {tasks} tasks of the starter catalog, two rehearsal minds in "
        "all pairings, one rehearsal judge.\nEvery message travels over a NATS server of our own; "
        "every action is stored before anybody hears of it."
    )
    run = record_run(store, prepared)
    witness = Witness()
    work = Work(run, [episode.id for episode in episodes], prepared.planned.plan.judges)
    work_shown(settings, store, work, prepared.planned.plan.concurrency, witness=witness)
    return run, witness


def _score_again(out: Console, settings: Settings, store: EventStore, run: str) -> None:
    out.rule("[bold]2. Score again with a second judge")
    out.print("The stored episodes are read again; nothing is played a second time.")
    work = score_work(store, run, judge_named(SECOND_JUDGE))
    work_shown(settings, store, work, 1)


def _replay(out: Console, store: EventStore, run: str, witness: Witness) -> str:
    """Replay the longest episode; its id."""
    row = max(queries.episodes(store, run=run), key=lambda row: row.turns)
    out.rule("[bold]3. Replay")
    state, live = INITIAL, witness.states[row.id]
    history = read_history(store, row.id)
    for numbered, was in zip(history, live, strict=True):
        state = evolve(state, numbered.event)
        if state != was:
            raise ReplayDiffers(row.id, numbered.number)
    out.print(
        f"Episode [bold]{row.id}[/]: {len(history)} events replayed; after each of them the state "
        "is the one that was live. It reads:\n"
    )
    print_transcript(episode_shown(store, row.id, "narrator").view)
    return row.id


def _fork(out: Console, settings: Settings, store: EventStore, episode: str) -> None:
    history = read_history(store, episode)
    at = len(history) // 2
    out.rule(f"[bold]4. Fork: what if seat 2 had been {OTHER_MIND!r} from event {at} on?")
    fork = fork_episode(store, episode, at, [f"2=rehearsal:{OTHER_MIND}"])
    work_shown(settings, store, Work.continuing([fork]), 1)
    print_lineage(lineage(store, episode), fork)
    out.print()
    print_transcript(episode_shown(store, fork, "narrator").view, after=at)


def _farewell(out: Console, settings: Settings, episode: str, report: Path) -> None:
    out.rule("[bold]Next")
    out.print(
        "Rehearsal minds and judges are fixed rules, no language models: read these scores as"
    )
    out.print("a check of the machinery, not as findings.\n")
    for what, where in (("report", report), ("store", settings.database_url)):
        out.print(f"  {what:<8} {where}", soft_wrap=True)
    out.print("\nTry:")
    for command, what in (
        (f"troupe show {episode}", "the whole transcript with its scores"),
        (f"troupe replay {episode} --at 6 --as 1", "what seat 1 had seen after event 6"),
        (f"troupe fork {episode} --at 6 --seat 1=rehearsal:candid", "another what-if"),
        ("troupe catalog show scenarios", "what else can be played"),
        ("troupe run examples/first.toml --dry-run", "a plan of your own: docs/plan.md"),
    ):
        out.print(f"  [bold]{command}[/]  [dim]{what}[/]", soft_wrap=True)
