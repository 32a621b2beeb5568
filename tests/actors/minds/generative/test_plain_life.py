"""A generative mind in an environment that knows nothing of such."""

import json

from actors.minds.generative.mind import GenerativeMind
from actors.models.port import ModelReply
from actors.social.environment import GAME
from actors.social.setup import EpisodeRules
from events.thoughts import MemoryAdded, Reflected
from tests.support.builders import character, scenario, social_start
from tests.support.generative_minds import BACKGROUND, EVALUATED, InProcess, Memory, Played, thinker


def sitting(model: InProcess, **fields: object) -> Played:
    """A social episode of two who think."""
    spec = thinker(reflect_at=30, **fields)
    started = social_start(
        run="",
        task="t",
        catalog="c",
        scenario=scenario(),
        cast=(character("Ada Reyes"), character("Bo Berg")),
        minds=(spec, spec),
        rules=EpisodeRules(turn_cap=12),
    )
    caller = model.caller()
    minds = [GenerativeMind(spec, GAME, caller) for _ in range(2)]
    return Played(GAME, started, minds, [Memory(), Memory()])


async def test_it_sits_in_a_social_episode_to_its_end_and_remembers_what_was_said():
    model = InProcess()
    played = sitting(model)
    await played.play()
    assert played.over
    assert played.failures == []
    for seat, journal in enumerate(played.journals):
        thoughts = [one for decided in journal.decisions() for one in decided.thoughts]
        remembered = [one.text for one in thoughts if isinstance(one, MemoryAdded)]
        own = ("Ada Reyes", "Bo Berg")[seat]
        said = {text.partition(" said:")[0] for text in remembered if " said:" in text}
        assert said == {own, f"Person {2 - seat}"}, "who are strangers to each other"
        assert any(isinstance(one, Reflected) and one.insights for one in thoughts)
        assert isinstance(journal, Memory)
        models = {(call.purpose, call.model) for call in journal.calls}
        assert models == {
            ("act", EVALUATED),
            ("perceive", BACKGROUND),
            ("reflect", BACKGROUND),
        }


async def test_what_comes_to_mind_stands_before_the_environments_own_words():
    model = InProcess()
    played = sitting(model)
    await played.play(8)
    asked = [(system, user) for system, user in model.prompts if '"kind"' in system]
    first, last = asked[0][1], asked[-1][1]
    assert "WHAT COMES TO MIND" not in first
    assert last.startswith("WHAT COMES TO MIND\n- ")
    own = GAME.prompts.writer(played.backgrounds[0])
    assert asked[0] == own.prompt(played.history[1].asked[0].question, [], 1)[:2]  # type: ignore


async def test_an_unusable_answer_is_a_failure_as_of_any_model():
    class Silent(InProcess):
        async def complete(self, request):  # type: ignore[no-untyped-def]
            reply = await super().complete(request)
            return ModelReply(text=json.dumps({})) if '"kind"' in self.prompts[-1][0] else reply

    played = sitting(Silent())
    await played.turn()
    (failed,) = played.failures
    assert failed.failure is not None
    assert failed.failure.reason == "unreadable"
    assert failed.action == GAME.rules.nothing(played.history[1].asked[0].question)  # type: ignore
