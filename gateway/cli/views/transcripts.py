"""Episodes in the terminal: transcripts, replays, trees of forks."""

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from actors.episodes.port.words import Account, Entry, Portrait
from actors.episodes.views.differences import ForkMark
from actors.text.amounts import many
from actors.text.quotes import continued
from evaluators.scores.dimensions import in_order, is_checkpoint, label, optional
from events.minds import MindSpec
from gateway.cli.terminal.output import (
    Column,
    NumberedLines,
    console,
    escape,
    heading,
    print_pairs,
    print_table,
    say,
)
from store.read_model.episode_history import Lineage
from store.read_model.records import ScoreRow

if TYPE_CHECKING:
    from gateway.services.episodes.episode_details import EpisodeDetails, ReplayDetails

MOST_EVENTS = 8
"""Events that a replay lists; `--json` lists all."""


def print_episode(details: "EpisodeDetails", *, raw: bool = False, mark: str = "") -> None:
    """Who played, what happened, how it was scored. ``raw``: below each action that failed all of
    what was said instead. ``mark``: how it was played, where that is not as usual."""
    row = details.episode
    name = f"  {escape(continued(row.scenario))}" if row.scenario else ""
    told = ", ".join(filter(None, (row.status, many(row.turns, "turn"), mark)))
    say(f"[bold]Episode {escape(row.id)}[/]{name}  [dim]({escape(told)})[/]")
    if row.parent is not None:
        say(f"[dim]forked from {escape(row.parent)} after event {row.forked_at}[/]")
    failures = details.failures if raw else ()
    said = {one.number: one.failure.raw for one in failures if one.failure.raw}
    print_account(details.account, row.minds, details.forks, said)
    if raw and not said:
        say("[dim]--raw: every answer could be read, so there is none to show in full.[/]")
    _print_scores(details.scores)


def print_replay(details: "ReplayDetails") -> None:
    """The transcript and the state after an event."""
    say(f"[bold]Episode {escape(details.episode)}[/] after event {details.at} of {details.last}")
    print_account(details.account, forks=details.forks)
    if details.events:
        heading("Last events")
        print_table(
            (Column("number", "number"), "event", Column("in stream", "id")),
            [(e.number, e.tag, e.stream) for e in details.events[-MOST_EVENTS:]],
        )
    if details.state is not None:
        say(f"State: {escape(_state(details.state))}.")


def print_account(
    account: "Account",
    minds: Sequence[str] = (),
    forks: "Sequence[ForkMark]" = (),
    said: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """What is given, who is there and what happened, as far as the reader may know it. ``said``:
    by number what failed actions are to be shown with."""
    print_beginning(account, minds)
    print_transcript(account, forks, said=said)


def print_beginning(account: "Account", minds: Sequence[str] = ()) -> None:
    """What the reader knows before the first turn."""
    say(f"\n[italic]{escape(continued(account.situation))}[/]\n")
    for portrait in account.portraits:
        print_portrait(portrait, minds[portrait.seat] if portrait.seat < len(minds) else "")
    for title, text in account.notes:
        heading(title)
        say(escape(text), indent=4)
    say()


def print_transcript(
    account: "Account",
    forks: "Sequence[ForkMark]" = (),
    said: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """What the reader noticed, each with its number, where it was forked, and the ending."""
    lines = NumberedLines()
    marks = deque(forks)
    for entry in account.entries:
        while marks and marks[0].number < entry.number:
            print_fork(marks.popleft())
        lines.print(entry.number, with_why(entry))
        if entry.number in said:
            say(escape(said[entry.number]), indent=6)
    for mark in marks:
        print_fork(mark)
    if account.ended:
        print_ending(account.turn, account.ending, account.detail)


def with_why(entry: "Entry") -> str:
    """An entry's line; with why it failed, or how it came to be what it is."""
    why = entry.failed or entry.note
    return f"{entry.line} ({why})" if why else entry.line


def print_fork(mark: "ForkMark") -> None:
    """Where the shared past ends."""
    minds = "".join(
        f", seat {seat + 1} now {escape(mind_words(mind))}" for seat, mind in mark.minds
    )
    say(f"[dim]— from here on: fork of {escape(mark.parent)}{minds} —[/]")


def mind_words(mind: "MindSpec") -> str:
    """A mind as ``--seat`` names it, with the seed that it was given."""
    name = f"rehearsal:{mind.temper}" if mind.kind == "rehearsal" else mind.name
    seed = mind.seed if mind.model is None else mind.model.seed
    return name if seed is None else f"{name} (seed {seed})"


def print_ending(turn: int, ending: str, detail: str = "") -> None:
    more = f" ({escape(continued(detail))})" if detail else ""
    say(f"[dim]— ended after turn {turn}: {escape(ending)}{more} —[/]")


def print_portrait(portrait: "Portrait", mind: str = "") -> None:
    """One seat in a few lines."""
    played = f"  [dim]played by {escape(mind)}[/]" if mind else ""
    say(f"[bold]{portrait.seat + 1}  {escape(continued(portrait.name))}[/]{played}")
    facts = "\n".join(filter(None, portrait.brief)) or "; ".join(
        f"{what.lower()} {value}" for what, value in portrait.facts
    )
    print_pairs(
        [
            (name, f"[{style}]{escape(text)}[/]")
            for name, style, text in (
                ("is", "dim", facts),
                ("wants", "cyan", portrait.goal),
                ("hides", "magenta", portrait.secret),
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
        minds = escape(", ".join(row.minds))
        return f"{star}[bold]{escape(row.id)}[/]  {at}{minds} [dim]({state})[/]"

    # Walked with a list, not by calling itself: forks of forks may be deep.
    root = Tree(branch(tree))
    waiting = [(tree, root)]
    while waiting:
        node, at = waiting.pop()
        waiting += [(fork, at.add(branch(fork))) for fork in node.forks]
    console().print(root)


def _state(state: Mapping[str, Any]) -> str:
    if state["ended"]:
        return f"ended after turn {state['turn']} ({state['ended'].replace('_', ' ')})"
    seats = [str(seat + 1) for seat in state["waiting"]]
    if not seats:
        return f"turn {state['turn']} is taken, the next is not open yet"
    plural = "seats" if len(seats) > 1 else "seat"
    return f"turn {state['turn']}, waiting for {plural} {' and '.join(seats)}"


def _print_scores(scores: "Sequence[ScoreRow]") -> None:
    order = in_order(row.dimension for row in scores)

    def place(row: "ScoreRow") -> tuple[str, str, int, int]:
        return row.judge, row.judge_hash, row.seat, order.index(row.dimension)

    for (judge, _, seat), rows in groupby(sorted(scores, key=place), key=lambda r: place(r)[:3]):
        found = list(rows)
        first = found[0]
        kinds = {
            "rehearsal": "rehearsal: fixed rules, no finding",
            "local": "local model: no finding",
            "rule": "fixed rules",
            "person": "a person",
        }
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
    if score.status == "abstained" and score.dimension in optional():
        return None
    if score.status != "scored" or score.value is None:
        return score.status
    if is_checkpoint(score.dimension, [score.value]):
        return "passed" if score.value else "not passed"
    return score.value


def _quoted(words: str) -> str:
    return f"“{words}”"
