"""``troupe tabletop demo``: sessions of both kinds, and the two tables of AntEval."""

from pathlib import Path
from typing import Final

from evaluators.tabletop.gap.default_dms import default_dm
from evaluators.tabletop.gap.real_data import own_transcripts
from gateway.cli.options import open_session
from gateway.cli.play_with_progress import play_demo
from gateway.cli.terminal.output import print_next, say
from gateway.tabletop.gap_command import print_report, report_of

PLAN: Final = Path(__file__).with_name("demo.toml")
_TOLD: Final = "Play {} sessions at a table"
_SHOWN: Final = ("table-1", "table-2")


def demo() -> None:
    """Play sessions at a table offline, and show what they exchange and express.

    Twelve sessions for information exchange and twelve for intentions, with each of two minds
    that follow built-in rules; virtual game masters are trained on them and on Troupe's own
    transcripts. Needs no key, no network and no database server.
    """
    with open_session() as (settings, store):
        run = play_demo(settings, store, PLAN, _TOLD, "troupe tabletop demo")
        kinds = [default_dm()]
        report = report_of(store, [run], kinds, own_transcripts())
    say(
        "\nFour players and a non-player character play 30 turns. P says how much of what the "
        "character knows the players find out; f, how well a virtual game master that learned from "
        "a model's sessions reads from real ones who means to do what; G, the gap to one that "
        "learned from real ones."
    )
    print_report(report, kinds, _SHOWN)
    say("[dim]Minds of fixed rules, no language model: no findings.[/]")
    low = report.low_p[0]
    print_next(
        [
            (f"troupe show {low.episode}", f"show the session with the lowest p, {low.p:.2f}"),
            (f"troupe tabletop gap {run}", "all tables: skills, rules, confusion, repeated turns"),
            (f"troupe report {run}", "the same as a page"),
            ("troupe run plans/anteval.toml --dry-run", "what a plan of such sessions costs"),
        ]
    )
