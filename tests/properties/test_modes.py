"""In every mode, who may see what, and what is replayed; and that no judge is told the mode."""

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.rules.decide import INITIAL, Start, evolve
from actors.social import render
from actors.social.actions import Action, ScriptLine, WholeScript, WriteScript
from actors.social.modes import PROMPT_OF, SCRIPTED, Mode
from actors.social.prompt_writer import PROMPTS
from actors.social.setup import EpisodeRules
from actors.social.sight import background, reducer, view
from events.base import replace
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted
from events.serialization.codec import decode_event, encode
from events.wire.messages import TakeAction
from tests.properties.episodes import Played, beginnings, marker, mind, play_on
from tests.properties.test_visibility import (
    EVERY_FIELD,
    known_from_the_start,
    markers_in,
    may_be_noticed,
)
from tests.support.builders import with_setup

quick = settings(deadline=None)

KINDS = ("speak", "speak", "non_verbal", "physical", "none", "leave")


@st.composite
def begun_in(draw: st.DrawFn, mode: Mode) -> EpisodeStarted:
    """A beginning whose every private text is a marker, in a mode."""
    first = draw(beginnings())
    order = first.setup.rules.order
    if mode in SCRIPTED and (mode == "script" or order == "simultaneous"):
        order = "round_robin"
    rules = replace(first.setup.rules, mode=mode, prompt=PROMPT_OF[mode], order=order)
    goals = tuple(
        f'{goal}<p viewer="environment">{marker("graded", seat)}</p>'
        for seat, goal in enumerate(first.setup.scenario.goals)
    )
    scenario = replace(first.setup.scenario, goals=goals)
    first = with_setup(first, rules=rules, scenario=scenario)
    seats = len(first.minds)
    return replace(first, minds=(mind(0),) * seats) if mode in SCRIPTED else first


@st.composite
def played_in(draw: st.DrawFn, mode: Mode) -> Played:
    """An episode in a mode, played for a while or to its end."""
    played = Played()
    played.do(Start(started=draw(begun_in(mode))))
    moves = draw(st.integers(0, 12))
    if mode == "omniscient":
        play_on(draw, played, moves)
    elif mode == "script" and moves:
        played.do(take(played, draw(scripts(len(played.started.minds), moves))))
    elif mode == "script-turn":
        while moves and played.state.waiting:
            kind = draw(st.sampled_from(KINDS))
            text = "" if kind == "none" else marker("act", played.state.number + 1)
            played.do(take(played, Action(kind=kind, text=text)))
            moves -= 1
    return played


@st.composite
def scripts(draw: st.DrawFn, seats: int, lines: int) -> WholeScript:
    """A script that can be played; each of its texts is a marker."""
    written: list[ScriptLine] = []
    gone: set[int] = set()
    for number in range(lines):
        there = [seat for seat in range(seats) if seat not in gone]
        if not there:
            break
        seat = draw(st.sampled_from(there)) if written else 0
        kind = draw(st.sampled_from(KINDS))
        text = "" if kind == "none" else marker("act", number)
        written.append(ScriptLine(seat=seat, kind=kind, text=text))
        gone |= {seat} if kind == "leave" else set()
    first = written[0]
    return WholeScript(kind=first.kind, text=first.text, lines=tuple(written[1:]))


def take(played: Played, action: Action) -> TakeAction:
    """The answer of who is asked."""
    state = played.state
    return TakeAction(seat=state.waiting[0], turn=state.turn, action=action)


modes = st.sampled_from(list(PROMPT_OF))


@quick
@given(modes.flatmap(played_in))
def test_nothing_private_reaches_a_seat_that_may_not_see_it(played: Played):
    """But where the episode is omniscient: there profiles and goals are everybody's, and whispers,
    stories and what is for the environment are not."""
    started = played.started
    seats = range(len(started.setup.cast))
    omniscient = started.setup.rules.mode == "omniscient"
    everybodys = {
        marker(what, seat) for seat in seats for what in (*EVERY_FIELD, "goal", "extra", "hint")
    }
    for length in range(1, len(played.history) + 1):
        history, state = played.history[:length], played.states[length]
        for seat in seats:
            may = known_from_the_start(started, seat)
            may |= everybodys if omniscient else set()
            now = may_be_noticed(history, state, seat)
            shown = view(history, seat)
            assert markers_in(shown, render.account(shown)) == may | now
            eyes = reducer(started, seat)
            told = [line for n, event in enumerate(history) for line in eyes.apply(n, event)]
            assert markers_in(*told) - may == now


@quick
@given(modes.flatmap(played_in))
def test_what_a_mind_is_given_is_marked_where_it_is_more_than_its_seat_may_know(played: Played):
    started = played.started
    mode = started.setup.rules.mode
    for seat in range(len(started.setup.cast)):
        known = background("e1", started, seat)
        assert known.mode == mode
        assert (known.play is not None) == (mode in SCRIPTED)
        if mode in SCRIPTED:
            own = markers_in(replace(known, play=None))
            assert own == known_from_the_start(started, seat)
            assert known.play == started.setup
        else:
            lines = view(played.history, seat).lines
            asked = PROMPTS.writer(known).prompt(played.history[1].asked[0].question, lines, 3)
            now = may_be_noticed(played.history, played.state, seat)
            assert markers_in(*asked[:2]) == markers_in(known) | now


@quick
@given(st.sampled_from(sorted(SCRIPTED)).flatmap(played_in))
def test_who_writes_for_all_is_told_everything_and_nothing_twice(played: Played):
    started = played.started
    seat = 0
    asked = played.history[1].asked[0].question
    lines = view(played.history, seat).lines
    prompt = PROMPTS.writer(background("e1", started, seat)).prompt(asked, lines, 3)
    private = markers_in(*view([started], "judge").profiles)
    shown = markers_in(prompt.system, prompt.user)
    assert private <= shown
    minds = {marker("mind", 0), marker("codename", 0)}
    assert not shown & minds
    if not isinstance(asked, WriteScript):
        assert markers_in(*lines) <= shown


@quick
@given(modes.flatmap(played_in))
def test_an_episode_is_replayed_from_its_bytes_to_the_states_that_were_live(played: Played):
    state = INITIAL
    for event, live in zip(played.history, played.states[1:], strict=True):
        kind = type(event)
        again = decode_event(kind.__name__, kind.SCHEMA, encode(event))
        assert again == event
        state = evolve(state, again)
        assert state == live


@quick
@given(begun_in("script"), st.data())
def test_a_script_is_what_the_same_actions_are_turn_by_turn(first: EpisodeStarted, data):
    """Judges, spectators and seats see the same; the rules end both by the same rules."""
    script = data.draw(scripts(len(first.minds), data.draw(st.integers(1, 10))))
    written = Played()
    written.do(Start(started=first))
    written.do(take(written, script))
    rules = replace(first.setup.rules, mode="script-turn", prompt=PROMPT_OF["script-turn"])
    turns = Played()
    turns.do(Start(started=with_setup(first, rules=rules)))
    everything = (ScriptLine(seat=0, kind=script.kind, text=script.text), *script.lines)
    ended = written.history[-1]
    assert isinstance(ended, EpisodeEnded)
    done = [event for event in written.history if isinstance(event, ActionTaken)]
    assert [(one.seat, one.action.kind, one.action.text) for one in done] == [
        (line.seat, line.kind, line.text) for line in everything[: len(done)]
    ]
    assert ended.summary.get("unplayed", 0) == len(everything) - len(done)
    if ended.reason == "script_over":
        assert len(done) == len(everything)
    for one in done:
        if turns.state.waiting != (one.seat,):
            return  # a script says itself who acts
        turns.do(take(turns, Action(kind=one.action.kind, text=one.action.text)))
    for viewer in (*range(len(first.minds)), "judge", "spectator", "narrator"):
        assert view(turns.history, viewer).lines == view(written.history, viewer).lines
    if turns.state.ended:
        same = [replace(one, ended="", detail="") for one in
                (view(turns.history, "judge"), view(written.history, "judge"))]  # fmt: skip
        assert same[0] == same[1]
        assert turns.state.ended == ended.reason


def test_rules_that_were_stored_before_there_were_modes_are_interactive():
    assert EpisodeRules().mode == "interactive"
    assert b"mode" not in encode(EpisodeRules())
