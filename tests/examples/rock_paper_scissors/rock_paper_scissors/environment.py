"""Two or three players throw at once, hidden until all have thrown; most rounds won wins."""

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from actors.episodes.course import beginning_of, check_viewer, course_of, noticed
from actors.episodes.environment import (
    Account,
    Ask,
    End,
    Entry,
    Environment,
    Happening,
    Portrait,
    Prompt,
    Shapes,
    UnknownTemper,
    Viewer,
)  # fmt: skip
from actors.episodes.mind import Decision, Mind, Scene
from actors.models.recording import CallRecorder
from actors.models.structured import AnswerReader
from events.base import Event, Value
from events.environments import Action, Change, Question, Settings, Setup, Vocabulary
from events.episode import (
    ActionTaken,
    Asked,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)  # fmt: skip

NAME: Final = "rock_paper_scissors"
HANDS: Final = ("rock", "paper", "scissors")
BEATS: Final = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


class MatchSettings(Settings, frozen=True, kw_only=True, tag=f"{NAME}.MatchSettings"):
    """A plan's ``[rock_paper_scissors]`` section."""

    best_of: int = 3
    """Rounds; who has won more than half of them wins the match. 1 to 99."""


class Match(Setup, frozen=True, kw_only=True, tag=f"{NAME}.Match"):
    """Who plays, for how long."""

    players: tuple[str, ...]
    best_of: int = 3
    seed: int = 0


class Choose(Question, frozen=True, kw_only=True, tag=f"{NAME}.Choose"):
    """Which hand?"""

    round: int


class Throw(Action, frozen=True, kw_only=True, tag=f"{NAME}.Throw"):
    """A hand; ``none`` beats nothing."""

    hand: Literal["rock", "paper", "scissors", "none"]


class RoundDecided(Change, frozen=True, kw_only=True, tag=f"{NAME}.RoundDecided"):
    """All have thrown."""

    hands: tuple[str, ...]
    winners: tuple[int, ...]
    """Seats; empty: a draw."""


class Round(Value, frozen=True, kw_only=True):
    """A round as everybody notices it, once all have thrown."""

    number: int
    turn: int
    hands: tuple[str, ...]
    winners: tuple[int, ...]


class Score(Value, frozen=True, kw_only=True):
    """The match as anybody sees it."""

    viewer: Viewer
    players: tuple[str, ...]
    best_of: int
    wins: tuple[int, ...]
    rounds: tuple[Round, ...] = ()
    turn: int = 0
    ended: str = ""
    seed: int = 0


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The match after some event."""

    match: Match
    thrown: tuple[tuple[int, str], ...] = ()
    """Seat and hand of the round under way."""
    wins: tuple[int, ...]
    rounds: int = 0


def winners(hands: Sequence[str]) -> tuple[int, ...]:
    """Who beats somebody and is beaten by nobody."""
    beats = [{BEATS.get(hand, "")} | ({"none"} if hand in HANDS else set()) for hand in hands]
    return tuple(
        seat
        for seat, hand in enumerate(hands)
        if any(other in beats[seat] for other in hands)
        and not any(hand in beaten for beaten in beats)
    )


class Eyes:
    """What anybody notices: each round, when it is decided."""

    def __init__(self) -> None:
        self.turn = 0

    def apply(self, number: int, event: Event) -> Sequence[Round]:
        """The round, if it was decided now."""
        match event:
            case TurnOpened(turn=turn):
                self.turn = turn
            case WorldChanged(change=RoundDecided(hands=hands, winners=winners)):
                return (Round(number=number, turn=self.turn, hands=hands, winners=winners),)
        return ()


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """What a model answers."""

    hand: Literal["rock", "paper", "scissors"]


class Writer:
    """One player's prompts."""

    def __init__(self, score: Score) -> None:
        self.score = score

    def prompt(self, question: Choose, noticed: Sequence[Round], turn: int) -> Prompt:
        """All rounds so far, and the question."""
        score = self.score
        system = f"You play rock, paper, scissors, best of {score.best_of}, as {you(score)}."
        rounds = [line(score.players, past) for past in noticed]
        asked = f'Round {question.round}. Answer with JSON: {{"hand": "rock|paper|scissors"}}'
        return Prompt(system, "\n".join([*rounds, asked]), "throw-1")


class Rehearsal:
    """Plays one favourite, or by the seed."""

    def __init__(self, temper: str) -> None:
        self.temper = temper

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """A hand; the same scene, the same hand."""
        if self.temper != "mixed":
            return Decision(action=Throw(hand=HANDS[("rocky", "papery").index(self.temper)]))
        word = f"{scene.background.seed}:{scene.background.viewer}:{scene.turn}".encode()
        return Decision(action=Throw(hand=HANDS[hashlib.blake2b(word).digest()[0] % 3]))


def you(score: Score) -> str:
    """The player whose view it is."""
    return score.players[score.viewer] if isinstance(score.viewer, int) else ""


def line(players: Sequence[str], past: Round) -> str:
    """A round in words."""
    thrown = ", ".join(f"{who}: {hand}" for who, hand in zip(players, past.hands, strict=True))
    won = " and ".join(players[seat] for seat in past.winners) or "nobody"
    return f"Round {past.turn}. {thrown}. Won by {won}."


class RockPaperScissors(Environment[Table]):
    """The value behind the entry point."""

    name = NAME
    vocabulary = Vocabulary(
        setups=(Match,), settings=(MatchSettings,), questions=(Choose,), actions=(Throw,),
        changes=(RoundDecided,),
    )  # fmt: skip
    endings = {"decided": "somebody had won", "exhausted": "nobody could win any more"}  # noqa: RUF012
    tempers = ("mixed", "rocky", "papery")
    shapes = Shapes(Score, Round)

    def setup_fault(self, setup: Match, seats: int) -> str | None:
        if not 2 <= seats <= 3 or len(setup.players) != seats:
            return f"two or three play, one a mind; {len(setup.players)} players, {seats} minds"
        return None if 1 <= setup.best_of < 100 else f"best_of is 1 to 99, not {setup.best_of}"

    def initial(self, setup: Match) -> Table:
        return Table(match=setup, wins=(0,) * len(setup.players))

    def evolve(self, world: Table, event: Happening) -> Table:
        change = msgspec.structs.replace
        match event:
            case ActionTaken(seat=seat, action=Throw(hand=hand)):
                return change(world, thrown=(*world.thrown, (seat, hand)))
            case WorldChanged(change=RoundDecided(winners=won)):
                wins = tuple(n + (seat in won) for seat, n in enumerate(world.wins))
                return change(world, thrown=(), wins=wins, rounds=world.rounds + 1)
        return world

    def next_step(self, world: Table) -> Ask | End | Change:
        if world.thrown:
            hands = tuple(hand for _, hand in sorted(world.thrown))
            return RoundDecided(hands=hands, winners=winners(hands))
        most, best_of = max(world.wins), world.match.best_of
        if most > best_of // 2 or world.rounds >= 3 * best_of:
            leading = [seat for seat, wins in enumerate(world.wins) if wins == most]
            won = {"winner": world.match.players[leading[0]]} if len(leading) == 1 else {}
            reason = "decided" if most > best_of // 2 else "exhausted"
            return End(reason=reason, summary={"rounds": world.rounds, **won})
        question = Choose(round=world.rounds + 1)
        seats = range(len(world.wins))
        return Ask(asked=tuple(Asked(seat=seat, question=question) for seat in seats))

    def action_fault(self, question: Choose, action: Throw, seat: int, seats: int) -> str | None:
        return None

    def nothing(self, question: Choose) -> Throw:
        return Throw(hand="none")

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Score:
        return self.view([started], seat)

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Eyes:
        check_viewer(viewer, len(started.minds))
        return Eyes()

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> Score:
        match = beginning_of(history).setup
        rounds = noticed(history, self.reducer(beginning_of(history), viewer))
        wins = [sum(seat in past.winners for past in rounds) for seat in range(len(match.players))]
        turn, ended, _ = course_of(history)
        return Score(
            viewer=viewer, players=match.players, best_of=match.best_of, wins=tuple(wins),
            rounds=rounds, turn=turn, ended=ended, seed=match.seed,
        )  # fmt: skip

    def account(self, view: Score) -> Account:
        return Account(
            situation=f"Rock, paper, scissors; best of {view.best_of}.",
            portraits=tuple(
                Portrait(seat=seat, name=who, facts=(("Won", str(wins)),))
                for seat, (who, wins) in enumerate(zip(view.players, view.wins, strict=True))
            ),
            entries=tuple(
                Entry(
                    number=past.number, turn=past.turn, kind="round", line=line(view.players, past)
                )
                for past in view.rounds
            ),
            turn=view.turn,
            ended=view.ended,
            ending=self.endings.get(view.ended, view.ended),
        )

    def prompt_writer(self, background: Score) -> Writer:
        return Writer(background)

    def answer_schema(self, question: Choose, background: Score) -> dict[str, Any]:
        return msgspec.json.schema(Answer)

    def read_answer(self, question: Choose, background: Score, text: str, label: str) -> Throw:
        return Throw(hand=AnswerReader(Answer).read(text, label).hand)

    def rehearsal(self, temper: str) -> Mind:
        if temper and temper not in self.tempers:
            raise UnknownTemper(temper, self.tempers)
        return Rehearsal(temper or "mixed")


ROCK_PAPER_SCISSORS: Final = RockPaperScissors()
