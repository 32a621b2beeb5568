"""``troupe tabletop calls``."""

import shlex
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from actors.text.amounts import many
from evaluators.tabletop.calls.cast import Cast, check_dm, found_cast, read_cast
from evaluators.tabletop.calls.fireball import fireball_samples
from evaluators.tabletop.calls.samples import RULES, CallSamples, Rule, samples_of
from evaluators.tabletop.calls.transcripts import Transcript, read_transcript
from events.ids import digest_of
from gateway.cli.options import Json
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_json,
    print_next,
    print_pairs,
    say,
    while_working,
)
from gateway.errors import BadArgument
from gateway.tabletop.output_files import check_output
from store.files.atomic_files import atomic_write


class CallFormat(StrEnum):
    """What files of real sessions look like."""

    crd3 = "crd3"
    fireball = "fireball"


_SHOWN = 10
"""Dropped calls and unknown names that are printed."""

_MUCH = 0.2
"""The share of players' turns that may be left out without a warning."""


def calls(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Transcripts, or folders of them."),
    ],
    form: Annotated[
        CallFormat,
        typer.Option(
            "--format",
            help="crd3: transcripts as CRD3 has them; fireball: JSON lines with the checks that "
            "the bot Avrae recorded.",
        ),
    ] = CallFormat.crd3,
    cast: Annotated[
        Path | None,
        typer.Option(
            metavar="CAST.toml",
            help="Who plays whom: dm, players, spellings, others. Without it the game master is "
            "who calls for the most checks.",
        ),
    ] = None,
    rules: Annotated[
        list[Rule] | None,
        typer.Option(
            "--rule",
            help="Which rules say who is asked, tried in this order: named, all, result, before. "
            "Repeatable; without it all four.",
        ),
    ] = None,
    mask: Annotated[
        bool, typer.Option("--mask", help="Replace skill names that players say with ____.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.jsonl", help="Write the samples, one a line."),
    ] = None,
    json: Json = False,
) -> None:
    """Write the skill checks that game masters call for as labelled samples.

    Of files of FIREBALL it takes the checks that players' own commands rolled.

    A sample is what was said in the 30 turns before a call, and its label: who is to check which
    skill. What was dropped is listed with the reason.
    """
    paths = _paths(files, ".jsonl" if form is CallFormat.fireball else ".json")
    check_output("--out", out, [*paths, *([cast] if cast else [])])
    table: Cast | None = None
    with while_working("reading the transcripts"):
        if form is CallFormat.fireball:
            _check_recorded(cast, rules)
            found = fireball_samples(paths, mask=mask)
        else:
            transcripts = [read_transcript(path) for path in paths]
            table = read_cast(cast) if cast else _found(transcripts)
            if cast is not None:
                check_dm(table, transcripts, cast)
            found = samples_of(transcripts, table, rules=_tried(rules), mask=mask)
    if out is not None and found.samples:
        with atomic_write(out) as path:
            encoder = msgspec.json.Encoder()
            path.write_bytes(b"".join(encoder.encode(one) + b"\n" for one in found.samples))
    if json:
        print_json(
            {
                "turns": found.turns,
                "calls": len(found.samples),
                "skills": dict(_by_skill(found).most_common()),
                "rules": dict(Counter(one.rule for one in found.samples)),
                "dropped": [one._asdict() for one in found.dropped],
                "unknown_names": dict(found.unknown),
                "cast": table,
            }
        )
        _end_without(found, out)
        return
    _print(found, table, len(paths))
    _end_without(found, out)
    if out is not None:
        verb = "is" if len(found.samples) == 1 else "are"
        say(f"\n{many(len(found.samples), 'sample')} {verb} in {escape(str(out))}.")
    else:
        given = " ".join(shlex.quote(str(one)) for one in files)
        given += f" --format {form.value}" if form is not CallFormat.crd3 else ""
        print_next([(f"troupe tabletop calls {given} -o calls.jsonl", "write them, one a line")])


def _end_without(found: CallSamples, out: Path | None) -> None:
    """Ends the command where nothing was found."""
    if found.samples:
        return
    note(f"no samples{f'; {escape(str(out))} is not written' if out else ''}")
    raise typer.Exit(NOTHING)


def _tried(rules: list[Rule] | None) -> tuple[Rule, ...]:
    """The rules that say who is asked. Raises ``BadArgument``."""
    if rules and Rule.recorded in rules:
        why = "is for what a game recorded: --format fireball; transcripts have no record"
        raise BadArgument("--rule", Rule.recorded.value, why)
    return tuple(rules or RULES)


def _check_recorded(cast: Path | None, rules: list[Rule] | None) -> None:
    """Raises ``BadArgument`` where somebody says what the record says itself."""
    why = "files of FIREBALL say themselves who checks what; leave it out"
    if cast is not None:
        raise BadArgument("--cast", str(cast), why)
    if rules and set(rules) != {Rule.recorded}:
        raise BadArgument("--rule", ", ".join(one.value for one in rules), why)


def _paths(files: list[Path], ending: str) -> list[Path]:
    found = [
        path
        for given in files
        for path in (sorted(given.glob(f"*{ending}")) if given.is_dir() else [given])
    ]
    if not found:
        why = f"the folder has no {ending} file; name transcripts, or a folder that has some"
        raise BadArgument("the transcripts", str(files[0]), why)
    seen: dict[str, Path] = {}
    for path in filter(Path.is_file, found):
        first = seen.setdefault(digest_of(path.read_bytes()), path)
        if path is not first:
            why = f"has the contents of {first}, which is read already; give each session once"
            raise BadArgument("the transcript", str(path), why)
    return found


def _found(transcripts: list[Transcript]) -> Cast:
    cast = found_cast(transcripts)
    if cast is None:
        why = "nobody calls for a skill check in it; say who the game master is with --cast"
        raise BadArgument("the session", transcripts[0].session, why)
    return cast


def _by_skill(found: CallSamples) -> Counter[str]:
    return Counter(label.skill for one in found.samples for label in set(one.labels))


def _print(found: CallSamples, cast: Cast | None, sessions: int) -> None:
    """``cast``: None where the files say themselves who plays whom."""
    where = f"in {many(found.turns, 'turn')} of {many(sessions, 'session')}"
    heading(many(len(found.samples), "call"), where + (f"; DM: {cast.dm}" if cast else ""))
    rules = Counter(one.rule for one in found.samples)
    shown = RULES if cast else (Rule.recorded,)
    print_pairs((f"who, by rule {rule.value}", f"{rules[rule]:,}") for rule in shown)
    heading("Skills")
    print_pairs((skill, f"{count:,}") for skill, count in _by_skill(found).most_common())
    for one in found.dropped[:_SHOWN]:
        note(escape(f"dropped: {one.session}, turn {one.turn}: {one.why}"))
    if len(found.dropped) > _SHOWN:
        note(f"… and {len(found.dropped) - _SHOWN:,} more; --json lists all")
    for name, turns in found.unknown.most_common(_SHOWN):
        where = (
            "not in the cast table ({}); left out as a speaker"
            if cast
            else "no known character ({})"
        )
        note(escape(f"{name} is {where.format(many(turns, 'turn'))}"))
    if cast and sum(found.unknown.values()) > _MUCH * found.player_turns:
        note(
            f"more than a fifth of the {many(found.player_turns, 'turn')} of players are left out, "
            "so checks are given to others; name all players in the cast table"
        )
