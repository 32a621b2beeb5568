"""``troupe interview``: a question to a character."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from actors.interviews.interview import Exchange, Interview
from actors.models.caller import ModelCaller
from events.untrusted.safe_text import harmless
from gateway.cli.options import EpisodeId, Json, Yes, open_session
from gateway.cli.terminal.consent_prompt import agree
from gateway.cli.terminal.output import (
    escape,
    note,
    print_json,
    print_next,
    print_result,
    say,
)
from gateway.models.configured_models import models_here
from gateway.services.episodes.direct_episode import by
from gateway.services.episodes.interview import ask, begin_interview, interviews, load
from gateway.services.runs.confirm_destinations import Destination
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities
from store.read_model import queries


def interview(
    episode_id: EpisodeId,
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="[QUESTION]", help="Default: read one question a line from standard input."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            metavar="N",
            min=1,
            help="The seat of the character, from 1. Default: print the earlier interviews.",
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="N", help="The last event that the character knows. Default: all."
        ),
    ] = None,
    mind: Annotated[
        str,
        typer.Option(
            "--mind",
            metavar="MIND",
            help="The mind that answers: rehearsal:TEMPER, a mind of the run's plan, or a model "
            "name. Default: the seat's mind.",
        ),
    ] = "",
    go_on: Annotated[
        int | None,
        typer.Option("--go-on", metavar="K", min=1, help="Continue interview K of the episode."),
    ] = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Interview a character about an episode.

    The episode may be over or in progress, in any environment; it is not affected. The mind that
    played the character answers from what its seat noticed and remembers, and from earlier
    questions of the interview. Questions and answers are stored in a stream of their own, and the
    cost of model answers counts for the episode's run.
    """
    with open_session() as (_, store):
        episode = queries.find_episode(store, episode_id)
        if seat is None and go_on is None:
            _print_all(interviews(store, episode), episode, json=json)
            return
        allow = _Agreeing(yes)
        if go_on is None:
            assert seat is not None, "one of the two is given"
            found = begin_interview(
                store,
                episode,
                seat - 1,
                at=at,
                mind=mind,
                by=by(),
                agree=allow,
            )
        else:
            found = load(store, episode, go_on)
        exchanges = asyncio.run(_converse(store, found, question, allow, quiet=json))
        if json:
            after = load(store, episode, found.number)
            print_json({"interview": found.number, "exchanges": after.exchanges})
        elif question is not None and exchanges:
            more = f"troupe interview {episode} --go-on {found.number}"
            print_next([(more, "continue the interview")])


class _Agreeing:
    """Asks once, however many questions follow."""

    def __init__(self, yes: bool) -> None:
        self._yes, self._agreed = yes, False

    def __call__(self, what: str, asked: Sequence[Destination], /) -> None:
        if not self._agreed:
            agree(what, asked, yes=self._yes)
        self._agreed = True


async def _converse(
    store: EventStore,
    interview: Interview,
    question: str | None,
    allow: _Agreeing,
    *,
    quiet: bool,
) -> list[Exchange]:

    caller = ModelCaller(models_here(read_settings()), abilities=ModelAbilities(store))
    found: list[Exchange] = []
    try:
        while True:
            asked = question if question is not None else await asyncio.to_thread(_read)
            if asked is None:
                return found
            answered = await ask(
                store, interview.episode, interview.number, asked, caller=caller, agree=allow
            )
            found.append(answered)
            if not quiet:
                _print(answered)
            if question is not None:
                return found
    finally:
        await caller.close()


def _read() -> str | None:
    """A question from standard input; None: there are no more."""
    while True:
        if sys.stdin.isatty():
            try:
                line = input("> ")
            except EOFError:
                return None
        else:
            line = sys.stdin.readline()
            if not line:
                return None
            say(f"[dim]> {escape(harmless(line.strip()))}[/]")
        if line.strip():
            return line


def _print(exchange: Exchange) -> None:
    if exchange.failure:
        note(f"[yellow]No answer: {escape(harmless(exchange.failure))}[/]")
    else:
        say(escape(harmless(exchange.text or "")))


def _print_all(found: list[Interview], episode: str, *, json: bool) -> None:
    if print_result(
        [{"interview": one.number, "exchanges": one.exchanges} for one in found], json=json
    ):
        return
    if not found:
        say(f"Nobody was asked in episode [bold]{escape(episode)}[/] yet.")
        print_next([(f"troupe interview {episode} --seat 1 QUESTION", "ask the first seat")])
    for one in found:
        assert one.begun is not None, "it has begun"
        who = f"seat {one.begun.seat + 1}, by {one.begun.mind.name}, up to event {one.begun.at}"
        say(f"[bold]Interview {one.number}[/]: {escape(harmless(who))}")
        for exchange in one.exchanges:
            say(f"[dim]> {escape(harmless(exchange.question))}[/]")
            _print(exchange)
