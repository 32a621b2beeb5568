"""``troupe demo``: everything once, offline, in under a minute."""

from evaluators.agreement import compare
from evaluators.report import write_report
from evaluators.score_columns import read_columns
from gateway.cli.comparing import print_agreement
from gateway.cli.output import console, print_next, print_places
from gateway.cli.support import open_session
from gateway.cli.tables import no_finding, print_judged
from gateway.read_models import run_details
from gateway.social.demo.chains import show_chains
from gateway.social.demo.episodes import FIRST_JUDGE, SECOND_JUDGE, Played, show_episodes


def run_demo() -> None:
    """Play, score twice, replay, fork, meet again, compare, report."""
    out = console()
    with open_session() as (settings, store):
        played = show_episodes(out, settings, store)
        chains = show_chains(out, settings, store)
        out.rule("[bold]6. What came out")
        shown = run_details(store, played.run)
        for table in shown.tables:
            print_judged(table)
        columns = read_columns(store, played.run)
        print_agreement(played.run, compare(columns, FIRST_JUDGE, SECOND_JUDGE))
        report = settings.data_dir / "reports" / f"{played.run}.html"
        write_report(store, played.run, report)
        out.print(f"\n[yellow]{no_finding(shown.rehearsal_minds, shown.rehearsal_judges)}[/]\n")
        out.rule("[bold]Where it is")
        print_places((("report", report), ("store", settings.database_url)))
        print_next(_next_steps(played, chains))


def _next_steps(played: Played, chains: str) -> list[tuple[str, str]]:
    run, episode, at = played.run, played.episode, played.forked_at
    return [
        (f"troupe show {run}", "the whole run: every episode, every judge, what went wrong"),
        (f"troupe show {episode.id}", "the episode above with its scores and their reasons"),
        (f"troupe replay {episode.id} --at {at} --as 1", f"what seat 1 had seen after event {at}"),
        (f"troupe fork {episode.id} --at {at} --seat 1=rehearsal:wily", "another what-if"),
        (f"troupe chains {chains}", "the chains; `troupe memory CHAIN` shows what was kept"),
        ("troupe catalog show tasks", "what else can be played"),
        ("troupe run examples/first.toml", "a plan to change as you like: docs/plan.md"),
    ]
