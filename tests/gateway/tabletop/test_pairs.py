"""The judge that asks a model, with a server that answers by its schema."""

import asyncio
from pathlib import Path

from events.agent import ModelAsked
from events.evaluation import Scored, ScoreFailed
from events.serialization.codec import event_of
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import prepare
from tests.gateway.tabletop.test_commands import PLAN
from tests.support.managed_episodes import open_at
from tests.support.runs import carry_out_here, record, settings_of
from tests.support.servers.stub_llm import StubServer

MODEL = """
model = "m"
adapter = "direct"
base_url = "{url}"
"""


def plan(url: str, *, turns: int, baseline: str, mind: str) -> str:
    changed = PLAN.replace("turns = 20", f"turns = {turns}").replace("true", baseline)
    changed = changed.replace(', "exchange-2"', "").replace("information-rule", "pairs.toml")
    return changed.replace('kind = "rehearsal"\ntemper = "open"\n', mind.format(url=url))


async def test_every_question_of_the_judge_is_forecast_and_asked(tmp_path: Path) -> None:
    store = open_at(tmp_path)
    try:
        async with StubServer() as stub:
            judge = f'{MODEL.format(url=stub.url)}rubric = "information-pairs"\n'
            (tmp_path / "pairs.toml").write_text(judge)
            for baseline, play, asked in (("true", 30 + 8, 9 + 8), ("false", 30 + 4, 9)):
                text = plan(
                    stub.url, turns=30, baseline=baseline, mind=f'kind = "model"\n{MODEL.strip()}\n'
                )
                (tmp_path / "plan.toml").write_text(text)
                prepared = prepare(store, tmp_path / "plan.toml")
                found = await asyncio.to_thread(estimated, prepared)
                assert (found.play_calls, found.judge_calls) == (play, asked)
                (of_judge,) = [one for one in found.estimates if one.kind == "judge"]
                assert of_judge.calls.low == asked
            mind = 'kind = "rehearsal"\ntemper = "open"\n'
            run = record(store, tmp_path, plan(stub.url, turns=10, baseline="false", mind=mind))
            assert (await carry_out_here(settings_of(tmp_path, store, None, "p"), store, run)).done
        events = [event_of(one) for one in store.read_all(0, tags=None)]
    finally:
        store.close()
    questions = [one for one in events if isinstance(one, ModelAsked)]
    assert len({one.attempt for one in questions}) == 9
    assert len(questions) == 9
    scores = [one for one in events if isinstance(one, Scored | ScoreFailed)]
    assert {one.dimension for one in scores} == {"learned"}
    # The stub pairs two points of five.
    assert [one.value for one in scores if isinstance(one, Scored)] == 4 * [0.4]
