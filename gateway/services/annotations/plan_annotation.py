"""From a plan of an annotation study to its first event."""

import random
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from actors.toml_file import nearest
from evaluators.judges.judge_file import judge_named
from evaluators.plugin import Rubric
from evaluators.registry import check_fit, rubric_named, rubric_of, rubrics_for
from events.annotation import AnnotationItem, AnnotationPlanned, KnownAnswer
from events.base import Value
from events.evaluation import Dimension, JudgeSpec
from gateway.errors import BadArgument
from gateway.services.annotations.plan_file import AnnotationFile, QualificationEntry
from store.log.event_store import EventStore
from store.participants.shared_key_store import require_keys
from store.read_model import queries
from store.read_model.records import EpisodeRow


class Judgement(msgspec.Struct, frozen=True):
    """By what people are to judge."""

    rubric: Rubric
    dimensions: tuple[Dimension, ...]


class AnnotationMeant(Value, frozen=True, kw_only=True, omit_defaults=False):
    """An annotation study as it would be."""

    name: str
    """As lists call it."""
    rubric: str
    """By which people judge."""
    dimensions: tuple[str, ...]
    """What they are asked for."""
    unit: Literal["episode", "seat"]
    """What an item is."""
    items: int
    """Those for qualification left out."""
    wanted: int
    """Annotations there are to be."""
    several: int
    """Items that more than one person annotates: agreement is worked out from these."""
    qualification: int
    """Items that everybody begins with."""
    attention: float
    """Share of items with an attention check, 0 to 1."""


def meaning_of(plan: AnnotationPlanned) -> AnnotationMeant:
    scored = [item for item in plan.items if not item.known]
    return AnnotationMeant(
        name=plan.name,
        rubric=plan.rubric,
        dimensions=tuple(one.name for one in plan.dimensions),
        unit="episode" if any(item.seat is None for item in scored) else "seat",
        items=len(scored),
        wanted=sum(item.wanted for item in scored),
        several=sum(item.wanted > 1 for item in scored),
        qualification=len(plan.items) - len(scored),
        attention=plan.attention,
    )


def planned(
    store: EventStore,
    file: AnnotationFile,
    *,
    by: str = "",
    judge: Callable[[str], JudgeSpec] = judge_named,
) -> AnnotationPlanned:
    """The study that a plan describes. ``judge``: the judge that the plan names so. Raises
    ``BadArgument``, ``UnknownId``, ``KeysNotShared``, and what judges and rubrics raise."""
    # What participants said could not be shown by every process.
    require_keys(store)
    runs = [queries.find_run(store, run) for run in file.runs]
    rows = _episodes(store, runs, file)
    known = [_to_score(store, entry.episode) for entry in file.qualification]
    environments = {row.environment for row in (*rows, *known)}
    if len(environments) > 1:
        why = "an annotation study has one rubric, so its episodes are of one environment"
        raise BadArgument("episodes", ", ".join(sorted(environments)), why)
    judgement = _judgement(file, environments.pop(), judge)
    names = [dimension.name for dimension in judgement.dimensions]
    asked = [name for name in names if name in judgement.rubric.checkpoints]
    return AnnotationPlanned(
        name=file.name or (runs[0] if runs else rows[0].id),
        items=(
            *(
                _qualification(entry, row, judgement.dimensions)
                for entry, row in zip(file.qualification, known, strict=True)
            ),
            *_items(rows, file, once=bool(judgement.rubric.words)),
        ),
        rubric=judgement.rubric.name,
        dimensions=judgement.dimensions,
        checkpoints=tuple(asked),
        by_absence=tuple(name for name in asked if name in judgement.rubric.by_absence),
        instructions=file.instructions.strip(),
        attention=file.attention,
        attention_mark=file.attention_mark,
        qualification_mark=file.qualification_mark,
        lapse_h=file.lapse_h,
        seed=file.seed,
        run=runs[0] if len(runs) == 1 and not file.episodes else "",
        by=by,
    )


def _episodes(store: EventStore, runs: Sequence[str], file: AnnotationFile) -> list[EpisodeRow]:
    found = {
        row.id: row
        for run in runs
        for row in queries.episodes(store, run=run)
        if row.status == "ended"
    }
    for given in file.episodes:
        row = _to_score(store, given)
        found[row.id] = row
    if not found:
        why = "none of them has ended; name runs or episodes that were played"
        raise BadArgument("runs", ", ".join(file.runs) or "none", why)
    rows = list(found.values())
    if not file.sample or file.sample >= len(rows):
        return rows
    chosen = random.Random(file.seed).sample(range(len(rows)), file.sample)  # noqa: S311
    return [rows[at] for at in sorted(chosen)]


def _to_score(store: EventStore, given: str) -> EpisodeRow:
    row = queries.episode(store, given)
    if row.status != "ended":
        raise BadArgument("episode", row.id, "has not ended, so nobody can judge it yet")
    return row


def _items(rows: Sequence[EpisodeRow], file: AnnotationFile, *, once: bool) -> list[AnnotationItem]:
    """``once``: an answer is for a whole episode; it is stored as one of the first seat."""
    places = [
        (row.id, seat)
        for row in rows
        for seat in (
            (0,) if once else (None,) if file.unit == "episode" else range(len(row.characters))
        )
    ]
    several = round(file.overlap * len(places))
    if file.annotators > 1 and file.overlap:
        # Agreement is worked out from these: there is one at the least.
        several = max(1, several)
    chosen = set(random.Random(f"overlap {file.seed}").sample(range(len(places)), several))  # noqa: S311
    return [
        AnnotationItem(episode=id_, seat=seat, wanted=file.annotators if at in chosen else 1)
        for at, (id_, seat) in enumerate(places)
    ]


def _qualification(
    entry: QualificationEntry, row: EpisodeRow, dimensions: Sequence[Dimension]
) -> AnnotationItem:
    known = {dimension.name: dimension for dimension in dimensions}
    if not entry.answers:
        raise BadArgument("qualification", row.id, "has no known answers; give at least one")
    for one in entry.answers:
        dimension = known.get(one.dimension)
        if dimension is None:
            why = f"is none of what is asked{nearest(one.dimension, known)}"
            raise BadArgument("dimension", one.dimension, why)
        if one.seat > len(row.characters):
            why = f"episode {row.id} has {len(row.characters)} seats"
            raise BadArgument("seat", str(one.seat), why)
        if not dimension.low <= one.low <= one.high <= dimension.high:
            why = f"must be a range within {dimension.low:g} to {dimension.high:g}"
            raise BadArgument(one.dimension, f"{one.low:g} to {one.high:g}", why)
    return AnnotationItem(
        episode=row.id,
        wanted=0,
        known=tuple(
            KnownAnswer(seat=one.seat - 1, dimension=one.dimension, low=one.low, high=one.high)
            for one in entry.answers
        ),
    )


def _judgement(
    file: AnnotationFile, environment: str, judge: Callable[[str], JudgeSpec]
) -> Judgement:
    if file.judge and file.rubric:
        raise BadArgument("rubric", file.rubric, "a judge brings its own; give one of the two")
    if file.judge:
        spec = judge(file.judge)
        rubric, dimensions = rubric_of(spec), spec.dimensions
    else:
        rubric = rubric_named(file.rubric) if file.rubric else _first_rubric(environment)
        dimensions = rubric.dimensions
        spec = JudgeSpec(name="person", kind="person", dimensions=dimensions, rubric=rubric.name)
    check_fit(spec, environment)
    worked_out = {dimension.name for dimension in rubric.worked_out}
    asked = {one.name: one for one in dimensions if one.name not in worked_out}
    for name in file.dimensions:
        if name not in asked:
            why = f"is none of what the rubric asks for{nearest(name, asked)}"
            raise BadArgument("dimension", name, why)
    chosen = [asked[name] for name in file.dimensions] or list(asked.values())
    if not chosen:
        why = "declares no dimensions of its own; give a judge file that does"
        raise BadArgument("rubric", rubric.name, why)
    return Judgement(rubric, tuple(chosen))


def _first_rubric(environment: str) -> Rubric:
    found = next((one for one in rubrics_for(environment) if one.dimensions), None)
    if found is None:
        why = (
            "brings no rubric with dimensions; give a judge file with some "
            "(docs/reference/judge.md)"
        )
        raise BadArgument("environment", environment, why)
    return found
