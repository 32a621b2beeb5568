"""``troupe study``: studies with people."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from actors.studies.rules import Close, Pause
from actors.studies.state import StudyState
from actors.text.amounts import many
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import (
    heading,
    note,
    print_next,
    print_plain_json,
    print_result,
    print_table,
    say,
)
from gateway.errors import BadArgument
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.export_study import export_study
from gateway.services.studies.open_study import open_study
from gateway.services.studies.plan_study import plan_study, prepare_study
from gateway.services.studies.preview import StudyMeant, meaning_of
from gateway.services.studies.study_counts import counts_of
from gateway.services.studies.study_repository import Studies, now
from store.files.atomic_files import atomic_write_text

study = typer.Typer(
    no_args_is_help=True, help="Run studies with people: plan, open, watch, export, erase."
)
StudyId = Annotated[
    str, typer.Argument(metavar="STUDY", help="The id of a study, or a unique prefix of it.")
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A study file (docs/how-to/studies.md).")
]


@contextmanager
def _found(given: str) -> Iterator[tuple[Studies, str]]:
    """The studies of the store, and the whole id of one of them."""
    with open_session() as (_, store):
        studies = Studies(store)
        yield studies, studies.find(given)


@study.command("new")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to create.")],
) -> None:
    """Write an example study file to edit."""
    if file.exists():
        raise BadArgument("FILE", str(file), "is there already; name another file")
    atomic_write_text(file, TEMPLATE)
    say(f"Wrote {file}.")
    print_next([(f"troupe study check {file}", "check it and show what it means")])


@study.command("check")
def check(file: File, json: Json = False) -> None:
    """Check a study file and print what it means. Plans nothing."""
    with open_session() as (_, store):
        meant = meaning_of(prepare_study(store, file))
        if print_result(meant, json=json):
            return
        _say_checked(meant)
        print_next([(f"troupe study start {file}", "plan and open it")])


def _say_checked(one: StudyMeant) -> None:
    heading(one.name, f"{one.environment}, catalog {one.catalog}")
    rows = [
        (
            c.name,
            c.people,
            ", ".join(c.minds) or "–",
            len(c.tasks),
            c.quota or "any",
            f"{c.share:g}",
        )
        for c in one.conditions
    ]
    print_table(["condition", "people", "minds", "tasks", "groups wanted", "share"], rows)
    say("Participants go through " + ", ".join(one.way) + ".")
    if one.late:
        say(f"A turn may take {one.deadline_s:g} s; then {one.late}.")


@study.command("start")
def start(
    what: Annotated[
        str,
        typer.Argument(metavar="FILE|STUDY", help="A study file, or the id of a planned study."),
    ],
    closed: Annotated[
        bool, typer.Option("--closed", help="Only plan the study; `start STUDY` opens it.")
    ] = False,
    json: Json = False,
) -> None:
    """Open a study to participants; plan it first if needed.

    Also reopens a study that is closed or paused.
    """
    with open_session() as (_, store):
        by = getpass.getuser()
        studies = Studies(store)
        if Path(what).suffix == ".toml" or Path(what).is_file():
            id_ = plan_study(store, prepare_study(store, Path(what)), by)
        else:
            id_ = studies.find(what)
        if not closed:
            open_study(studies, id_, by)
        own = studies.load(id_).state.study.recruitment.participant
        if json:
            print_plain_json({"study": id_, "link": f"/join/{id_}"})
            return
        say(f"Study [bold]{id_}[/] is {'planned' if closed else 'open'}.")
        say(f"Its link is /join/{id_} on your server.")
        if own:
            say(
                f"The platform adds ?{own}=… to it; to try it yourself, add ?{own}=trial: without "
                "it nobody comes in."
            )
        print_next(
            [
                ("troupe serve", "serve it, if no server runs yet"),
                (f"troupe study show {id_}", "show its progress (on the server: /studies)"),
            ]
        )


@study.command("list")
def list_(json: Json = False) -> None:
    """List studies."""
    with open_session() as (_, store):
        found = Studies(store).all()
        if json:
            print_plain_json([_row(one.id, one.state) for one in found])
            return
        if not found:
            say("There are no studies yet.")
            print_next([("troupe study new study.toml", "write an example file to edit")])
            return
        rows = [list(_row(one.id, one.state).values()) for one in found]
        print_table(["study", "name", "stands", "came", "inside", "completed", "groups"], rows)


def _row(id_: str, state: StudyState) -> dict[str, object]:
    counts = counts_of(state)
    return {
        "study": id_,
        "name": state.study.name,
        "status": state.status,
        "came": counts.came,
        "inside": counts.inside,
        "completed": counts.outcomes.get("completed", 0),
        "groups": len(state.groups),
    }


_WHERE: Final = {
    "before": "on the pages before their episode",
    "waiting": "waiting for others",
    "playing": "in their episode",
    "after": "on the pages after it",
    "ended": "through or out",
}
"""Where participants are, in words."""


@study.command("show")
def show(what: StudyId, json: Json = False) -> None:
    """Show participants' progress and how full each condition is."""
    with _found(what) as (studies, id_):
        state = studies.load(id_).state
        counts = counts_of(state)
        if json:
            print_plain_json(
                {
                    **_row(id_, state),
                    "run": state.run,
                    "where": counts.where,
                    "outcomes": counts.outcomes,
                    "conditions": [one._asdict() for one in counts.conditions],
                }
            )
            return
        heading(state.study.name, f"{id_}, {state.status}, run {state.run}")
        say(
            f"{many(counts.came, 'participant')} came"
            + (": " if counts.came else "")
            + ", ".join(f"{n} {_WHERE[where]}" for where, n in counts.where.items() if n)
            + "."
        )
        if counts.outcomes:
            ended = ", ".join(f"{n} {how.replace('_', ' ')}" for how, n in counts.outcomes.items())
            say(f"Ended: {ended}.")
        rows = [
            (c.name, c.waiting, c.playing, c.whole, c.quota or "any", c.broken, c.fallback)
            for c in counts.conditions
        ]
        print_table(
            ["condition", "waiting", "playing", "whole", "wanted", "broken", "with fallback"], rows
        )
        say(
            "[dim]waiting: participants; else groups. whole: played to the end; broken: a "
            "participant left before the end; with fallback: a mind sits where a participant did "
            "not come. The last two do not count.[/]"
        )
        print_next(
            [
                (f"troupe show {state.run}", "its episodes, as a run"),
                (f"troupe study export {id_} FOLDER", "export all data as tables"),
            ]
        )


@study.command("pause")
def pause(what: StudyId) -> None:
    """Pause admission; participants who have begun continue."""
    with _found(what) as (studies, id_):
        studies.do(id_, Pause(by=getpass.getuser()))
        say(f"Study [bold]{id_}[/] lets nobody in.")
        print_next([(f"troupe study start {id_}", "open it again")])


@study.command("close")
def close(what: StudyId) -> None:
    """Close admission; participants who have begun continue to the end.

    Waiting participants are sent away.
    """
    with _found(what) as (studies, id_):
        studies.do(id_, Close(by=getpass.getuser(), at=now()))
        say(f"Study [bold]{id_}[/] is closed.")
        print_next([(f"troupe study export {id_} FOLDER", "export all data as tables")])


@study.command("export")
def export(
    what: StudyId,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into.")],
) -> None:
    """Export the data of a study as CSV and JSON lines.

    Exports sessions, consent, answers, completion codes and episodes.
    """
    with open_session() as (_, store):
        files = export_study(store, Studies(store).find(what), folder)
        say(f"Wrote {len(files)} files into {folder}.")
        note("They hold what participants wrote: keep them as you promised in the consent.")
