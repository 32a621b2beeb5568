"""A choice as people at a keyboard make it, asked in the story's language."""

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.typed_answers import Wording
from actors.worldtree.options.letters import letters, option_named
from actors.worldtree.setup import Choose, Chose
from actors.worldtree.views import ChoiceBackground, Notice
from events.environments import Action


class ChoicePeople(PeoplePrompts[Choose, Action, ChoiceBackground, Notice]):
    """The options with their letters, in the story's language."""

    def wording(self, question: Choose, background: ChoiceBackground) -> Wording:
        """The question, the options with their letters, and how to answer."""
        name, zh = background.protagonist.name, background.language == "zh"
        step = f"{name}会怎么说、怎么做？" if zh else f"What does {name} say or do?"
        named = letters(len(question.options))
        last = f"{named[0]}–{named[-1]}" if len(named) > 1 else named
        return Wording(
            lead=question.told or step,
            options=tuple(zip(named, (line.text for line in question.options), strict=True)),
            hint=f"请输入选项的字母（{last}）"
            if zh
            else f"type the letter of your choice ({last})",
        )

    def typed(self, question: Choose, background: ChoiceBackground, text: str) -> Chose:
        """A letter, or an option's own words."""
        return Chose(option=option_named(text, question.options))

    def carried_over(self, question: Choose, action: Action, other: Choose) -> Chose | None:
        """The option of another shuffle that says the same: people are not asked three times. Of
        lines that are alike the first stands
        for the first."""
        if not isinstance(action, Chose) or sorted(_texts(question)) != sorted(_texts(other)):
            return None
        texts = _texts(question)
        before = texts[: action.option].count(texts[action.option])
        alike = [place for place, one in enumerate(_texts(other)) if one == texts[action.option]]
        return Chose(option=alike[before], why=action.why)


def _texts(question: Choose) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in question.options]
