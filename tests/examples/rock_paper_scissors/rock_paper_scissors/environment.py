"""Two or three players throw at once, hidden until all have thrown; most rounds won wins."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec

from actors.episodes import environment as port
from actors.episodes.catalogs.entries import Beginning, TaskEntry, item_of
from actors.episodes.mind import Decision, Scene
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.models.answers.structured import AnswerReader
from events import environments as roots
from events.base import Event, Value, replace
from events.episode import ActionTaken, Asked, EpisodeStarted, TurnOpened, WorldChanged
from events.ids import derived_number

NAME: Final = "rock_paper_scissors"
BEATS: Final = {
    "rock": ("scissors", "none"),
    "paper": ("rock", "none"),
    "scissors": ("paper", "none"),
}
HANDS: Final = tuple(BEATS)


class Match(roots.Settings, frozen=True, kw_only=True, tag=f"{NAME}.Match"):
    """A plan's ``[rock_paper_scissors]``: who wins more than half of so many rounds has won."""

    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] = 3


class Lineup(roots.Setup, frozen=True, kw_only=True, tag=f"{NAME}.Lineup"):
    """Who plays, how long, and the seed of chance."""

    players: tuple[str, ...]
    best_of: int = 3
    seed: int = 0


class Choose(roots.Question, frozen=True, kw_only=True, tag=f"{NAME}.Choose"):
    """Which hand?"""

    round: int


class Throw(roots.Action, frozen=True, kw_only=True, tag=f"{NAME}.Throw"):
    """A hand; ``none``, which no mind chooses, beats nothing."""

    hand: Literal["rock", "paper", "scissors", "none"]


class Decided(roots.Change, frozen=True, kw_only=True, tag=f"{NAME}.Decided"):
    """All have thrown. ``winners`` are seats; there is none in a draw."""

    hands: tuple[str, ...]
    winners: tuple[int, ...]


class Task(Value, frozen=True, kw_only=True):
    """Some players."""

    id: str
    players: tuple[str, ...]


class Players(roots.Catalog, frozen=True, kw_only=True, tag=f"{NAME}.Players"):
    """Who can play whom."""

    tasks: tuple[Task, ...]


class Round(Value, frozen=True, kw_only=True):
    """What everybody notices: a round, once all have thrown."""

    number: int
    turn: int
    hands: tuple[str, ...]
    winners: tuple[int, ...]


class Score(Value, frozen=True, kw_only=True):
    """The match as a viewer sees it; a player's background is that of the beginning."""

    viewer: port.Viewer
    lineup: Lineup
    rounds: tuple[Round, ...] = ()
    turn: int = 0
    ended: str = ""


class World(msgspec.Struct, frozen=True, kw_only=True):
    """The match after some event."""

    lineup: Lineup
    wins: tuple[int, ...]
    rounds: int = 0
    thrown: tuple[tuple[int, str], ...] = ()
    """Seat and hand, in the round under way."""


class Eyes:
    """Anybody's: a hand is seen when all have thrown."""

    turn = 0

    def apply(self, number: int, event: Event) -> Sequence[Round]:
        match event:
            case TurnOpened(turn=turn):
                self.turn = turn
            case WorldChanged(change=Decided(hands=hands, winners=won)):
                return (Round(number=number, turn=self.turn, hands=hands, winners=won),)
        return ()


class Answer(msgspec.Struct, frozen=True):
    """What a model answers."""

    hand: Literal["rock", "paper", "scissors"]


READER: Final = AnswerReader(Answer)


class Writer:
    """Asks a model."""

    def __init__(self, score: Score) -> None:
        self.lineup, self.seat = score.lineup, score.viewer

    def prompt(self, question: Choose, noticed: Sequence[Round], turn: int) -> port.Prompt:
        you, best_of = self.lineup.players[self.seat], self.lineup.best_of
        past = "\n".join(in_words(self.lineup, round_) for round_ in noticed)
        asked = (
            f'Round {question.round}. Answer with JSON: {{"hand": "rock", "paper" or "scissors"}}'
        )
        system = f"You are {you} and play rock, paper, scissors: best of {best_of}."
        return port.Prompt(system, f"{past}\n{asked}".strip(), "throw-1")


class Rehearsal:
    """Throws one hand for ever, or (``mixed``) what the seed says."""

    def __init__(self, temper: str, seed: int | None) -> None:
        self.temper, self.seed = temper, seed

    async def decide(self, scene: Scene, calls: object) -> Decision:
        seed = scene.background.lineup.seed if self.seed is None else self.seed
        lot = f"{seed}:{scene.turn}".encode()
        drawn = HANDS[hashlib.blake2b(lot).digest()[0] % 3]
        return Decision(action=Throw(hand=drawn if self.temper == "mixed" else self.temper))


def winners(hands: Sequence[str]) -> tuple[int, ...]:
    """Who beats somebody and is beaten by nobody."""
    beaten = {loser for hand in hands for loser in BEATS.get(hand, ())}
    best = [seat for seat, hand in enumerate(hands) if hand not in beaten]
    return tuple(best) if len(best) < len(hands) else ()


def in_words(lineup: Lineup, past: Round) -> str:
    """A round as a line."""
    thrown = ", ".join(
        f"{who} {hand}" for who, hand in zip(lineup.players, past.hands, strict=True)
    )
    return f"{thrown}: won by {' and '.join(lineup.players[s] for s in past.winners) or 'nobody'}"


def entry(lineup: Lineup, past: Round) -> port.Entry:
    """A round in an account."""
    return port.Entry(number=past.number, turn=past.turn, line=in_words(lineup, past))


class RockPaperScissors(port.Environment[World]):
    """The value behind the entry point."""

    name, shapes, tempers = NAME, port.Shapes(Score, Round), ("mixed", *HANDS)
    endings = {"won": "somebody had won", "exhausted": "it took too many rounds"}  # noqa: RUF012
    vocabulary = roots.Vocabulary(
        setups=(Lineup,), settings=(Match,), questions=(Choose,), actions=(Throw,),
        changes=(Decided,), catalogs=(Players,),
    )  # fmt: skip

    def setup_fault(self, setup: Lineup, seats: int) -> str | None:
        fits = 2 <= seats <= 3 and len(setup.players) == seats
        return None if fits else f"two or three play, not {len(setup.players)} with {seats} minds"

    def initial(self, setup: Lineup) -> World:
        return World(lineup=setup, wins=(0,) * len(setup.players))

    def evolve(self, world: World, event: port.Happening) -> World:
        match event:
            case ActionTaken(seat=seat, action=Throw(hand=hand)):
                return replace(world, thrown=(*world.thrown, (seat, hand)))
            case WorldChanged(change=Decided(winners=won)):
                wins = tuple(count + (seat in won) for seat, count in enumerate(world.wins))
                return replace(world, thrown=(), wins=wins, rounds=world.rounds + 1)
        return world

    def next_step(self, world: World) -> port.Step:
        if world.thrown:
            hands = tuple(hand for _, hand in sorted(world.thrown))
            return Decided(hands=hands, winners=winners(hands))
        best_of, summary = world.lineup.best_of, {"rounds": world.rounds}
        for who, wins in zip(world.lineup.players, world.wins, strict=True):
            if wins > best_of // 2:
                return port.End(reason="won", summary={**summary, "winner": who})
        if world.rounds >= 3 * best_of:
            return port.End(reason="exhausted", summary=summary)
        question = Choose(round=world.rounds + 1)
        asked = tuple(Asked(seat=seat, question=question) for seat in range(len(world.wins)))
        return port.Ask(asked=asked)

    def action_fault(self, question: Choose, action: Throw, seat: int, seats: int) -> str | None:
        return None

    def nothing(self, question: Choose) -> Throw:
        return Throw(hand="none")

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Score:
        return self.view([started], seat)

    def reducer(self, started: EpisodeStarted, viewer: port.Viewer) -> Eyes:
        check_viewer(viewer, len(started.minds))
        return Eyes()

    def view(self, history: Sequence[Event], viewer: port.Viewer, memory: str = "") -> Score:
        started, course = beginning_of(history), course_of(history)
        rounds = noticed(history, self.reducer(started, viewer))
        # Whoever knew the seed would know what the others throw.
        lineup = replace(started.setup, seed=derived_number(str(started.setup.seed), str(viewer)))
        return Score(
            viewer=viewer, lineup=lineup, rounds=rounds, turn=course.turn, ended=course.ended
        )

    def account(self, view: Score) -> port.Account:
        return port.Account(
            situation=f"Rock, paper, scissors; best of {view.lineup.best_of}.",
            portraits=tuple(
                port.Portrait(seat=seat, name=who) for seat, who in enumerate(view.lineup.players)
            ),
            entries=tuple(entry(view.lineup, past) for past in view.rounds),
            turn=view.turn,
            ended=view.ended,
            ending=self.ending(view.ended),
        )

    def entry_writer(
        self, started: EpisodeStarted, viewer: port.Viewer
    ) -> Callable[[Round], port.Entry]:
        return partial(entry, started.setup)

    def prompt_writer(self, background: Score) -> Writer:
        return Writer(background)

    def answer_schema(self, question: Choose, background: Score) -> dict[str, Any]:
        return READER.schema

    def read_answer(self, question: Choose, background: Score, text: str, label: str) -> Throw:
        return Throw(hand=READER.read(text, label).hand)

    def rehearsal(self, temper: str, seed: int | None = None) -> Rehearsal:
        if temper not in ("", *self.tempers):
            raise port.UnknownTemper(temper, self.tempers)
        return Rehearsal(temper or "mixed", seed)

    def starter(self) -> Players:
        tasks = (
            Task(id="duel", players=("Ann", "Bo")),
            Task(id="trio", players=("Ann", "Bo", "Cy")),
        )
        return Players(name="playground", tasks=tasks)

    def tasks(self, catalog: Players) -> Sequence[TaskEntry]:
        return [TaskEntry(id=task.id, seats=len(task.players)) for task in catalog.tasks]

    def begin(self, catalog: Players, task: str, settings: Match, seed: int) -> Beginning:
        players = item_of(catalog, "task", task).players
        lineup = Lineup(players=players, best_of=settings.best_of, seed=seed)
        return Beginning(setup=lineup, scenario=task, title=task, characters=players)


ROCK_PAPER_SCISSORS: Final = RockPaperScissors()
