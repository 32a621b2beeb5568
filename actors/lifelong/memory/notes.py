"""Writes a note on an episode that is over: with a model, or by fixed rules if the mind has
none."""

from typing import Final

from actors.lifelong import prompts
from actors.lifelong.memory.budget import context_of, token_budget
from actors.lifelong.memory.modules import longest_note
from actors.lifelong.memory.note_answer import (
    excess,
    note_of,
    problems,
    reader,
    schema,
    shortened,
)
from actors.lifelong.memory.prompt_entries import words_of
from actors.lifelong.memory.recall import SeenEpisode
from actors.models import tokens
from actors.models.answers.ask import ModelQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.errors import Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallRecorder
from events.agent import WORD_COUNT
from events.base import Value
from events.memory import MemorySpec, Note
from events.minds import ModelSpec

RULES: Final = "rehearsal"
"""``MemoryWritten.writer`` of notes written by fixed rules."""


class WrittenNote(Value, frozen=True, kw_only=True):
    """A note and what it took to get it; the fields are ``MemoryWritten``'s."""

    note: Note | None = None
    words: int = 0
    writer: str
    attempts: int = 0
    within_bounds: bool
    cost_usd: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0


async def write_note(
    memory: MemorySpec,
    seen: SeenEpisode,
    index: int,
    *,
    model: ModelSpec | None,
    caller: ModelCaller,
    calls: CallRecorder,
    budget: BudgetKeeper | None = None,
) -> WrittenNote:
    """The note of the seat that saw it, on episode ``index`` of its chain.

    ``model`` writes it, or fixed rules where it is None. Whatever a model does wrong ends in the
    answer: a note outside the bounds (``within_bounds``) or none. Of the notes that can be read
    the first that is as asked for is taken, else the one whose length is least off; what is still
    too long is cut, so that memories never grow faster than they may.

    Raises ``BudgetSpent``, and ``UnknownPrompt`` where the memory's prompt is not here any more.
    """
    if model is None:
        note = seen.support.note_by_rule(
            seen.view, memory.words_low, memory.words_high, memory.parts
        )
        return _written(note, memory, writer=RULES)
    template = prompts.note_template(memory.prompt_version)
    await tokens.ready()
    writing = _Writing(memory, model, template)
    answer = await ask(
        await writing.question(seen),
        turn=index,
        model=model,
        caller=caller,
        calls=calls,
        budget=budget,
    )
    costs = [call.cost_usd for call in answer.calls]
    return _written(
        writing.best,
        memory,
        writer=model.name,
        attempts=answer.attempts,
        cost_usd=None if not costs or None in costs else sum(filter(None, costs)),
        input_tokens=sum(call.input_tokens for call in answer.calls),
        output_tokens=sum(call.output_tokens for call in answer.calls),
    )


class _Writing:
    """One note being asked for."""

    def __init__(self, memory: MemorySpec, model: ModelSpec, template: str) -> None:
        self.memory, self.model, self.template = memory, model, template
        self.rated = prompts.asks_importance(template, memory.module)
        self.reader = reader(memory.parts, rated=self.rated)
        self.best: Note | None = None
        self.answer_tokens = longest_note(memory, model)

    async def question(self, seen: SeenEpisode) -> ModelQuestion[Note]:
        """What the model is asked; ``best`` has what its answers gave, usable or not."""
        return ModelQuestion(
            messages=await self._messages(seen),
            read=self._read,
            purpose="remember",
            json_schema=schema(
                self.memory.parts,
                rated=self.rated,
                words_high=self.memory.words_high,
                longest=self.answer_tokens,
            ),
            prompt_version=prompts.version(self.template),
            max_tokens=self.answer_tokens,
        )

    def _read(self, text: str, label: str) -> Note:
        note = note_of(self.reader.read(text, label), prompts.phrases(self.template))
        wrong = problems(note, self.memory)
        if not words_of(note):
            raise Unreadable(wrong, text)
        self.best = note if self.best is None or not wrong else self._better(self.best, note)
        if wrong:
            of_length = all(getattr(note, part) for part in self.memory.parts)
            raise Unreadable(wrong, text, kind=WORD_COUNT if of_length else "")
        return note

    async def _messages(self, seen: SeenEpisode) -> tuple[Msg, ...]:
        """The request; where the episode is too long for the model, without its beginning."""
        context = await context_of(self.memory, self.model)
        account, seat = seen.account, seen.seat
        me = seen.support.writer(seen.view, account.portraits[seat])

        def question(skipped: int) -> prompts.NotePrompt:
            memory = self.memory
            told_by = prompts.account_template(memory.prompt_version)
            words = prompts.retelling(account, seat, skipped=skipped, template=told_by)
            return prompts.note_prompt(
                me,
                words,
                memory.words_low,
                memory.words_high,
                memory.parts,
                self.template,
                rated=self.rated,
            )

        def fits(asked: prompts.NotePrompt) -> bool:
            taken = tokens.count(asked.system) + tokens.count(asked.user)
            return token_budget(context, taken, self.answer_tokens) > 0

        asked, least, most = question(0), 1, len(account.entries)
        if not fits(asked):
            while least < most:
                middle = (least + most) // 2
                least, most = (least, middle) if fits(question(middle)) else (middle + 1, most)
            asked = question(min(least, len(account.entries)))
        return (Msg("system", asked.system), Msg("user", asked.user))

    def _better(self, one: Note, other: Note) -> Note:
        """Of two notes, neither as asked for, the one whose length is less off."""
        first, second = (excess(words_of(note), self.memory) for note in (one, other))
        return other if second < first else one


def _written(
    note: Note | None,
    memory: MemorySpec,
    *,
    writer: str,
    attempts: int = 0,
    cost_usd: float | None = None,
    input_tokens: int = 0,
    output_tokens: int = 0,
) -> WrittenNote:
    within = note is not None and not excess(words_of(note), memory)
    note = note and shortened(note, memory.words_high)
    return WrittenNote(
        note=note,
        words=words_of(note) if note else 0,
        writer=writer,
        attempts=attempts,
        within_bounds=within,
        cost_usd=cost_usd,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
    )
