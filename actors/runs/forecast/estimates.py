"""Estimates of a plan's model calls, tokens and costs before it is played, as ranges.

The fixed part of every prompt is rendered and its tokens counted; what an episode adds to it is
calculated. The *low* end assumes half of the turns and short answers; the *high* end assumes every
turn, answers of maximum length, the maximum number of repeated requests, and one continuation of
each answer that was cut off.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from actors.models.litellm.pricing import cost_usd
from actors.models.response_formats.model_formats import account_of
from events.base import Value
from events.minds import ModelSpec

SHORT_ANSWER: Final = 40
"""Tokens of a short answer: a sentence or two and what stands around them."""
SHORT_LINE: Final = 30
"""Tokens that a short answer takes in a transcript."""
LINE: Final = 30
"""Tokens that a line of a transcript has beside the answer told in it, at most."""
MENDING: Final = 200
"""Tokens of the words that ask for an answer again, at most."""
COMPLETED: Final = 1
"""Calls by which a model goes on with an answer that was cut off, a question at most."""

EstimateKind = Literal["mind", "plans", "memory", "judge"]
"""``plans``: what a generative mind thinks at length."""


class Range(Value, frozen=True, kw_only=True):
    """From the least that is to be expected to the most."""

    low: int
    high: int


class Estimate(Value, frozen=True, kw_only=True):
    """What one mind, memory or judge asks of its model, in all; of a generative mind what it thinks
    at length apart."""

    kind: EstimateKind
    name: str
    """The mind's, memory's or judge's."""
    model: str
    """The model's name; a memory without one of its own has an estimate for each that it uses."""
    calls: Range
    input_tokens: Range
    """Of prompts, as counted here."""
    output_tokens: Range
    """Of answers."""
    usd: tuple[float, float] | None = None
    """US dollars; None where the price is not known."""


class Bounds(NamedTuple):
    """A low and a high end, to reckon with."""

    low: int
    high: int

    def __add__(self, other: object) -> "Bounds":
        assert isinstance(other, Bounds)
        return Bounds(self.low + other.low, self.high + other.high)

    def times(self, count: int) -> "Bounds":
        """As often as that."""
        return Bounds(self.low * count, self.high * count)

    def at_most(self, limit: int) -> "Bounds":
        """Neither end more than that."""
        return Bounds(min(self.low, limit), min(self.high, limit))


NOTHING: Final = Bounds(0, 0)


class Largest(NamedTuple):
    """The largest call of one mind, memory or judge to its model, in tokens."""

    kind: EstimateKind
    name: str
    memory: str
    """The name of the memory that its prompts hold, or that writes; empty: none."""
    model: ModelSpec
    least: int
    """Of a prompt that there will be."""
    most: int
    """Of the longest prompt that there can be."""
    remembered: int
    """Of ``most``: what is remembered."""
    answer: int
    """Of the longest answer, with the thoughts before it."""


class Tally:
    """What is asked of models, added up by who asks."""

    def __init__(self) -> None:
        self.largest: dict[tuple[EstimateKind, str, str, str], Largest] = {}
        """By kind, name, memory and the model's name."""
        self._sums: dict[tuple[EstimateKind, str, str], list[Bounds]] = {}
        self._models: dict[tuple[EstimateKind, str, str], ModelSpec] = {}

    def add(
        self,
        kind: EstimateKind,
        name: str,
        model: ModelSpec,
        *,
        calls: Bounds,
        asked: Bounds,
        answered: Bounds,
        reasks: int | None = None,
        memory: str = "",
        prompt: Bounds | None = None,
        remembered: int = 0,
    ) -> None:
        """``asked``: tokens of the prompts of all these questions; ``answered``: of their answers;
        ``reasks``: how often each may be put again; None: these are all calls there can be.
        ``prompt``: of the shortest and the longest prompt, ``remembered`` of what is remembered in
        that; without it they are alike. ``memory``: the memory's name."""
        if calls.high:
            each = prompt or Bounds(asked.low // max(calls.low, 1), asked.high // calls.high)
            answer = answered.high // calls.high
            mine = Largest(kind, name, memory, model, *each, remembered, answer)
            place = (kind, name, memory, model.name)
            self.largest[place] = max(mine, self.largest.get(place, mine), key=_size)
        if reasks is not None:
            calls, asked, answered = with_reasks(calls, asked, answered, reasks)
        key = (kind, name, model.name)
        self._models[key] = model
        sums = self._sums.setdefault(key, [NOTHING, NOTHING, NOTHING])
        for at, more in enumerate((calls, asked, answered)):
            sums[at] += more

    async def estimates(self) -> tuple[Estimate, ...]:
        """The sums with their prices, in the order in which they began. Price lists are looked
        into, which may take seconds the first time."""
        return await asyncio.to_thread(self._priced)

    def _priced(self) -> tuple[Estimate, ...]:
        return tuple(
            Estimate(
                kind=kind,
                name=name,
                model=model,
                calls=Range(**calls._asdict()),
                input_tokens=Range(**asked._asdict()),
                output_tokens=Range(**answered._asdict()),
                usd=self._usd(self._models[kind, name, model], calls, asked, answered),
            )
            for (kind, name, model), (calls, asked, answered) in self._sums.items()
        )

    def _usd(
        self, model: ModelSpec, calls: Bounds, asked: Bounds, answered: Bounds
    ) -> tuple[float, float] | None:
        """By the price of the model itself, else by that which another asks the same model for."""
        for spec in (model, *self._models.values()):
            same = account_of(spec) == account_of(model)
            if same and (usd := _usd(spec, calls, asked, answered)) is not None:
                return usd
        return None


def with_reasks(
    calls: Bounds, asked: Bounds, answered: Bounds, reasks: int
) -> tuple[Bounds, Bounds, Bounds]:
    """The same, where at the high end no answer but the last can be used, and each request to mend
    says what was wrong. ``reasks``: how often a question is put again."""
    often = 1 + reasks + COMPLETED
    again = often * calls.high * MENDING + COMPLETED * answered.high
    return (
        calls._replace(high=calls.high * often),
        asked._replace(high=asked.high * often + again),
        answered._replace(high=answered.high * often),
    )


def played(questions: Sequence[int]) -> list[Bounds]:
    """How often each seat is asked, from how often it may be."""
    return [Bounds(-(-count // 2), count) for count in questions]


def transcript(questions: Sequence[int], answers: Sequence[int]) -> Bounds:
    """Tokens of a whole episode's transcript. ``questions``: how often each seat may be asked;
    ``answers``: tokens of each seat's longest."""
    low = sum(count.low * SHORT_LINE for count in played(questions))
    high = sum(n * (answer + LINE) for n, answer in zip(questions, answers, strict=True))
    return Bounds(low, high)


def asked_of(seat: int, base: int, questions: Sequence[int], answers: Sequence[int]) -> Bounds:
    """Tokens of all prompts of a seat in an episode, each showing what happened before it.
    ``base``: tokens of one while nothing has happened."""
    count = played(questions)[seat]
    if not count.high:
        return NOTHING
    # What one round adds: the seat's own answer, and those of the others between its two.
    share = [n / questions[seat] for n in questions]
    short = sum(SHORT_LINE * part for part in share)
    long = sum((a + LINE) * part for a, part in zip(answers, share, strict=True))
    # Others may act before it does.
    ahead = sum(answer + LINE for other, answer in enumerate(answers) if other != seat)
    return Bounds(
        _summed(count.low, base, short),
        _summed(count.high, base + ahead, long),
    )


def shown_of(count: Bounds, base: int, story: int) -> Bounds:
    """Tokens of all prompts of a seat that is asked so often and is told, bit by bit, a story of so
    many tokens. ``base``: of one while nothing has happened. Half of the way prompts show a quarter
    of the story on average; at the high end each shows all of it."""
    return Bounds(count.low * (base + story // 4), count.high * (base + story))


def answered_by(model: ModelSpec, count: Bounds, longest: int, short: int = SHORT_ANSWER) -> Bounds:
    """Tokens of so many answers. ``longest``: of one, without the thoughts before it, which are
    paid for, too; ``short``: of a short one."""
    return Bounds(count.low * min(short, longest), count.high * (longest + model.thoughts))


def total_usd(estimates: Iterable[Estimate]) -> tuple[float, float] | None:
    """What all of it costs; None where a price is not known."""
    low = high = 0.0
    for estimate in estimates:
        if estimate.usd is None:
            return None
        low, high = low + estimate.usd[0], high + estimate.usd[1]
    return low, high


def _size(call: Largest) -> int:
    return call.most + call.answer


def _summed(count: int, base: float, growth: float) -> int:
    """``base`` + (``base`` + ``growth``) + (``base`` + 2 ``growth``) + …, so many of them."""
    return round(count * base + count * (count - 1) / 2 * growth)


def _usd(
    model: ModelSpec, calls: Bounds, asked: Bounds, answered: Bounds
) -> tuple[float, float] | None:
    # By the call: some prices rise with the length of a prompt.
    ends = []
    for count, prompts, answers in zip(calls, asked, answered, strict=True):
        each = cost_usd(model, round(prompts / max(count, 1)), round(answers / max(count, 1)))
        if each is None:
            return None
        ends.append(each * count)
    return ends[0], ends[1]
