"""A virtual game master that is a language model, asked with examples or without."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.recording.call_log import CallEvent, CallRecorder
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.virtual_dms.port import CannotLearn, NoPrediction, VirtualDM, data_hash
from evaluators.tabletop.virtual_dms.questions import (
    Variant,
    answer_of,
    answer_schema,
    messages,
    prompt_version,
    reader,
)
from events.agent import ModelAnswered
from events.ids import derived_number, digest_of
from events.minds import ModelSpec
from events.serialization.codec import encode

Callers = Callable[[], ModelCaller]
"""Makes what asks models, on the event loop that runs then."""
FEWEST_TO_TUNE: Final = 10
"""Examples that OpenAI wants for fine-tuning, at least."""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What a virtual game master was answered so far."""

    answers: int = 0
    failed: int = 0
    """Samples for which no answer could be read."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """US dollars; None where a price is not known."""

    def plus(self, calls: Sequence[ModelAnswered], *, failed: bool) -> "Spent":
        """With the answers to one more question."""
        costs = [call.cost_usd for call in calls]
        known = self.cost_usd is not None and None not in costs
        return Spent(
            answers=self.answers + len(calls),
            failed=self.failed + failed,
            input_tokens=self.input_tokens + sum(call.input_tokens for call in calls),
            output_tokens=self.output_tokens + sum(call.output_tokens for call in calls),
            cost_usd=(self.cost_usd or 0) + sum(cost or 0 for cost in costs) if known else None,
        )


class LanguageModelDM(VirtualDM):
    """Asks a model about each sample. It blocks, and makes an event loop of its own: within one it
    is asked in a thread."""

    def __init__(
        self,
        model: ModelSpec,
        callers: Callers,
        *,
        variant: Variant,
        examples: int,
        seed: int = 0,
        calls: CallRecorder | None = None,
    ) -> None:
        """``examples``: how many samples of its training data it is shown. ``calls``: records the
        answers, and gives back those to questions that were put before; None: nothing does."""
        self._model, self._callers, self._variant = model, callers, variant
        self._count, self._seed = examples, seed
        self._calls = calls or _Unrecorded()
        self.shown: tuple[CallSample, ...] = ()
        """The examples that were drawn."""
        self.spent = Spent()

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Draw the examples, by content and seed. Asks nobody. Raises ``ValueError`` where there
        are fewer samples with labels."""
        start = f"{self._seed}/".encode()
        known = sorted(
            (one for one in samples if one.labels), key=lambda one: digest_of(start + encode(one))
        )
        if len(known) < self._count:
            raise CannotLearn(
                f"{self._count} examples are to be shown, and {len(known)} samples have labels"
            )
        self.show(known[: self._count], data_hash(samples))

    def show(self, examples: Sequence[CallSample], trained_on: str) -> None:
        """Examples that were drawn before."""
        self.shown, self.trained_on = tuple(examples), trained_on

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """What the model's answer says."""
        sample = CallSample(session="", turn=-1, lines=tuple(lines), cast=tuple(cast), labels=())
        (found,) = self.predict_all([sample])
        if found is None:
            raise NoPrediction(f"model {self._model.name!r} gave no answer that can be read")
        return found

    def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
        """All at once, as far as the model's limits allow. Raises ``ModelUnavailable``."""
        return asyncio.run(self._answers(samples))

    async def _answers(self, samples: Sequence[CallSample]) -> list[frozenset[Label] | None]:
        caller = self._callers()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._answer(one, caller)) for one in samples]
        except BaseExceptionGroup as errors:
            # All fail for what one fails for: the model cannot be had.
            raise errors.exceptions[0] from None
        finally:
            await caller.close()
        return [task.result() for task in tasks]

    async def _answer(self, sample: CallSample, caller: ModelCaller) -> frozenset[Label] | None:
        if not sample.cast:
            return frozenset()
        asked = messages(self._variant, sample.lines, sample.cast, self.shown)
        question = ModelQuestion(
            messages=asked,
            read=reader(sample.cast),
            purpose="judge",
            json_schema=answer_schema(self._variant, sample.cast),
            prompt_version=prompt_version(self._variant),
        )
        turn = derived_number(*[message.content for message in asked])
        answer = await ask(question, turn=turn, model=self._model, caller=caller, calls=self._calls)
        readable = isinstance(answer, Answered)
        self.spent = self.spent.plus(answer.calls, failed=not readable)
        return answer.value if isinstance(answer, Answered) else None


def fine_tuning_lines(samples: Sequence[CallSample]) -> list[bytes]:
    """Samples in OpenAI's format for fine-tuning chat models, one JSON object a line: what the
    variant ``direct`` asks, with the answer. Those without labels say that nobody makes a check."""
    return [
        msgspec.json.encode(
            {
                "messages": [
                    *messages("direct", one.lines, one.cast),
                    {"role": "assistant", "content": answer_of(one.labels)},
                ]
            }
        )
        for one in samples
    ]


class _Unrecorded:
    """Calls that belong to no stream."""

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        """None was paid for before."""
        return ()

    async def record(self, event: CallEvent) -> None:
        """Kept nowhere."""

    async def confirm(self) -> None:
        """Nobody else asks."""
