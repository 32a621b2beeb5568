"""``troupe watch RUN``: how far a run is while it goes on, and its episodes as they end."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from actors.runs.model_notes import note_words
from actors.text.amounts import many
from gateway.cli.terminal.awaited_seats import seat_lines
from gateway.cli.terminal.errors import INTERRUPTED, NOTHING, OK, PAUSED
from gateway.cli.terminal.output import capitalized, console, escape, print_json_line, say
from gateway.cli.terminal.run_progress import EVERY_S
from gateway.run_progress_bars import held_words
from gateway.services.runs.run_status import Standing
from gateway.services.runs.watch_run import LOOK_S, Moment, RunWatch
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model.records import EpisodeRow

if TYPE_CHECKING:
    from rich.live import Live


GONE_LOOKS = 2
"""Its process must be gone in so many looks: one may just have taken it over."""


def watch_run(settings: "Settings", store: "EventStore", run: str, *, as_json: bool) -> None:
    """Print how far a run is until it is over, waits, or its process is gone; the exit code says
    which. Takes an id in full."""
    watch = RunWatch(settings, store, run)
    moment = watch.look()
    if not as_json:
        say(f"[bold]Run {escape(run)}[/]: {escape(moment.standing.sentence)}")
    gone = 0
    with _output(as_json=as_json) as out:
        while True:
            for row in watch.ended():
                out.episode(row)
            gone = gone + 1 if moment.standing.state == "process gone" else 0
            over = moment.standing.over and gone in (0, GONE_LOOKS)
            out.moment(moment, last=over)
            if over:
                break
            time.sleep(LOOK_S)
            moment = watch.look()
    if not as_json:
        say(escape(f"{capitalized(moment.standing.sentence)}."))
    if code := exit_code(moment.standing) or _fruitless(moment):
        raise typer.Exit(code)


class _Lines:
    """Where it is no terminal: a line every so often."""

    def __init__(self) -> None:
        self._told = -EVERY_S

    def episode(self, row: "EpisodeRow") -> None:
        _say_whole(episode_line(row))

    def moment(self, moment: "Moment", *, last: bool) -> None:
        """How far the run is."""
        if last or time.monotonic() - self._told >= EVERY_S:
            self._told = time.monotonic()
            self._print(moment)

    def _print(self, moment: "Moment") -> None:
        _say_whole(escape(progress_line(moment)))


class _JsonLines(_Lines):
    """For programs: an ended episode, or how far the run is, a line each."""

    def episode(self, row: "EpisodeRow") -> None:
        print_json_line(row)

    def _print(self, moment: "Moment") -> None:
        print_json_line(moment)


class _Terminal(_Lines):
    """For people: lines above, how far the run is below them."""

    def __init__(self, live: "Live") -> None:
        super().__init__()
        self._live = live

    def episode(self, row: "EpisodeRow") -> None:
        self._live.console.print(episode_line(row))

    def moment(self, moment: "Moment", *, last: bool) -> None:
        """How far the run is."""
        lines = [f"[cyan]{escape(progress_line(moment))}[/]", *seat_lines(moment.awaited)]
        self._live.update("\n".join(lines), refresh=True)


def _say_whole(text: str) -> None:
    """One line, however long: it is read by programs, or in a log."""
    console().print(text, soft_wrap=True)
    sys.stdout.flush()


@contextmanager
def _output(*, as_json: bool) -> Iterator[_Lines]:
    out = console()
    if as_json or not out.is_terminal:
        yield _JsonLines() if as_json else _Lines()
        return
    from rich.live import Live

    with Live(console=out, auto_refresh=False) as live:
        yield _Terminal(live)


def exit_code(standing: "Standing") -> int:
    """What the end of watching means, as for ``troupe run``."""
    match standing.state:
        case "ended":
            return OK
        case "stopped" | "ended early":
            return INTERRUPTED
        case _:
            return PAUSED


def _fruitless(moment: "Moment") -> int:
    return NOTHING if moment.episodes and moment.episodes_failed >= moment.episodes else OK


def progress_line(moment: "Moment") -> str:
    """How far a run is, how fast it goes and what it has cost, in one line."""
    over = moment.episodes_ended + moment.episodes_failed
    parts = [f"{over}/{moment.episodes} episodes"]
    if moment.episodes_failed:
        parts[0] += f" ({moment.episodes_failed} given up)"
    if moment.evaluations:
        done = moment.evaluations_ended + moment.evaluations_failed
        parts.append(f"{done}/{moment.evaluations} scored")
    if moment.standing.under_way:
        parts.append(f"{moment.episodes_per_minute:.1f} episodes/min")
        if moment.evaluations:
            parts.append(f"{moment.evaluations_per_minute:.1f} scored/min")
        if moment.left_s is not None:
            parts.append(f"{duration(moment.left_s)} left")
    if moment.tokens or moment.usd:
        parts.append(spent(moment))
    parts += [held_words(hold.held) for hold in moment.holds]
    parts += [note_words(one.note) for one in moment.notes]
    if moment.standing.state != "running":
        parts.insert(0, moment.standing.words)
    elif moment.standing.waiting:
        parts.append(moment.standing.waits)
    return " · ".join(parts)


def spent(moment: "Moment") -> str:
    """Money and tokens so far, against the budget where there is one; of models without a known
    price tokens alone."""
    of_usd = f" of {moment.budget.usd:.2f}" if moment.budget.usd else ""
    of_tokens = f" of {moment.budget.tokens:,}" if moment.budget.tokens else ""
    usd = f"{moment.usd:.2f}{of_usd} USD, " if moment.usd or of_usd else ""
    return f"{usd}{moment.tokens:,}{of_tokens} tokens"


def episode_line(row: "EpisodeRow") -> str:
    """An episode that has come to an end."""
    when = datetime.fromtimestamp((row.ended_at or 0) / 1e6).astimezone().strftime("%H:%M:%S")
    if row.status == "failed":
        end = f"[red]given up: {escape(row.end_reason)}[/]"
    else:
        turns = many(row.turns, "turn")
        failed = f", [yellow]{row.failed_actions} unanswered[/]" if row.failed_actions else ""
        end = f"{escape(row.end_reason.replace('_', ' '))}, {turns}{failed}"
    return f"[dim]{when}[/] {row.id} {escape(', '.join(row.minds))}: {end}"


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"
