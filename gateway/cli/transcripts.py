"""Episodes in the terminal: transcripts, replays, trees of forks."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from gateway.cli.output import (
    Column,
    console,
    escape,
    grid,
    heading,
    print_pairs,
    print_table,
    say,
)

if TYPE_CHECKING:
    from actors.episodes.rules import State
    from actors.social.views import Profile, View
    from gateway.shown import EpisodeShown, ReplayShown
    from store.history import Lineage
    from store.records import ScoreRow

MOST_EVENTS = 8
"""Events that a replay lists; `--json` lists all."""


def print_episode(shown: "EpisodeShown") -> None:
    """Who played, what happened, how it was scored."""
    row = shown.episode
    name = f"  {escape(row.scenario)}" if row.scenario else ""
    say(f"[bold]Episode {row.id}[/]{name}  [dim]({row.status}, {row.turns} turns)[/]")
    if row.parent is not None:
        say(f"[dim]forked from {row.parent} after event {row.forked_at}[/]")
    print_view(shown.view, row.minds)
    _print_scores(shown.scores)


def print_replay(shown: "ReplayShown") -> None:
    """The transcript and the state after an event."""
    say(f"[bold]Episode {shown.episode}[/] after event {shown.at} of {shown.last}")
    print_view(shown.view)
    if shown.events:
        heading("Last events")
        print_table(
            (Column("number", "number"), "event", Column("in stream", "id")),
            [(e.number, e.tag, e.stream) for e in shown.events[-MOST_EVENTS:]],
        )
    if shown.state is not None:
        say(f"State: {_state(shown.state)}.")


def print_view(view: "View", minds: Sequence[str] = ()) -> None:
    """Scene, characters and transcript, as far as the viewer may see them."""
    say(f"\n[italic]{escape(view.context)}[/]\n")
    for profile in view.profiles:
        mind = minds[profile.seat] if profile.seat < len(minds) else ""
        print_profile(profile, mind)
    if view.memory:
        heading("Remembers of earlier episodes")
        say(escape(view.memory))
    say()
    print_transcript(view)


def print_transcript(view: "View", after: int = -1) -> None:
    """What the viewer noticed after an event, each with its number, and the ending."""
    from actors.social.render import line
    from actors.social.rules import ENDINGS

    table = grid(2)
    for seen in view.lines:
        if seen.number > after:
            table.add_row(f"[dim]#{seen.number:<3}[/]", escape(line(seen, view.labels)))
    console().print(table)
    if view.ended:
        detail = f" ({escape(view.detail)})" if view.detail else ""
        say(f"[dim]— ended after turn {view.turn}: {ENDINGS[view.ended]}{detail} —[/]")


def print_profile(profile: "Profile", mind: str = "") -> None:
    """One character in a few lines."""
    facts = [profile.name or profile.label]
    facts += [str(fact) for fact in (profile.age, profile.occupation) if fact]
    played = f"  [dim]played by {escape(mind)}[/]" if mind else ""
    say(f"[bold]{profile.seat + 1}  {escape(', '.join(facts))}[/]{played}")
    print_pairs(
        [
            (name, f"[{colour}]{escape(text)}[/]")
            for name, colour, text in (
                ("wants", "cyan", profile.goal),
                ("hides", "magenta", profile.secret),
            )
            if text
        ],
        indent=3,
    )


def print_lineage(tree: "Lineage", marked: str) -> None:
    """The tree of forks, the episode asked for marked."""
    from rich.tree import Tree

    def branch(node: "Lineage") -> str:
        row = node.episode
        at = "" if row.forked_at is None else f"after event {row.forked_at}: "
        star = "[bold yellow]→ [/]" if row.id == marked else ""
        state = f"{row.status}, {row.turns} turns"
        return f"{star}[bold]{row.id}[/]  {at}{escape(', '.join(row.minds))} [dim]({state})[/]"

    # Walked with a list, not by calling itself: forks of forks may be deep.
    root = Tree(branch(tree))
    waiting = [(tree, root)]
    while waiting:
        node, at = waiting.pop()
        waiting += [(fork, at.add(branch(fork))) for fork in node.forks]
    console().print(root)


def _state(state: "State") -> str:
    if state.ended:
        return f"ended after turn {state.turn} ({state.ended.replace('_', ' ')})"
    seats = [str(seat + 1) for seat in state.waiting]
    if not seats:
        return f"turn {state.turn} is taken, the next is not open yet"
    plural = "seats" if len(seats) > 1 else "seat"
    return f"turn {state.turn}, waiting for {plural} {' and '.join(seats)}"


def _print_scores(scores: "Sequence[ScoreRow]") -> None:
    from evaluators.dimensions import in_order, label

    order = in_order(row.dimension for row in scores)

    def place(row: "ScoreRow") -> tuple[str, str, int, int]:
        return row.judge, row.judge_hash, row.seat, order.index(row.dimension)

    for (judge, _, seat), rows in groupby(sorted(scores, key=place), key=lambda r: place(r)[:3]):
        found = list(rows)
        first = found[0]
        kinds = {"rehearsal": "rehearsal: fixed rules, no finding", "rule": "fixed rules"}
        rules = kinds.get(first.judge_kind, "")
        heading(f"Scores by {judge}: seat {seat + 1}, {first.character} ({first.mind})", rules)
        print_table(
            ("dimension", Column("value", "number"), "reason"),
            [
                (label(s.dimension), _value(s), " ".join((s.reason, *map(_quoted, s.quotes))))
                for s in found
            ],
        )


def _value(score: "ScoreRow") -> str | float | None:
    from evaluators.dimensions import is_checkpoint

    if score.status != "scored" or score.value is None:
        return score.status
    if is_checkpoint(score.dimension, [score.value]):
        return "passed" if score.value else "not passed"
    return score.value


def _quoted(words: str) -> str:
    return f"“{words}”"
