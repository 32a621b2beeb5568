"""How a language model is asked about a talk: yes or no to each condition, and for every yes the
words that show it."""

from collections.abc import Sequence
from typing import Any

from actors.models.response_formats.schemas import Schema, object_schema
from evaluators.judges.judge_answer import (
    AnswerBounds,
    Outcome,
    Outcomes,
    failed,
    shown,
    why_unreadable,
)
from evaluators.judges.judge_form import Form, NothingAsked, quoting_of
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.quotes import Passage, Quotable, Quoted
from evaluators.sandbox.language.conditions import PARTS
from evaluators.sandbox.language.outcomes import asked_of, scored, settled, with_rates
from evaluators.sandbox.language.talks import TARGET, CaseTalk, Line, talk_of
from events.evaluation import Dimension, JudgeSpec


def talk_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> "TalkForm | NothingAsked":
    """``evaluators.plugin.MakeForm``. Looks at nothing earlier."""
    del past
    talk = talk_of(episode.events)
    return NothingAsked() if talk is None else TalkForm(spec, talk)


class TalkForm(Form):
    seats: int | None = 1
    """The performer's."""

    def __init__(self, spec: JudgeSpec, talk: CaseTalk) -> None:
        self._talk, self._quoting = talk, quoting_of(spec)
        self._conditions = asked_of(spec, talk)
        self._settled = settled(self._conditions, talk)
        known = {dimension for _, dimension in self._settled}
        self._asked = {one.dimension: one for one in self._conditions if one.dimension not in known}
        by_name = {dimension.name: dimension for dimension in spec.dimensions}
        self.asked: Sequence[Dimension] = [by_name[name] for name in self._asked]
        self._quotable = {
            "conversation": Quotable(map(self._passage, talk.lines)),
            "summary": Quotable(map(self._passage, filter(None, [talk.summary]))),
        }

    def question(self, prompt: JudgePrompt) -> str:
        """The task, the talk, what was told of it, and the conditions."""
        talk, quoting = self._talk, self._quoting
        task = talk.case.task
        return prompt.question(
            performer=quoting.text(talk.names[0]),
            target=quoting.text(talk.names[1]),
            at=quoting.text(talk.case.at),
            wish=quoting.text(task.brief or task.goal),
            lines=[
                (number, quoting.text(talk.names[seat]), quoting.line(text))
                for number, seat, text in talk.lines
            ],
            summary=quoting.line(talk.summary.text) if talk.summary else "",
            parts={
                part: [
                    (one.dimension, quoting.text(one.text))
                    for one in self._asked.values()
                    if one.part == part
                ]
                for part in PARTS
            },
        )

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        """A reason, the words that bear on it, and yes or no. Where nothing stands there to be
        quoted there is no yes."""
        del seat
        quotable = self._quotable[self._asked[dimension.name].part]
        quotes = quotable.schema(
            lambda text: not self._quotes(dimension.name, [text])[1], room.values
        )
        answers = ["yes", "no"] if quotes["maxItems"] else ["no"]
        answer = {"type": "string", "enum": answers}
        return object_schema({"reason": room.reason, "quotes": quotes, "answer": answer})

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """1 or 0. A yes needs words that stand where it is about."""
        if why := why_unreadable(answer, "answer"):
            return failed(seat, dimension, why, answer)
        said = answer["answer"]
        met = {"yes": True, "true": True, "no": False, "false": False}.get(
            str(said).strip().casefold()
        )
        if met is None:
            return failed(seat, dimension, f"answer must be yes or no, is {shown(said)}", answer)
        quotes, why = self._quotes(dimension.name, answer.get("quotes")) if met else ([], "")
        if why:
            return failed(seat, dimension, why, answer)
        return scored(
            self._asked[dimension.name],
            met=met,
            reason=answer["reason"].strip(),
            evidence=tuple(sorted({one.number for one in quotes if one.number is not None})),
            quotes=tuple(dict.fromkeys(one.text for one in quotes)),
        )

    def complete(self, found: Outcomes) -> Outcomes:
        """With what needed no judge, and the rates."""
        return with_rates(self._conditions, {**self._settled, **found})

    def _passage(self, line: Line) -> Passage:
        name = self._talk.names[line.seat]
        return Passage(line.seat, line.number, line.text, f"{line.number} {name}")

    def _quotes(self, dimension: str, given: Any) -> tuple[list[Quoted], str]:
        """The quotes where they stand, and what is wrong with them; empty: nothing."""
        part = self._asked[dimension].part
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not texts:
            return [], "a yes needs the words that show it, as quotes"
        found: list[Quoted] = []
        for text in texts:
            places = self._quotable[part].find(text, TARGET) if isinstance(text, str) else []
            if not places:
                why = f"the quote {shown(text)} does not stand in the {part}; quote word for word"
                return [], why
            found += places
        return found, ""
