"""How a language model or a person is asked what to do in a game, and how the answer is read."""

from collections.abc import Sequence
from typing import Final

import msgspec

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.port.prompts import Prompt, Prompts
from actors.episodes.typed_answers import Wording
from actors.games import render
from actors.games.ruleset import PASS
from actors.games.setup import MOST_WORDS, ActOption, Decide, GameAct
from actors.games.sight import GameView, Notice
from actors.models.answers.structured import AnswerReader, Fields, Unreadable, renamed
from actors.models.response_formats.schemas import (
    SAID,
    Schema,
    any_schema,
    choice_schema,
    object_schema,
    or_null,
    text_schema,
    whole_number,
)
from actors.templates import Templates
from actors.text.quotes import continued, nonce_from
from actors.text.speech import without_name
from events.environments import Action

TEMPLATE: Final = "game-1"
_templates = Templates("actors.games.prompts")
_HEARD: Final = {
    "public": "All learn what you do.",
    "team": "Your team alone learns what you do.",
    "self": "Nobody else learns what you do.",
    "named": "Only whom you name learns what you do.",
}


class ActAnswer(msgspec.Struct, frozen=True):
    """What a model answers."""

    verb: str
    target: str | int | None = None
    word: str | None = None
    say: str | None = None
    to: str | int | None = None
    numbers: dict[str, int] = {}


_NAMES: Final = {
    **{name: name for name in ("verb", "target", "word", "say", "to", "numbers")},
    **dict.fromkeys(("action", "act", "do", "move"), "verb"),
    **dict.fromkeys(("whom", "player", "vote"), "target"),
    **dict.fromkeys(("text", "words", "speech", "message"), "say"),
    **dict.fromkeys(("guess", "answer"), "word"),
}


def _prepared(fields: Fields) -> Fields:
    """Numbers may stand beside the verb, by their own names, or in ``numbers``."""
    inner = fields.get("answer")
    if isinstance(inner, dict):
        return _prepared(inner)
    found = dict(renamed(fields, _NAMES))
    extra = {
        name: value
        for name, value in found.items()
        if name not in ActAnswer.__struct_fields__ and isinstance(value, int)
    }
    numbers = found.get("numbers")
    found["numbers"] = {**extra, **(numbers if isinstance(numbers, dict) else {})}
    return {name: found[name] for name in ActAnswer.__struct_fields__ if name in found}


ACTS: Final = AnswerReader(ActAnswer, _prepared)


def option_line(background: GameView, option: ActOption) -> str:
    """A verb as it is offered."""
    deal = background.setup
    parts = [f"{option.verb}: {option.text}"]
    if option.targets:
        parts.append("target: " + ", ".join(render.name_of(deal, seat) for seat in option.targets))
    parts += [f"{one.id} ({one.text}): {one.low} to {one.high}" for one in option.numbers]
    if option.words:
        parts.append("word: " + ", ".join(option.words))
    if option.says:
        parts.append("say: your words")
    if option.direct:
        names = ", ".join(render.name_of(deal, seat) for seat in option.direct)
        parts.append(f"to (only for words that one alone shall hear): {names}")
    return "; ".join(parts)


def option_schema(background: GameView, option: ActOption) -> Schema:
    """The closed schema of an act of a verb."""
    deal, fields = background.setup, {"verb": choice_schema([option.verb])}
    if option.targets:
        fields["target"] = choice_schema([render.name_of(deal, seat) for seat in option.targets])
    for one in option.numbers:
        fields[one.id] = whole_number(one.low, one.high)
    if option.words:
        fields["word"] = choice_schema(option.words)
    if option.says:
        fields["say"] = text_schema(SAID)
    if option.direct:
        names = [render.name_of(deal, seat) for seat in option.direct]
        fields["to"] = or_null(choice_schema(names))
    return object_schema(fields)


def act_schema(background: GameView, question: Decide) -> Schema:
    """The closed schema of all that can be done now."""
    return any_schema([option_schema(background, one) for one in question.options])


def act_form(question: Decide) -> str:
    """The answer's form, as a model is shown it."""
    parts = ['"verb": "one of them"']
    if any(one.targets for one in question.options):
        parts.append('"target": "a name"')
    parts += [f'"{one.id}": a number' for option in question.options for one in option.numbers]
    if any(one.words for one in question.options):
        parts.append('"word": "one of them"')
    if any(one.says for one in question.options):
        parts.append('"say": "your words"')
    if any(one.direct for one in question.options):
        parts.append('"to": "a name, or null"')
    return "{" + ", ".join(dict.fromkeys(parts)) + "}"


class GamePromptWriter:
    """One seat's prompts; lines that were written once are not written again."""

    def __init__(self, background: GameView) -> None:
        deal, seat = background.setup, background.viewer
        assert isinstance(seat, int), "a seat is asked"
        card = deal.cards[seat]
        assert card is not None, "a seat knows its card"
        self._background = background
        self._lines: list[str] = []
        words: Fields = {
            "own": deal.players[seat],
            "title": deal.rules.title,
            "situation": render.situation(deal),
            "role": render.role_title(deal, card.role),
            "goal": card.goal,
            "secret": card.secret,
            "known": [
                f"{render.name_of(deal, one.seat)} is {render.role_title(deal, one.role)}."
                for one in card.knows
            ],
            "players": [f"{one.name}: {one.about}" if one.about else one.name for one in deal.players],
        }
        self._system = _templates.block(TEMPLATE, "system", words)
        self._version = _templates.version(TEMPLATE)

    def prompt(self, question: Decide, noticed: Sequence[Notice], turn: int) -> Prompt:
        """The words for one question."""
        del turn
        deal = self._background.setup
        for notice in noticed[len(self._lines) :]:
            self._lines.append(continued(render.line(deal, notice)))
        history = "\n".join(self._lines)
        nonce = nonce_from(self._system, history)
        asked: Fields = {
            "history": history,
            "nonce": nonce,
            "round": question.round,
            "phase": question.title,
            "text": question.text,
            "heard": _HEARD[question.heard],
            "options": [option_line(self._background, one) for one in question.options],
            "form": act_form(question),
        }
        parts = [_templates.block(TEMPLATE, name, asked) for name in ("user", "ask")]
        schema = act_schema(self._background, question)
        return Prompt(self._system, "\n\n".join(parts), self._version, schema=schema)


class GamePrompts(Prompts[Decide, Action, GameView, Notice]):
    """Acts."""

    def writer(self, background: GameView) -> GamePromptWriter:
        """Writes one seat's prompts."""
        return GamePromptWriter(background)

    def read(self, question: Decide, background: GameView, text: str, label: str) -> Action:
        """The act, names turned into seats. Raises ``Unreadable``."""
        answer = ACTS.read(text, label)
        wanted = answer.verb.strip().casefold()
        option = next((one for one in question.options if one.verb == wanted), None)
        if option is None:
            known = ", ".join(one.verb for one in question.options)
            raise Unreadable(f"there is no verb {answer.verb!r} now; there are {known}", text)
        deal = background.setup
        said = answer.say or "" if option.says else ""
        if isinstance(background.viewer, int):
            said = without_name(said, deal.players[background.viewer].name)
        numbers = {one.id for one in option.numbers}
        return GameAct(
            verb=option.verb,
            target=_seat(background, answer.target, option.targets, text),
            numbers={name: number for name, number in answer.numbers.items() if name in numbers},
            word=_word(answer.word or "", option.words),
            text=said.strip()[:MOST_WORDS],
            to=_seat(background, answer.to, option.direct, text),
        )

    def schema(self, question: Decide, background: GameView) -> Schema:
        """One of the verbs, with what it takes."""
        return act_schema(background, question)


def _seat(
    background: GameView, named: str | int | None, among: Sequence[int], text: str
) -> int | None:
    """The seat of a name; where nobody can be named, nobody is."""
    if not among or named in (None, ""):
        return None
    wanted = str(named).strip().casefold()
    for seat, player in enumerate(background.setup.players):
        if wanted in (player.name.casefold(), str(seat + 1)):
            return seat
    first = [
        seat
        for seat in among
        if background.setup.players[seat].name.casefold().split()[0] == wanted
    ]
    if len(first) == 1:
        return first[0]
    raise Unreadable(f"there is no player {str(named)!r}", text)


def _word(named: str, among: Sequence[str]) -> str:
    if not among:
        return ""
    return next((one for one in among if one.casefold() == named.strip().casefold()), named)


class GamePeople(PeoplePrompts[Decide, Action, GameView, Notice]):
    """A verb, whom or what it names, and words behind a colon."""

    def wording(self, question: Decide, background: GameView) -> Wording:
        """What a person is asked."""
        return Wording(
            lead=f"Round {question.round}, {question.title}. What do you do?",
            options=tuple([(one.verb, option_line(background, one)) for one in question.options]),
            hint="a verb, then a name, numbers or a word, then words behind a colon: "
            "say: Good evening, or vote Mara",
        )

    def typed(self, question: Decide, background: GameView, text: str) -> Action:
        """The act. Raises ``ValueError`` where it is none."""
        if text.lstrip().startswith("{"):
            return self.prompts.read(question, background, text, "person")
        head, _, said = text.strip().partition(":")
        verb, _, rest = head.strip().partition(" ")
        option = next((one for one in question.options if one.verb == verb.casefold()), None)
        if option is None:
            says = [one for one in question.options if one.says]
            if len(says) == 1 and verb.casefold() != PASS:
                return GameAct(verb=says[0].verb, text=text.strip()[:MOST_WORDS])
            known = ", ".join(one.verb for one in question.options)
            raise ValueError(f"there is no verb {verb!r} now; there are {known}")
        fields: Fields = {"verb": option.verb, "say": said.strip()}
        rest = rest.strip()
        if option.numbers:
            parts = rest.split()
            fields["numbers"] = dict(
                zip([one.id for one in option.numbers], map(int, parts), strict=True)
            )
        elif option.words:
            fields["word"] = rest
        elif option.targets:
            fields["target"] = rest
        elif option.direct:
            fields["to"] = rest
        return self.prompts.read(question, background, msgspec.json.encode(fields).decode(), "person")


PROMPTS: Final = GamePrompts()
