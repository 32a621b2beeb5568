"""Modes: who may sit down, what a script is, and how it is played."""

import json
from pathlib import Path

import msgspec
import pytest

from actors.episodes.mind import Scene
from actors.episodes.rules.decide import Fork, Start, evolve, start_fault
from actors.minds.model import ModelMind
from actors.models.caller import Backoff, ModelCaller
from actors.models.errors import Unreadable
from actors.models.registry import Models
from actors.runs.plan.plan_file import environment_settings, parse_plan
from actors.runtime.errors import CommandRefused
from actors.social import prompt_writer, sight
from actors.social.actions import (
    WRITE_SCRIPT,
    WRITE_TURN,
    Action,
    ScriptLine,
    WholeScript,
    action_fault,
)
from actors.social.environment import GAME
from actors.social.modes import PROMPT_OF, Mode
from actors.social.playwright import answers as script_answers
from actors.social.rehearsal import RehearsalMind
from actors.social.render import outcome
from actors.social.setup_faults import setup_fault
from actors.toml_file import BadFile
from events.base import replace
from events.episode import (
    ActionFailure,
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeStarted,
    TurnOpened,
)
from events.minds import MindSpec, ModelSpec
from events.wire.messages import EditAction, PauseEpisode, StepEpisode, TakeAction, TakeSeat
from tests.actors.minds.test_model_mind import Stream
from tests.actors.social.table import Game, table
from tests.support.builders import mind, with_setup
from tests.support.servers.stub_llm import StubServer, StubSettings

SCRIPT = WholeScript(
    kind="speak",
    text="300, as the card says.",
    lines=(
        ScriptLine(seat=1, kind="non_verbal", text="shakes his head"),
        ScriptLine(seat=1, kind="speak", text="200."),
        ScriptLine(seat=0, kind="leave", text="Done."),
    ),
)
WRITTEN = {
    "lines": [
        {"who": 1, "kind": "speak", "text": "300, as the card says."},
        {"who": "Ben Okafor", "kind": "non-verbal communication", "text": "shakes his head"},
        {"who": "ben", "kind": "speak", "text": "200."},
        {"who": 1, "kind": "leave", "text": "Done."},
    ]
}


def begun(mode: Mode, seats: int = 2, mind_: MindSpec | None = None, **rules) -> EpisodeStarted:
    prompt = PROMPT_OF.get(mode, "act-5")
    first = table(seats, mode=mode, prompt=prompt, **rules)
    return replace(first, minds=(mind_ or mind("calm"),) * seats)


def taken(game: Game) -> list[ActionTaken]:
    return [event for event in game.history if isinstance(event, ActionTaken)]


def write(game: Game, script: WholeScript = SCRIPT, **fields):
    return game.do(TakeAction(seat=0, turn=game.state.turn, action=script, **fields))


class TestScripts:
    def test_one_answer_is_the_whole_episode(self):
        game = Game(begun("script"))
        assert game.history[1].asked[0].question == WRITE_SCRIPT
        events = write(game)
        assert [type(event).__name__ for event in events] == [
            "ActionTaken", *["TurnOpened", "ActionTaken"] * 3, "EpisodeEnded"
        ]  # fmt: skip
        assert [(one.turn, one.seat, one.action.text) for one in taken(game)] == [
            (1, 0, "300, as the card says."),
            (2, 1, "shakes his head"),
            (3, 1, "200."),
            (4, 0, "Done."),
        ]
        assert game.history[-1] == EpisodeEnded(reason="left", turn=4)

    def test_what_the_rules_end_is_not_played_and_is_counted(self):
        game = Game(begun("script", turn_cap=2))
        write(game)
        ended = game.history[-1]
        assert ended == EpisodeEnded(reason="turn_cap", turn=2, summary={"unplayed": 2})
        assert outcome("turn_cap", ended.summary) == (
            "turn cap; 2 of the script's actions not played"
        )

    def test_a_script_that_does_not_end_it_is_over_with_its_last_line(self):
        game = Game(begun("script"))
        write(game, replace(SCRIPT, lines=SCRIPT.lines[:2]))
        assert game.history[-1] == EpisodeEnded(reason="script_over", turn=3)

    def test_one_that_begins_with_nothing_is_kept_whole(self):
        game = Game(begun("script"))
        write(game, replace(SCRIPT, kind="none", text=""))
        assert len(taken(game)) == 4

    def test_failures_are_no_empty_episode(self):
        first = replace(begun("script"), give_up_after=2)
        game = Game(first)
        failure = ActionFailure(reason="unreadable", detail="no JSON")
        for _ in range(2):
            game.do(
                TakeAction(
                    seat=0, turn=game.state.turn, action=Action(kind="none"), failure=failure
                )
            )
        assert isinstance(game.history[-1], EpisodeFailed)
        assert game.state.ended == "failed"

    def test_after_a_failure_the_script_is_asked_for_again(self):
        game = Game(begun("script"))
        failed = TakeAction(
            seat=0, turn=1, action=Action(kind="none"), failure=ActionFailure(reason="timeout")
        )
        game.do(failed)
        assert game.history[-1].asked[0].question == WRITE_SCRIPT
        write(game)
        assert game.history[-1].reason == "left"

    def test_a_fork_at_an_open_turn_has_this_turn_written_anew(self):
        game = Game(begun("script"))
        write(game)
        at = next(
            number
            for number, event in enumerate(game.history)
            if isinstance(event, TurnOpened) and event.turn == 2
        )
        fork = Game(begun("script"))
        fork.history, fork.state = [], type(fork.state)()
        for event in game.history[: at + 1]:
            fork.state = evolve(fork.state, event)
        (asked,) = fork.state.open
        assert (asked.seat, asked.question) == (1, WRITE_TURN)
        (forked,) = fork.do(Fork(parent="e1", minds=fork.state.minds))
        assert forked.at == at
        fork.act(text="250?")
        assert [one.action.text for one in taken(fork)] == ["250?", "200.", "Done."]

    def test_paused_it_is_stepped_line_by_line_and_then_to_its_end(self):
        game = Game(begun("script"))
        game.do(PauseEpisode(by="r"))
        write(game)
        assert not taken(game)
        game.do(StepEpisode(by="r"))
        lines = [len(taken(game))]
        while game.state.ended is None:
            game.do(StepEpisode(by="r"))
            lines.append(len(taken(game)))
        assert lines == [2, 3, 4, 4]

    @pytest.mark.parametrize(
        ("script", "why"),
        [
            (Action(kind="speak", text="Hi."), "a script of the whole dialogue is asked for"),
            (replace(SCRIPT, to=(1,)), "noticed by everybody"),
            (replace(SCRIPT, kind="speak", text=""), "needs a text"),
            (
                replace(SCRIPT, lines=(ScriptLine(seat=2, kind="none"),)),
                "action 2 is of seat 2; seats are 0 to 1",
            ),
            (
                replace(SCRIPT, lines=(ScriptLine(seat=1, kind="speak"),)),
                "action 2: an action of kind speak needs a text",
            ),
            (
                replace(SCRIPT, kind="leave", lines=(ScriptLine(seat=0, kind="none"),)),
                "action 2 is of seat 0, which has left before",
            ),
            (replace(SCRIPT, lines=SCRIPT.lines[:1] * 400), "at most 400 actions"),
        ],
    )
    def test_what_is_none_is_refused(self, script: Action, why: str):
        game = Game(begun("script"))
        with pytest.raises(CommandRefused, match=why):
            write(game, script)
        edit = EditAction(seat=0, turn=1, action=script, by="r")
        with pytest.raises(CommandRefused, match=why):
            game.do(edit)

    def test_a_turn_is_no_script_and_is_noticed_by_everybody(self):
        assert "not a script" in str(action_fault(WRITE_TURN, SCRIPT, 0, 2))
        whisper = Action(kind="speak", text="Psst.", to=(1,))
        assert "noticed by everybody" in str(action_fault(WRITE_TURN, whisper, 0, 3))


class TestAnswers:
    def read(self, answer: object, **rules) -> WholeScript:
        known = sight.background("e1", begun("script", **rules), 0)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return prompt_writer.PROMPTS.read(WRITE_SCRIPT, known, text, "m")

    def test_names_numbers_and_spellings_are_taken(self):
        assert self.read(WRITTEN) == SCRIPT
        assert self.read({"script": WRITTEN["lines"]}) == SCRIPT

    @pytest.mark.parametrize(
        ("answer", "why"),
        [
            ("Ada Reyes said: Hello.", "JSON"),
            ({"lines": []}, "has no turns"),
            ({"lines": WRITTEN["lines"][1:]}, "the first turn has to be Ada Reyes's"),
            ({"lines": [*WRITTEN["lines"][:1] * 9]}, "has 9 turns; it may have 8"),
            (
                {"lines": [WRITTEN["lines"][0], {"who": 3, "kind": "none"}]},
                "turn 2 is of 3; the characters are",
            ),
            ({"lines": [{"who": 1, "kind": "speak", "text": ""}]}, "turn 1: kind .* needs a text"),
            ({"lines": [{"who": 1, "kind": "none", "text": "Hm."}]}, "turn 1: kind .* has no text"),
            ({"lines": [{"who": 1, "kind": "speak", "text": "…"}]}, "turn 1 holds no word"),
            ({"lines": [{"who": 1, "kind": "shout", "text": "Hey"}]}, "shout"),
        ],
    )
    def test_a_script_of_which_a_part_cannot_be_read_is_none(self, answer: object, why: str):
        with pytest.raises(Unreadable, match=why):
            self.read(answer, turn_cap=8)

    def test_the_schema_holds_a_model_to_what_is_read(self):
        known = sight.background("e1", begun("script", seats=3, turn_cap=7), 0)
        lines = script_answers.held_schema(known)["properties"]["lines"]
        assert (lines["minItems"], lines["maxItems"]) == (1, 7)
        ways = lines["items"]["anyOf"]
        assert all(way["properties"]["who"]["enum"] == [1, 2, 3] for way in ways)
        turn = prompt_writer.PROMPTS.writer(
            sight.background("e1", begun("script-turn", seats=3), 0)
        ).prompt(WRITE_TURN, (), 1)
        assert "to" not in json.dumps(turn.schema).split('"')


class TestWhoSitsDown:
    @pytest.mark.parametrize("mode", ["script-turn", "script"])
    def test_one_mind_writes_for_all(self, mode: Mode):
        first = begun(mode)
        assert start_fault(first) is None
        two = replace(first, minds=(mind("calm"), mind("wily", temper="wily")))
        assert start_fault(two) == (
            f"in mode '{mode}' one mind writes for all seats, so each seat needs the same; "
            "named are 'calm', 'wily'"
        )
        lives = MindSpec(name="ga", kind="generative", model=ModelSpec(name="m"))
        assert "lives one character's life" in str(start_fault(replace(first, minds=(lives,) * 2)))
        game = Game(first)
        with pytest.raises(CommandRefused, match="each seat needs the same"):
            Game(first).do(Fork(parent="e1", minds=two.minds))
        with pytest.raises(CommandRefused, match="a person cannot sit in one"):
            game.do(TakeSeat(seat=0, participant="p1"))
        people = replace(first, minds=(MindSpec(name="person", kind="person"),) * 2)
        assert "a person cannot sit in one" in str(start_fault(people))

    def test_in_an_omniscient_episode_anybody_does(self):
        game = Game(begun("omniscient"))
        game.do(TakeSeat(seat=0, participant="p1"))

    def test_rules_and_modes_that_do_not_go_together_are_refused(self):
        for mode, changes, why in (
            ("script", {"order": "random"}, "a script says itself who acts"),
            ("script-turn", {"order": "simultaneous"}, "one turn after the other"),
            ("script", {"turn_cap": 401}, "at most 400 turns"),
            ("omniscient", {"prompt": "act-5"}, "has the prompt 'omniscient-1', not 'act-5'"),
            ("interactive", {"prompt": "script-1"}, "there is no prompt 'script-1'"),
        ):
            first = begun(mode)
            rules = replace(first.setup.rules, **changes)
            assert why in str(setup_fault(with_setup(first, rules=rules).setup, 2))


PLAN = """
catalog = "starter"
[minds.calm]
kind = "rehearsal"
[minds.wily]
kind = "rehearsal"
temper = "wily"
[social]
"""


class TestPlans:
    @pytest.mark.parametrize("mode", ["omniscient", "script-turn", "script"])
    def test_a_mode_brings_its_prompt(self, mode: Mode):
        rules = environment_settings(parse_plan(f'{PLAN}mode = "{mode}"', Path("p.toml")))
        assert (rules.mode, rules.prompt) == (mode, PROMPT_OF[mode])

    @pytest.mark.parametrize(
        ("section", "why"),
        [
            ('mode = "script"\nprompt = "act-paper"', "leave prompt out"),
            ('mode = "script"\norder = "random"', "a script says itself who acts"),
            ('mode = "play"', "social.mode"),
        ],
    )
    def test_what_does_not_go_with_it_is_refused(self, section: str, why: str):
        with pytest.raises(BadFile, match=why):
            parse_plan(f"{PLAN}{section}", Path("p.toml"))


def test_a_script_is_written_as_it_is_read():
    silent = replace(SCRIPT, lines=(*SCRIPT.lines[:-1], ScriptLine(seat=0, kind="none")))
    known = sight.background("e1", begun("script"), 0)
    for script in (SCRIPT, silent):
        assert script_answers.read(script_answers.written(script, 0), known, "m") == script


@pytest.mark.parametrize("seats", [2, 3])
async def test_a_rehearsed_script_is_what_rehearsal_minds_do_in_turn(seats: int):
    """So an episode of each mode can be played offline, and differs in nothing else."""
    plays: dict[str, list[tuple[int, str, str]]] = {}
    for mode in ("interactive", "script-turn", "script"):
        game = Game(begun(mode, seats=seats, seed=5))
        minds = [RehearsalMind("candid") for _ in range(seats)]
        while game.state.waiting:
            (seat,) = game.state.waiting
            scene = Scene(
                background=sight.background("e1", game.history[0], seat),
                seen=list(sight.view(game.history, seat).lines),
                turn=game.state.turn,
                question=game.state.open[0].question,
                seat=seat,
                seats=seats,
            )
            action = (await minds[seat].decide(scene, Stream())).action
            game.do(TakeAction(seat=seat, turn=game.state.turn, action=action))
        plays[mode] = [(one.seat, one.action.kind, one.action.text) for one in taken(game)]
        assert game.state.ended in ("left", "turn_cap", "stale")
    assert plays["script"] == plays["script-turn"]
    if seats == 2:
        assert plays["script"] == plays["interactive"]


async def test_a_model_is_asked_once_for_a_script_and_never_again():
    """A crash between the answer and the action resumes from the answer, which is recorded."""
    settings = StubSettings(choice={"message": {"content": json.dumps(WRITTEN)}})
    async with StubServer(settings) as stub:
        model = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url, max_tokens=300)
        spec = MindSpec(name="m", kind="model", model=model)
        first = begun("script", mind_=spec)
        caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
        scene = Scene(
            background=sight.background("e1", first, 0),
            seen=[],
            turn=1,
            question=WRITE_SCRIPT,
            seat=0,
            seats=2,
        )
        calls = Stream()
        for _ in range(2):
            decision = await ModelMind(model, GAME, caller).decide(scene, calls)
            assert decision.failure is None
            assert decision.action == SCRIPT
        await caller.close()
        assert stub.stats.requests == 1
        # A dialogue is longer than an action.
        assert stub.bodies[0]["max_tokens"] == 2000


async def test_a_model_that_writes_no_script_has_failed():
    settings = StubSettings(choice={"message": {"content": "Once upon a time."}})
    async with StubServer(settings) as stub:
        model = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url, reasks=1)
        first = begun("script")
        caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
        scene = Scene(
            background=sight.background("e1", first, 0),
            seen=[],
            turn=1,
            question=WRITE_SCRIPT,
            seat=0,
            seats=2,
        )
        decision = await ModelMind(model, GAME, caller).decide(scene, Stream())
        await caller.close()
        assert decision.failure is not None
        assert decision.failure.reason == "unreadable"
        assert stub.stats.requests == 2


def test_a_script_and_its_questions_are_stored_under_tags_of_their_own():
    assert msgspec.to_builtins(SCRIPT)["type"] == "social.Script"
    assert msgspec.to_builtins(WRITE_SCRIPT) == {"type": "social.WriteScript"}
    assert msgspec.to_builtins(WRITE_TURN) == {"type": "social.WriteTurn"}


def test_a_beginning_in_another_mode_is_not_the_same_beginning():
    game = Game(begun("script"))
    with pytest.raises(CommandRefused, match="in another way"):
        game.do(Start(started=begun("script-turn")))
