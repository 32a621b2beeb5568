"""What must hold of any environment, tried on every one that is installed by playing its own
catalog: replay is exact, nobody sees what they did not notice, a turn is open or all is over."""

import asyncio
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.episodes.catalogs.entries import TaskEntry
from actors.episodes.delivery.notices import Noticing
from actors.episodes.delivery.wire import wire_of
from actors.episodes.mind import Journal, Mind, Scene
from actors.episodes.port.environment import Environment
from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Viewer
from actors.episodes.registry import environments, game_of
from actors.episodes.rules.decide import (
    INITIAL,
    Continue,
    EpisodeState,
    Fork,
    Start,
    decide,
    evolve,
    follow,
)
from actors.runtime.errors import CommandRefused
from events.base import Event, replace
from events.environments import Catalog
from events.episode import ActionFailure, ActionTaken, EpisodeFailed, EpisodeStarted
from events.minds import MindSpec
from events.serialization.codec import decode_event, encode
from events.wire.messages import Observation, Posed, StopEpisode, TakeAction
from tests.support.memory_journal import Notebook

FAILED = ActionFailure(reason="timeout", detail="no answer came")
MOST = 40
"""Actions of one play; enough to come to the end of some."""

ENVIRONMENTS = pytest.mark.parametrize(
    "environment",
    [one for one in environments() if one.starter() is not None],
    ids=lambda environment: environment.name,
)


class Line(NamedTuple):
    """A history and the live state after each of its events; the first is of none."""

    started: EpisodeStarted
    history: list[Event]
    states: list[EpisodeState]

    @property
    def game(self) -> AnyGame:
        return game_of(self.started)

    @property
    def state(self) -> EpisodeState:
        return self.states[-1]

    def do(self, command: Any) -> tuple[Event, ...]:
        events = decide(self.state, command)
        for event in events:
            self.history.append(event)
            self.states.append(evolve(self.state, event))
        return events


@cache
def seats_of(name: str) -> dict[str, int]:
    """How many seats each task of an environment's own catalog has."""
    return {task.id: task.seats for task in catalog_of(name)[1]}


@cache
def catalog_of(name: str) -> tuple[Catalog, tuple[TaskEntry, ...]]:
    """An environment's own catalog and what can be played of it."""
    environment = next(one for one in environments() if one.name == name)
    catalog = environment.starter()
    assert catalog is not None
    return catalog, tuple(environment.tasks(catalog))


@ENVIRONMENTS
def test_a_task_names_the_scenario_that_its_episode_begins_with(environment: Environment) -> None:
    catalog, tasks = catalog_of(environment.name)
    settings = environment.plans.settings(environment.plans.section(), 1)
    for task in tasks[:: 1 + len(tasks) // 50]:
        begun = environment.begin(catalog, task.id, settings, 1)
        assert task.scenario in ("", begun.scenario), task.id


def beginning(environment: Environment, task: str, seed: int) -> EpisodeStarted:
    catalog, _ = catalog_of(environment.name)
    settings = environment.plans.settings(environment.plans.section(), seed)
    begun = environment.begin(catalog, task, settings, seed)
    seats = seats_of(environment.name)[task]
    return EpisodeStarted(
        run="",
        catalog=catalog.name,
        environment=environment.name,
        task=task,
        setup=begun.setup,
        scenario=begun.scenario,
        title=begun.title,
        characters=begun.characters,
        minds=tuple(MindSpec(name=f"«mind {seat}»", kind="remote") for seat in range(seats)),
    )


def a_mind(draw: st.DrawFn, environment: Environment, line: Line) -> Mind:
    """A rehearsal mind of any temper that the environment has."""
    return line.game.rehearsal(draw(st.sampled_from(environment.tempers)))


def answer(
    environment: Environment,
    line: Line,
    mind: Mind,
    seat: int,
    place: int,
    journal: Journal | None = None,
) -> Any:
    """What a rehearsal mind in a seat answers to one of its open questions."""
    asked = [asked for asked in line.state.open if asked.seat == seat][place]
    eyes = line.game.sight.reducer(line.started, seat)
    seen = [notice for pair in enumerate(line.history) for notice in eyes.apply(*pair)]
    scene = Scene(
        background=line.game.sight.background("e1", line.started, seat, ""),
        seen=sorted(seen, key=lambda notice: notice.number),
        turn=line.state.turn,
        question=asked.question,
        question_id=asked.id,
        seat=seat,
        seats=len(line.started.minds),
    )
    return asyncio.run(mind.decide(scene, journal or Notebook())).action


def play_on(draw: st.DrawFn, environment: Environment, line: Line, moves: int) -> None:
    """Let seats answer in any order, some with nothing, until the end or for so many moves."""
    minds = [a_mind(draw, environment, line) for _ in line.started.minds]
    journals = [Notebook() for _ in minds]
    for _ in range(moves):
        state = line.state
        if not state.waiting:
            return
        if draw(st.integers(0, 29)) == 7:
            line.do(StopEpisode())
            return
        seat = draw(st.sampled_from(state.waiting))
        asked = next(asked for asked in state.open if asked.seat == seat)
        command = TakeAction(seat=seat, turn=state.turn, question=asked.id, action=None)
        if draw(st.integers(0, 4)) == 0:
            action = line.game.rules.nothing(asked.question)
            line.do(replace(command, action=action, failure=FAILED))
        else:
            action = answer(environment, line, minds[seat], seat, 0, journals[seat])
            line.do(replace(command, action=action))


def plays(environment: Environment) -> st.SearchStrategy[Line]:
    """Episodes of an environment, played for a while or to their end."""

    @st.composite
    def line(draw: st.DrawFn) -> Line:
        task = draw(st.sampled_from(catalog_of(environment.name)[1]))
        started = beginning(environment, task.id, draw(st.integers(0, 2**62)))
        played = Line(started, [], [INITIAL])
        played.do(Start(started=started))
        play_on(draw, environment, played, draw(st.integers(0, MOST)))
        return played

    return line()


def stored(event: Event) -> Event:
    """The event as it comes back from the store."""
    return decode_event(type(event).__name__, event.SCHEMA, encode(event))


def viewers(line: Line) -> tuple[Viewer, ...]:
    return (*range(len(line.started.minds)), "spectator", "narrator", "judge")


@ENVIRONMENTS
@given(data=st.data())
def test_the_fold_of_any_prefix_of_what_is_stored_is_the_state_as_it_was_then(environment, data):
    line = data.draw(plays(environment))
    state = INITIAL
    for event, live in zip(line.history, line.states[1:], strict=True):
        state = evolve(state, stored(event))
        assert state == live


@ENVIRONMENTS
@given(data=st.data())
def test_a_turn_is_open_or_all_is_over_and_what_was_cut_off_is_mended(environment, data):
    line = data.draw(plays(environment))
    for number, state in enumerate(line.states[1:], start=1):
        if follows := follow(state):
            assert decide(state, Continue()) == tuple(line.history[number:])[: len(follows)]
        else:
            assert bool(state.waiting) != (state.ended is not None)
    assert follow(line.state) == ()


@ENVIRONMENTS
@given(data=st.data())
def test_an_action_delivered_again_changes_nothing(environment, data):
    line = data.draw(plays(environment))
    for event in line.history:
        if isinstance(event, ActionTaken):
            again = TakeAction(
                seat=event.seat, turn=event.turn, question=event.question, action=event.action
            )
            assert decide(line.state, again) == ()


@ENVIRONMENTS
@given(data=st.data())
def test_an_episode_goes_on_after_a_fork_at_any_event(environment, data):
    line = data.draw(plays(environment))
    at = data.draw(st.integers(0, len(line.history) - 1))
    state = line.states[at + 1]
    minds = tuple(replace(mind, name="new") for mind in line.started.minds)
    fork = Line(line.started, line.history[: at + 1], line.states[: at + 2])
    if state.ended is not None:
        with pytest.raises(CommandRefused, match="is its end"):
            fork.do(Fork(parent="e1", minds=minds))
        return
    fork.do(Fork(parent="e1", minds=minds))
    fork.do(Continue())
    assert fork.state.minds == minds
    fold = INITIAL
    for event in fork.history:
        fold = evolve(fold, stored(event))
    assert fold == fork.state


@ENVIRONMENTS
@given(data=st.data())
def test_what_was_given_up_goes_on_when_reopened(environment, data):
    from actors.episodes.rules.decide import Reopen

    line = data.draw(plays(environment))
    if line.state.ended is not None:
        return
    given_up = evolve(line.state, EpisodeFailed(reason="a bug", attempts=5))
    (reopened,) = decide(given_up, Reopen())
    again = evolve(given_up, reopened)
    anew = (0,) * len(line.state.failing)
    assert replace(again, number=line.state.number) == replace(line.state, failing=anew)


@ENVIRONMENTS
@given(data=st.data())
def test_who_noticed_the_same_is_shown_the_same_whatever_else_was_done(environment, data):
    """Of two plays of one beginning, in which a viewer noticed the same so far, it is shown the
    same: nothing that it did not notice is in its view, its prompt or its account."""
    task = data.draw(st.sampled_from(catalog_of(environment.name)[1]))
    started = beginning(environment, task.id, data.draw(st.integers(0, 2**62)))
    anybody = (*range(len(started.minds)), "spectator")
    few = min(3, len(anybody))
    looking = data.draw(st.sets(st.sampled_from(anybody), min_size=few, max_size=few))
    shown: dict[Any, set[bytes]] = defaultdict(set)
    for _ in range(3):
        line = Line(started, [], [INITIAL])
        line.do(Start(started=started))
        play_on(data.draw, environment, line, 12)
        for viewer in looking:
            eyes, seen = game_of(started).sight.reducer(started, viewer), []
            for length, event in enumerate(line.history, start=1):
                seen += eyes.apply(length - 1, event)
                state = line.states[length]
                view = line.game.sight.view(line.history[:length], viewer)
                key = (viewer, encode(seen), state.turn, state.ended)
                shown[key].add(encode(view) + encode(line.game.words.account(view)))
    assert all(len(different) == 1 for different in shown.values())


@ENVIRONMENTS
@given(data=st.data())
def test_who_is_not_told_of_what_it_cannot_notice_notices_the_same(environment, data):
    line = data.draw(plays(environment))
    noticing = Noticing()
    for number, event in enumerate(line.history):
        noticing.look(number, event)
    for seat in range(len(line.started.minds)):
        eyes = line.game.sight.reducer(line.started, seat)
        noticed = [notice for pair in enumerate(line.history) for notice in eyes.apply(*pair)]
        assert noticing.everything(line.started, seat) == noticed


@ENVIRONMENTS
@given(data=st.data())
def test_no_mind_is_named_to_anybody(environment, data):
    line = data.draw(plays(environment))
    for viewer in viewers(line):
        view = line.game.sight.view(line.history, viewer)
        told = encode(view) + encode(line.game.words.account(view))
        assert b"\xc2\xabmind" not in told
    for seat in range(len(line.started.minds)):
        assert b"\xc2\xabmind" not in encode(
            line.game.sight.background("e1", line.started, seat, "")
        )


@ENVIRONMENTS
@given(data=st.data())
def test_what_a_seat_is_sent_comes_over_the_wire_as_it_was(environment, data):
    line = data.draw(plays(environment))
    wire = wire_of(environment.name)
    for seat in range(len(line.started.minds)):
        eyes = line.game.sight.reducer(line.started, seat)
        news = tuple(notice for pair in enumerate(line.history) for notice in eyes.apply(*pair))
        observation = Observation(
            episode="e1",
            seat=seat,
            turn=line.state.turn,
            news=news,
            background=line.game.sight.background("e1", line.started, seat, "what was"),
            questions=tuple(Posed(question=a.question) for a in line.state.open if a.seat == seat),
        )
        assert wire.decode_seat_message(encode(observation)) == observation
    for event in line.history:
        if isinstance(event, ActionTaken):
            plain = msgspec.msgpack.decode(encode(event.action))
            assert wire.action(plain) == event.action


@ENVIRONMENTS
@given(data=st.data())
def test_an_account_tells_what_is_noticed_one_by_one(environment, data):
    line = data.draw(plays(environment))
    for viewer in viewers(line):
        write = line.game.words.entry_writer(line.started, viewer)
        eyes = line.game.sight.reducer(line.started, viewer)
        noticed = [notice for pair in enumerate(line.history) for notice in eyes.apply(*pair)]
        entries = sorted(map(write, noticed), key=lambda entry: entry.number)
        account = line.game.words.account(line.game.sight.view(line.history, viewer))
        assert list(account.entries) == entries
        assert bool(account.ended) == (line.state.ended is not None)


@ENVIRONMENTS
def test_every_task_of_its_own_catalog_can_begin(environment):
    for task in catalog_of(environment.name)[1]:
        started = beginning(environment, task.id, 1)
        assert decide(INITIAL, Start(started=started))[0] == started


@ENVIRONMENTS
@given(st.binary(max_size=200), st.text(max_size=200))
def test_an_answer_that_is_anything_is_read_or_called_unreadable(environment, noise, text):
    from actors.models.errors import Unreadable

    task = catalog_of(environment.name)[1][0]
    started = beginning(environment, task.id, 1)
    asked = next(iter(follow(evolve(INITIAL, started))[-1].asked))
    game = game_of(started)
    background = game.sight.background("e1", started, asked.seat, "")
    for words in (text, noise.decode("utf-8", "replace"), f'{{"kind": {text!r}}}'):
        try:
            action = game.prompts.read(asked.question, background, words, "test")
        except Unreadable:
            continue
        fault = game.rules.action_fault(asked.question, action, asked.seat, len(started.minds))
        assert fault is None or fault.strip()
