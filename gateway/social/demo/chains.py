"""The part of the demo that plays chains: the same two meet again, with a memory and without."""

from pathlib import Path

from rich.console import Console

from actors.runs.state import load_run
from actors.runs.work import Work
from evaluators.report import write_report
from gateway.chains import draw, run_curves
from gateway.cli.chains import print_curves
from gateway.cli.output import print_places
from gateway.cli.running import work_with_progress
from gateway.cli.transcripts import print_transcript
from gateway.plans import prepare, record_run
from gateway.read_models import episode_details
from gateway.settings import Settings
from gateway.social.demo.finishing import finish
from gateway.social.facts_used import facts_recalled
from gateway.social.hard_commands import print_shares
from store import queries
from store.log import EventStore
from store.records import ChainRow

PLAN = Path(__file__).with_name("chains.toml")
JUDGE, DIMENSION = "rehearsal-strict", "goal"
"""Of the curve that is shown."""
MEETING = 3
"""Index of the meeting that is read: the first that needs the past."""


def show_chains(out: Console, settings: Settings, store: EventStore) -> str:
    """Play some chains with a memory and without, and show what it was good for; their run."""
    prepared = prepare(store, PLAN)
    plan, run = prepared.planned.plan, prepared.run
    chains = prepared.planned.chains
    casts = len({chain.characters for chain in chains})
    out.rule("[bold]5. Meet again: chains and memory")
    out.print(
        f"{casts} pairs of characters meet {len(chains[0].episodes)} times each, in one chain with "
        "notes of 200 to 300 words on every meeting, in another with no memory at all. The last "
        "two meetings can only go well for somebody who remembers what was said before."
    )

    def begin() -> Work:
        record_run(store, prepared)
        state = load_run(store, run)
        assert state is not None, "it was recorded just now"
        return Work.of(run, state)

    finish(work_with_progress(settings, store, begin, plan.concurrency))
    _the_same_meeting_twice(out, store, run)
    out.print("Facts of earlier meetings that were needed, and used:")
    print_shares(facts_recalled(store, run).shares)
    gathered, shown = run_curves(store, run, [JUDGE], [DIMENSION], None)
    for figure in shown.figures:
        print_curves(figure)
    folder = settings.data_dir / "reports"
    (drawn,) = draw(gathered, shown.figures, folder / run)
    report = write_report(store, run, folder / f"{run}.html")
    print_places((("curve", drawn), ("report", report)))
    out.print()
    return run


def _the_same_meeting_twice(out: Console, store: EventStore, run: str) -> None:
    """One pair's first meeting that needs the past, with a memory and without."""
    chains = queries.chains(store, run=run)
    first = [chain for chain in chains if chain.characters == chains[0].characters]
    for chain in first:
        episode = _meeting(store, chain)
        said = "no memory" if chain.memory == "none" else f"memory: {chain.memory}"
        out.print(f"\n[bold]Meeting {MEETING + 1}, {said}[/] ({episode})")
        print_transcript(episode_details(store, episode, "narrator").account)
    out.print()


def _meeting(store: EventStore, chain: ChainRow) -> str:
    rows = queries.episodes(store, chain=chain.id)
    return next(row.id for row in rows if row.index == MEETING)
