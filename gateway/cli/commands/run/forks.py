"""``troupe fork``, ``diff``, ``lineage``: what if, and what came of it."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer

from actors.runs.execution.work import Work
from evaluators.judges.judge_file import judge_named
from events.evaluation import JudgeSpec
from gateway.cli.options import EpisodeId, Json, NoProbe, TableFormatOption, Yes, open_session
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.consent_prompt import agree
from gateway.cli.terminal.output import (
    escape,
    note,
    print_result,
    say,
)
from gateway.cli.views.episode_diff import (
    ForkFamily,
    print_diff,
    print_forked,
    scores_of_diff,
    scores_of_forks,
)
from gateway.cli.views.transcripts import print_episode, print_lineage
from gateway.models.probe_models import models_of_minds
from gateway.services.episodes.episode_details import episode_details
from gateway.services.episodes.episode_diff import episode_diff, scores_beside
from gateway.services.episodes.fork_episode import (
    PreparedFork,
    begin_forks,
    prepare_fork,
    repeated,
    sameness,
)
from gateway.services.results.score_run import check_fit_of, scoring_of, scoring_of_forks
from gateway.services.runs.confirm_destinations import destinations_of_fork
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import lineage as lineage_of

_MOST_ENTRIES = 200
"""Lines of a fork that are printed with it; a longer one, such as a town, is named alone."""


def fork(
    episode_id: EpisodeId,
    at: Annotated[
        int,
        typer.Option(
            "--at", metavar="N", help="The last event to share with the parent (see `replay`)."
        ),
    ],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="N=MIND",
            help="Replace the mind of seat N (from 1): rehearsal:TEMPER, recorded:EPISODE, remote, "
            "person, a mind of the run's plan, or a model name. Repeatable.",
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            metavar="N",
            min=1,
            max=1000,
            help="Make N forks that differ only in their seeds.",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            metavar="JUDGE",
            help="Score the forks and their parent with this judge: a file or a built-in name. "
            "Repeatable.",
        ),
    ] = None,
    yes: Yes = False,
    no_probe: NoProbe = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Play on from the middle of an episode, with changes.

    Creates a new episode that shares the history of its parent up to event N, and plays it to the
    end. The parent does not change. The fork belongs to no run and uses no run's budget. With
    --repeats, several forks are played with different seeds, and their mean scores are shown
    beside the parent's.
    """
    specs = [judge_named(name) for name in judge or ()]
    with open_session() as (settings, store):
        prepared = prepare_fork(store, episode_id, at, seat or [])
        parent = queries.episode(store, prepared.parent)
        for spec in specs:
            check_fit_of(spec, [parent])
        forks = (prepared,) if repeats is None else repeated(store, prepared, repeats)
        asked = destinations_of_fork(store, prepared, len(forks))
        agree(f"episode {parent.id}", asked, yes=yes)
        _play(settings, store, forks, at, specs, quiet=json, probing=not no_probe)
        ids = [one.id for one in forks]
        scores = scores_beside(store, parent.id, ids[0], ids) if specs else []
        shown = episode_details(store, ids[0], "narrator")
        rows = tuple(queries.episode(store, id_) for id_ in ids)
    found = ForkFamily(parent=parent, at=at, forks=rows, scores=tuple(scores))
    result = shown if repeats is None else found
    if print_result(result, json=json, form=form, tables=lambda: scores_of_forks(found)):
        return
    if repeats is None and len(shown.account.entries) <= _MOST_ENTRIES:
        print_episode(shown)
    elif repeats is None:
        long = f"{len(shown.account.entries):,} lines; `troupe show {ids[0]}` prints it"
        say(f"[bold]Episode {escape(ids[0])}[/]  [dim]{long}[/]")
    print_forked(found)


def _announce(forks: Sequence[PreparedFork], at: int) -> None:
    first = forks[0]
    if len(forks) == 1:
        note(f"Fork {first.id} of {first.parent} after event {at}")
        return
    note(f"{len(forks)} forks of {first.parent} after event {at}, each with seeds of its own")
    for seat, mind in enumerate(first.minds, start=1):
        if why := sameness(mind):
            note(f"[yellow]Seat {seat}: {escape(why)}.[/]")


def _play(
    settings: Settings,
    store: EventStore,
    forks: Sequence[PreparedFork],
    at: int,
    judges: Sequence[JudgeSpec],
    *,
    quiet: bool,
    probing: bool,
) -> None:
    """Play forks, then have them and their parent scored."""
    models = [] if not probing else models_of_minds([mind for one in forks for mind in one.minds])
    models += [spec.model for spec in judges if probing and spec.model is not None]

    def begin() -> Work:
        # Not before the models have answered: without them there is no fork.
        if not quiet:
            _announce(forks, at)
        return begin_forks(store, forks)

    progress = work_with_progress(
        settings, store, begin, len(forks), quiet=quiet, models=models, command="fork"
    )
    ids = [one.id for one in forks]
    leave_unless_done(progress, "; ".join(f"`troupe resume {id_}`" for id_ in ids) + " goes on.")
    ended = [id_ for id_ in ids if queries.episode(store, id_).status == "ended"]
    parent = queries.episode(store, forks[0].parent)
    for judge in judges:
        scorings = [scoring_of_forks(store, ended, judge)] if ended else []
        if parent.status == "ended":
            scorings.append(scoring_of(store, parent.id, judge))
        for scoring in scorings:
            if not scoring.is_done:
                scored = work_with_progress(
                    settings, store, partial(_the, scoring.work), 1, quiet=quiet, command="score"
                )
                leave_unless_done(scored, f"`troupe score {ids[0]} --judge …` goes on.")


def _the(work: Work) -> Work:
    return work


def diff(
    episode_id: Annotated[
        str, typer.Argument(metavar="FORK", help="The id of an episode, or a unique prefix of it.")
    ],
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[EPISODE]", help="The episode to compare with. Default: the parent."
        ),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Compare a fork with its parent.

    Shows where they diverge, what was done differently, and the scores of both. Also compares two
    forks of the same parent, or two episodes of the same task. The shared history is one line;
    after it both continue side by side, or below each other in a narrow terminal.
    """
    with open_session() as (_, store):
        found = episode_diff(store, episode_id, other)
    if not print_result(found, json=json, form=form, tables=lambda: scores_of_diff(found)):
        print_diff(found)


def lineage(episode_id: EpisodeId, json: Json = False) -> None:
    """Draw an episode's tree of forks."""
    with open_session() as (_, store):
        found = queries.episode(store, episode_id)
        tree = lineage_of(store, found.id)
    if not print_result(tree, json=json):
        print_lineage(tree, found.id)
