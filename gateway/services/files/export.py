"""Writing runs, chains and episodes to files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from actors.episodes.formats import Judged, LogName, episode_formats, log_key
from actors.episodes.registry import game_of
from actors.episodes.views.inconsistent_history import telling
from actors.text.amounts import many
from evaluators.plugin import OVERALL
from evaluators.scores.score_columns import assemble
from events.base import Event, Value
from events.episode import EpisodeStarted, Origin
from events.evaluation import EvaluationStarted, ScoreAbstained, Scored, ScoreFailed
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from gateway.services.calls.export_calls import Only, write_calls
from gateway.services.files.run_formats import NOTHING_CHOSEN, ExportChoices, run_formats
from gateway.services.runs.resolve_ids import ResolvedId, run_chain_or_episode
from store.files.atomic_files import atomic_write_text
from store.jsonl.export_import import export_chain, export_episode, export_run
from store.log.event_store import EventStore
from store.participants.shared_key_store import require_readable
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.score_arrays import ScoreArrays

if TYPE_CHECKING:
    from store.parquet.score_tables import DerivedScores
    from store.parquet.write_run import RunContext


class ExportResult(Value, frozen=True, kw_only=True):
    id: str
    format: str
    paths: tuple[str, ...]
    count: int
    """Events, or lines; for tables, how many files."""
    left_out: int = 0
    """Episodes that have not ended and so are not in a file of lines."""
    sentence: str


OWN: Final = {"jsonl": ".jsonl", "parquet": "-tables", "calls": "-calls.jsonl"}
"""Formats that any environment's runs are written in, and what follows the id in their names."""


def formats() -> tuple[str, ...]:
    """All that can be written into one file, by name."""
    brought = (name for name, (_, form) in episode_formats().items() if form.write is not None)
    return (*OWN, *brought)


def all_formats() -> tuple[str, ...]:
    """The same with those that write several files, and take ``ExportChoices``."""
    return (*formats(), *run_formats())


def export_to(
    store: EventStore,
    what: str | Sequence[str],
    form: str,
    out: Path | None,
    *,
    only: "Only" = "",
    choices: ExportChoices = NOTHING_CHOSEN,
    told: Callable[[int], object] = lambda _: None,
) -> ExportResult:
    """Export a run, a chain or an episode, or of some formats several, in one of ``all_formats``.

    ``only``: of calls which; ``choices``: for formats that environments write runs in; ``told``:
    told how many lines of calls there are so far, or episodes were read. Raises ``UnknownId``,
    ``BadArgument``, ``BadFile``, ``KeysNotRead``, ``KeysUnavailable``.
    """
    require_readable(store)
    given = [what] if isinstance(what, str) else what
    meant, *more = dict.fromkeys(run_chain_or_episode(store, one) for one in given)
    several = ("calls", *run_formats())
    if more and form not in several:
        why = f"{form} is of one run, chain or episode at a time; {', '.join(several)} take several"
        raise BadArgument("--format", form, why)
    if only and form != "calls":
        raise BadArgument("--only", only, f"chooses calls; --format {form} writes none")
    if choices.given and form not in run_formats():
        raise BadArgument("--format", form, f"takes no {choices.given}; {_filtered()}")
    suffix = OWN.get(form) or _brought_suffix(form)
    path = out or Path(meant.id + suffix)
    _check_place(path, folder=form == "parquet")
    match form:
        case "jsonl":
            return _export_events(store, meant, path)
        case "parquet":
            return _export_tables(store, meant, path)
        case "calls":
            return _export_calls(store, (meant, *more), path, only, told)
        case _ if form in run_formats():
            written = run_formats()[form].write(store, (meant, *more), path, choices, told)
            return ExportResult(
                id=meant.id,
                format=form,
                paths=tuple(map(str, written.paths)),
                count=written.lines,
                left_out=written.left_out,
                sentence=written.sentence,
            )
        case _:
            return _export_episodes(store, meant, form, path)


def _brought_suffix(form: str) -> str:
    found = run_formats().get(form)
    return episode_formats()[form][1].suffix if found is None else found.suffix


def _filtered() -> str:
    names = ", ".join(run_formats())
    return f"{names} do" if names else "no installed format does"


def _check_place(path: Path, *, folder: bool) -> None:
    if not path.absolute().parent.is_dir():
        raise BadArgument("--out", str(path), "the folder to write it in does not exist")
    if path.is_dir() and not folder:
        raise BadArgument("--out", str(path), "is a folder; name a file")
    if path.exists() and not path.is_dir() and folder:
        raise BadArgument("--out", str(path), "is a file; tables are written into a folder")


def _export_events(store: EventStore, meant: ResolvedId, path: Path) -> ExportResult:
    export = {"run": export_run, "chain": export_chain, "episode": export_episode}[meant.kind]
    count = export(store, meant.id, path)
    return ExportResult(
        id=meant.id,
        format="jsonl",
        paths=(str(path),),
        count=count,
        sentence=f"{count} events written to {path}",
    )


def _labels(started: EpisodeStarted) -> Mapping[str, str]:
    with telling(started.environment):
        return game_of(started).presentation.labels(started.setup)


def _tags(started: EpisodeStarted) -> Sequence[str]:
    with telling(started.environment):
        own = game_of(started).presentation.tags(started.setup)
    return tuple(dict.fromkeys((*started.tags, *own)))


def _overall(arrays: "ScoreArrays") -> "DerivedScores | None":
    from store.parquet.score_tables import DerivedScores  # PyArrow takes its time to load

    found = assemble(arrays, OVERALL)
    if not len(found):
        return None
    return DerivedScores(
        dimension=OVERALL,
        judge=found.judge.words(),
        episode=found.episode.words(),
        seat=found.seat,
        status=found.status,
        value=found.value,
    )


def beyond() -> "RunContext":
    """What environments and rubrics add to the tables."""
    from store.parquet.write_run import RunContext

    return RunContext(tags=_tags, labels=_labels, derived=_overall, derives=(OVERALL,))


def _export_tables(store: EventStore, meant: ResolvedId, path: Path) -> ExportResult:
    if meant.kind != "run":
        why = f"tables are made of a run, not of one {meant.kind}; others take both"
        raise BadArgument("--format", "parquet", why)
    from store.parquet.write_run import export_parquet

    written = export_parquet(store, meant.id, path, beyond())
    files = tuple(str(file) for file in written.values())
    names = ", ".join(Path(file).name for file in files)
    return ExportResult(
        id=meant.id,
        format="parquet",
        paths=files,
        count=len(files),
        sentence=f"{len(files)} tables written to {path}: {names}",
    )


def _export_calls(
    store: EventStore,
    meant: Sequence[ResolvedId],
    path: Path,
    only: "Only",
    told: Callable[[int], object],
) -> ExportResult:

    episodes = {episode: None for one in meant for episode in _episodes(store, one)}
    runs = ((episode, queries.episode(store, episode).run or "") for episode in episodes)
    count = write_calls(store, runs, path, only=only, told=told)
    what = f"{count} {only} calls".replace("  ", " ")
    return ExportResult(
        id=meant[0].id,
        format="calls",
        paths=(str(path),),
        count=count,
        sentence=f"{what} of {many(len(episodes), 'episode')} written to {path}, one a line",
    )


def _episodes(store: EventStore, meant: ResolvedId) -> list[str]:
    """The ids of the episodes that are meant."""
    if meant.kind == "run":
        return [row.id for row in queries.episodes(store, run=meant.id)]
    if meant.kind == "chain":
        return [row.id for row in queries.episodes(store, chain=meant.id)]
    return [meant.id]


def _export_episodes(store: EventStore, meant: ResolvedId, name: str, path: Path) -> ExportResult:
    environment, form = episode_formats()[name]
    assert form.write is not None, "only what is written is offered"
    ids = _episodes(store, meant)
    runs = {row.id: row.name for row in queries.runs(store)}
    lines: list[str] = []
    left_out = 0
    for episode in ids:
        if queries.episode(store, episode).status != "ended":
            left_out += 1
            continue
        history = [numbered.event for numbered in read_history(store, episode)]
        started = _check_environment(history, environment, name)
        origin = started.origin or Origin(id="", tag=runs.get(started.run, ""))
        # A line has room for one judge: an episode scored by two becomes two lines.
        lines += [
            form.write(history, judged, LogName(log_key(origin.id or episode, number), origin.tag))
            for number, judged in enumerate(_judged(store, episode) or [None])
        ]
    atomic_write_text(path, "".join(f"{line}\n" for line in lines))
    what = f"{len(lines)} {form.title} lines (one for each episode and judge)"
    rest = f"; {left_out} of {len(ids)} episodes have not ended and are left out" * bool(left_out)
    return ExportResult(
        id=meant.id,
        format=name,
        paths=(str(path),),
        count=len(lines),
        left_out=left_out,
        sentence=f"{what} written to {path}{rest}",
    )


def _check_environment(history: Sequence[Event], environment: str, form: str) -> EpisodeStarted:
    started = next(event for event in history if isinstance(event, EpisodeStarted))
    if started.environment != environment:
        why = f"is for episodes of environment {environment!r}, not of {started.environment!r}"
        raise BadArgument("--format", form, why)
    return started


def _judged(store: EventStore, episode: str) -> list[Judged | None]:
    """Every judge's scores of an episode."""
    found: list[Judged | None] = []
    for row in queries.evaluations(store, episode=episode):
        if row.status != "ended":
            continue
        events = [event_of(e) for e in store.read(stream_name("evaluation", row.id))]
        started = next(event for event in events if isinstance(event, EvaluationStarted))
        scores = tuple(e for e in events if isinstance(e, Scored | ScoreFailed | ScoreAbstained))
        found.append(Judged(judge=started.judge, scores=scores))
    return found
