"""The words shown to a model in the seat."""

from collections.abc import Sequence

from actors.episodes.environment import Prompt
from actors.templates import Templates
from actors.worldtree import render
from actors.worldtree.setup import Choose
from actors.worldtree.views import Background, Notice

_TEMPLATE = "plain-1"
_templates = Templates("actors.worldtree.prompts")


class ChoiceWriter:
    """Asks which line the protagonist says."""

    def __init__(self, background: Background) -> None:
        self.background = background

    def prompt(self, question: Choose, noticed: Sequence[Notice], turn: int) -> Prompt:
        """The prompt for one question, from what the seat may know and nothing else."""
        me, language = self.background.protagonist, self.background.language
        before = [self.background.scenario, *render.beats(self.background.before, language)]
        lines = [*before, *(render.entry(one, me.name, language).line for one in noticed)]
        words = {"me": me, "lines": lines, "question": question}
        system = _templates.block(_TEMPLATE, "system", words)
        user = _templates.block(_TEMPLATE, "user", words)
        return Prompt(system, user, _templates.version(_TEMPLATE))
