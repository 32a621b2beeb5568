"""What a person at a keyboard is asked, and what their lines mean, in every environment."""

import sys
from io import BytesIO, TextIOWrapper
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs
from rock_paper_scissors.environment import MATCHES, Throw
from rock_paper_scissors.environment import Choose as Hand

from actors.episodes.rules.people import PERSON
from actors.episodes.typed_answers import answer_text, plain_wording
from actors.models.response_formats.schemas import object_schema
from actors.social.actions import ACT, Action
from actors.social.environment import GAME
from actors.social.setup import EpisodeRules
from actors.worldtree.environment import CHOICES
from actors.worldtree.rules import RULES
from actors.worldtree.setup import Chose
from events.episode import EpisodeStarted, PeopleRules
from events.minds import MindSpec
from events.wire.messages import ContinueEpisode, Observation, Posed, TakeAction
from gateway.cli.commands.run.play_seat import _ask, _say_missed
from gateway.cli.terminal.output import NumberedLines
from gateway.services.episodes.seat_client import Place, SeatClient, answers_for, place_in
from store.log.event_store import NEW, EventStore
from tests.actors.conftest import store
from tests.actors.episodes.process.test_passivation import Benches, actions, benches
from tests.actors.worldtree.example_trees import walk
from tests.golden.scenes import FRIENDS, pair, three
from tests.store.histories import planned
from tests.support.builders import mind, started
from tests.support.servers.nats_server import until

__all__ = ["benches", "store"]

PAIR = GAME.sight.background("e1", pair(), 0, "")
THREE = GAME.sight.background("e1", three(FRIENDS), 0, "")
LINES = [
    ("Good day.", Action(kind="speak", text="Good day.")),
    ("  你好。 ", Action(kind="speak", text="你好。")),
    ("/say /me", Action(kind="speak", text="/me")),
    ("/do sits down", Action(kind="physical", text="sits down")),
    ("/show a nod", Action(kind="non_verbal", text="a nod")),
    ("/leave", Action(kind="leave")),
    ("/leave Bye.", Action(kind="leave", text="Bye.")),
    ("/nothing", Action(kind="none")),
    ("/nothing at all", Action(kind="none")),
    ("/whisper Ben: not now: later", Action(kind="speak", text="not now: later", to=(1,))),
    ("/whisper person 3： 嘘", Action(kind="speak", text="嘘", to=(2,))),
]
WRONG = [
    ("", "/nothing"),
    ("/", "means nothing here"),
    ("/dance now", "/dance means nothing here; there are /say"),
    ("/do", "words are missing"),
    ("/whisper Ben", "typed as /whisper NAME"),
    ("/whisper Nobody: psst", "to names 'Nobody'"),
    ("/whisper Ben:", "words are missing"),
]


@pytest.mark.parametrize(("line", "action"), LINES)
def test_a_line_is_said_and_what_begins_with_a_slash_is_done(line: str, action: Action):
    assert GAME.people.typed(ACT, THREE, line) == action


@pytest.mark.parametrize(("line", "why"), WRONG)
def test_a_line_that_means_nothing_is_told_what_would(line: str, why: str):
    with pytest.raises(ValueError) as raised:
        GAME.people.typed(ACT, THREE, line)
    assert why in str(getattr(raised.value, "detail", raised.value))


@pytest.mark.parametrize("errors", ["surrogateescape", "strict"])
def test_bytes_that_are_no_utf_8_are_asked_for_again(
    errors: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Bytes(BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return self.readline()

    piped = Bytes(b"caf\xe9\ncaf\xc3\xa9\n")
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(piped, encoding="utf-8", errors=errors))
    place = SimpleNamespace(game=GAME, seat=0, started=pair())
    sitting: Any = SimpleNamespace(place=place, background=PAIR)
    assert _ask(sitting, ACT, NumberedLines()) == Action(kind="speak", text="café")
    assert "not in UTF-8" in capsys.readouterr().err


def test_whispering_is_offered_where_there_is_somebody_to_hide_it_from():
    assert "whisper" in GAME.people.wording(ACT, THREE).hint
    assert "whisper" not in GAME.people.wording(ACT, PAIR).hint


def test_an_environment_that_says_nothing_of_people_is_answered_by_its_schema():
    worded = MATCHES.people.wording(Hand(round=2), None)
    assert (worded.lead, worded.hint) == ("Choose: round 2", "hand: paper, rock or scissors")
    for line in ("rock", " Rock ", '{"hand": "rock"}'):
        assert MATCHES.people.typed(Hand(round=2), None, line) == Throw(hand="rock")
    with pytest.raises(ValueError, match="'well' is none of paper, rock, scissors"):
        MATCHES.people.typed(Hand(round=2), None, "well")


def test_an_answer_of_several_fields_is_typed_as_json_a_number_as_it_is():
    number: dict[str, Any] = object_schema({"bid": {"type": "integer"}})
    assert answer_text(" 12 ", number) == '{"bid": 12}'
    assert answer_text("twelve", number) == "twelve"
    two = object_schema({"hand": {"enum": ["rock"]}, "bid": {"type": "integer"}})
    assert plain_wording(Hand(round=1), two).hint == 'as JSON: {"hand": "rock", "bid": 0}'
    assert answer_text("rock", two) == "rock"
    assert plain_wording(Hand(round=1), None).hint == "as JSON"


def test_one_choice_answers_all_shuffles_of_a_question():
    setup = walk(shuffles=3)
    started = EpisodeStarted(
        run="",
        task="t",
        catalog="c",
        environment="worldtree",
        setup=setup,
        minds=(MindSpec(name="me", kind="remote"),),
    )
    background = CHOICES.sight.background("e1", started, 0, "")
    questions = tuple(
        Posed(id=one.id, question=one.question)
        for one in RULES.next_step(RULES.initial(setup)).asked
    )
    assert len(questions) == 3
    observation = Observation(episode="e1", seat=0, turn=1, news=(), questions=questions)
    place = Place(episode="e1", run="", seat=0, started=started)
    asked: list[Any] = []

    def ask(question: Any) -> Chose:
        asked.append(CHOICES.people.wording(question, background))
        return CHOICES.people.typed(question, background, "ｂ")

    answers = list(answers_for(place, observation, ask))
    assert [letter for letter, _ in asked[0].options] == ["A", "B", "C"]
    assert len(asked) == 1
    texts = {
        posed.question.options[answer.action.option].text
        for posed, answer in zip(questions, answers, strict=True)
    }
    assert texts == {asked[0].options[1][1]}
    assert len({answer.action.option for answer in answers}) > 1, "they stand in other orders"


def test_of_lines_that_are_alike_the_first_stands_for_the_first():
    question = RULES.next_step(RULES.initial(walk())).asked[0].question
    line = question.options[0]
    alike = type(question)(options=(line, question.options[1], line))
    other = type(question)(options=(line, line, question.options[1]))
    assert CHOICES.people.carried_over(alike, Chose(option=2), other) == Chose(option=1)
    assert CHOICES.people.carried_over(alike, Chose(option=0), question) is None


async def test_who_missed_a_turn_at_a_terminal_is_told_so(
    benches: Benches, store: EventStore, capsys: pytest.CaptureFixture[str]
):
    people = PeopleRules(deadline_s=0.3, late="nothing")
    rules = EpisodeRules(turn_cap=40, stale_turns=0)
    minds = (PERSON, mind("near"))
    begun = structs.replace(started(minds=minds, rules=rules), people=people)
    async with benches.worker(after_s=60.0) as bench:
        store.append("episode-e1", NEW, [begun])
        await bench.jobs.enqueue("episode", ContinueEpisode(episode="e1"), id="e1")
        place = Place(episode="e1", run="", seat=0, started=begun, participant="p-ann")
        sitting = SeatClient(benches.settings, store, place, lambda _: None, lambda _: None)
        asked = await sitting.asked()
        assert isinstance(asked, Observation)
        await until(lambda: any(seat == 0 for _, seat, _ in actions(store, "e1")))
        late = TakeAction(
            seat=0,
            turn=asked.turn,
            action=Action(kind="speak", text="Here I am."),
            participant="p-ann",
        )
        await sitting.asked([late])
        assert sitting.missed >= 1
        _say_missed(sitting)
    assert "You did not answer in time" in capsys.readouterr().err


def test_who_comes_before_the_episode_begins_is_told_of_its_run(store: EventStore):
    class Told(Exception):
        pass

    def told(run: str) -> None:
        raise Told(run)

    store.append("run-r1", NEW, [planned("e1")])
    with pytest.raises(Told, match="r1"):
        place_in(store, "e1", 1, waiting=told)
