"""Tokens and money: as the server says, and counted here where it says nothing."""

from typing import Any

import pytest

from actors.models import tokens
from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent
from actors.models.limits.budget import BudgetKeeper
from actors.models.litellm.pricing import cost_usd
from actors.models.port import ModelReply, Msg
from actors.models.replies.usage import usage_of
from events.agent import ModelAnswered
from events.minds import ModelSpec
from events.run import Budget
from tests.actors.models.conftest import SpecOf, question
from tests.evaluators.scripted import Stream
from tests.support.servers.stub_llm import StubServer, StubSettings

ANSWER = '{"kind": "speak", "text": "Good evening."}'


async def reply(
    caller: ModelCaller,
    spec_of: SpecOf,
    usage: dict[str, Any] | None,
    message: dict[str, Any] | None = None,
    **fields: Any,
) -> ModelReply:
    choice = {"message": {"content": ANSWER, **(message or {})}}
    async with StubServer(StubSettings(usage=usage, choice=choice)) as stub:
        spec = spec_of(stub.url, **fields)
        return (await caller.call(spec, question(spec, "x " * 400), purpose="act")).reply


async def test_what_a_server_does_not_count_is_counted_here_and_marked(
    caller: ModelCaller, spec_of: SpecOf
):
    found = await reply(caller, spec_of, {}, input_usd_per_million=1.0, output_usd_per_million=10.0)
    assert found.estimated
    assert found.output_tokens == tokens.count(ANSWER)
    assert 0 <= found.input_tokens - tokens.count("x " * 400) <= 10
    assert found.cost_usd == pytest.approx((found.input_tokens + 10 * found.output_tokens) / 1e6)
    assert not (await reply(caller, spec_of, None)).estimated


@pytest.mark.parametrize(
    ("usage", "part"),
    [
        ({"prompt_tokens": None, "completion_tokens": 9}, "input_tokens"),
        ({"prompt_tokens": 500, "completion_tokens": 0}, "output_tokens"),
        ({"prompt_tokens": 10**26, "completion_tokens": 9}, "input_tokens"),
        ({"prompt_tokens": 500, "completion_tokens": 2**62}, "output_tokens"),
    ],
)
async def test_half_a_count_is_completed(
    caller: ModelCaller, spec_of: SpecOf, usage: dict[str, Any], part: str
):
    found = await reply(caller, spec_of, usage)
    assert found.estimated
    assert getattr(found, part) > 0
    assert 300 < found.input_tokens + found.output_tokens < 1000


async def test_a_budget_holds_though_the_server_counts_nothing(
    caller: ModelCaller, spec_of: SpecOf
):
    budget, calls = BudgetKeeper("r1", Budget(tokens=2000)), Stream()
    asked = ModelQuestion(
        messages=(Msg("user", "x " * 400),),
        read=lambda text, label: text,
        again=str,
        purpose="act",
    )
    async with StubServer(StubSettings(usage={})) as stub:

        async def forty_turns() -> None:
            for turn in range(40):
                more: dict[str, Any] = {"caller": caller, "calls": calls, "budget": budget}
                answer = await ask(asked, turn=turn, model=spec_of(stub.url), **more)
                assert isinstance(answer, Answered)

        with pytest.raises(BudgetSpent):
            await forty_turns()
    assert 2 <= stub.stats.requests <= 6
    answered = [event for event in calls.events if isinstance(event, ModelAnswered)]
    assert all(event.estimated for event in answered)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_thoughts_are_kept_apart_from_the_answer_and_counted(
    caller: ModelCaller, spec_of: SpecOf, name: str
):
    usage = {"completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 70}}
    found = await reply(caller, spec_of, usage, {name: "She must not know."})
    assert (found.text, found.reasoning) == (ANSWER, "She must not know.")
    assert (found.output_tokens, found.reasoning_tokens) == (90, 70)
    uncounted = await reply(caller, spec_of, {"completion_tokens": 90}, {name: "She must not."})
    assert uncounted.reasoning_tokens == tokens.count("She must not.")
    assert not uncounted.estimated


async def test_thoughts_between_tags_are_counted_and_never_read(
    caller: ModelCaller, spec_of: SpecOf
):
    text = f"<think>She must not know.</think>{ANSWER}"
    found = await reply(caller, spec_of, None, {"content": text})
    assert found.reasoning_tokens == tokens.count("She must not know.")
    assert "She must not know." in found.text + found.reasoning


async def test_parts_of_a_message_are_said_or_thought(caller: ModelCaller):
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "She must not know."}]},
        {"type": "text", "text": ANSWER},
    ]

    def spec_of(url: str, **fields: Any) -> ModelSpec:
        return ModelSpec(name="m", adapter="direct", base_url=url, **fields)

    found = await reply(caller, spec_of, None, {"content": parts})
    assert (found.text, found.reasoning) == (ANSWER, "She must not know.")


async def test_cached_tokens_are_counted_and_cost_their_own_price(
    caller: ModelCaller, spec_of: SpecOf
):
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 0,
        "prompt_tokens_details": {"cached_tokens": 800},
    }
    prices = {"input_usd_per_million": 10.0, "output_usd_per_million": 0.0}
    found = await reply(caller, spec_of, usage, **prices, cached_usd_per_million=1.0)
    assert (found.input_tokens, found.cached_tokens) == (1000, 800)
    assert found.cost_usd == pytest.approx((200 * 10 + 800 * 1) / 1e6)
    full = await reply(caller, spec_of, usage, **prices)
    assert full.cost_usd == pytest.approx(1000 * 10 / 1e6)


@pytest.mark.parametrize(
    ("said", "read", "written"),
    [
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}, 4, 0),
        ({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}, 4, 0),
        (
            {"prompt_tokens": 9, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 3},
            4,
            3,
        ),
        (
            {
                "prompt_tokens": 9,
                "prompt_tokens_details": {"cached_tokens": 4, "cache_creation_tokens": 3},
            },
            4,
            3,
        ),
        ({"prompt_tokens": 9, "prompt_tokens_details": None}, 0, 0),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": None}}, 0, 0),
        ({"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 400}}, 3, 0),
        ({}, 0, 0),
    ],
)
def test_each_servers_words_for_cached_tokens_are_known(
    said: dict[str, Any], read: int, written: int
):
    usage = usage_of(said)
    assert (usage.cached_tokens, usage.cache_written_tokens) == (read, written)


def test_the_list_has_prices_of_cached_tokens():
    spec = ModelSpec(name="anthropic/claude-sonnet-4-5")
    plain, read, written = (
        cost_usd(spec, 1000, 0, cached, made) for cached, made in ((0, 0), (800, 0), (0, 800))
    )
    assert plain
    assert read
    assert written
    assert read < plain < written
