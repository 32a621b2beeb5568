"""Following an episode while it is played, in this process or in another."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from events.base import Value
from gateway.cli.output import console, escape, grid, note, print_json_line, say
from gateway.cli.transcripts import print_profile

if TYPE_CHECKING:
    from actors.social.views import View
    from store.log import EventStore
    from store.records import EpisodeRow

WATCHED = ("EpisodeStarted", "EpisodeForked", "ActionTaken", "EpisodeEnded", "EpisodeFailed")
POLL_S = 5.0
"""The longest time, in seconds, between two looks at the store; a change is seen at once."""


class Ended(Value, frozen=True, kw_only=True):
    """The last line of ``troupe watch --json``."""

    ended: str
    """``turn_cap``, ``left``, ``stale``, ``stopped`` or ``failed``."""
    turn: int


def watch_episode(store: "EventStore", given: str, viewer: str, *, as_json: bool) -> None:
    """Print what happened, then each action as it is stored, until the episode is over."""
    from store import queries

    row = queries.episode(store, given)
    shown = -1
    if row.status == "planned":
        note(f"[dim]Episode {row.id} has not begun yet; waiting for it. Ctrl-C ends.[/]")
    for view in _views(store, row, viewer):
        if as_json:
            for seen in view.lines:
                if seen.number > shown:
                    print_json_line(seen)
        else:
            _print_news(row, view, shown)
        shown = max([shown, *(seen.number for seen in view.lines)])
    if as_json:
        print_json_line(Ended(ended=view.ended, turn=view.turn))


def _views(store: "EventStore", row: "EpisodeRow", viewer: str) -> "Iterator[View]":
    """The episode as the viewer sees it now, and again after each change, to its end."""
    from actors.social.sight import view
    from events.subjects import stream_name
    from gateway.read_models import parse_viewer
    from store.history import read_history

    who = parse_viewer(viewer, len(row.minds))
    stream, version = stream_name("episode", row.id), -1
    # From before the first look on, so that nothing falls between looking and waiting.
    subscription = store.subscribe(store.head(), tags=WATCHED)
    try:
        while True:
            newest = store.version(stream)
            if newest > version:
                version = newest
                now = view([numbered.event for numbered in read_history(store, row.id)], who)
                yield now
                if now.ended:
                    return
            subscription.take(timeout=POLL_S)
    finally:
        subscription.close()


def _print_news(row: "EpisodeRow", view: "View", shown: int) -> None:
    from actors.social.render import line
    from actors.social.rules import ENDINGS

    if shown < 0:
        say(f"[bold]Episode {row.id}[/]\n\n[italic]{escape(view.context)}[/]\n")
        for profile in view.profiles:
            print_profile(profile)
        say()
    table = grid(2)
    for seen in view.lines:
        if seen.number > shown:
            table.add_row(f"[dim]#{seen.number:<3}[/]", escape(line(seen, view.labels)))
    if table.row_count:
        console().print(table)
    if view.ended:
        say(f"[dim]— ended after turn {view.turn}: {ENDINGS[view.ended]} —[/]")
