"""Following an episode while it is played, in this process or in another."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import typer

from actors.episodes.port.sight import Notice, Reducer, Viewer
from actors.episodes.port.words import Account
from actors.episodes.registry import environment_of, game_of
from actors.episodes.rules.failed_actions import FailedAction, failed_action, failed_entry
from actors.episodes.views.differences import ForkMark, fork_mark
from actors.episodes.views.inconsistent_history import telling
from events.base import Value
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeForked, EpisodeStarted, TurnOpened
from events.minds import MindSpec
from events.wire.subjects import stream_name
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import NumberedLines, escape, note, print_json_line, say
from gateway.cli.views.transcripts import print_beginning, print_ending, print_fork, with_why
from gateway.cli.views.watch_run import exit_code
from gateway.services.episodes.episode_details import check_may_begin, parse_viewer
from gateway.services.runs.watch_run import RunStatusReader
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered, follow_history

if TYPE_CHECKING:
    Followed: TypeAlias = "EpisodeStarted | Notice | FailedAction | ForkMark | Ended"


class Ended(Value, frozen=True, kw_only=True):
    """The last line of ``troupe watch --json``."""

    ended: str
    """The ending's name: one of the environment's, ``stopped`` or ``failed``."""
    turn: int


def watch_episode(
    settings: "Settings", store: "EventStore", given: str, viewer: str, *, as_json: bool
) -> None:
    """Print what happened, then what the viewer notices as it is stored, until the episode is over,
    or its run waits or is over before: then the exit code says which.

    Raises ``UnknownId``, ``BadArgument``.
    """
    row = queries.episode(store, given)
    check_may_begin(row)
    # What plays a fork is no process of the run it comes from.
    run = RunStatusReader(settings, store, row.run) if row.run and not row.parent else None
    if row.status == "planned":
        note(f"[dim]Episode {escape(row.id)} has not begun yet; waiting for it. Ctrl-C ends.[/]")
    who = parse_viewer(viewer, len(row.minds))
    followed = follow(store, row.id, who, run.more if run is not None else lambda: True)
    over = _print_json(followed) if as_json else _print_followed(row.id, who, followed)
    if not over and run is not None:
        stands = run.now
        note(escape(f"Run {run.run}: {stands.sentence}."))
        raise typer.Exit(exit_code(stands) or NOTHING)


def watch_chain(
    settings: "Settings", store: "EventStore", chain: str, viewer: str, *, as_json: bool
) -> None:
    """The same for the episodes of a chain (id in full), one after the other; those that were given
    up before they began are passed over."""
    for row in queries.episodes(store, chain=chain):
        now = queries.episode(store, row.id)
        if now.status == "failed" and now.started_at is None:
            note(f"[yellow]Episode {escape(row.id)} was given up: {escape(now.end_reason)}[/]")
            continue
        watch_episode(settings, store, row.id, viewer, as_json=as_json)


def follow(
    store: "EventStore", episode: str, viewer: "Viewer", more: Callable[[], bool]
) -> "Iterator[Followed]":
    """An episode's beginning, what the viewer notices as soon as it is stored, where it was forked,
    and its end, as long as there is ``more`` to come; the narrator is told of each action that
    failed, too. Each event is read once. Takes an id in full."""
    from actors.episodes.registry import game_of

    eyes: Reducer[Notice] | None = None
    minds: tuple[MindSpec, ...] = ()
    environment, turn = "", 0
    for numbered in follow_history(store, episode, more=more):
        if eyes is not None:
            failed = failed_action(numbered.number, numbered.event)
            if failed is not None and viewer == "narrator":
                yield failed
            with telling(environment):
                noticed = eyes.apply(numbered.number, numbered.event)
            yield from noticed
        match numbered.event:
            case EpisodeForked() as forked:
                # Who plays is for the narrator alone.
                known = minds if viewer == "narrator" else forked.minds
                yield fork_mark(numbered.number, forked, known)
                minds = forked.minds
            case EpisodeStarted() as started:
                minds = started.minds
                environment = started.environment
                with telling(environment):
                    eyes = game_of(started).sight.reducer(started, viewer)
                yield started
            case TurnOpened():
                turn = numbered.event.turn
            case EpisodeEnded(reason=reason):
                yield Ended(ended=reason, turn=turn)
                return
            case EpisodeFailed() if _is_last(store, episode, numbered):
                yield Ended(ended="failed", turn=turn)
                return


def _is_last(store: "EventStore", episode: str, numbered: "Numbered") -> bool:
    """Whether nothing came after an event: an episode that was given up may be reopened."""
    stream, version = numbered.envelope.stream, numbered.envelope.version
    return stream == stream_name("episode", episode) and store.version(stream) == version


def _print_json(following: "Iterable[Followed]") -> bool:
    """Whether the episode came to its end."""
    followed = None
    for followed in following:
        if not isinstance(followed, EpisodeStarted):
            print_json_line(followed)
    return isinstance(followed, Ended)


def _print_followed(episode: str, viewer: "Viewer", following: "Iterable[Followed]") -> bool:
    """Whether the episode came to its end."""
    lines = NumberedLines()
    account: Account | None = None
    told = -1
    """The number of the last action that failed."""
    followed = None
    for followed in following:
        match followed:
            case EpisodeStarted():
                environment, game = environment_of(followed), game_of(followed)
                entry = game.words.entry_writer(followed, viewer)
                account = game.words.account(game.sight.view([followed], viewer))
                say(f"[bold]Episode {escape(episode)}[/]")
                print_beginning(account)
            case Ended():
                print_ending(followed.turn, environment.ending(followed.ended))
            case ForkMark():
                print_fork(followed)
            case FailedAction():
                assert account is not None, "an episode begins before anybody acts"
                lines.print(followed.number, with_why(failed_entry(followed, account)))
                told = followed.number
            case _ if followed.number != told:
                lines.print(followed.number, with_why(entry(followed)))
    return isinstance(followed, Ended)
