"""``troupe play``: a person takes a seat in the terminal."""

import asyncio
import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import typer

from actors.episodes.port.sight import Notice
from actors.episodes.registry import environment_of
from actors.episodes.typed_answers import Wording
from events.environments import Action, Question
from events.untrusted.safe_text import harmless, one_line, shortened
from events.wire.messages import EpisodeOver, Refused
from gateway.cli.options import RunOrEpisode, open_session
from gateway.cli.terminal.errors import INTERRUPTED
from gateway.cli.terminal.output import NumberedLines, escape, note, say
from gateway.cli.views.transcripts import print_beginning
from gateway.errors import BadArgument
from gateway.services.episodes.episode_details import replay_details
from gateway.services.episodes.seat_client import (
    Place,
    SeatClient,
    answers_for,
    next_place,
    person_here,
    place_in,
)
from gateway.services.runs.resolve_ids import run_or_episode
from gateway.services.runs.watch_run import RunStatusReader
from gateway.settings import Settings
from store.log.event_store import EventStore

PROMPT: Final = "> "
MOST_SHOWN: Final = 10_000
"""Characters of a line that was piped in."""


class InputOver(Exception):
    """Nothing more can be read from standard input."""


def play(
    what: RunOrEpisode,
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="N", min=1, help="The seat of an episode, from 1."),
    ] = None,
    mind: Annotated[
        str, typer.Option("--mind", help="For a run: only seats of this mind of the plan.")
    ] = "",
    take_over: Annotated[
        bool,
        typer.Option(
            "--take-over", help="For an episode: play seat N in place of its mind until you leave."
        ),
    ] = False,
) -> None:
    """Play a seat in the terminal.

    The seat's mind must be of kind `person` or `remote`, and another process must play the episode;
    `troupe run` lists the seats that wait. For a run, you get the seat that has waited longest, and
    the next one when its episode is over, until the run is done. The command shows your character,
    what happens and the questions to you; type your answers. After Ctrl-C the seat waits, and the
    same command continues; a seat that you took over returns to its mind.
    """
    with open_session() as (settings, store):
        meant = run_or_episode(store, what)
        me = person_here(settings)
        if take_over and (seat is None or meant.kind != "episode"):
            why = "needs an episode and --seat N: which seat is to be taken from its mind?"
            raise BadArgument("--take-over", what, why)
        try:
            if meant.kind == "episode":
                number = None if seat is None else seat - 1

                def not_begun(run: str) -> None:
                    stands = RunStatusReader(settings, store, run).now.sentence
                    note(f"Episode {escape(meant.id)} has not begun: its run {escape(stands)}.")

                place = place_in(
                    store, meant.id, number, me, take_over=take_over, waiting=not_begun
                )
                _take(settings, store, place)
                return
            past: frozenset[str] = frozenset()
            while (found := next_place(settings, store, meant.id, mind, past, me)) is not None:
                _take(settings, store, found)
                past |= {found.episode}
            stands = RunStatusReader(settings, store, meant.id).now
            note(f"No seat of run {escape(meant.id)} waits for you: {escape(stands.sentence)}.")
        except (KeyboardInterrupt, InputOver) as left:
            again = f"troupe play {meant.id}" + (f" --seat {seat}" if seat is not None else "")
            again += f" --mind {mind}" if mind else ""
            again += " --take-over" if take_over else ""
            stays = "its mind has the seat back" if take_over else "the seat waits"
            note(f"\n[dim]You have left; {stays}. Come back with[/] {escape(again)}")
            if isinstance(left, KeyboardInterrupt):
                raise typer.Exit(INTERRUPTED) from None


def _take(settings: Settings, store: EventStore, place: Place) -> None:
    """Hold a seat until its episode is over."""
    game = place.game
    account = replay_details(store, place.episode, 0, str(place.seat + 1)).account
    you = escape(one_line(account.portraits[place.seat].name))
    here = f"[bold]Episode {escape(place.episode)}[/]"
    say(f"{here}: you are [bold]{you}[/], in seat {place.seat + 1}")
    print_beginning(account)
    entry = game.words.entry_writer(place.started, place.seat)
    lines = NumberedLines()

    def noticed(news: Sequence[Notice]) -> None:
        for one in news:
            lines.labelled("", entry(one).line)

    sitting = SeatClient(settings, store, place, noticed, _teller())
    try:
        heard: Any = asyncio.run(sitting.asked())
        while not isinstance(heard, EpisodeOver):
            asked = heard
            _say_left_out(sitting, place)
            _say_missed(sitting)
            while asked is heard or isinstance(heard, Refused):
                answers = list(answers_for(place, asked, lambda one: _ask(sitting, one, lines)))
                heard = asyncio.run(sitting.asked(answers))
                if isinstance(heard, Refused):
                    note(f"[yellow]{escape(heard.reason)}[/]")
    except (KeyboardInterrupt, InputOver):
        if place.in_place_of:
            asyncio.run(sitting.leave())
        raise
    sitting.catch_up()
    _say_missed(sitting)
    ending = environment_of(place.started).ending(heard.reason)
    say(f"[dim]— it is over: {escape(ending)} —[/]\n")


def _ask(sitting: SeatClient, question: Question, lines: NumberedLines) -> Action:
    """An action, asked for until what is typed means one. Raises ``InputOver``."""
    game, background = sitting.place.game, sitting.background
    _print(game.people.wording(question, background), lines)
    while True:
        try:
            text = _read()
            action = game.people.typed(question, background, text)
            seat, seats = sitting.place.seat, len(sitting.place.started.minds)
            fault = game.rules.action_fault(question, action, seat, seats)
        except UnicodeError:
            fault = "what was typed is not in UTF-8"
        except ValueError as error:
            fault = str(getattr(error, "detail", error))
        if fault is None:
            return action
        note(f"[yellow]{escape(fault)}[/]")


def _print(wording: Wording, lines: NumberedLines) -> None:
    say(f"\n[bold]{escape(wording.lead)}[/]")
    for typed, means in wording.options:
        lines.labelled(f"{typed:>3}", means)
    if wording.hint:
        say(f"[dim]{escape(wording.hint)}[/]")


def _read() -> str:
    """A line from the keyboard, or from whatever is piped in; that one is shown, too. Raises
    ``InputOver``, ``UnicodeError``."""
    if sys.stdin.isatty():
        # Makes what is typed editable, wide characters, too.
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
        try:
            line = input(PROMPT)
        except EOFError:
            raise InputOver from None
    else:
        line = sys.stdin.readline()
        if not line:
            raise InputOver
        say(escape(f"{PROMPT}{shortened(line, MOST_SHOWN)}"))
    line.encode()  # Python reads bytes that are no UTF-8 as half characters
    return line


def _say_left_out(sitting: SeatClient, place: Place) -> None:
    if sitting.left_out:
        show = f"troupe show {place.episode} --as {place.seat + 1}"
        note(f"[dim]{sitting.left_out:,} entries before are left out here: {escape(show)}[/]")
        sitting.left_out = 0


def _say_missed(sitting: SeatClient) -> None:
    if sitting.missed:
        which = f"{sitting.missed} turns in a row have" if sitting.missed > 1 else "your turn has"
        note(f"[yellow]You did not answer in time: {which} passed without you.[/]")


def _teller() -> Callable[[str], None]:
    """Says why nothing happens, each reason once in a row."""
    last = ""

    def tell(why: str) -> None:
        nonlocal last
        if why != last:
            last = why
            note(f"[dim]Waiting: {escape(harmless(why))}. Ctrl-C leaves.[/]")

    return tell
