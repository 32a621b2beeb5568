"""``troupe games demo``: a hunt as its spectators see it, and then who was who."""

from pathlib import Path
from typing import Final

from actors.text.amounts import many
from evaluators.tables.run_tables import outcome_of
from gateway.cli.options import open_session
from gateway.cli.play_with_progress import play_demo
from gateway.cli.terminal.output import Column, heading, print_next, print_table, say
from gateway.cli.views.transcripts import print_account
from gateway.services.episodes.episode_details import replay_details
from store.read_model import queries

PLAN: Final = Path(__file__).with_name("demo.toml")
_TOLD: Final = "Play a hunt of six"


def demo() -> None:
    """Play a game with hidden roles offline, as its spectators see it.

    Six people play a hunt by day and by night; what is done at night, and who is what, is shown
    only to those who may know it, and in the end. Their minds follow built-in rules. Needs no key,
    no network and no database server.
    """
    with open_session() as (settings, store):
        run = play_demo(settings, store, PLAN, _TOLD, "troupe games demo")
        (episode,) = queries.episodes(store, run=run)
        seen = replay_details(store, episode.id, None, "spectator").account
        whole = replay_details(store, episode.id, None, "narrator").account
    print_account(seen)
    winners = str(episode.summary.get("winners", "")).split(", ")
    heading("Who was who")
    print_table(
        (Column("player"), Column("role"), Column("won")),
        [
            (one.name, dict(one.facts).get("Role", ""), "yes" if one.name in winners else "")
            for one in whole.portraits
        ],
    )
    hidden = len(whole.entries) - len(seen.entries)
    say(f"{outcome_of(episode).capitalize()}. {many(hidden, 'thing')} happened out of sight.")
    say("[dim]Minds of fixed rules, no language model: no findings.[/]")
    print_next(
        [
            (f"troupe show {episode.id}", "the same game with its nights, as researchers see it"),
            (f"troupe show {episode.id} --as 1", "as seat 1 saw it"),
            (f"troupe fork {episode.id} --at 20 --seat 1=rehearsal:scheming", "what if?"),
        ]
    )
