"""Episodes in the terminal: transcripts, replays, trees of forks."""

from typing import TYPE_CHECKING

from rich.markup import escape

from gateway.cli.support import console, print_table, say

if TYPE_CHECKING:
    from actors.social.views import Profile, View
    from gateway.shown import EpisodeShown, ReplayShown
    from store.history import Lineage
    from store.log import EventStore


def print_episode(shown: "EpisodeShown") -> None:
    """Who played, what happened, how it was scored."""
    row = shown.episode
    say(f"[bold]Episode {row.id}[/]  {escape(row.scenario)}  ({row.status}, {row.turns} turns)")
    if row.parent is not None:
        say(f"[dim]forked from {row.parent} after event {row.forked_at}[/]")
    print_view(shown.view)
    if shown.scores:
        print_table(
            "Scores",
            ("judge", "seat", "mind", "dimension", "value", "reason"),
            [
                (
                    s.judge,
                    s.seat + 1,
                    s.mind,
                    s.dimension.replace("_", " "),
                    s.value if s.status == "scored" else s.status,
                    s.reason,
                )
                for s in shown.scores
            ],
        )


def print_replay(shown: "ReplayShown") -> None:
    """The transcript and the state after an event."""
    say(f"[bold]Episode {shown.episode}[/] after event {shown.at} of {shown.last}")
    print_view(shown.view)
    if shown.events:
        recent = shown.events[-12:]
        print_table(
            "Last events",
            ("number", "event", "in stream"),
            [(e.number, e.tag, e.stream) for e in recent],
        )
    if shown.state is not None:
        state = shown.state
        waiting = ", ".join(str(seat + 1) for seat in state.waiting) or "nobody"
        ended = f", ended: {state.ended}" if state.ended else ""
        say(f"State: turn {state.turn}, waiting for seat {waiting}{ended}")


def print_view(view: "View") -> None:
    """Scene, characters and transcript, as far as the viewer may see them."""
    say(f"\n[italic]{escape(view.context)}[/]\n")
    for profile in view.profiles:
        print_profile(profile)
    print_transcript(view)


def print_transcript(view: "View", after: int = -1) -> None:
    """What the viewer noticed after an event, and the ending."""
    from actors.social.render import ENDINGS, line

    for seen in view.lines:
        if seen.number > after:
            say(f"[dim]{seen.turn:>3} #{seen.number:<3}[/] {escape(line(seen, view.labels))}")
    if view.ended:
        detail = f" ({escape(view.detail)})" if view.detail else ""
        say(f"[dim]— ended after turn {view.turn}: {ENDINGS[view.ended]}{detail} —[/]")
    say("")


def print_profile(profile: "Profile") -> None:
    """One character in a few lines."""
    facts = [profile.name or profile.label]
    facts += [str(fact) for fact in (profile.age, profile.occupation) if fact]
    say(f"[bold]{profile.seat + 1}[/] {escape(', '.join(facts))}")
    if profile.goal:
        say(f"  [cyan]goal (private):[/] {escape(profile.goal)}")
    if profile.secret:
        say(f"  [magenta]secret:[/] {escape(profile.secret)}")


def print_lineage(tree: "Lineage", marked: str) -> None:
    """The tree of forks, the episode asked for marked."""
    from rich.tree import Tree

    def branch(node: "Lineage") -> str:
        row = node.episode
        at = "" if row.forked_at is None else f" from event {row.forked_at}"
        star = " [bold yellow]← this one[/]" if row.id == marked else ""
        return f"[bold]{row.id}[/]{at}, {escape(', '.join(row.minds))}, {row.status}{star}"

    def grow(node: "Lineage", into: Tree) -> None:
        for child in node.forks:
            grow(child, into.add(branch(child)))

    root = Tree(branch(tree))
    grow(tree, root)
    console().print(root)


def watch_episode(store: "EventStore", given: str, viewer: str) -> None:
    """Print what happened, then each action as it is stored, until the episode is over."""
    from actors.social.render import ENDINGS, line
    from actors.social.visibility import view
    from gateway.shown import parse_viewer
    from store import queries
    from store.history import read_history

    row = queries.episode(store, given)
    subscription = store.subscribe(store.head(), tags=WATCHED)
    shown = -1
    try:
        while True:
            if store.version(f"episode-{row.id}") >= 0:
                history = read_history(store, row.id)
                who = parse_viewer(viewer, len(row.minds))
                now = view([numbered.event for numbered in history], who)
                if shown < 0:
                    say(f"[bold]Episode {row.id}[/]\n[italic]{escape(now.context)}[/]\n")
                for seen in now.lines:
                    if seen.number > shown:
                        say(f"[dim]{seen.turn:>3}[/] {escape(line(seen, now.labels))}")
                shown = history[-1].number
                if now.ended:
                    say(f"[dim]— ended after turn {now.turn}: {ENDINGS[now.ended]} —[/]")
                    return
            subscription.take(timeout=5.0)
    finally:
        subscription.close()


WATCHED = ("EpisodeStarted", "ActionTaken", "EpisodeEnded", "EpisodeFailed")
