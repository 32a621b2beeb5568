"""Following an episode while it is played, in this process or in another."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from events.base import Value
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeForked, EpisodeStarted, TurnOpened
from events.subjects import stream_name
from gateway.cli.output import NumberedLines, escape, note, print_json_line, say

if TYPE_CHECKING:
    from actors.episodes.differences import ForkMark
    from actors.episodes.environment import Account, Notice, Reducer, Viewer
    from actors.episodes.failures import FailedAction
    from events.minds import MindSpec
    from store.history import Numbered
    from store.log import EventStore


class Ended(Value, frozen=True, kw_only=True):
    """The last line of ``troupe watch --json``."""

    ended: str
    """The ending's name: one of the environment's, ``stopped`` or ``failed``."""
    turn: int


def watch_episode(store: "EventStore", given: str, viewer: str, *, as_json: bool) -> None:
    """Print what happened, then what the viewer notices as it is stored, until the episode is over.

    Raises ``UnknownId``, ``BadArgument``.
    """
    from gateway.episode_views import check_may_begin, parse_viewer
    from store import queries

    row = queries.episode(store, given)
    check_may_begin(row)
    if row.status == "planned":
        note(f"[dim]Episode {escape(row.id)} has not begun yet; waiting for it. Ctrl-C ends.[/]")
    who = parse_viewer(viewer, len(row.minds))
    if not as_json:
        _print_followed(store, row.id, who)
        return
    for followed in follow(store, row.id, who):
        if not isinstance(followed, EpisodeStarted):
            print_json_line(followed)


def watch_chain(store: "EventStore", chain: str, viewer: str, *, as_json: bool) -> None:
    """The same for the episodes of a chain (id in full), one after the other; those that were given
    up before they began are passed over."""
    from store import queries

    for row in queries.episodes(store, chain=chain):
        now = queries.episode(store, row.id)
        if now.status == "failed" and now.started_at is None:
            note(f"[yellow]Episode {escape(row.id)} was given up: {escape(now.end_reason)}[/]")
            continue
        watch_episode(store, row.id, viewer, as_json=as_json)


def follow(
    store: "EventStore", episode: str, viewer: "Viewer"
) -> "Iterator[EpisodeStarted | Notice | FailedAction | ForkMark | Ended]":
    """An episode's beginning, what the viewer notices as soon as it is stored, where it was forked,
    and its end; the narrator is told of each action that failed, too. Each event is read once.
    Takes an id in full."""
    from actors.episodes.differences import fork_mark
    from actors.episodes.failures import failed_action
    from actors.episodes.registry import environment_of
    from store.history import follow_history

    eyes: Reducer | None = None
    minds: tuple[MindSpec, ...] = ()
    turn = 0
    for numbered in follow_history(store, episode):
        if eyes is not None:
            failed = failed_action(numbered.number, numbered.event)
            if failed is not None and viewer == "narrator":
                yield failed
            yield from eyes.apply(numbered.number, numbered.event)
        match numbered.event:
            case EpisodeForked() as forked:
                # Who plays is for the narrator alone.
                known = minds if viewer == "narrator" else forked.minds
                yield fork_mark(numbered.number, forked, known)
                minds = forked.minds
            case EpisodeStarted() as started:
                minds = started.minds
                eyes = environment_of(started).reducer(started, viewer)
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


def _print_followed(store: "EventStore", episode: str, viewer: "Viewer") -> None:
    from actors.episodes.differences import ForkMark
    from actors.episodes.failures import FailedAction, failed_entry
    from actors.episodes.registry import environment_of
    from gateway.cli.transcripts import print_beginning, print_ending, print_fork, with_why

    lines = NumberedLines()
    account: Account | None = None
    told = -1
    """The number of the last action that failed."""
    for followed in follow(store, episode, viewer):
        match followed:
            case EpisodeStarted():
                environment = environment_of(followed)
                entry = environment.entry_writer(followed, viewer)
                account = environment.account(environment.view([followed], viewer))
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
