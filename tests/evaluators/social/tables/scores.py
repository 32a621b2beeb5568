"""Scores of seats as tables are made of, without a store."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from actors.episodes.catalogs.scenario_lists import ScenarioList
from evaluators.scores.score_columns import ScoreColumns, assemble
from evaluators.social.sotopia_eval import DIMENSIONS
from evaluators.social.tables.table_input import TableInput, Words, people_of
from store.read_model.score_arrays import (
    FAILED,
    SCORED,
    EpisodeFacts,
    EvaluationFacts,
    ScoreArrays,
)

SEVEN = tuple(one.name for one in DIMENSIONS)
Value = float | None
"""None: the judge failed."""


class Said(NamedTuple):
    """What one judge said of one episode."""

    minds: tuple[str, ...]
    values: Sequence[Value | dict[str, Value]]
    """Of each seat: a value in all seven dimensions, or by dimension."""
    scenario: str = "s0"
    task: str = "t0"
    judge: str = "strict"
    kind: str = "model"
    shared: tuple[int, ...] = ()
    failed_actions: int = 0
    episode: str = ""
    """Empty: one of its own."""


def columns_of(said: Iterable[Said]) -> ScoreColumns:
    """The scores of a run, by judges whose hash is their name."""
    episodes: dict[str, EpisodeFacts] = {}
    evaluations, rows = [], []
    for number, one in enumerate(said):
        id_ = one.episode or f"e{number:03}"
        episodes[id_] = EpisodeFacts(
            id=id_,
            run="r1",
            catalog="c",
            task=one.task,
            scenario=one.scenario,
            minds=one.minds,
            shared=one.shared,
            characters=("Ada", "Ben", "Cy")[: len(one.minds)],
            failed_actions=one.failed_actions,
        )
        evaluations.append(
            EvaluationFacts(
                id=f"v{number}",
                episode=id_,
                judge=one.judge,
                judge_kind=one.kind,
                judge_hash=one.judge,
            )
        )
        for seat, given in enumerate(one.values):
            by_name = given if isinstance(given, dict) else dict.fromkeys(SEVEN, given)
            rows += [(number, SEVEN.index(name), seat, value) for name, value in by_name.items()]
    evaluation, dimension, seat, value = zip(*rows, strict=True)
    return assemble(
        ScoreArrays(
            episodes=tuple(episodes.values()),
            evaluations=evaluations,
            dimensions=SEVEN,
            evaluation=np.array(evaluation, dtype=np.int32),
            dimension=np.array(dimension, dtype=np.int32),
            seat=np.array(seat, dtype=np.int32),
            status=np.array([FAILED if v is None else SCORED for v in value], dtype=np.int8),
            value=np.array([np.nan if v is None else v for v in value], dtype=np.float64),
        )
    )


def given(
    said: Iterable[Said],
    *,
    judge: str = "strict",
    people: Sequence[str] = (),
    hard: ScenarioList | None = None,
    no_self: bool = False,
    unclean: bool = False,
    words: Words | None = None,
) -> TableInput:
    """What tables are made of."""
    columns = columns_of(said)
    return TableInput(
        columns=columns,
        judge=next(one for one in columns.judges if one.name == judge),
        people=people_of(()) | {*people},
        hard=hard,
        no_self=no_self,
        unclean=unclean,
        words=lambda _: words or {},
    )
