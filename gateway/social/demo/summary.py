"""What the demo has to say, on a page or two of a terminal; the reports have all of it."""

from collections.abc import Sequence
from pathlib import Path

from actors.episodes.port.words import Entry
from actors.episodes.views.differences import TurnBeside
from gateway.cli.terminal.output import (
    Column,
    NumberedLines,
    escape,
    numbers,
    print_next,
    print_places,
    print_table,
    say,
)
from gateway.cli.views.transcripts import print_ending
from gateway.services.episodes.episode_details import episode_details
from gateway.services.episodes.episode_diff import episode_diff
from gateway.services.results.no_findings import no_finding
from gateway.services.runs.run_details import run_details
from gateway.social.demo.chains import MEETING, Chained, RecallResult
from gateway.social.demo.episodes import FIRST_JUDGE, FORKED_SEAT, OTHER_MIND, Played
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

FIRST, LAST = 5, 1
"""Of a long transcript, how many lines of its beginning and of its end are printed."""


def print_page(
    store: EventStore, played: Played, chained: Chained, reports: Sequence[Path]
) -> None:
    """The lesson, where the reports are, and what there is to read."""
    notes, none = chained.notes, chained.none
    say("\n[bold]Who remembers gets what takes a memory[/]")
    say(
        f"{chained.casts} pairs met {chained.meetings} times, and the last meetings go well only "
        f"for those who know what was said at the first. {_told('With notes', notes)} "
        f"{_told('Without', none)}"
    )
    say("\n[bold]The reports[/], for a browser: scores with their tests, charts, every transcript")
    print_places(zip(("chains", "episodes"), reports, strict=True))
    _print_meeting(store, chained)
    _print_fork(store, played)
    _print_means(store, played)
    print_next(_next_steps(played, chained))


def _told(how: str, remembered: RecallResult) -> str:
    return (
        f"{how}, {remembered.used} of {remembered.needed} facts were used, and their mean goal is "
        f"{remembered.goal:.1f} of 10."
    )


def _print_meeting(store: EventStore, chained: Chained) -> None:
    """The same meeting twice: what is the same, and how it goes on with notes and without."""
    found = episode_diff(store, chained.without.id, chained.with_notes.id)
    who = " and ".join(chained.without.characters)
    say(f"\n[bold]Meeting {MEETING + 1}[/] of {escape(who)}: what was lent is brought back")
    same = [turn for turn in found.differences.turns if _before(turn, found.differences.parts)]
    apart = found.differences.turns[len(same) :]
    _print_lines([entry for turn in same for entry in turn.entries[0]])
    for place, (row, what) in enumerate(
        ((chained.with_notes, "with notes"), (chained.without, "without"))
    ):
        say(f"[bold cyan]· {what}[/], {row.id}")
        _print_lines([entry for turn in apart for entry in turn.entries[place]], row)
        print_ending(row.turns, found.differences.endings[place])


def _before(turn: TurnBeside, parts: int | None) -> bool:
    return parts is None or turn.turn < parts


def _print_lines(entries: Sequence[Entry], row: EpisodeRow | None = None) -> None:
    lines = NumberedLines()
    left_out = len(entries) - FIRST - LAST
    for place, entry in enumerate(entries):
        if left_out <= 1 or place < FIRST or place >= len(entries) - LAST:
            lines.print(entry.number, entry.line)
        elif place == FIRST and row is not None:
            say(f"[dim]      … {left_out} lines more: `troupe show {row.id}`[/]")


def _print_fork(store: EventStore, played: Played) -> None:
    episode, fork = played.episode, played.fork
    who = episode.characters[FORKED_SEAT]
    say(
        f"\n[bold]What if?[/] {escape(who)} was {episode.minds[FORKED_SEAT]}; in a fork after "
        f"event {played.at} of {played.replayed} it is {OTHER_MIND}. Their goals, 0 to 10:"
    )
    rows = []
    for what, one in (("as it was", episode), ("the fork", fork)):
        scores = queries.scores(store, episode=one.id, judge=FIRST_JUDGE)
        goals = [
            next(s.value for s in scores if (s.seat, s.dimension) == (seat, "goal"))
            for seat in range(len(episode.characters))
        ]
        last = episode_details(store, one.id, "narrator").account.entries[-1]
        rows.append((what, *goals, last.text))
    print_table(
        ("", *(Column(name.split()[0], "number") for name in episode.characters), "the last word"),
        rows,
    )


def _print_means(store: EventStore, played: Played) -> None:
    shown = run_details(store, played.run)
    say(
        f"[bold]{played.episodes} episodes, two judges[/]: mean goal and secret (0: kept, −10: out)"
    )
    minds = [row.mind for row in shown.tables[0].minds]
    print_table(
        ("judge", "", *numbers(*minds)),
        [
            (table.judge.label, name, *(row.cells[name].mean.value for row in table.minds))
            for table in shown.tables
            for name in ("goal", "secret")
        ],
    )
    say(f"[yellow]{no_finding(shown.rehearsal_minds, shown.rehearsal_judges)}[/]")


def _next_steps(played: Played, chained: Chained) -> list[tuple[str, str]]:
    episode = played.episode
    fork = f"troupe fork {episode.id} --at {played.at} --seat {FORKED_SEAT + 1}=rehearsal:wily"
    return [
        (f"troupe show {episode.id}", "who they are, what was said, scores and their reasons"),
        (f"troupe diff {played.fork.id}", "the fork beside what it was forked from"),
        (fork, "another what-if"),
        (f"troupe curves {chained.run}", "scores by meeting, with notes and without"),
        ("troupe run examples/first.toml", "a plan to change as you like: docs/reference/plan.md"),
    ]
