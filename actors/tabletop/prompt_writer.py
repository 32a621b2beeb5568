"""How a language model is asked for a move or for what it learned, and how its answer is read."""

from collections.abc import Sequence
from typing import Final

import msgspec

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.port.prompts import Prompt, Prompts
from actors.episodes.typed_answers import Wording
from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.response_formats.schemas import SAID, Schema, object_schema, text_schema
from actors.tabletop import render
from actors.tabletop.setup import MOST_LEARNED, MOST_WORDS, AskLearned, Move, Played, Recalled
from actors.tabletop.sight import Notice, TableView
from actors.templates import Templates
from actors.text.quotes import continued, nonce_from
from actors.text.speech import without_name
from events.environments import Action

Question = Move | AskLearned
TEMPLATE: Final = "table-1"
_templates = Templates("actors.tabletop.prompts")


class MoveAnswer(msgspec.Struct, frozen=True):
    """What a model answers in its turn."""

    say: str = ""
    do: str = ""


class RecallAnswer(msgspec.Struct, frozen=True):
    """What it answers in the end."""

    learned: str


_MOVE_NAMES: Final = {
    **{name: name for name in ("say", "do")},
    **dict.fromkeys(("speak", "speech", "text", "words", "dialogue", "message"), "say"),
    **dict.fromkeys(("deed", "act", "action", "does", "non_verbal"), "do"),
}
_RECALL_NAMES: Final = dict.fromkeys(
    ("learned", "facts", "knowledge", "answer", "learnt", "text"), "learned"
)


def _move(fields: Fields) -> Fields:
    return {name: text for name, text in renamed(fields, _MOVE_NAMES).items() if text is not None}


def _recall(fields: Fields) -> Fields:
    found = renamed(fields, _RECALL_NAMES)
    told = found.get("learned")
    if isinstance(told, list):
        # Asked for facts, models make a list of them.
        found["learned"] = "\n".join(str(one) for one in told)
    return found


MOVES: Final = AnswerReader(MoveAnswer, _move)
RECALLS: Final = AnswerReader(RecallAnswer, _recall)
MOVE_SCHEMA: Final = object_schema(
    {"say": text_schema(SAID, empty=True), "do": text_schema(SAID, empty=True)}
)
RECALL_SCHEMA: Final = object_schema({"learned": text_schema(2 * SAID, empty=True)})


class TablePromptWriter:
    """One seat's prompts; lines that were written once are not written again."""

    def __init__(self, background: TableView) -> None:
        session, seat = background.setup, background.viewer
        assert isinstance(seat, int), "a seat is asked"
        self._session = session
        self._lines: list[str] = []
        characters = session.characters
        own, npc = characters[seat], characters[-1]
        intention = session.intentions[seat] if seat < len(session.intentions) else None
        self._words: Fields = {
            "own": own,
            "npc": seat == session.players,
            "npc_name": npc.name,
            "facts": render.facts(own),
            "intention": intention.text if intention else "",
            "knowledge": render.knowledge(session),
            "topic": session.topic,
            "points": session.points,
            "others": [
                f"{one.name}, {one.race} {one.role}"
                + (" (non-player character)" if place == session.players else "")
                for place, one in enumerate(characters)
                if place != seat
            ],
            "situation": render.situation(session),
        }
        self._system = _templates.block(TEMPLATE, "system", self._words)
        self._version = _templates.version(TEMPLATE)

    def prompt(self, question: Question, noticed: Sequence[Notice], turn: int) -> Prompt:
        del turn
        for notice in noticed[len(self._lines) :]:
            self._lines.append(continued(render.line(self._session, notice)))
        history = "\n".join(self._lines)
        nonce = nonce_from(self._system, history)
        words = self._words | {"history": history, "nonce": nonce}
        parts = [_templates.block(TEMPLATE, "user", words)]
        if isinstance(question, Move):
            asked, schema = {"move": question.move, "of": question.of}, MOVE_SCHEMA
            parts.append(_templates.block(TEMPLATE, "move", words | asked))
        else:
            schema = RECALL_SCHEMA
            parts.append(_templates.block(TEMPLATE, "recall", words | {"moment": question.moment}))
        return Prompt(self._system, "\n\n".join(parts), self._version, schema=schema)


class TablePrompts(Prompts[Question, Action, TableView, Notice]):
    """Moves and answers."""

    def writer(self, background: TableView) -> TablePromptWriter:
        return TablePromptWriter(background)

    def read(self, question: Question, background: TableView, text: str, label: str) -> Action:
        """The move, without the speaker's name before it; or what was learned."""
        if isinstance(question, AskLearned):
            return Recalled(text=RECALLS.read(text, label).learned.strip()[:MOST_LEARNED])
        answer = MOVES.read(text, label)
        seat = background.viewer
        name = background.setup.characters[seat].name if isinstance(seat, int) else ""
        said = without_name(answer.say, name)
        return Played(text=said[:MOST_WORDS], deed=answer.do.strip()[:MOST_WORDS])

    def schema(self, question: Question, background: TableView) -> Schema:
        """Of a move, words and a deed; of an answer, the facts."""
        return MOVE_SCHEMA if isinstance(question, Move) else RECALL_SCHEMA


_PASSED: Final = "pass"
_DEED: Final = "*"


class TablePeople(PeoplePrompts[Question, Action, TableView, Notice]):
    """Words are typed as they are, deeds between asterisks."""

    def wording(self, question: Question, background: TableView) -> Wording:
        if isinstance(question, AskLearned):
            when = "do you suppose" if question.moment == "before" else "have you learned"
            about = f"What {when} about {question.topic}?"
            return Wording(lead=about, hint="every fact, in sentences; others do not see it")
        return Wording(
            lead=f"What do you say and do? Move {question.move} of {question.of}",
            options=((_PASSED, "do nothing"),),
            hint="words as they are, a deed between asterisks: Good evening. *bows*",
        )

    def typed(self, question: Question, background: TableView, text: str) -> Action:
        """The move or the answer. Raises ``ValueError`` where it is too long."""
        if text.lstrip().startswith("{"):
            return self.prompts.read(question, background, text, "person")
        text = text.strip()
        most = MOST_LEARNED if isinstance(question, AskLearned) else MOST_WORDS
        if len(text) > most:
            raise ValueError(f"it has {len(text):,} characters; at most {most:,} are taken")
        if isinstance(question, AskLearned):
            return Recalled(text=text)
        if text.casefold() == _PASSED:
            return Played()
        parts = text.split(_DEED)
        if len(parts) % 2 == 0:
            raise ValueError("a deed stands between two asterisks, such as *bows*")
        said, done = (" ".join(" ".join(parts[k::2]).split()) for k in (0, 1))
        return Played(text=said, deed=done)


PROMPTS: Final = TablePrompts()
