"""The upper end of a forecast holds: a model that always uses all that it may uses no more."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from actors.models import tokens
from actors.models.answers.ask import REASKS
from actors.runs.forecast.estimates import Estimate
from events.agent import ModelAnswered, ModelAsked
from events.serialization.codec import event_of
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import prepare, record_run
from store.log.event_store import EventStore
from tests.support.managed_episodes import open_at
from tests.support.runs import carry_out_here, chain_plan, plan, settings_of
from tests.support.servers.stub_answers import answer_to, with_texts

MIND, NOTES, JUDGE = "openai/mind", "openai/notes", "openai/judge"
FILLER = " well"
"""A token."""
PRICES = "input_usd_per_million = 1.0\noutput_usd_per_million = 10.0\n"


class Glutton:
    """A server whose model fills every answer, and gives one that can be used only when it is asked
    for the last time."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.used: dict[str, list[int]] = {}
        """By model: calls, tokens of prompts, and of answers."""
        self.url = ""

    async def __aenter__(self) -> "Glutton":
        await tokens.ready()
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.Response:
        question = await request.json()
        said = [message["content"] for message in question["messages"]]
        longest = question.get("max_completion_tokens") or question["max_tokens"]
        prompt = sum(map(tokens.count, said))
        self.asked[key := json.dumps(said[:2])] += 1
        last = self.asked[key] % (REASKS + 1) == 0
        text = filled(answer_to(question, 0), longest) if last else FILLER * longest
        used = self.used.setdefault(f"openai/{question['model']}", [0, 0, 0])
        for place, more in enumerate((1, prompt, longest)):
            used[place] += more
        choice = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": prompt, "completion_tokens": longest}
        return web.json_response(
            {
                "model": f"openai/{question['model']}",
                "choices": [{"index": 0, "finish_reason": "stop", "message": choice}],
                "usage": usage | {"total_tokens": prompt + longest},
            }
        )


def filled(answer: str, longest: int) -> str:
    """An answer whose texts have as many words as fit."""
    try:
        fields = json.loads(answer)
    except ValueError:
        return answer
    if not isinstance(fields, dict) or not {"kind", "reason"} & fields.keys():
        return answer  # a note's words are counted, a choice has none
    room = longest - tokens.count(answer)
    return with_texts(answer, lambda words: words + ["well"] * room if len(words) > 1 else words)


def model(kind: str, name: str, url: str, **settings: Any) -> str:
    """The lines of a model that asks the server."""
    more = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    return (
        f'{kind}model = "{name}"\nadapter = "direct"\nbase_url = "{url}"\n'
        f"max_concurrency = 8\n{PRICES}{more}"
    )


def minds(url: str, **settings: Any) -> str:
    return "[minds.stub]\n" + model('kind = "model"\n', MIND, url, **settings)


def social(url: str, folder: Path) -> str:
    judge = folder / "judge.toml"
    judge.write_text('name = "j"\n' + model('kind = "model"\n', JUDGE, url, max_tokens=900))
    return plan(
        minds(url, max_tokens=90),
        tasks=2,
        pairings='"same"',
        rules="turn_cap = 6",
        judges=f'["{judge}"]',
    )


def social_chain(url: str, folder: Path) -> str:
    own = '[memories.own]\nmodule = "summary"\nwords_low = 20\nwords_high = 40\n'
    return chain_plan(
        length=3,
        pairs=1,
        memory='["seats", "own", "full"]',
        minds=minds(url, max_tokens=90)
        + own.replace("own", "seats")
        + own
        + model("", NOTES, url, max_tokens=140),
        pairings='"same"',
        turn_cap=4,
    )


def walk(url: str, folder: Path) -> str:
    return (
        'name = "w"\nenvironment = "worldtree"\ncatalog = "crossroads"\n'
        '[tasks]\nlimit = 3\n[seats]\npairings = "same"\n[judges]\nuse = []\n'
        + minds(url, max_tokens=60)
    )


def town(url: str, folder: Path, *, profile: str = "lean", steps: int = 600) -> str:
    return (
        'name = "t"\nenvironment = "sandbox"\ncatalog = "ternby"\n'
        '[tasks]\nlimit = 1\n[seats]\npairings = "same"\n[judges]\nuse = []\n'
        f"[sandbox]\nsteps = {steps}\n[minds.stub]\n"
        + model('kind = "generative"\n', MIND, url, max_tokens=80, agent="ga+tdp", profile=profile)
    )


async def within(folder: Path, text: str, glutton: Glutton) -> None:
    """Play a plan, and see that no more was used than was forecast."""
    store = open_at(folder)
    try:
        await _within(store, folder, text, glutton)
    finally:
        store.close()


async def _within(store: EventStore, folder: Path, text: str, glutton: Glutton) -> None:
    path = folder / "plan.toml"
    path.write_text(text)
    prepared = prepare(store, path)
    found = (await asyncio.to_thread(estimated, prepared)).estimates
    run = record_run(store, prepared)
    settings = settings_of(folder, store, None, "upper")
    progress = await carry_out_here(settings, store, run)
    assert progress.done
    by_model: dict[str, list[Estimate]] = {}
    for one in found:
        by_model.setdefault(one.model, []).append(one)
    spent = Counter[str]()
    for envelope in store.read_all(tags=[ModelAnswered.__name__], limit=100_000):
        answered = event_of(envelope)
        assert isinstance(answered, ModelAnswered)
        spent[answered.model] += answered.cost_usd or 0.0  # type: ignore[assignment]
    asked = Counter(
        event_of(one).model  # type: ignore[attr-defined]
        for one in store.read_all(tags=[ModelAsked.__name__], limit=100_000)
    )
    assert glutton.used
    for name, (calls, prompts, answers) in glutton.used.items():
        own = by_model[name]
        most = [
            sum(getattr(one, field).high for one in own)
            for field in ("calls", "input_tokens", "output_tokens")
        ]
        used = (calls, prompts, answers)
        print(name, "used", used, "of", most, "usd", spent[name])
        assert all(one <= high for one, high in zip(used, most, strict=True)), (name, used, most)
        assert spent[name] <= sum(one.usd[1] for one in own if one.usd is not None) + 1e-9
        assert asked[name] == calls


@pytest.mark.parametrize("make", [social, social_chain, walk])
async def test_a_model_that_always_uses_all_uses_no_more_than_was_forecast(
    make: Any, tmp_path: Path
) -> None:
    async with Glutton() as glutton:
        await within(tmp_path, make(glutton.url, tmp_path), glutton)


@pytest.mark.long
@pytest.mark.parametrize("steps", [60, 600])
async def test_a_town_of_models_that_always_use_all_uses_no_more_than_was_forecast(
    steps: int, tmp_path: Path
) -> None:
    async with Glutton() as glutton:
        await within(tmp_path, town(glutton.url, tmp_path, steps=steps), glutton)
