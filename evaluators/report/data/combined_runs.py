"""Several runs gathered as one: each mind carries the letter of its run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from evaluators.report.data.run_data import JudgeUsed, RunData, catalogs_of, gather
from evaluators.scores.score_columns import assemble
from events.ids import digest_of
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.read_scores import read_scores
from store.read_model.score_arrays import ScoreArrays


class OtherEnvironments(ValueError):
    """Runs of several environments, of which one page cannot tell."""

    def __init__(self, environments: Mapping[str, str]) -> None:
        listed = ", ".join(f"{run} is of {name}" for run, name in environments.items())
        super().__init__(f"one report is of one environment: {listed}; write one for each")
        self.environments = environments


def gather_all(store: EventStore, given: Sequence[str]) -> RunData:
    """Collect some runs, the earlier first, as ``gather`` does one. Of several, a mind ``calm`` of
    the first is ``calm (A)``, so that all tables and tests tell the runs apart.

    Raises ``store.id_lookup.UnknownId``, ``OtherEnvironments``.
    """
    runs = list(dict.fromkeys(queries.find_run(store, run) for run in given))
    if len(runs) == 1:
        return gather(store, runs[0])
    letters = letters_of(runs)
    parts = [_lettered(gather(store, run), letters[run]) for run in runs]
    environments = {part.run.id: part.planned.plan.environment for part in parts}
    if len(set(environments.values())) > 1:
        raise OtherEnvironments(environments)
    columns = assemble(_arrays(read_scores(store, runs), letters))
    first = parts[0]
    source = "\n".join(
        f"# {letters[part.run.id]}: run {part.run.id}\n{part.planned.plan.source}" for part in parts
    )
    plan = msgspec.structs.replace(
        first.planned.plan,
        name=" and ".join(part.run.name for part in parts),
        minds=tuple(mind for part in parts for mind in part.planned.plan.minds),
        memories=tuple(
            {spec.name: spec for part in parts for spec in part.planned.plan.memories}.values()
        ),
        source=source,
    )
    rows = [part.run for part in parts]
    return RunData(
        run=msgspec.structs.replace(
            first.run,
            id=" ".join(runs),
            name="; ".join(f"{letters[row.id]}: {row.name}" for row in rows),
            catalog=", ".join(dict.fromkeys(row.catalog for row in rows)),
            status="ended" if all(row.status == "ended" for row in rows) else "running",
            pause_reason="",
            episodes_planned=sum(row.episodes_planned for row in rows),
            episodes_ended=sum(row.episodes_ended for row in rows),
            episodes_failed=sum(row.episodes_failed for row in rows),
            episodes_marked=sum(row.episodes_marked for row in rows),
        ),
        planned=msgspec.structs.replace(
            first.planned,
            plan=plan,
            episodes=tuple(one for part in parts for one in part.planned.episodes),
            chains=tuple(one for part in parts for one in part.planned.chains),
        ),
        plan_digest=digest_of(source.encode()),
        minds=[mind for part in parts for mind in part.minds],
        judges=_judges(parts, [judge.hash for judge in columns.judges]),
        episodes=[row for part in parts for row in part.episodes],
        reseated=[one for part in parts for one in part.reseated],
        evaluations=sum(part.evaluations for part in parts),
        given_up=[row for part in parts for row in part.given_up],
        columns=columns,
        dimensions=columns.dimensions(),
        actions=sum(part.actions for part in parts),
        failed_actions=sum((part.failed_actions for part in parts), Counter()),
        calls=[row for part in parts for row in part.calls],
        mended=[row for part in parts for row in part.mended],
        chains=[row for part in parts for row in part.chains],
        memories=[row for part in parts for row in part.memories],
        prompts={name: versions for part in parts for name, versions in part.prompts.items()},
        catalogs=partial(catalogs_of, store, runs),
    )


def letters_of(runs: Sequence[str]) -> dict[str, str]:
    """What tables call each run: A, B, …; of more than 26, its number."""
    few = len(runs) <= 26
    return {run: chr(ord("A") + place) if few else str(place + 1) for place, run in enumerate(runs)}


def _named(mind: str, letter: str) -> str:
    return f"{mind} ({letter})"


def _lettered(part: RunData, letter: str) -> RunData:
    replace = msgspec.structs.replace

    def minds(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(_named(name, letter) for name in names)

    plan = part.planned.plan
    specs = tuple(replace(spec, name=_named(spec.name, letter)) for spec in plan.minds)
    return replace(
        part,
        planned=replace(
            part.planned,
            plan=replace(plan, minds=specs),
            episodes=tuple(replace(one, minds=minds(one.minds)) for one in part.planned.episodes),
            chains=tuple(replace(one, minds=minds(one.minds)) for one in part.planned.chains),
        ),
        minds=[
            replace(one, spec=replace(one.spec, name=_named(one.spec.name, letter)))
            for one in part.minds
        ],
        episodes=[replace(row, minds=minds(row.minds)) for row in part.episodes],
        reseated=[
            replace(one, planned=_named(one.planned, letter), sat=_named(one.sat, letter))
            for one in part.reseated
        ],
        chains=[replace(row, minds=minds(row.minds)) for row in part.chains],
        calls=[replace(row, model=_named(row.model, letter)) for row in part.calls],
        mended=[replace(row, model=_named(row.model, letter)) for row in part.mended],
        prompts={_named(name, letter): versions for name, versions in part.prompts.items()},
    )


def _arrays(arrays: ScoreArrays, letters: Mapping[str, str]) -> ScoreArrays:
    from dataclasses import replace

    episodes = [
        msgspec.structs.replace(
            one, minds=tuple(_named(mind, letters.get(one.run, "?")) for mind in one.minds)
        )
        for one in arrays.episodes
    ]
    return replace(arrays, episodes=episodes)


def _judges(parts: Sequence[RunData], hashes: Sequence[str]) -> list[JudgeUsed]:
    """Each judge once, as columns name them, with what came of it in all runs."""
    found = []
    for hash_ in hashes:
        used = [judge for part in parts for judge in part.judges if judge.judged.hash == hash_]
        found.append(
            msgspec.structs.replace(
                used[0],
                evaluations=sum(judge.evaluations for judge in used),
                ended=sum(judge.ended for judge in used),
                failed=sum(judge.failed for judge in used),
            )
        )
    return found
