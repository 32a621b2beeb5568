"""Two or three players throw at once, hidden until all have thrown; most rounds won wins."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rock_paper_scissors import match
from rock_paper_scissors.match import Choose, Decided, Lineup, Players, Round, Score, Throw, World

from actors.episodes.catalogs.entries import Beginning, TaskEntry, item_of
from actors.episodes.mind import Decision, Scene
from actors.episodes.port.defaults import PlainPrompts, PlainSight, PlainWords
from actors.episodes.port.environment import Environment
from actors.episodes.port.game import Game, Shapes
from actors.episodes.port.prompts import Prompt
from actors.episodes.port.rules import Ask, End, Happening, Rules, Step
from actors.episodes.port.sight import Viewer
from actors.episodes.port.tasks import Tasks
from actors.models.answers.structured import AnswerReader
from events.base import Event, replace
from events.episode import ActionTaken, Asked, WorldChanged
from events.ids import derived_number

BEATS: Final = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
HANDS: Final = tuple(BEATS)
ENDINGS: Final = {"won": "somebody had won", "exhausted": "it took too many rounds"}


class MatchRules(Rules[Lineup, World, Choose, Throw]):
    """Rounds, until somebody has won."""

    def setup_fault(self, setup: Lineup, seats: int) -> str | None:
        fits = 2 <= seats <= 3 and len(setup.players) == seats
        return None if fits else f"two or three play, not {len(setup.players)} with {seats} minds"

    def initial(self, setup: Lineup) -> World:
        return World(lineup=setup, wins=(0,) * len(setup.players))

    def evolve(self, world: World, event: Happening) -> World:
        match event:
            case ActionTaken(seat=seat, action=Throw(hand=hand)):
                return replace(world, thrown=(*world.thrown, (seat, hand)))
            case WorldChanged(change=Decided(winners=won)):
                wins = tuple(count + (seat in won) for seat, count in enumerate(world.wins))
                return replace(world, thrown=(), wins=wins, rounds=world.rounds + 1)
        return world

    def next_step(self, world: World) -> Step:
        if world.thrown:
            hands = tuple(hand for _, hand in sorted(world.thrown))
            return Decided(hands=hands, winners=winners(hands))
        best_of, summary = world.lineup.best_of, {"rounds": world.rounds}
        for who, wins in zip(world.lineup.players, world.wins, strict=True):
            if wins > best_of // 2:
                return End(reason="won", summary={**summary, "winner": who})
        if world.rounds >= 3 * best_of:
            return End(reason="exhausted", summary=summary)
        question, seats = Choose(round=world.rounds + 1), range(len(world.wins))
        return Ask(asked=tuple(Asked(seat=seat, question=question) for seat in seats))

    def action_fault(self, question: Choose, action: Throw, seat: int, seats: int) -> str | None:
        return None

    def nothing(self, question: Choose) -> Throw:
        return Throw(hand="none")


def winners(hands: Sequence[str]) -> tuple[int, ...]:
    """Who beats somebody and is beaten by nobody."""
    beaten = {"none", *(BEATS[hand] for hand in hands if hand in BEATS)}
    best = tuple(seat for seat, hand in enumerate(hands) if hand not in beaten)
    return best if len(set(hands)) > 1 else ()


class MatchSight(PlainSight[Lineup, Round]):
    """A hand is seen when all have thrown."""

    view_type = Score

    def notice(self, number: int, turn: int, event: Event) -> Round | None:
        match event:
            case WorldChanged(change=Decided(hands=hands, winners=won)):
                return Round(number=number, turn=turn, hands=hands, winners=won)
        return None

    def shown(self, setup: Lineup, viewer: Viewer) -> Lineup:
        # Whoever knew the seed would know what the others throw.
        return replace(setup, seed=derived_number(str(setup.seed), str(viewer)))


class MatchWords(PlainWords[Lineup, Round]):
    """A line a round."""

    endings = ENDINGS

    def situation(self, setup: Lineup) -> str:
        return f"Rock, paper, scissors; best of {setup.best_of}."

    def names(self, setup: Lineup) -> Sequence[str]:
        return setup.players

    def line(self, setup: Lineup, notice: Round) -> str:
        thrown = ", ".join(map(" ".join, zip(setup.players, notice.hands, strict=True)))
        won = " and ".join(setup.players[seat] for seat in notice.winners)
        return f"{thrown}: won by {won or 'nobody'}"


class MatchPrompts(PlainPrompts[Choose, Throw, Score, Round]):
    """A model is shown the rounds so far and asked for a hand."""

    form = AnswerReader(match.Answer)

    def prompt(self, background: Score, question: Choose, noticed: Sequence[Round]) -> Prompt:
        lineup = background.setup
        you, best_of = lineup.players[background.viewer], lineup.best_of
        past = "\n".join(WORDS.line(lineup, round_) for round_ in noticed)
        hint = 'Answer with JSON: {"hand": "rock", "paper" or "scissors"}'
        system = f"You are {you} and play rock, paper, scissors: best of {best_of}."
        return Prompt(system, f"{past}\nRound {question.round}. {hint}".strip(), "throw-1")

    def read(self, question: Choose, background: Score, text: str, label: str) -> Throw:
        return Throw(hand=self.form.read(text, label).hand)


class Rehearsal(NamedTuple):
    """Throws one hand for ever, or (``mixed``) what the seed says."""

    temper: str
    seed: int | None = None

    async def decide(self, scene: Scene, calls: object) -> Decision:
        seed = scene.background.setup.seed if self.seed is None else self.seed
        drawn = HANDS[derived_number(str(seed), str(scene.turn)) % 3]
        return Decision(action=Throw(hand=self.temper if self.temper in HANDS else drawn))


class MatchTasks(Tasks[Players, match.Match]):
    """A match between those who are named."""

    def entries(self, catalog: Players) -> Sequence[TaskEntry]:
        return [TaskEntry(id=task.id, seats=len(task.players)) for task in catalog.tasks]

    def begin(self, catalog: Players, task: str, settings: match.Match, seed: int) -> Beginning:
        players = item_of(catalog, "task", task).players
        lineup = Lineup(players=players, best_of=settings.best_of, seed=seed)
        return Beginning(setup=lineup, scenario=task, title=task, characters=players)


def playground() -> Players:
    """The catalog that comes with it."""
    casts = {"duel": ("Ann", "Bo"), "trio": ("Ann", "Bo", "Cy")}
    tasks = tuple(match.Task(id=id_, players=players) for id_, players in casts.items())
    return Players(name="playground", tasks=tasks)


WORDS: Final = MatchWords()
MATCHES: Final = Game(
    environment=match.NAME,
    setups=(Lineup,),
    shapes=Shapes(Score, Round, Score),
    rules=MatchRules(),
    sight=MatchSight(),
    words=WORDS,
    prompts=MatchPrompts(),
    rehearsal=Rehearsal,
    tasks=MatchTasks(),
)
ROCK_PAPER_SCISSORS: Final = Environment(
    name=match.NAME,
    vocabulary=match.VOCABULARY,
    endings=ENDINGS,
    games=(MATCHES,),
    tempers=("mixed", *HANDS),
    starter=playground,
)
