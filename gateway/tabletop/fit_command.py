"""``troupe tabletop fit``."""

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from actors.text.amounts import many
from evaluators.tabletop.calls.sample_file import read_all_samples
from evaluators.tabletop.calls.samples import CallSample
from evaluators.tabletop.virtual_dms.cross_validation import OwnScore, own_score
from evaluators.tabletop.virtual_dms.dm_file import (
    DMFile,
    LanguageModelFile,
    LexiconFile,
    LinearFile,
    make_dm,
)
from evaluators.tabletop.virtual_dms.language_model import FEWEST_TO_TUNE, fine_tuning_lines
from evaluators.tabletop.virtual_dms.port import VirtualDM
from evaluators.tabletop.virtual_dms.saved import save
from gateway.cli.options import Json
from gateway.cli.terminal.output import escape, heading, note, print_json, print_pairs, say
from gateway.cli.terminal.progress_bar import bar
from gateway.errors import BadArgument
from gateway.tabletop.dm_models import caller_here, read_dm_here
from gateway.tabletop.output_files import check_output
from store.files.atomic_files import atomic_write

_QUICK: Final = (LexiconFile, LinearFile)
"""Kinds that are scored unless that is not wanted."""


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned from what."""

    name: str
    kind: str
    seed: int
    samples: int
    sessions: int
    skills: dict[str, int]
    """Labels by skill, the most frequent first."""
    trained_on: str
    """The hash of the samples."""
    score: OwnScore | None
    """None: it was not measured."""
    notes: tuple[str, ...]
    file: str


def fit(
    samples: Annotated[
        list[Path],
        typer.Argument(metavar="SAMPLES…", help="Files that troupe tabletop calls wrote."),
    ],
    dm: Annotated[
        Path, typer.Option("--dm", metavar="DM.toml", help="The kind of game master, its options.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it, as JSON.")
    ],
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Of what is drawn.")
    ] = 0,
    score: Annotated[
        bool | None,
        typer.Option(
            "--score/--no-score",
            help="Score it by cross-validation. Default: kinds lexicon and linear; others take "
            "long, or a model's answers.",
        ),
    ] = None,
    tuning: Annotated[
        Path | None,
        typer.Option(
            "--openai",
            metavar="FILE.jsonl",
            help="Kind llm: also write the samples in OpenAI's format for fine-tuning.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train a virtual game master on labelled samples.

    It learns to say who of the players means to make which skill check. Its own score is that of
    sessions which it did not learn from.
    """
    check_output("--out", out, [*samples, dm])
    check_output("--openai", tuning, [*samples, dm, out])
    file = read_dm_here(dm)
    if tuning is not None and not isinstance(file, LanguageModelFile):
        why = f"is for kind llm, and {dm} names one of kind {file.kind}; leave it out"
        raise BadArgument("--openai", str(tuning), why)
    given = read_all_samples(samples)
    found: OwnScore | None = None
    with bar("Training", quiet=json) as progress:
        made = make_dm(file, caller_here, seed, progress)
        made.fit(given)
    if isinstance(file, _QUICK) if score is None else score:
        with bar("Scoring", quiet=json) as progress:
            found = own_score(lambda: make_dm(file, caller_here, seed), given, seed, progress)
    save(out, file, made, seed)
    if tuning is not None:
        with atomic_write(tuning) as path:
            path.write_bytes(b"".join(line + b"\n" for line in fine_tuning_lines(given)))
    fitted = _fitted(file, made, given, seed, found, out)
    if json:
        print_json(fitted)
        return
    _print(fitted)
    if tuning is not None:
        say(f"{len(given):,} samples for fine-tuning are in {escape(str(tuning))}.")


def _fitted(
    file: DMFile,
    dm: VirtualDM,
    samples: list[CallSample],
    seed: int,
    score: OwnScore | None,
    out: Path,
) -> Fitted:
    skills = Counter(label.skill for one in samples for label in one.labels)
    return Fitted(
        name=file.name,
        kind=file.kind,
        seed=seed,
        samples=len(samples),
        sessions=len({one.session for one in samples}),
        skills=dict(skills.most_common()),
        trained_on=dm.trained_on,
        score=score,
        notes=tuple(_notes(file, samples, skills, score)),
        file=str(out),
    )


def _notes(
    file: DMFile, samples: list[CallSample], skills: Collection[str], score: OwnScore | None
) -> list[str]:
    """What whoever trains it should know."""
    found = []
    if len(skills) == 1 and not isinstance(file, LexiconFile):
        found.append(
            f"all samples call for {next(iter(skills))}: who acts is learned, and the skill is "
            "always this one"
            if isinstance(file, LinearFile)
            else f"all samples call for {next(iter(skills))}, so no other skill is learned"
        )
    if isinstance(file, LexiconFile):
        found.append("kind lexicon learns nothing from samples; it is scored on all of them")
    if isinstance(file, LanguageModelFile):
        if file.examples == 0:
            found.append("the model is shown no examples, so it learns nothing from the samples")
        if len(samples) < FEWEST_TO_TUNE:
            found.append(f"fine-tuning at OpenAI takes {FEWEST_TO_TUNE} samples or more")
    if score is None:
        found.append(
            "its own score was not measured: "
            + (
                "there is one sample, and nothing to try it out on"
                if isinstance(file, _QUICK) and len(samples) == 1
                else "--score measures it"
            )
        )
    elif not score.by_session:
        found.append("there is one session: its own score is of samples of the same session")
    return found


def _print(fitted: Fitted) -> None:
    verb = "learns nothing from" if fitted.kind == LexiconFile().kind else "trained on"
    heading(
        f"{fitted.name}, a virtual game master of kind {fitted.kind}",
        f"{verb} {many(fitted.samples, 'sample')} of {many(fitted.sessions, 'session')}; "
        f"seed {fitted.seed}",
    )
    print_pairs([("hash of the samples", fitted.trained_on), *_score(fitted.score)])
    heading("Skills called for")
    print_pairs((skill, f"{count:,}") for skill, count in fitted.skills.items())
    for text in fitted.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(f"\nIt is in {escape(fitted.file)}.")


def _percent(f: float | None) -> str:
    return "–" if f is None else f"F = {100 * f:.1f} %"


def _score(score: OwnScore | None) -> list[tuple[str, str]]:
    if score is None:
        return [("own score", "not measured")]
    parts = f"{score.folds} parts, by session" if score.by_session else f"{score.folds} parts"
    shown = [
        ("own score, characters", f"{_percent(score.characters)} ({parts})"),
        ("own score, tuples", _percent(score.tuples)),
    ]
    if score.failed:
        shown.append(("samples without a readable answer", f"{score.failed:,}"))
    return shown
