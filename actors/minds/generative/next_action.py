"""The next action: the current block of the schedule, split into actions, each with a place where
the environment has places."""

from collections.abc import Sequence
from typing import Final

from actors.minds.generative.day_plan import day_now, minute_now, plan_day
from actors.minds.generative.decision import DecisionProcess, Unconcluded
from actors.minds.generative.placement import Placement
from actors.minds.generative.schedule import (
    LONGEST,
    SHORTEST,
    clock,
    due,
    fitted,
    overlaid,
    to_be_split,
)
from events.base import replace
from events.thoughts import Block, DayPlanned

AROUND: Final = 8
"""Blocks of the schedule that a prompt shows before and after the one it is about."""
SPLIT: Final = "a block was split into actions"
"""``DayPlanned.why``."""


async def next_action(thinking: DecisionProcess, placement: Placement) -> Block:
    """What is to be done from now on, with its place. Raises ``Unconcluded``."""
    plan = await today(thinking)
    assert thinking.situation.now is not None
    minute = minute_now(thinking.situation.now)
    block = due(plan.schedule, minute)
    if to_be_split(block):
        plan = await _split(thinking, placement, plan, block)
        block = due(plan.schedule, minute)
    return await placement.placed(thinking, block)


async def today(thinking: DecisionProcess) -> DayPlanned:
    """Today's plan, made if there is none. Raises ``Unconcluded``."""
    return thinking.state.days.get(day_now(thinking)) or await plan_day(thinking)


async def _split(
    thinking: DecisionProcess, placement: Placement, plan: DayPlanned, block: Block
) -> DayPlanned:
    """The plan with a block's actions in its place; as it was where there are none, which is
    said."""
    try:
        parts = await placement.steps(thinking, block, around(plan.schedule, block))
    except Unconcluded as why:
        thinking.fell_back("actions", why, f"{block.text} is done as one")
        return plan
    schedule = overlaid(plan.schedule, fitted(parts, block))
    split = replace(plan, schedule=schedule, why=SPLIT)
    thinking.conclude(split)
    return split


def around(schedule: Sequence[Block], block: Block) -> dict[str, object]:
    """A block as prompts show it: with what is before and after it."""
    end = block.start + block.minutes
    before = [one for one in schedule if one.start < block.start][-AROUND:]
    after = [one for one in schedule if one.start + one.minutes > end][:AROUND]

    def line(one: Block) -> tuple[str, str]:
        return clock(one.start), one.text

    return {
        "before": [line(one) for one in before],
        "after": [(clock(max(one.start, end)), one.text) for one in after],
        "text": block.text,
        "start": clock(block.start),
        "end": clock(end),
        "minutes": block.minutes,
        "shortest": SHORTEST,
        "longest": LONGEST,
    }
