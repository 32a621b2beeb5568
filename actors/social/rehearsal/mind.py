"""The rehearsal mind: notes of the scene, and a choice made from them."""

from collections.abc import Callable, Sequence

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.rules import Ask
from actors.models.recording.call_log import CallRecorder
from actors.social.actions import ACT, Act, Action, ScriptLine, WholeScript, WriteScript
from actors.social.rehearsal.moves import choose_move
from actors.social.rehearsal.notes import Notes
from actors.social.rehearsal.tempers import Temper, temper_named
from actors.social.rules import RULES
from actors.social.setup import SocialSetup, begin
from actors.social.sight import background, reducer
from actors.social.views import SeenAction
from events.base import replace
from events.episode import ActionTaken, TurnOpened


def choose(scene: Scene, temper: Temper, seed: int) -> Action:
    """The action for a scene. The same scene, temper and seed give the same action, always.

    Depends on nothing but what the seat was shown. ``RehearsalMind`` gives the same answers
    without reading the whole scene again each turn.
    """
    notes = Notes(scene.background)
    for action in scene.seen:
        notes.take(action)
    return choose_move(notes, temper, seed, scene.turn)


class RehearsalMind:
    """Decides for one seat of one episode; costs no more in a late turn than in an early one.

    ``seed`` defaults to the episode's own.
    """

    def __init__(self, temper: Temper | str, seed: int | None = None) -> None:
        self.temper = temper_named(temper) if isinstance(temper, str) else temper
        self.seed = seed
        self._notes: Notes | None = None
        self._taken = 0

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The action for this turn, or what is written for all seats; asks no model."""
        if scene.question.__class__ is not Act:
            return Decision(action=self._written(scene))
        return Decision(action=self.choose(scene))

    def _written(self, scene: Scene) -> Action:
        """As where each seat has a mind of its own, but that everybody notices everything."""
        if not isinstance(scene.question, WriteScript):
            return openly(self.choose(scene))
        play = scene.background.play
        minds = [RehearsalMind(self.temper, self.seed) for _ in range(scene.seats)]
        return rehearsed_script(play, [mind.choose for mind in minds])

    def choose(self, scene: Scene) -> Action:
        """The action for this turn, at once."""
        notes = self._notes
        if notes is None or self._taken > len(scene.seen) or notes.is_of_another(scene.background):
            notes, self._taken = Notes(scene.background), 0
            self._notes = notes
        for index in range(self._taken, len(scene.seen)):
            notes.take(scene.seen[index])
        self._taken = len(scene.seen)
        seed = scene.background.seed if self.seed is None else self.seed
        return choose_move(notes, self.temper, seed, scene.turn)


def rehearsed_script(play: SocialSetup, choose: Sequence[Callable[[Scene], Action]]) -> WholeScript:
    """What happens where each seat chooses its actions in this way. ``choose``: one a seat. At
    least one action; the same choices write the same."""
    setup = replace(play, rules=replace(play.rules, mode="interactive"))
    started = begin(setup, run="", task="", catalog="", minds=())
    seats = range(len(setup.cast))
    scenes = [
        Scene(background=background("", started, seat), seen=[], turn=0, question=ACT, seat=seat,
              seats=len(seats))
        for seat in seats
    ]  # fmt: skip
    eyes = [reducer(started, seat) for seat in seats]
    world, number, lines = RULES.initial(setup), 0, list[ScriptLine]()
    while isinstance(step := RULES.next_step(world), Ask):
        seat = step.asked[0].seat
        opened = TurnOpened(turn=world.turn + 1, asked=step.asked)
        scenes[seat].turn = opened.turn
        world = RULES.evolve(world, opened)
        action = openly(choose[seat](scenes[seat]))
        taken = ActionTaken(turn=opened.turn, seat=seat, action=action)
        world = RULES.evolve(world, taken)
        number += 1
        for other in seats:
            seen: Sequence[SeenAction] = eyes[other].apply(number, taken)
            scenes[other].seen += seen
        lines.append(ScriptLine(seat=seat, kind=action.kind, text=action.text))
    first = lines[0]
    return WholeScript(kind=first.kind, text=first.text, lines=tuple(lines[1:]))


def openly(action: Action) -> Action:
    """An action that everybody notices."""
    return replace(action, to=()) if action.to else action
