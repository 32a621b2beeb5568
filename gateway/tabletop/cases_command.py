"""``troupe tabletop cases``: the case study of AntEval (section 5.4)."""

from typing import Annotated

import typer

from gateway.cli.options import Json, RunId, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    heading,
    note,
    numbers,
    print_json,
    print_next,
    print_table,
    say,
)
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.tabletop.case_study import READERS, case_study


def cases(
    run: RunId,
    below: Annotated[
        float,
        typer.Option(
            metavar="P",
            min=0,
            max=1,
            help="Draw among sessions whose p, the mean over their players, is less.",
        ),
    ] = 0.5,
    take: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Draw so many, or all there are.")
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other sessions.")] = 1,
    readers: Annotated[
        int, typer.Option("--readers", "-k", min=1, max=1_000, help="Readers of each session.")
    ] = READERS,
    judge: Annotated[
        str,
        typer.Option(
            "--judge", "-j", metavar="JUDGE", help="By whose p, where several judges scored."
        ),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be drawn; plan nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Plan a study in which readers give a word to sessions of low p.

    Sessions in which players learned little are drawn into an annotation study: each reader gives
    each session one word, in the browser. `troupe report` shows counts and agreement.
    """
    with open_session() as (_, store):
        study = case_study(
            store, run, below=below, take=take, seed=seed, readers=readers, judge=judge
        )
        studies = AnnotationStudies(store)
        equal = [one.id for one in studies.all() if one.state.plan == study.plan]
        id_ = "" if dry_run else studies.plan(study.plan)
    if json:
        print_json(
            {
                "study": id_,
                "run": study.plan.run,
                "judge": study.judge,
                "below": below,
                "seed": seed,
                "readers": readers,
                "scored": study.scored,
                "low": study.low,
                "cases": [one._asdict() for one in study.cases],
            }
        )
        return
    title = f"Annotation study {id_}" if id_ else "A case study"
    planned = f"{len(study.cases)} sessions, {readers} readers each"
    heading(f"{title}: {planned}", "" if id_ else "nothing is planned yet")
    say(
        f"{study.low} of {study.scored} sessions have a p below {below:g}, by {escape(study.judge)}"
    )
    if equal:
        note(f"study {equal[-1]} has the same sessions and readers; this one is another")
    if len(study.cases) < take:
        note(f"fewer than {take} sessions are below; all of them are drawn")
    print_table(
        (Column("session", "id"), *numbers("p")),
        [(one.episode, f"{one.p:.2f}") for one in study.cases],
    )
    if id_:
        print_next(
            [
                (
                    f"troupe token issue annotator --study {id_} --name WHO",
                    "a link for one reader; `troupe serve` serves the pages",
                ),
                (f"troupe annotate show {id_}", "show their progress"),
                (f"troupe report {study.plan.run}", "counts, agreement and bars of the words"),
            ]
        )
