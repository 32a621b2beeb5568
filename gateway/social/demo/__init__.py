"""``troupe demo``: everything once, offline, in under a minute."""

from evaluators.report import write_report
from gateway.cli.demos import parts
from gateway.cli.output import note, print_places, say
from gateway.cli.support import open_session
from gateway.social.demo.chains import play_chains
from gateway.social.demo.episodes import play_episodes
from gateway.social.demo.page import print_page


def run_demo() -> None:
    """Play, score twice, replay, fork, meet again, report; then say what came of it."""
    note("[dim]The demo plays with built-in rules, offline. What it does, step by step:[/]")
    with open_session() as (settings, store):
        played = play_episodes(settings, store)
        chained = play_chains(settings, store)
        # What other environments have to show follows this one's.
        others = [part(settings, store, step) for step, part in enumerate(parts(), start=6)]
        folder = settings.data_dir / "reports"
        note(f"[dim]{6 + len(others)}  Two reports: tables, charts and every transcript[/]")
        reports = [
            write_report(store, run, folder / f"{run}.html") for run in (chained.run, played.run)
        ]
        print_page(store, played, chained, reports, others)
    say("")
    print_places((("store", settings.database_url), ("open", reports[0])))
