"""What every page about a run shows, as values for templates."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from actors.episodes.registry import environment_named
from actors.episodes.rules.failed_actions import reason_words
from actors.lifelong.formats import Baseline
from actors.text.amounts import many
from evaluators.agreement.constant_judges import flat_judges
from evaluators.plugin import OVERALL
from evaluators.report.data import downloads
from evaluators.report.data.headlines import Headline, headlines
from evaluators.report.data.run_data import Reseated, RunData, rehearsal_of
from evaluators.report.formats import usd, whole
from evaluators.report.sections import score_tables
from evaluators.report.sections.chains import chains
from evaluators.report.sections.contrasts import contrasts
from evaluators.report.sections.outliers import spread
from evaluators.report.sections.paired_differences import paired
from evaluators.report.sections.partners import partners
from evaluators.report.sections.scenarios import scenarios
from evaluators.statistics.summary import none_needed
from evaluators.tables.run_tables import calls_table, mended_table
from store.read_model.records import ChainRow, EpisodeRow
from store.read_model.score_arrays import ABSTAINED, FAILED


def findings(
    gathered: RunData, here: Collection[str], people: Sequence[Baseline] = ()
) -> dict[str, object]:
    """What a run says of its minds: tables, tests and charts, which are drawn when they are put
    out. ``here``: episodes whose transcripts can be led to; ``people``: what people got in such
    chains."""
    shown = headlines(gathered)
    return by_all(gathered, people) | by_judge(gathered, shown, here)


def by_all(gathered: RunData, people: Sequence[Baseline] = ()) -> dict[str, object]:
    """The part of it that tells of all judges together."""
    return {
        "headlines": headlines(gathered),
        **score_tables.scores(gathered),
        **contrasts(gathered),
        **chains(gathered, people),
    }


def by_judge(
    gathered: RunData, shown: Sequence[Headline], here: Collection[str]
) -> dict[str, Sequence[object]]:
    """The part that there is for each of some judges."""
    return {
        "paired": paired(gathered, shown),
        "partners": partners(gathered, shown),
        "scenario_tables": scenarios(gathered, shown, here),
        "spreads": spread(gathered, shown, here),
    }


def accounts(gathered: RunData, chosen: Mapping[str, str]) -> dict[str, object]:
    """What a run cost, what failed in it, and what was run. ``chosen``: episodes whose transcripts
    are at hand."""
    plan = gathered.planned.plan
    failures = failures_of(gathered)
    return {
        "banners": _banners(gathered),
        "tiles": _tiles(gathered),
        "failures": failures,
        "takes": {
            "calls": downloads.taken(calls_table(gathered.calls)),
            "mended": downloads.taken(mended_table(gathered.mended)),
            "failures": downloads.taken(downloads.failures(failures)),
            "minds": downloads.taken(downloads.minds(gathered)),
            "judges": downloads.taken(downloads.judges(gathered)),
        },
        "given_up": _given_up(gathered, chosen),
        "unpriced": sum(row.unpriced for row in gathered.calls),
        "tasks": len({planned.task for planned in gathered.planned.episodes}),
        "memory_of": {chain.id: chain.memory for chain in gathered.chains},
        "prompts": gathered.prompts,
        "settings": environment_named(plan.environment).plans.describe(plan.settings),
    }


def _banners(gathered: RunData) -> list[dict[str, str]]:
    """What a reader must not overlook."""
    banners = []
    rehearsal = rehearsal_of(gathered.judges)
    if rehearsal:
        names = ", ".join(judge.judged.label for judge in rehearsal)
        every = len(rehearsal) == len(gathered.judges)
        title = "Rehearsal scores: no language model judged this."
        banners.append(
            {
                "title": title if every else f"Some scores are rehearsal scores ({names}).",
                "text": "Rehearsal judges count words and cues. Their scores show that a run "
                "works; they are no findings about anybody's abilities."
                + ("" if every else f" No language model judged what {names} scored."),
            }
        )
    minds = [mind.spec.name for mind in gathered.minds if mind.spec.kind == "rehearsal"]
    if minds:
        banners.append(
            {
                "title": "Rehearsal minds: no language model played "
                + (f"{minds[0]}." if len(minds) == 1 else f"{', '.join(minds)}."),
                "text": "Rehearsal minds follow seeded rules and written phrases.",
            }
        )
    banners += [
        {"title": "A judge that tells nothing apart.", "text": text}
        for text in flat_judges(gathered.columns).values()
    ]
    local = [
        *(f"mind {mind.spec.name}" for mind in gathered.minds if mind.spec.offline == "local"),
        *(f"judge {j.judged.label}" for j in gathered.judges if j.spec.offline == "local"),
    ]
    if local:
        banners.append(
            {
                "title": f"Local model: {', '.join(local)}.",
                "text": "What a small model on this machine plays and scores shows that a run "
                "works; it is no finding.",
            }
        )
    if gathered.reseated:
        banners.append(_sat_elsewhere(gathered.reseated))
    return banners


def _sat_elsewhere(reseated: Sequence[Reseated]) -> dict[str, str]:
    counts = Counter((one.planned, one.sat) for one in reseated)
    told = [
        f"{count} {'seat' if count == 1 else 'seats'} planned for {planned}: {sat}"
        for (planned, sat), count in sorted(counts.items())
    ]
    episodes = len({one.episode for one in reseated})
    return {
        "title": "Others than planned sat in "
        + (f"{episodes} episodes." if episodes != 1 else "one episode."),
        "text": f"{'; '.join(told)}. Tables show such seats under these names, not among those of "
        "the mind that was planned, and tests leave those out that a person and a mind shared.",
    }


def _tiles(gathered: RunData) -> list[dict[str, str]]:
    given = gathered.columns.where(
        ~gathered.columns.dimension.among(OVERALL) & ~none_needed(gathered.columns)
    )
    asked, scored = len(given), int(given.scored.sum())
    ended = sum(row.status == "ended" for row in gathered.episodes)
    failed = sum(row.status == "failed" for row in gathered.episodes)
    tokens_in = sum(row.input_tokens for row in gathered.calls)
    tokens_out = sum(row.output_tokens for row in gathered.calls)
    cost = sum(row.cost_usd for row in gathered.calls)
    unusable = gathered.failed_actions.total()
    unpriced = sum(row.unpriced for row in gathered.calls)
    answered = sum(row.answered for row in gathered.calls)
    spent = usd(cost) if answered > unpriced or not answered else "unknown"
    return [
        _tile("Episodes", ended, f"of {whole(len(gathered.episodes))} ended, {failed} given up"),
        _tile("Actions taken", gathered.actions, f"{whole(unusable)} failed"),
        _tile("Scores", scored, f"of {whole(asked)} asked for"),
        _tile(
            "Minds",
            len(gathered.minds),
            many(len(gathered.judges), "judge"),
        ),
        _tile("Tokens", tokens_in + tokens_out, f"{whole(tokens_out)} of them written"),
        {
            "name": "Cost",
            "value": spent,
            "note": f"{whole(unpriced)} answers unpriced" if unpriced else "all answers priced",
        },
    ]


def _tile(name: str, value: int, note: str) -> dict[str, str]:
    return {"name": name, "value": whole(value), "note": note}


def failures_of(gathered: RunData) -> list[dict[str, object]]:
    """Counts with their denominators."""
    failed_actions = gathered.failed_actions
    rows = [
        _failure("Episodes given up", _failed(gathered.episodes), len(gathered.episodes),
                 "episodes"),
        _failure("Evaluations given up", len(gathered.given_up), gathered.evaluations,
                 "evaluations"),
        _failure("Actions without a usable answer", failed_actions.total(), gathered.actions,
                 "actions"),
    ]  # fmt: skip
    if gathered.chains:
        lost = sum(chain.memories_failed for chain in gathered.chains)
        steps = lost + sum(
            (row.recalled_at is not None) + (row.written_at is not None)
            for row in gathered.memories
        )
        rows += [
            _failure("Chains given up", _failed(gathered.chains), len(gathered.chains), "chains"),
            _failure("Memories given up", lost, steps, "times recalled or kept"),
        ]
    rows += [
        _failure(f"… of them: {reason_words(reason)}", count, gathered.actions, "actions")
        | {"reason": reason}
        for reason, count in failed_actions.most_common()
    ]
    asked, failed = (sum(getattr(c, name) for c in gathered.calls) for name in ("asked", "failed"))
    rows.append(_failure("Model calls without an answer", failed, asked, "calls"))
    given = gathered.columns.where(
        ~gathered.columns.dimension.among(OVERALL) & ~none_needed(gathered.columns)
    )
    for judge in gathered.judges:
        mine = given.status[given.judge.among(judge.judged.hash)]
        for status, what in ((FAILED, "failed"), (ABSTAINED, "declined")):
            count = int((mine == status).sum())
            title = f"Scores {what}: {judge.judged.label}"
            rows.append(_failure(title, count, len(mine), "scores") | {"judge": judge.judged.hash})
    return rows


def _failure(what: str, count: int, of: int, unit: str) -> dict[str, object]:
    return {"what": what, "count": count, "of": of, "unit": unit, "judge": "", "reason": ""}


def _failed(rows: Sequence[EpisodeRow] | Sequence[ChainRow]) -> int:
    return sum(row.status == "failed" for row in rows)


def _given_up(gathered: RunData, chosen: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Ids with the reason, and where in the page there is more; empty: nowhere."""
    episodes = [
        (row.id, row.end_reason or "no reason recorded", row.id if row.id in chosen else "")
        for row in gathered.episodes
        if row.status == "failed"
    ]
    episodes += [
        (row.id, row.reason, "chains") for row in gathered.chains if row.status == "failed"
    ]
    return episodes + [
        (
            row.id,
            f"{row.judge} of {row.episode}: {row.reason}",
            row.episode if row.episode in chosen else "",
        )
        for row in gathered.given_up
    ]
