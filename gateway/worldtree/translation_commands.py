"""``troupe worldtree translate`` and ``review``."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.episodes.rules.decide import EpisodeState
from gateway.cli.options import ApiKeyEnv, BaseUrl, BudgetUsd, Json, NoProbe, open_session
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_places,
    print_result,
    say,
)
from gateway.errors import BadArgument
from gateway.models.probe_models import models_of
from gateway.services.runs.plan_run import Prepared, begin_run
from gateway.settings import Settings
from gateway.worldtree.review_sheets import NAMES, PAPER, read_reviews, review_of
from gateway.worldtree.translations import (
    TranslatedTree,
    check_out,
    prepare,
    prepare_again,
    translator,
    trees_of,
    write,
)
from store.log.event_store import EventStore
from store.read_model import queries

STEPS = 10
"""How often it is told how far a translation has come."""


def translate(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The file of a tree, or a folder of such files."),
    ] = None,
    to: Annotated[
        Literal["zh", "en"] | None, typer.Option("--to", help="The target language.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="The model, such as openai/gpt-4o-mini.")
    ] = "",
    base_url: BaseUrl = "",
    api_key_env: ApiKeyEnv = "",
    rehearsal: Annotated[
        bool,
        typer.Option("--rehearsal", help="Try without a model: texts are marked, not translated."),
    ] = False,
    from_: Annotated[
        str, typer.Option("--from", metavar="RUN", help="Write the translations of this run.")
    ] = "",
    review: Annotated[
        list[Path] | None,
        typer.Option(
            "--review", metavar="CSV", help="With --from: translate rejected passages again."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="The file to write, or the folder if there are several.",
        ),
    ] = None,
    usd: BudgetUsd = 0.0,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Translate trees between Chinese and English.

    Translates the names first, then scene by scene. The translator does not see ids, edges, goals
    and abilities. Beside each tree, a review sheet is written in which a reader accepts or rejects
    each scene; --from RUN --review CSV translates rejected scenes again. To continue a translation
    that was stopped, run `troupe resume RUN`, and then write the result with --from RUN.
    """
    if (file is None) == (not from_):
        raise BadArgument("FILE", str(file or ""), "give a file to translate, or --from RUN")
    if rehearsal and model:
        raise BadArgument("--rehearsal", model, "is without a model; take one of the two out")
    with open_session() as (settings, store):
        run = from_
        if file is not None or review:
            asked = translator(model, base_url=base_url, api_key_env=api_key_env)
            if file is not None:
                if to is None:
                    raise BadArgument("--to", "", "say into which language: zh or en")
                if not (model or rehearsal):
                    why = "say who translates; --rehearsal tries it without a model"
                    raise BadArgument("--model", "", why)
                trees = trees_of(file, to)
                if out is not None:
                    check_out(out, file, len(trees))
                prepared = prepare(store, trees, asked, str(file), usd)
            else:
                again = asked if model or rehearsal else None
                prepared = prepare_again(store, from_, review or (), again, usd)
            _carry_out(settings, store, prepared, probing=not no_probe, quiet=json)
            run = prepared.run
        found = write(store, run, out)
        offline = _is_rehearsal(store, run)
    if print_result(found, json=json):
        return
    _print(found, run)
    if offline:
        note("[yellow]A rehearsal marks texts and translates nothing.[/]")


def review(
    sheets: Annotated[
        list[Path], typer.Argument(metavar="CSV…", help="Review sheets that a reader completed.")
    ],
    json: Json = False,
) -> None:
    """Show which share of a translation was accepted.

    Reads the review sheets that `translate` wrote, after a reader completed them. SocialEval
    reports 97 % for its own translation.
    """
    found = review_of(read_reviews(sheets))
    if print_result(found, json=json):
        return
    decided = found.accepted + found.rejected
    if found.rate is None:
        say("Nothing is decided yet: accept or reject, under verdict.")
        return
    say(
        f"{found.accepted} of {decided} passages accepted: [bold]{100 * found.rate:.1f} %[/] "
        f"(SocialEval: {100 * PAPER:.0f} %)"
    )
    if found.undecided:
        say(f"{found.undecided} not decided yet")
    for one in found.refusals:
        what = "names" if one.scene == NAMES else f"scene {one.scene}"
        say(f"{what}: {escape(one.comment or 'no reason given')}", indent=2)
    if found.refusals:
        files = " ".join(f"--review {sheet}" for sheet in sheets)
        again = f"troupe worldtree translate --from {_run_of(found.refusals[0].episode)} {files}"
        print_next([(again, "translate these again, with the reasons")])


def _run_of(episode: str) -> str:
    """The run of a translation; ``RUN`` where it is not of this store."""
    with open_session() as (_, store):
        try:
            return queries.episode(store, episode).run
        except LookupError:
            return "RUN"


def _carry_out(
    settings: Settings, store: EventStore, prepared: Prepared, *, probing: bool, quiet: bool
) -> None:

    run = prepared.run
    alone = len(prepared.planned.episodes) == 1
    progress = work_with_progress(
        settings,
        store,
        partial(begin_run, store, prepared),
        prepared.planned.plan.concurrency,
        quiet=quiet,
        witness=_teller() if alone and not quiet else None,
        models=models_of(prepared.planned) if probing else (),
        run=run,
        judges=prepared.planned.plan.judges,
        command="worldtree translate",
    )
    leave_unless_done(
        progress,
        f"`troupe resume {run}` goes on with it, and `troupe worldtree translate --from {run}` "
        "then writes the tree.",
    )


def _teller() -> Callable[[str, EpisodeState], None]:
    """Says how far a translation has come, whenever it comes further."""
    told = 0

    def tell(episode: str, state: EpisodeState) -> None:
        nonlocal told
        del episode
        passages = getattr(state.world, "passages", ())
        done = sum(one is not None for one in passages)
        if done * STEPS // max(len(passages), 1) > told:
            told = done * STEPS // len(passages)
            note(f"[dim]{done} of {len(passages)} passages[/]")

    return tell


def _is_rehearsal(store: EventStore, run: str) -> bool:
    return any(mind.kind == "rehearsal" for mind in queries.plan(store, run).plan.minds)


def _print(found: Sequence[TranslatedTree], run: str) -> None:
    unfinished = [one for one in found if not one.file]
    for one in found:
        if one.file:
            say(f"{escape(one.tree)}: {one.passages} passages")
            places = [("tree", one.file)] + [("review", one.review)] * bool(one.review)
            print_places(places)
            if one.reviewed:
                note(f"[dim]{escape(one.review)} was there, and is left as it is[/]")
    for one in unfinished:
        say(f"{escape(one.tree)}: {one.done} of {one.passages} passages; not whole yet")
    steps = []
    if unfinished:
        steps.append((f"troupe resume {run}", "finish incomplete trees"))
    if first := next((one for one in found if one.review), None):
        steps.append(
            (f"troupe worldtree review {first.review}", "evaluate it, after a reader completed it")
        )
    if whole := next((one for one in found if one.file), None):
        steps.append((f"troupe worldtree check {whole.file}", "check the new tree"))
    print_next(steps)
