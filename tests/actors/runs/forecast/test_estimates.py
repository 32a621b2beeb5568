"""What a plan will ask of its models, before anything is spent."""

from typing import Any

import pytest

from actors.episodes.chain_support import ChainSection
from actors.models import tokens
from actors.models.answers.ask import REASKS
from actors.runs.forecast.estimate_stages import Estimating
from actors.runs.forecast.estimates import (
    COMPLETED,
    LINE,
    MENDING,
    SHORT_ANSWER,
    SHORT_LINE,
    Bounds,
    Estimate,
    Tally,
    answered_by,
    asked_of,
    shown_of,
    total_usd,
    transcript,
)
from actors.runs.forecast.forecast import forecast
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.plan_file import PlanFile, Seats, TaskChoice, plan_shape
from actors.runs.plan.plan_run import plan_run
from actors.social import prompt_writer, sight
from actors.social.catalog.starter import starter_catalog
from actors.social.plan_section import Section
from evaluators.judges.estimate_calls import tally_judges
from evaluators.judges.judge_prompts import prompt_version
from evaluators.registry import rubric_named, rubrics_for
from events.base import replace
from events.evaluation import Dimension, JudgeSpec
from events.minds import ModelSpec
from events.run import RunPlanned
from tests.actors.social.table import Game

STARTER = starter_catalog()
OFTEN = 1 + REASKS + COMPLETED
"""How often a question may be put."""
LONGEST = 120
"""Tokens of a model's longest answer."""
GPT = MindEntry(
    kind="model",
    model="some-model",
    adapter="direct",
    base_url="http://127.0.0.1:1/v1",
    max_tokens=LONGEST,
    input_usd_per_million=2.0,
    output_usd_per_million=10.0,
)
FREE = MindEntry(kind="model", model="other", adapter="direct", base_url="http://127.0.0.1:1/v1")
RUBRICS = [rubric.name for rubric in rubrics_for("social") if rubric.form is not None]
WARM = MindEntry(kind="rehearsal", temper="generous")


def judge(rubric: str) -> JudgeSpec:
    of = rubric_named(rubric)
    model = ModelSpec(name="judge-model", adapter="direct", max_tokens=2000)
    return JudgeSpec(
        name=rubric,
        kind="model",
        model=model,
        rubric=rubric,
        dimensions=of.dimensions or (Dimension(name="warmth", low=0, high=10),),
        prompt_version=prompt_version(of),
    )


def planned(*judges: JudgeSpec, **fields: Any) -> RunPlanned:
    shape = plan_shape("social")
    given: dict[str, Any] = {
        "minds": {"gpt": GPT, "warm": WARM},
        "seats": Seats(pairings=(("gpt", "warm"),)),
        "social": Section(turn_cap=6),
        **fields,
    }
    plan: PlanFile = shape(**given)
    return plan_run("r1", plan, STARTER, judges, path="plan.toml")


async def estimates(run: RunPlanned) -> dict[tuple[str, str], Estimate]:
    estimating = Estimating(run, STARTER)
    tally = await estimating.tally()
    tally_judges(tally, estimating)
    return {(one.kind, one.name): one for one in await tally.estimates()}


def test_prompts_grow_by_what_every_round_adds():
    """By hand: a prompt of 1,000 tokens, two seats, four turns, answers of at most 100 tokens."""
    low, high = asked_of(0, 1000, (2, 2), (100, 100))
    assert low == 1000  # one question, and nothing before it
    # Two: the other may have acted before the first, and both have before the second.
    assert high == 2 * (1000 + 100 + LINE) + 2 * (100 + LINE)
    assert asked_of(1, 1000, (2, 0), (100, 100)) == (0, 0)
    assert transcript((2, 2), (100, 50)) == (2 * SHORT_LINE, 2 * (150 + 2 * LINE))


def test_answers_are_short_or_as_long_as_they_may_be_with_the_thoughts_before_them():
    plain, thinking = ModelSpec(name="m"), ModelSpec(name="m", max_completion_tokens=4000)
    assert answered_by(plain, Bounds(3, 5), 100) == (3 * SHORT_ANSWER, 500)
    assert answered_by(plain, Bounds(3, 5), 10) == (30, 50)
    assert answered_by(thinking, Bounds(3, 5), 100) == (3 * SHORT_ANSWER, 5 * (100 + 3500))


def test_where_a_story_is_written_down_prompts_show_some_of_it_or_all():
    """By hand: a prompt of 1,000 tokens, asked 3 to 6 times, a story of 400."""
    assert shown_of(Bounds(3, 6), 1000, 400) == (3 * 1100, 6 * 1400)


async def test_the_ends_hold_what_is_rendered_when_an_episode_is_played():
    run = planned(tasks=TaskChoice(limit=1))
    found = (await estimates(run))["mind", "gpt"]
    assert (found.calls.low, found.calls.high) == (2, 3 * OFTEN)
    stage = Estimating(run, STARTER).stage(run.episodes[0])
    assert stage is not None
    for words, turns in ((LONGEST - 20, 6), (SHORT_LINE, 3)):
        game, asked = Game(stage.started), 0
        for turn in range(1, turns + 1):
            if game.state.waiting == (0,):
                known = sight.background("e1", stage.started, 0)
                lines = sight.view(game.history, 0).lines
                prompt = prompt_writer.act_prompt(known, lines, turn)
                asked += tokens.count(prompt.system) + tokens.count(prompt.user)
            game.act(text="well " * words)
        assert found.input_tokens.low <= asked <= found.input_tokens.high


async def test_money_follows_from_tokens_and_prices():
    found = (await estimates(planned(tasks=TaskChoice(limit=3))))["mind", "gpt"]
    assert found.usd is not None
    for end, usd in zip(("low", "high"), found.usd, strict=True):
        asked, answered = getattr(found.input_tokens, end), getattr(found.output_tokens, end)
        assert usd == pytest.approx((2 * asked + 10 * answered) / 1e6, rel=0.01)
    assert found.output_tokens.high == found.calls.high * LONGEST


async def test_a_price_that_is_not_known_makes_the_sum_unknown():
    minds = {"gpt": GPT, "free": FREE}
    seats = Seats(pairings=(("gpt", "free"),))
    found = await estimates(planned(tasks=TaskChoice(limit=1), minds=minds, seats=seats))
    assert found["mind", "free"].usd is None
    assert total_usd(found.values()) is None
    assert total_usd([found["mind", "gpt"]]) == found["mind", "gpt"].usd


async def test_minds_that_are_no_models_ask_nothing():
    run = planned(tasks=TaskChoice(limit=2), seats=Seats(pairings=(("warm", "warm"),)))
    assert await estimates(run) == {}


@pytest.mark.parametrize("rubric", RUBRICS)
async def test_a_judge_is_shown_its_prompt_and_the_whole_transcript(rubric: str):
    run = planned(judge(rubric), tasks=TaskChoice(limit=2))
    found = (await estimates(run))["judge", rubric]
    assert (found.calls.low, found.calls.high) == (2, 2 * OFTEN)
    whole = 2 * transcript((3, 3), (LONGEST, 250)).high
    first = found.input_tokens.low + whole - 2 * 4 * SHORT_LINE
    again = OFTEN * 2 * MENDING + 2 * 2000  # and an answer that is gone on with
    assert found.input_tokens.high == OFTEN * first + again
    assert found.input_tokens.low > 2 * 200
    assert found.output_tokens.high == 2 * OFTEN * 2000


async def test_a_note_is_forecast_by_the_words_it_is_asked_for_with() -> None:
    def chain(memory: str) -> RunPlanned:
        return planned(chains=ChainSection(length=2, memory=(memory,)))

    plain, exact = [
        (await estimates(chain(memory)))["memory", memory]
        for memory in ("summary", "summary-exact")
    ]
    assert plain.calls == exact.calls
    assert plain.input_tokens.low < exact.input_tokens.low


async def test_what_is_remembered_is_shown_again_in_every_turn():
    def chain(memory: str, length: int) -> RunPlanned:
        return planned(chains=ChainSection(length=length, memory=(memory,)))

    none, one, four = [
        (await estimates(chain(memory, length)))
        for memory, length in (("none", 4), ("summary", 1), ("summary", 4))
    ]
    assert ("memory", "summary") not in none
    assert one["memory", "summary"].calls.high == OFTEN
    assert four["memory", "summary"].calls.high == 4 * OFTEN

    # Notes of 200 to 300 words: none before the first episode, three before the fourth.
    more = four["mind", "gpt"].input_tokens.low - none["mind", "gpt"].input_tokens.low
    assert more >= (1 + 2 + 3) * 200 * 2
    full = (await estimates(chain("full", 4)))["mind", "gpt"].input_tokens
    assert full.high > none["mind", "gpt"].input_tokens.high


async def test_no_more_is_remembered_than_fits_into_a_prompt():
    chains = ChainSection(length=9)
    run = planned(minds={"gpt": GPT}, seats=Seats(pairings="same"), chains=chains)
    tight = tuple(replace(memory, context_tokens=3000) for memory in run.plan.memories)
    less = await estimates(replace(run, plan=replace(run.plan, memories=tight)))
    more = await estimates(run)
    assert less["mind", "gpt"].input_tokens.high < more["mind", "gpt"].input_tokens.high


def test_a_forecast_says_how_many_different_scenarios_a_cast_plays():
    drawn = planned(chains=ChainSection(length=40))
    named = planned(chains=ChainSection(length=6, scenarios=("hive_price",)))
    assert forecast(named, STARTER).chain_scenarios == (1, 1)
    ended = planned(chains=ChainSection(length=6, hard="all"))
    assert forecast(ended, STARTER).chain_hard > 0
    assert forecast(ended, STARTER).chain_length == 6 + forecast(ended, STARTER).chain_hard
    assert forecast(ended, STARTER).chain_scenarios == (6, 6)
    low, high = forecast(drawn, STARTER).chain_scenarios
    assert 1 < low <= high <= forecast(drawn, STARTER).tasks
    assert forecast(planned(tasks=TaskChoice(limit=1)), STARTER).chain_scenarios == (0, 0)


async def test_an_empty_tally_has_no_estimates():
    assert await Tally().estimates() == ()


async def test_a_price_that_the_judge_lacks_takes_none_from_the_mind():
    tally = Tally()
    priced = ModelSpec(
        name="m", adapter="direct", input_usd_per_million=1.0, output_usd_per_million=2.0
    )
    once = Bounds(1, 1)
    for kind, name, model in (
        ("mind", "a", priced),
        ("judge", "same", ModelSpec(name="m", adapter="direct")),
        ("judge", "elsewhere", ModelSpec(name="m", adapter="direct", base_url="http://x/v1")),
        ("judge", "other", ModelSpec(name="n", adapter="direct")),
    ):
        tally.add(kind, name, model, calls=once, asked=Bounds(10, 10), answered=Bounds(5, 5))
    found = {one.name: one.usd for one in await tally.estimates()}
    assert found == {"a": (2e-5, 2e-5), "same": (2e-5, 2e-5), "elsewhere": None, "other": None}
