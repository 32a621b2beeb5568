"""How many first answers of a run's models were of no use."""

from typing import NamedTuple

import sqlalchemy as sa

from events.agent import WORD_COUNT
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.calls import CALLS
from store.projections.maintenance.projector import catch_up


class FirstAnswers(NamedTuple):
    """Of one model in one run."""

    model: str
    answers: int
    """To the first question of an owner's turn, put for the first time."""
    unusable: int
    """Of them, those that could not be read. A text of the wrong length can be."""


def first_answers(store: EventStore, run: str) -> list[FirstAnswers]:
    """By model, in the order of their names. Takes an id in full."""
    catch_up(store, CALLS)
    calls = t.calls.c
    unusable = sa.case((calls.fault.not_in(("", WORD_COUNT)), 1), else_=0)
    query = (
        sa.select(calls.model, sa.func.count(), sa.func.sum(unusable))
        .where(calls.run == run, calls.attempt == 0, calls.answered > 0)
        .group_by(calls.model)
        .order_by(calls.model)
    )
    with store.engine.connect() as connection:
        return [FirstAnswers(*row) for row in connection.execute(query)]
