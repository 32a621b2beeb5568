"""``troupe demo``: everything once, offline, in under a minute."""

from evaluators.report import write_report
from gateway.cli.options import open_session
from gateway.cli.terminal.output import note, print_places, say
from gateway.social.demo.chains import play_chains
from gateway.social.demo.episodes import play_episodes
from gateway.social.demo.seat import prepare_seat, print_links
from gateway.social.demo.summary import print_page


def run_demo() -> None:
    """Play, score twice, replay, fork, meet again, report; then say what came of it."""
    note("[dim]The demo plays with built-in rules, offline. What it does, step by step:[/]")
    with open_session() as (settings, store):
        played = play_episodes(settings, store)
        chained = play_chains(settings, store)
        folder = settings.data_dir / "reports"
        note("[dim]6  Two reports: tables, charts and every transcript[/]")
        reports = [
            write_report(store, run, folder / f"{run}.html") for run in (chained.run, played.run)
        ]
        seat = prepare_seat(store)
        print_page(store, played, chained, reports)
        say("")
        print_places((("store", settings.database_url), ("open", reports[0])))
        print_links(settings, store, played.episode, seat)
