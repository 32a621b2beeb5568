"""Language models in games: what they are held to, and how they are asked to mend an answer."""

import json

from actors.episodes.mind import Decision, Scene
from actors.games.environment import GAMES
from actors.games.setup import ActOption, Decide, GameAct
from actors.minds.model import ModelMind
from actors.models.caller import Backoff, ModelCaller
from actors.models.registry import Models
from tests.actors.games.test_answers import FULL, NOTHING, VIEW, VOTE
from tests.actors.minds.test_model_mind import Stream, spec_of
from tests.support.servers.stub_llm import StubServer, StubSettings


async def decided(says: str, *options: ActOption) -> tuple[Decision, list[dict]]:
    """What a model that says always the same does, and what its server was asked."""
    scene = Scene(
        background=VIEW, seen=[], turn=1, seat=0, seats=len(FULL),
        question=Decide(phase="vote", title="The vote", options=options),
    )  # fmt: skip
    choice = {"message": {"role": "assistant", "content": says}}
    caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
    async with StubServer(StubSettings(choice=choice)) as stub:
        decision = await ModelMind(spec_of(stub, structured_output=True), GAMES, caller).decide(
            scene, Stream()
        )
    await caller.close()
    return decision, stub.bodies


async def test_a_model_names_a_player_and_is_held_to_those_who_are_left() -> None:
    said = json.dumps({"answer": {"verb": "vote", "target": FULL[4]}})
    decision, bodies = await decided(said, VOTE, NOTHING)
    assert decision == Decision(action=GameAct(verb="vote", target=4))
    asked = json.dumps(bodies[0], ensure_ascii=False)
    assert f"NAME is one of: {FULL[1]}, {FULL[2]}, {FULL[4]}" in asked
    held = json.dumps(bodies[0]["response_format"], ensure_ascii=False)
    assert [name in held for name in FULL[1:5]] == [True, True, False, True]


async def test_who_names_somebody_who_is_out_is_told_whom_to_name_and_then_does_nothing() -> None:
    said = json.dumps({"verb": "vote", "target": FULL[3]})
    decision, bodies = await decided(said, VOTE, NOTHING)
    assert decision.action == GameAct()
    assert decision.failure is not None
    assert f"vote cannot name '{FULL[3]}' now, but {FULL[1]}" in decision.failure.detail
    assert decision.failure.detail in bodies[1]["messages"][-1]["content"]
