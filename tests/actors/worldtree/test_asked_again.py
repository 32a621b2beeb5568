"""How a model is asked to mend its answer."""

import re

from actors.episodes.mind import Scene
from actors.minds.model import ModelMind
from actors.models.caller import Backoff, ModelCaller
from actors.models.registry import Models
from actors.worldtree.environment import CHOICES
from events.base import replace
from tests.actors.minds.test_model_mind import Stream, spec_of
from tests.actors.worldtree.example_trees import LAMP, walk
from tests.actors.worldtree.table import begun
from tests.support.servers.stub_llm import StubServer, StubSettings


async def test_a_request_to_mend_is_in_the_language_of_the_prompts() -> None:
    setup = walk(LAMP)
    setup = replace(setup, settings=replace(setup.settings, prompts="zh"))
    step = CHOICES.rules.next_step(CHOICES.rules.initial(setup))
    scene = Scene(
        background=CHOICES.sight.background("e1", begun(setup), 0, ""),
        seen=[],
        turn=1,
        question=step.asked[0].question,  # type: ignore[union-attr]
        seat=0,
        seats=1,
    )
    says = {"message": {"role": "assistant", "content": "A 或者 B"}}
    caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
    async with StubServer(StubSettings(choice=says)) as stub:
        decision = await ModelMind(spec_of(stub), CHOICES, caller).decide(scene, Stream())
    await caller.close()
    assert decision.failure is not None
    assert "several options, A, B" in decision.failure.detail
    again = stub.bodies[1]["messages"][-1]["content"]
    assert "选出了多个选项：A、B；请只选一个" in again
    # What follows the question; fields keep their names.
    request = re.sub('"[a-z]+"', "", again.rpartition("\n\n")[2])
    assert "多个选项" in request
    assert not re.search("[a-z]{3}", request)
