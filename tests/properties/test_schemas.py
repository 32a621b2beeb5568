"""Whatever a schema allows that a model is held to is read, and is an answer by the rules: of every
environment that is installed, by playing its own catalog."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.mind import Scene
from actors.episodes.port.environment import Environment
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import INITIAL, Start
from actors.minds.model import question_for
from actors.social.environment import SOCIAL
from events.minds import ModelSpec
from tests.games import game_for
from tests.properties.episodes import episodes
from tests.properties.test_every_environment import (
    ENVIRONMENTS,
    Line,
    beginning,
    catalog_of,
    play_on,
)
from tests.support.schema_values import drawn, faults

LONGEST = 16_000
"""Characters of a schema: it is sent with each request."""
LONGEST_LINE = 40
"""Actions that are played before the question."""


def asked_at(environment: Environment, line: Line, moment: int, draw: st.DrawFn) -> Scene:
    """What one of those is asked who are, after so many events."""
    started, state = line.started, line.states[moment]
    game = game_of(started)
    asked = draw(st.sampled_from(state.open))
    eyes = game.sight.reducer(started, asked.seat)
    seen = [one for pair in enumerate(line.history[:moment]) for one in eyes.apply(*pair)]
    return Scene(
        background=game.sight.background("e1", started, asked.seat, ""),
        seen=sorted(seen, key=lambda notice: notice.number),
        turn=state.turn,
        question=asked.question,
        question_id=asked.id,
        seat=asked.seat,
        seats=len(started.minds),
    )


def scenes(environment: Environment) -> st.SearchStrategy[Scene]:
    """What a seat is asked at some moment of an episode."""

    @st.composite
    def scene(draw: st.DrawFn) -> Scene:
        every = catalog_of(environment.name)[1]
        kinds = list({task.only_by or task.id.partition(".")[0]: task for task in every}.values())
        task = draw(st.sampled_from(kinds) | st.sampled_from(every))
        line = Line(beginning(environment, task.id, draw(st.integers(0, 2**62))), [], [INITIAL])
        line.do(Start(started=line.started))
        play_on(draw, environment, line, draw(st.integers(0, LONGEST_LINE)))
        moments = [number for number, state in enumerate(line.states) if state.open]
        return asked_at(environment, line, draw(st.sampled_from(moments)), draw)

    return scene()


FEW = settings(max_examples=max(15, settings().max_examples // 5))
"""Each plays a part of an episode and draws texts of long patterns."""


def check(environment: Environment, scene: Scene, data: st.DataObject) -> None:
    """What the schema of a scene's question allows is an answer to it."""
    game = game_for(environment, scene.background)
    writer = game.prompts.writer(scene.background)
    question = question_for(game, writer, scene, ModelSpec(name="m"))
    schema = question.json_schema
    assert schema is not None
    assert faults(schema) == []
    assert schema["type"] == "object"
    assert len(json.dumps(schema, ensure_ascii=False)) <= LONGEST
    filling = drawn(data)
    for _ in range(4):
        value = filling.value(schema)
        names = [name.casefold().strip() for name in value.get("names", ())]
        if len(set(names)) < len(names):
            continue  # that characters are told apart no schema can say
        action = question.read(json.dumps(value), "test")
        assert game.rules.action_fault(scene.question, action, scene.seat, scene.seats) is None


@ENVIRONMENTS
@FEW
@given(data=st.data())
def test_whatever_its_schema_allows_is_an_answer(environment, data):
    check(environment, data.draw(scenes(environment)), data)


@FEW
@given(episodes(), st.data())
def test_so_it_is_among_any_number_of_seats(played, data):
    moments = [number for number, state in enumerate(played.states) if state.open]
    line = Line(played.started, played.history, played.states)
    check(SOCIAL, asked_at(SOCIAL, line, data.draw(st.sampled_from(moments)), data.draw), data)
