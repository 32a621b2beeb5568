"""What is told of the playing models of some runs: information exchanged, the gap, and how their
sessions were played."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Literal, TypeVar

import msgspec

from actors.tabletop.skills import SKILLS, Skill
from evaluators.statistics.cluster_means import CONFIDENCE
from evaluators.statistics.estimates import mean
from evaluators.statistics.student_t import reach
from evaluators.tabletop.calls.samples import RULES, Rule
from evaluators.tabletop.gap.played import PlayedSession
from evaluators.tabletop.gap.procedure import Compared, DMKind, Reader, Reading, compare
from evaluators.tabletop.gap.real_data import RealData
from evaluators.tabletop.intentions import LabelCounts, counts_of, gap
from evaluators.tabletop.plugin import LEARNED, RULE
from store.read_model.records import ScoreRow

T = TypeVar("T")
Over = Literal["characters", "tuples"]
OVER: tuple[Over, Over] = ("characters", "tuples")


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in per cent and its 95 % interval."""

    value: float | None = None
    """None: it is undefined, or there is nothing to make it of."""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    """What the interval rests on: seeds, or sessions."""


class FGap(msgspec.Struct, frozen=True, kw_only=True):
    """The F's of one playing model and virtual game master, and their gap, in per cent."""

    untrained: Spread
    generated: Spread
    real: Spread
    gap: Spread
    mean_untrained: float | None
    """The mean of the samples' own F, as the next two; None: no sample was scored."""
    mean_generated: float | None
    mean_real: float | None


class FailedReadings(msgspec.Struct, frozen=True, kw_only=True):
    """How often a virtual game master gave no answer that could be read, of all seeds; what has
    none is not counted."""

    untrained: int
    generated: int
    real: int


class DMGap(msgspec.Struct, frozen=True, kw_only=True):
    """A row of Table 2."""

    model: str
    dm: str
    characters: FGap
    tuples: FGap
    failed: FailedReadings


class FPart(msgspec.Struct, frozen=True, kw_only=True):
    """F of tuples over a part of the held-out samples, all seeds together, in per cent."""

    part: str
    """A skill, or a rule."""
    dm: str
    samples: int
    """Held-out samples with it, those of each seed counted."""
    real: float | None
    """None: no sample with it was scored."""
    generated: dict[str, float | None]
    """By playing model."""


class Confused(msgspec.Struct, frozen=True, kw_only=True):
    """How often somebody's skill was read as another, or rightly, by a virtual game master that was
    trained on a model's sessions."""

    model: str
    dm: str
    right: Skill
    read: Skill
    count: int


class Information(msgspec.Struct, frozen=True, kw_only=True):
    """P of a playing model by one judge."""

    judge: str
    p: Spread
    player_sessions: int
    """With a score."""
    failed: int
    """Player-sessions whose answer could not be read."""


class SessionWithP(msgspec.Struct, frozen=True, kw_only=True):
    """A session and the mean p of its players, from 0 to 1."""

    episode: str
    task: str
    model: str
    p: float


class PlayingModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how its sessions went."""

    model: str
    information: Information | None
    exchange_sessions: int
    intention_sessions: int
    unfinished: int
    """Sessions of both kinds that did not come to their end; they are nowhere else."""
    broken_share: float | None
    """Answers that broke the format, of all, from 0 to 1."""
    repeated_share: float | None
    named_share: float | None


class GapReport(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    models: tuple[PlayingModel, ...]
    gaps: tuple[DMGap, ...]
    real_data: str
    seeds: tuple[int, ...]
    trained_on: tuple[int, ...]
    """The size of each training set, by seed."""
    held_out: tuple[int, ...]
    held_out_sessions: tuple[int, ...]
    by_skill: tuple[FPart, ...]
    by_rule: tuple[FPart, ...]
    confusion: tuple[Confused, ...]
    low_p: tuple[SessionWithP, ...]
    """The lowest first."""
    left_out: tuple[str, ...] = ()
    """Why there is no P or no gap for a model, and what P is without; a sentence each."""
    untrained_is: dict[str, str] = {}
    """By virtual game master, what f_0 is of, where that is of another kind."""
    cautions: tuple[str, ...] = ()
    """What is odd about the runs: unfinished ones, others that do not belong together."""
    no_findings: tuple[str, ...] = ()
    """Who played that is no model, or a small one, so that figures are no findings; a sentence
    each."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What runs have to be told of."""

    sessions: tuple[PlayedSession, ...]
    scores: tuple[ScoreRow, ...] = ()
    calls: Mapping[str, tuple[int, int]] = {}
    """By episode, answers of models and how many of them could not be used, the first answers of a
    question included; where nothing is known, the recorded actions tell."""
    unscored: tuple[str, ...] = ()
    """Runs with sessions in which something could be learned, and that no judge has scored."""


_LOW_P = 5
"""Sessions with the lowest p that are named."""


def gap_report(
    played: Played,
    kinds: Sequence[DMKind],
    real: RealData,
    seeds: Sequence[int],
    *,
    held_out: RealData | None = None,
) -> GapReport:
    """Train, score and count. ``held_out``: real sessions to score on, none of which is in
    ``real``; None: each seed draws some of ``real``. Raises ``GapRefused``."""
    models = list(dict.fromkeys(one.model for one in played.sessions))
    by_model = {model: [one for one in played.sessions if one.model == model] for model in models}
    information, sessions_p = _information(played, models)
    generated = {
        model: found
        for model, sessions in by_model.items()
        if (found := [one.sample for one in sessions if one.sample is not None])
    }
    left_out = [
        *_without_p(played, by_model, information),
        *[
            f"{model}: no session of the kind intention came to its end, so there is no gap"
            for model in models
            if model not in generated
        ],
    ]
    test = held_out.samples if held_out else ()
    compared = (
        [compare(kind, real.samples, generated, seeds, held_out=test) for kind in kinds]
        if generated
        else []
    )
    first = compared[0] if compared else None
    return GapReport(
        models=tuple(
            [_playing(model, found, played, information) for model, found in by_model.items()]
        ),
        gaps=tuple([_gap_of(one, model) for model in generated for one in compared]),
        real_data=f"{real.name}; scored on {held_out.name}" if held_out else real.name,
        seeds=tuple(seeds),
        trained_on=first.trained_on if first else (),
        held_out=first.held_out if first else (),
        held_out_sessions=first.held_out_sessions if first else (),
        by_skill=tuple([part for one in compared for part in _by_skill(one)]),
        by_rule=tuple([part for one in compared for part in _by_rule(one)]),
        confusion=tuple([row for one in compared for row in _confusion(one)]),
        low_p=tuple(sorted(sessions_p, key=lambda one: (one.p, one.episode))[:_LOW_P]),
        left_out=tuple(left_out),
        untrained_is={kind.name: kind.untrained_is for kind in kinds if kind.untrained_is},
    )


def _without_p(
    played: Played,
    by_model: Mapping[str, Sequence[PlayedSession]],
    information: Mapping[str, Information],
) -> Iterable[str]:
    for run in played.unscored:
        yield f"run {run}: no judge has scored it; `troupe score {run} --judge {RULE}` does"
    for model, sessions in by_model.items():
        found = information.get(model)
        if not any(one.kind == "exchange" and one.ended for one in sessions):
            yield f"{model}: no session of the kind exchange came to its end, so there is no P"
        elif found is not None and found.failed:
            of = f"{found.failed:,} of {found.failed + found.player_sessions:,} scores"
            so = "they are not counted in P" if found.player_sessions else "so there is no P"
            yield f"{model}: {of} by {found.judge} failed; {so}"


def jackknife(by_seed: Sequence[T], figure: Callable[[Sequence[T]], float | None]) -> Spread:
    """A figure of all seeds and its interval from the figures without each of them; of a mean this
    is Student's interval. It is cut at 0 and 100."""
    value, n = figure(by_seed), len(by_seed)
    if value is None or n < 2:
        return Spread(value=value, n=n or None)
    without = [figure([*by_seed[:k], *by_seed[k + 1 :]]) for k in range(n)]
    known = [one for one in without if one is not None]
    if len(known) < n:
        return Spread(value=value, n=n)
    centre = fmean(known)
    error = sqrt((n - 1) / n * sum((one - centre) ** 2 for one in known))
    half = float(reach(CONFIDENCE, n - 1)) * error
    return Spread(value=value, low=max(0.0, value - half), high=min(100.0, value + half), n=n)


def _f(reader: Reader, over: Over) -> list[float | None]:
    """By seed, in per cent; None: nothing was scored."""
    return [None if one is None else 100 * getattr(one, over).f for one in reader.scores]


def _mean(values: Iterable[float | None]) -> float | None:
    """Of those that are known; None: none is."""
    known = [one for one in values if one is not None]
    return fmean(known) if known else None


def _gap_of(compared: Compared, model: str) -> DMGap:
    def figures(over: Over) -> FGap:
        readers = (compared.untrained, compared.generated[model], compared.real)
        untrained, generated, real = (_f(one, over) for one in readers)
        means = [
            _mean(100 * getattr(score, f"mean_{over}") for score in one.scores if score is not None)
            for one in readers
        ]
        return FGap(
            untrained=_over_seeds(untrained),
            generated=_over_seeds(generated),
            real=_over_seeds(real),
            gap=jackknife(list(zip(real, generated, strict=True)), _gap_of_means),
            mean_untrained=means[0],
            mean_generated=means[1],
            mean_real=means[2],
        )

    return DMGap(
        model=model,
        dm=compared.dm,
        characters=figures("characters"),
        tuples=figures("tuples"),
        failed=FailedReadings(
            untrained=compared.untrained.failed,
            generated=compared.generated[model].failed,
            real=compared.real.failed,
        ),
    )


def _over_seeds(values: Sequence[float | None]) -> Spread:
    """The mean over the seeds of which something was scored."""
    return jackknife([one for one in values if one is not None], _mean)


def _gap_of_means(pairs: Sequence[tuple[float | None, float | None]]) -> float | None:
    """G in per cent, of the means of both F's over seeds; None where one of them is missing."""
    real, played = _mean(one for one, _ in pairs), _mean(one for _, one in pairs)
    found = None if real is None or played is None else gap(real, played)
    return None if found is None else 100 * found


def _by_skill(compared: Compared) -> Iterable[FPart]:
    def f(reader: Reader, skill: Skill) -> float | None:
        asked = any(label.skill == skill for one in reader.readings for label in one.sample.labels)
        return 100 * _of_skill(reader.readings, skill).f if asked else None

    for skill in SKILLS:
        samples = sum(
            any(label.skill == skill for label in one.sample.labels)
            for one in compared.real.readings
        )
        if samples:
            yield FPart(
                part=skill,
                dm=compared.dm,
                samples=samples,
                real=f(compared.real, skill),
                generated={model: f(one, skill) for model, one in compared.generated.items()},
            )


def _of_skill(readings: Iterable[Reading], skill: Skill) -> LabelCounts:
    return counts_of(
        [
            (
                {label for label in right if label.skill == skill},
                {label for label in found if label.skill == skill},
            )
            for right, found in (one.pair for one in readings)
        ]
    )


def _by_rule(compared: Compared) -> Iterable[FPart]:
    def f(reader: Reader, rule: Rule) -> float | None:
        pairs = [one.pair for one in reader.readings if one.sample.rule is rule]
        return 100 * counts_of(pairs).f if pairs else None

    for rule in RULES:
        samples = sum(one.sample.rule is rule for one in compared.real.readings)
        if samples:
            yield FPart(
                part=rule.value,
                dm=compared.dm,
                samples=samples,
                real=f(compared.real, rule),
                generated={model: f(one, rule) for model, one in compared.generated.items()},
            )


def _confusion(compared: Compared) -> Iterable[Confused]:
    for model, reader in compared.generated.items():
        counts: Counter[tuple[Skill, Skill]] = Counter()
        for one in reader.readings:
            right, found = one.pair
            for label in right:
                for read in found:
                    # Where a call accepts either of two skills, reading one of them is right.
                    if read.who == label.who and (read == label or read not in right):
                        counts[label.skill, read.skill] += 1
        for (right_skill, read_skill), count in sorted(
            counts.items(), key=lambda item: (-item[1], item[0])
        ):
            yield Confused(
                model=model, dm=compared.dm, right=right_skill, read=read_skill, count=count
            )


def _information(
    played: Played, models: Sequence[str]
) -> tuple[dict[str, Information], list[SessionWithP]]:
    """P of each model, and the mean p of each session, by the judge that is a model where one
    scored, else by the rule."""
    sessions = {one.episode: one for one in played.sessions if one.kind == "exchange" and one.ended}
    rows = [
        row for row in played.scores if row.dimension == LEARNED.name and row.episode in sessions
    ]
    judges = {row.judge_hash: row for row in rows}
    if not judges:
        return {}, []
    chosen = min(judges.values(), key=lambda row: (row.judge_kind == "rule", row.judge_hash))
    rows = [row for row in rows if row.judge_hash == chosen.judge_hash]
    of_session: dict[str, list[float]] = {}
    for row in rows:
        if row.value is not None:
            of_session.setdefault(row.episode, []).append(row.value)
    found = {}
    for model in models:
        mine = [row for row in rows if sessions[row.episode].model == model]
        values = [100 * row.value for row in mine if row.value is not None]
        if not mine:
            continue
        estimate = mean(
            values, [row.episode for row in mine if row.value is not None], scale=(0, 100)
        )
        found[model] = Information(
            judge=chosen.judge,
            p=Spread(
                value=estimate.value,
                low=estimate.low,
                high=estimate.high,
                n=len({row.episode for row in mine}),
            ),
            player_sessions=len(values),
            failed=sum(row.status == "failed" for row in mine),
        )
    return found, [
        SessionWithP(
            episode=episode,
            task=sessions[episode].task,
            model=sessions[episode].model,
            p=fmean(values),
        )
        for episode, values in of_session.items()
    ]


def _playing(
    model: str,
    sessions: Sequence[PlayedSession],
    played: Played,
    information: Mapping[str, Information],
) -> PlayingModel:
    ended = [one for one in sessions if one.ended]

    def share(
        part: Callable[[PlayedSession], int], whole: Callable[[PlayedSession], int]
    ) -> float | None:
        count = sum(map(whole, ended))
        return sum(map(part, ended)) / count if count else None

    def answers(one: PlayedSession) -> tuple[int, int]:
        return played.calls.get(one.episode) or (one.answers, one.broken)

    return PlayingModel(
        model=model,
        information=information.get(model),
        exchange_sessions=sum(one.kind == "exchange" for one in ended),
        intention_sessions=sum(one.kind == "intention" for one in ended),
        unfinished=len(sessions) - len(ended),
        broken_share=share(lambda one: answers(one)[1], lambda one: answers(one)[0]),
        repeated_share=share(lambda one: one.repeated, lambda one: one.turns),
        named_share=share(lambda one: one.named, lambda one: one.intentions),
    )
