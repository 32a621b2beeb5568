"""In games by random rules no role, no message of a team, no secret act and no vote that is not
counted is in any byte that is sent to somebody who may not know it; an oracle says who may. Replays
and forks are exact, and every game ends."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.rules import Ask, End
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import INITIAL, Continue, Fork, Start, evolve
from actors.games.render import LIMITS
from actors.games.rules import RULES
from actors.games.setup import Deal, Decide, GameAct
from actors.games.sight import ActSeen, FactSeen
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec
from events.wire.messages import Observation, Posed, StopEpisode, TakeAction
from gateway.pages.stage.stage_page import address_of
from gateway.services.episodes.episode_details import episode_details, replay_details
from gateway.services.viewers.event_frames import FrameBuilder, scene_of
from gateway.services.viewers.packed_frames import packed
from gateway.services.viewers.posed_question import posed_question
from gateway.services.viewers.viewer_frames import ViewerFrames
from store.log.event_store import NEW
from store.open_store import open_store
from tests.properties.game_oracle import Told, Who
from tests.properties.game_rules import BANK, MARKS, SEED, TEAMS, deals
from tests.properties.test_every_environment import FAILED, Line, stored

MOST = 40
"""Acts of one play."""
_json = msgspec.json.Encoder(enc_hook=str).encode


def beginning(deal: Deal) -> EpisodeStarted:
    seats = len(deal.players)
    return EpisodeStarted(
        run="",
        task="set-1",
        scenario=deal.rules.id,
        title=deal.rules.title,
        catalog="random",
        environment="games",
        characters=tuple(one.name for one in deal.players),
        setup=deal,
        minds=tuple(MindSpec(name=f"m{seat}", kind="remote") for seat in range(seats)),
    )


def an_act(question: Decide, chance: Random, said: str) -> GameAct:
    """Anything that the question allows."""
    option = chance.choice(question.options)
    alone = option.direct and chance.random() < 0.5
    return GameAct(
        verb=option.verb,
        target=chance.choice(option.targets) if option.targets else None,
        numbers={one.id: chance.randint(one.low, one.high) for one in option.numbers},
        word=chance.choice(option.words) if option.words else "",
        text=said if option.says else "",
        to=chance.choice(option.direct) if alone else None,
    )


def play_on(line: Line, chance: Random, acts: int) -> None:
    """Seats answer in any order, some with nothing."""
    for _ in range(acts):
        state = line.state
        if not state.waiting:
            return
        if chance.random() < 0.01:
            line.do(StopEpisode())
            return
        asked = chance.choice(state.open)
        command = TakeAction(seat=asked.seat, turn=state.turn, question=asked.id, action=None)
        if chance.random() < 0.05:
            nothing = RULES.nothing(asked.question)
            line.do(replace(command, action=nothing, failure=FAILED))
        else:
            said = f"«said {len(line.history)}»"
            act = an_act(asked.question, chance, said)
            assert RULES.action_fault(asked.question, act, asked.seat, len(state.minds)) is None
            line.do(replace(command, action=act))


class GameLine(Line):
    """A game, and the states that it was in."""

    __slots__ = ()

    def __repr__(self) -> str:
        rules = _json(self.started.setup.rules).decode()
        return "\n".join((rules, *(repr(event) for event in self.history[1:])))


def begun(deal: Deal) -> GameLine:
    line = GameLine(beginning(deal), [], [INITIAL])
    line.do(Start(started=line.started))
    return line


@st.composite
def games(draw: st.DrawFn, most: int = MOST) -> GameLine:
    """A game by random rules, played for a while."""
    line = begun(draw(deals()))
    acts = draw(st.sampled_from((most // 8, most // 2, most, most)))
    play_on(line, Random(draw(st.integers(0, 2**32))), acts)
    return line


# ---------------------------------------------------------------- what somebody is sent


def sent(history: Sequence[Event], viewer: Any) -> Iterator[object]:
    """Everything that a viewer is sent over the socket, by page or with an export."""
    started = history[0]
    assert isinstance(started, EpisodeStarted)
    game = game_of(started)
    scene = scene_of(started, viewer)
    teller = FrameBuilder(started, viewer, scene.portraits)
    frames = [teller.tell(number, event, number) for number, event in enumerate(history)]
    happened = tuple(frame for frame in frames if frame is not None)
    yield happened
    yield packed(ViewerFrames(viewer=viewer, scene=scene, happened=happened))
    view = game.sight.view(history, viewer)
    yield view
    yield game.words.account(view)


def asked(line: Line, length: int, seat: int) -> Iterator[object]:
    """What a seat is asked then, as a model, a remote program and a person are."""
    game, history, state = line.game, line.history[:length], line.states[length]
    background = game.sight.background("e1", line.started, seat, "")
    yield background
    yield game.crowd.shared(background)
    eyes = game.sight.reducer(line.started, seat)
    news = tuple(notice for pair in enumerate(history) for notice in eyes.apply(*pair))
    mine = [one for one in state.open if one.seat == seat]
    for one in mine:
        prompt = game.prompts.writer(background).prompt(one.question, news, state.turn)
        yield f"{prompt.system}\n{prompt.user}\n{_json(prompt.schema).decode()}"
        yield posed_question(game, background, one)
    posed = tuple(Posed(id=one.id, question=one.question) for one in mine)
    yield Observation(
        episode="e1", seat=seat, turn=1, news=news, background=background, questions=posed
    )


def text_of(shown: object) -> str:
    """Words as they are; anything else as the text that would be sent."""
    return shown if isinstance(shown, str) else _json(shown).decode()


def without_rules(deal: Deal, told: str) -> str:
    """A text without the rules, which all may know but for what their roles are told."""
    bare = [replace(role, goal="", secret="") for role in deal.rules.roles]
    return told.replace(_json(replace(deal.rules, roles=tuple(bare))).decode(), "the rules")


# ---------------------------------------------------------------- what they may not contain


def private(line: Line, length: int, viewer: Who) -> Iterator[str]:
    """What the viewer may not be told after so many events, as texts that would give it away."""
    told = Told(line.history[:length])
    own = told.roles[viewer] if isinstance(viewer, int) else None
    cards = [card for card in told.deal.cards if card is not None]
    card = cards[viewer] if isinstance(viewer, int) else None
    yield str(SEED)
    for role in told.deal.rules.roles:
        if own is None or role.id != own.id:
            yield f"«goal of {role.id}»"
            yield f"«secret of {role.id}»"
    for row in BANK.rows:
        yield from (word for word in row if card is None or word not in card.secret)
    roles, teams = told.roles_known(viewer)
    yield from (role.id for role in told.deal.rules.roles if role.id not in roles)
    yield from (team for team in TEAMS if team not in teams)
    noticed = told.noticed_acts(viewer)
    known = {one.act.text for one in noticed}
    yield from (one.act.text for one in told.acts if one.act.text and one.act.text not in known)
    facts = [one.fact for one in told.facts if told.may_notice(viewer, one)]
    verbs = {one.act.verb for one in noticed} | {one.name for one in facts}
    for one in line.states[length].open:
        if one.seat == viewer:
            verbs |= {option.verb for option in one.question.options}
    every = {verb.id for phase in told.deal.rules.phases for verb in phase.verbs}
    yield from every - verbs
    yield from set(MARKS) - {one.name for one in facts if one.kind == "marked"}


def viewers(line: Line) -> tuple[Who, ...]:
    return (*range(len(line.started.minds)), "spectator")


def check_bytes(line: Line, length: int, viewer: Who, shown: Sequence[object]) -> None:
    told = without_rules(line.started.setup, "\n".join(map(text_of, shown)))
    for secret in private(line, length, viewer):
        assert secret not in told, f"{viewer} is told {secret}"


@settings(deadline=None)
@given(line=games())
def test_nothing_is_in_any_byte_that_is_sent_to_somebody_who_may_not_know_it(line: Line):
    lengths = {*range(1, len(line.history), 5), len(line.history)}
    for length in sorted(lengths):
        for viewer in viewers(line):
            shown = [*sent(line.history[:length], viewer)]
            if isinstance(viewer, int):
                shown += asked(line, length, viewer)
            check_bytes(line, length, viewer, shown)


@settings(deadline=None)
@given(line=games())
def test_exactly_those_notice_an_act_who_may_and_nobody_a_fact_who_may_not(line: Line):
    for length in range(1, len(line.history) + 1):
        history = line.history[:length]
        if isinstance(history[-1], TurnOpened) and length < len(line.history):
            continue  # What was held back is told when more happens.
        told = Told(history)
        for viewer in viewers(line):
            view: Any = line.game.sight.view(history, viewer)  # type: ignore[arg-type]
            seen = view.noticed
            acts = [(one.number, one.seat, one.act) for one in seen if isinstance(one, ActSeen)]
            due = [(one.number, one.seat, one.act) for one in told.noticed_acts(viewer)]
            # The last to answer is seen with what comes of it.
            assert acts == due or isinstance(history[-1], ActionTaken), (viewer, acts, due)
            assert set(map(repr, acts)) <= set(map(repr, due))
            facts = [(one.number, one.fact) for one in seen if isinstance(one, FactSeen)]
            may = [
                (one.number, replace(one.fact, to=None))
                for one in told.facts
                if told.may_notice(viewer, one)
            ]
            for fact in facts:
                assert fact in may, f"{viewer} is told {fact}"
            # Of a phase that the end of the game came with nobody can tell whether it was skipped.
            last = {one.number for one in told.facts if one.fact.kind == "ended"}
            for one in told.facts:
                public = one.phase is not None and one.phase.visibility == "public"
                alone = any(act.act.to is not None for act in one.acts)
                if (
                    one.fact.kind in ("ended", "eliminated")
                    or (public and one.fact.kind == "chosen" and not alone)
                    or (public and one.fact.kind == "phase" and one.number not in last)
                ) and not one.skipped:
                    told_of = (one.number, replace(one.fact, to=None))
                    assert told_of in facts, f"{viewer} is not told {told_of}"


@settings(deadline=None)
@given(line=games())
def test_each_is_told_what_is_its_own_and_a_judge_everything(line: Line):
    """So that the properties above are about something."""
    told = Told(line.history)
    for seat, role in enumerate(told.roles):
        shown = "\n".join(map(text_of, asked(line, len(line.history), seat)))
        assert f"«goal of {role.id}»" in shown
        assert f"«secret of {role.id}»" in shown
    view: Any = line.game.sight.view(line.history, "judge")
    everything = text_of(view)
    assert all(one.act.text in everything for one in told.acts)
    assert [one.fact for one in view.noticed if isinstance(one, FactSeen)] == [
        one.fact for one in told.facts
    ]


@settings(deadline=None, max_examples=10)
@given(line=games())
def test_what_is_printed_and_exported_as_a_seat_holds_to_it(line: Line):
    with TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/t.db")) as store:
        store.append("episode-e1", NEW, list(line.history))
        for viewer in viewers(line):
            name = address_of(viewer)  # type: ignore[arg-type]
            last = len(line.history)
            check_bytes(line, last, viewer, [episode_details(store, "e1", name)])
            for at in {last // 2, last - 1}:
                check_bytes(line, at + 1, viewer, [replay_details(store, "e1", at, name)])


# ---------------------------------------------------------------- how games go


@settings(deadline=None)
@given(line=games())
def test_the_fold_of_what_is_stored_is_the_state_as_it_was(line: Line):
    state = INITIAL
    for event, live in zip(line.history, line.states[1:], strict=True):
        state = evolve(state, stored(event))
        assert state == live


@settings(deadline=None)
@given(line=games())
def test_the_same_acts_lead_to_the_same_events(line: Line):
    again = begun(stored(line.started).setup)  # type: ignore[attr-defined]
    for event in line.history:
        if isinstance(event, ActionTaken):
            again.do(
                TakeAction(
                    seat=event.seat,
                    turn=event.turn,
                    question=event.question,
                    action=event.action,
                    failure=event.failure,
                )
            )
    stopped = isinstance(line.history[-1], EpisodeEnded) and line.history[-1].reason == "stopped"
    assert again.history == line.history[: -1 if stopped else None]


@settings(deadline=None)
@given(line=games(), data=st.data())
def test_a_fork_is_as_its_parent_up_to_its_event_and_goes_on_by_itself(line: Line, data: Any):
    ended = line.state.ended is not None
    at = data.draw(st.integers(0, len(line.history) - 1 - ended))
    minds = tuple(replace(mind, name="new") for mind in line.started.minds)
    before = list(line.history)
    fork = Line(line.started, line.history[: at + 1], line.states[: at + 2])
    fork.do(Fork(parent="e1", minds=minds))
    fork.do(Continue())
    play_on(fork, Random(data.draw(st.integers(0, 9))), MOST)
    assert line.history == before
    assert fork.history[: at + 1] == line.history[: at + 1]
    fold = INITIAL
    for event in fork.history:
        fold = evolve(fold, stored(event))
    assert fold == fork.state
    assert fork.state.waiting or fork.state.ended


@settings(deadline=None, max_examples=60)
@given(deal=deals(), seed=st.integers(0, 2**32))
def test_every_game_ends_and_asks_nobody_more_often_than_was_foreseen(deal: Deal, seed: int):
    chance, world, turns = Random(seed), RULES.initial(deal), 0
    left = list(LIMITS.questions(deal, len(deal.players)))
    phases = {one.id: one for one in deal.rules.phases}
    while not isinstance(step := RULES.next_step(world), End):
        if isinstance(step, Ask):
            turns += 1
            world = RULES.evolve(world, TurnOpened(turn=turns, asked=step.asked))
            for one in step.asked:
                left[one.seat] -= 1
                assert left[one.seat] >= 0
                who = phases[one.question.phase].who
                assert world.alive[one.seat] or who.status != "in", "who is out does not act"
                act = an_act(one.question, chance, "hello")
                world = RULES.evolve(world, ActionTaken(turn=turns, seat=one.seat, action=act))
        else:
            world = RULES.evolve(world, WorldChanged(change=step))
    assert world.round <= (deal.rules.rounds or 1)
    assert step.reason in ("won", "drawn", "settled", "exhausted")
