"""How a judge compares a free line with those of its tree: by a model, or by the words alone."""

from collections.abc import Sequence
from typing import Any

from actors.models.response_formats.schemas import Schema, list_schema, object_schema
from actors.text.stems import content_stems
from actors.worldtree.render import beats
from actors.worldtree.trees.tree import Language
from evaluators.judges.judge_answer import (
    AnswerBounds,
    Outcome,
    failed,
    shown,
    why_unreadable,
)
from evaluators.judges.judge_form import Form, NothingAsked, quoting_of
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.worldtree.lines.items import LETTERS, Item, item_of
from evaluators.worldtree.lines.similarity_scale import SIMILAR, TEMPERS
from events.evaluation import Dimension, JudgeSpec, Scored


class LinesForm(Form):
    def __init__(self, spec: JudgeSpec, item: Item) -> None:
        self.asked: Sequence[Dimension] = spec.dimensions
        self._item, self._quoting = item, quoting_of(spec)
        self._letters = LETTERS[: len(item.order)]

    def question(self, prompt: JudgePrompt) -> str:
        """The story, the line and the candidates."""
        item, quoting = self._item, self._quoting
        told = [item.scenario, f"{item.protagonist} wants: {item.goal}" if item.goal else ""]
        told += beats(item.before, item.language)
        return prompt.question(
            story=quoting.text("\n".join(filter(None, told))),
            name=quoting.text(item.protagonist),
            line=quoting.line(item.text),
            candidates=[quoting.line(item.candidates[place]) for place in item.order],
            letters=list(self._letters),
        )

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        """A reason, and letters."""
        del seat, dimension
        letters = list(self._letters)
        same = list_schema({"type": "string", "enum": letters}, len(letters))
        return object_schema({"reason": room.reason, "same": same})

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """1 or 0, with the lines that mean the same."""
        if why := why_unreadable(answer, "same"):
            return failed(seat, dimension, why, answer)
        given = answer["same"]
        letters = [given] if isinstance(given, str) else given
        if not isinstance(letters, list) or not all(isinstance(one, str) for one in letters):
            return failed(seat, dimension, f"same must be letters, is {shown(given)}", answer)
        letters = [one.strip().upper().rstrip(".") for one in letters]
        if wrong := [one for one in letters if one not in {*self._letters}]:
            right = ", ".join(self._letters)
            why = f"same holds {shown(wrong[0])}; there are {right}"
            return failed(seat, dimension, why, answer)
        places = sorted({self._item.order[self._letters.index(one)] for one in letters})
        return _scored(self._item, seat, places, answer["reason"].strip())


def lines_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> LinesForm | NothingAsked:
    """``evaluators.plugin.MakeForm``."""
    del past
    item = _item(episode)
    return NothingAsked() if item is None else LinesForm(spec, item)


def rehearse(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> Sequence[Outcome]:
    """The offline judge: lines mean the same where their words are alike. No language model. It
    says nothing of episodes of another kind."""
    del past
    item = _item(episode)
    if item is None:
        return ()
    least = TEMPERS[spec.temper]
    places = [
        place
        for place, text in enumerate(item.candidates)
        if alike(item.text, text, item.language) >= least
    ]
    return [_scored(item, 0, places, "by the words alone")]


def _scored(item: Item, seat: int, places: Sequence[int], reason: str) -> Scored:
    quotes = tuple(item.candidates[place] for place in places)
    value = float(bool(quotes))
    return Scored(seat=seat, dimension=SIMILAR.name, value=value, reason=reason, quotes=quotes)


def _item(episode: JudgedEpisode) -> Item | None:
    return next(item_of("", "", episode.events), None)


def alike(first: str, second: str, language: Language) -> float:
    """Of the words that say something, in Chinese of the pairs of characters, of the line that has
    fewer: the share that the other has, too, 0 to 1."""
    one, other = _parts(first, language), _parts(second, language)
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def _parts(text: str, language: Language) -> frozenset[str]:
    if language == "en":
        return content_stems(text)
    together = "".join(one for one in text if one.isalnum())
    return frozenset(together[at : at + 2] for at in range(len(together) - 1))
