"""Random episodes, played by the rules, whose every private text is a marker of its own."""

from hypothesis import strategies as st

from actors.episodes.rules.decide import (
    INITIAL,
    EpisodeCommand,
    EpisodeState,
    Start,
    decide,
    evolve,
)
from actors.social.actions import Action
from actors.social.catalog_items import BigFive, Character, RelationshipKind, Scenario
from actors.social.prompt_names import TEMPLATES
from actors.social.setup import EpisodeRules, SeatRelationship
from events.base import Event
from events.episode import EpisodeStarted
from events.minds import MindSpec
from events.wire.messages import StopEpisode, TakeAction
from tests.support.builders import social_start

FIELDS = (
    "last_name",
    "gender",
    "pronouns",
    "occupation",
    "public_info",
    "decision_style",
    "personality",
    "secret",
)
"""Fields of a character that hold one text."""


def marker(what: str, seat: int) -> str:
    """A text that occurs nowhere else."""
    return f"<{what}~{seat}>".replace("<", "«").replace(">", "»")


def character(seat: int) -> Character:
    """Somebody each of whose fields is a marker."""
    return Character(
        id=f"id{seat}",
        first_name="Kim",
        age=100 + seat,
        moral_values=(marker("moral", seat),),
        schwartz_values=(marker("value", seat),),
        big_five=BigFive(openness=marker("trait", seat)),
        **{field: marker(field, seat) for field in FIELDS},
    )


def mind(seat: int) -> MindSpec:
    """A mind whose name is a marker."""
    return MindSpec(name=marker("mind", seat), kind="remote")


@st.composite
def beginnings(draw: st.DrawFn) -> EpisodeStarted:
    """Two to five seats, any ties, any order, hints and passages in every text."""
    seats = draw(st.integers(2, 5))
    ties = []
    for one in range(seats):
        for other in range(one + 1, seats):
            kind = draw(st.sampled_from([None, *RelationshipKind]))
            if kind is not None:
                pair = draw(st.sampled_from([(one, other), (other, one)]))
                story = (
                    f"{marker('story', one * 10 + other)}{_passages(f'told{one}{other}', seats)}"
                )
                ties.append(SeatRelationship(seats=pair, kind=kind, story=story))
    goals = []
    for seat in range(seats):
        hint = f"<extra_info>{marker('extra', seat)}<strategy_hint>{marker('hint', seat)}"
        goals.append(f"{marker('goal', seat)} ({hint}</strategy_hint></extra_info>)")
    return social_start(
        run="",
        task="t",
        catalog="c",
        scenario=Scenario(
            id="s",
            codename=marker("codename", 0),
            context=f"{marker('context', 0)} {_passages('scene', seats)}",
            goals=tuple(goals),
        ),
        cast=tuple(character(seat) for seat in range(seats)),
        relationships=tuple(ties),
        minds=tuple(mind(seat) for seat in range(seats)),
        rules=EpisodeRules(
            order=draw(st.sampled_from(["round_robin", "simultaneous", "random"])),
            turn_cap=draw(st.integers(1, 8)),
            stale_turns=draw(st.integers(0, 2)),
            seed=draw(st.integers(-(2**63), 2**63 - 1)),
            stories=draw(st.booleans()),
            prompt=draw(st.sampled_from(TEMPLATES)),
        ),
    )


def _passages(what: str, seats: int) -> str:
    """One passage for the environment and one for each seat."""
    own = "".join(f'<p viewer="agent_{seat}">{marker(what, seat)}</p>' for seat in range(seats))
    return f'<p viewer="environment">{marker(what, 99)}</p>{own}'


class Played:
    """A history and the live state after each of its events."""

    def __init__(self) -> None:
        self.history: list[Event] = []
        self.states: list[EpisodeState] = [INITIAL]

    @property
    def state(self) -> EpisodeState:
        """The live state."""
        return self.states[-1]

    @property
    def started(self) -> EpisodeStarted:
        """The beginning."""
        first = self.history[0]
        assert isinstance(first, EpisodeStarted)
        return first

    def do(self, command: EpisodeCommand) -> tuple[Event, ...]:
        """Carry a command out."""
        events = decide(self.state, command)
        for event in events:
            self.happened(event)
        return events

    def happened(self, event: Event) -> None:
        """Add an event to the history."""
        self.history.append(event)
        self.states.append(evolve(self.state, event))


@st.composite
def actions(draw: st.DrawFn, seat: int, seats: int, number: int) -> Action:
    """Anything a seat may do; the text is a marker of the event's number."""
    kind = draw(st.sampled_from(["speak", "speak", "non_verbal", "physical", "none", "leave"]))
    if kind == "none":
        return Action(kind="none")
    others = [other for other in range(seats) if other != seat]
    to = draw(st.sets(st.sampled_from(others))) if draw(st.booleans()) else set()
    return Action(kind=kind, text=marker("act", number), to=tuple(sorted(to)))


def play_on(draw: st.DrawFn, played: Played, moves: int) -> None:
    """Let seats act, in any order they may, until the end or for so many moves."""
    seats = len(played.started.setup.cast)
    for _ in range(moves):
        state = played.state
        if not state.waiting:
            return
        if draw(st.integers(0, 19)) == 7:
            played.do(StopEpisode())
            return
        seat = draw(st.sampled_from(state.waiting))
        # Number of the event to come: forks and parents must not share a marker by accident.
        action = draw(actions(seat, seats, state.number + 1))
        played.do(TakeAction(seat=seat, turn=state.turn, action=action))


@st.composite
def episodes(draw: st.DrawFn) -> Played:
    """An episode played for a while, or to its end."""
    played = Played()
    played.do(Start(started=draw(beginnings())))
    play_on(draw, played, draw(st.integers(0, 20)))
    return played
