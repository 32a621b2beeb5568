"""The rehearsal mind: notes of the scene, and a choice made from them."""

from actors.episodes.mind import Decision, Scene
from actors.models.recording.call_log import CallRecorder
from actors.social.actions import Act, Action, WriteScript
from actors.social.rehearsal.moves import choose_move
from actors.social.rehearsal.notes import Notes
from actors.social.rehearsal.script import openly, rehearsed_script
from actors.social.rehearsal.tempers import Temper, temper_named


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
