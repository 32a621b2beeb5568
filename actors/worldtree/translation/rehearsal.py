"""The offline translator. It does not translate: it marks each text with the language that it
should be in, so that all around a translation can be tried without a model."""

from actors.episodes.mind import Decision, Scene
from actors.models.recording.call_log import CallRecorder
from actors.worldtree.translation.setup import Named, NameThem, Rendered, TranslationView
from actors.worldtree.trees.tree import Line


class Marking:
    """Keeps names, and puts ``[en]`` or ``[zh]`` before every text, whatever its temper."""

    def __init__(self, temper: str = "", seed: int | None = None) -> None:
        del temper, seed

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The same for the same question."""
        del calls
        question, shown = scene.question, scene.background
        assert isinstance(shown, TranslationView), "the scene is a translator's"
        if isinstance(question, NameThem):
            return Decision(action=Named(names=question.names))
        lines = [
            Line(role=piece.role, text=f"[{shown.to}] {piece.text}")
            for piece in question.pieces  # type: ignore[attr-defined]
        ]
        return Decision(action=Rendered(lines=tuple(lines)))
