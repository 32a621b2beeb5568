"""The words shown to a model that writes for all seats: one turn after the other, or a whole
dialogue at once."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.port.prompts import Prompt
from actors.social import answers, render
from actors.social.actions import Act, WriteScript
from actors.social.playwright import answers as script_answers
from actors.social.setup import begin
from actors.social.sight import view
from actors.social.views import Background, SeenAction
from actors.templates import Templates
from actors.text.quotes import continued, nonce_from
from events.base import replace

_SCRIPT: Final = "script-1"
_TURN: Final = "script-turn-1"

_templates = Templates("actors.social.prompts")


class PlaywrightScene:
    """The prompts of one who writes for all, in a seat whose turn it is."""

    def __init__(self, background: Background) -> None:
        """``background``: with ``play``, which is everything."""
        assert background.play is not None, "whoever writes for all knows all"
        started = begin(background.play, run="", task="", catalog="", minds=())
        known = view([started], "narrator")
        self._background, self._labels = background, known.labels
        self._words: dict[str, object] = {
            "background": background,
            "label": known.labels[background.seat],
            "context": known.context,
            "people": known.profiles,
            "relationships": known.relationships,
        }

    def prompt(self, question: Act, noticed: Sequence[SeenAction], turn: int) -> Prompt:
        """The prompt for a whole script, or for a turn after what was written so far."""
        if isinstance(question, WriteScript):
            return Prompt(
                _templates.block(_SCRIPT, "system", self._words),
                _templates.block(_SCRIPT, "user", self._words),
                _templates.version(_SCRIPT),
                schema=script_answers.held_schema(self._background),
                room=script_answers.ROOM * self._background.turn_cap,
            )
        system = _templates.block(_TURN, "system", self._words)
        lines = [(action.turn, continued(self._line(action))) for action in noticed]
        nonce = nonce_from(system, system, *(line for _, line in lines))
        words: dict[str, object] = {**self._words, "turn": turn, "lines": lines, "nonce": nonce}
        return Prompt(
            system,
            _templates.block(_TURN, "user", words),
            _templates.version(_TURN),
            schema=answers.held_schema(self._background),
        )

    def _line(self, action: SeenAction) -> str:
        """An action by the names that one knows who knows everything."""
        if action.seat >= 0:
            action = replace(action, label=self._labels[action.seat])
        return render.line(action, self._labels)
