"""How a language model or a person is asked what to do in a game, and how the answer is read."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.port.prompts import Prompt, Prompts
from actors.episodes.typed_answers import Wording
from actors.games import render
from actors.games.answers import act_of, act_schema, number_in, read_act, seat_named
from actors.games.seat_summary import Standing
from actors.games.setup import MOST_WORDS, ActOption, Decide
from actors.games.sight import FactSeen, GameView, Notice
from actors.models.answers.structured import Fields
from actors.models.response_formats.schemas import Schema
from actors.templates import Templates
from actors.text.quotes import continued, nonce_from
from events.environments import Action
from events.untrusted.safe_text import shortened

TEMPLATE: Final = "game-1"
_templates = Templates("actors.games.prompts")
_HEARD: Final = {
    "public": "All learn what you do.",
    "team": "Your team alone learns what you do.",
    "self": "Nobody else learns what you do.",
    "named": "Only whom you name learns what you do.",
}
_ASIDE: Final = "Words to one alone are heard by nobody else."
_AT_ONCE: Final = "All who act now decide at the same time, without seeing what the others do."


def how_heard(question: Decide) -> str:
    """Who learns of what is done, and when."""
    aside = any(one.direct for one in question.options)
    parts = (_HEARD[question.heard], _ASIDE * aside, _AT_ONCE * question.together)
    return " ".join(part for part in parts if part)


def option_form(option: ActOption) -> str:
    """A verb as the JSON object that it is chosen with."""
    parts = [f'"verb": "{option.verb}"']
    if option.targets:
        parts.append('"target": "NAME"')
    parts += [f'"{one.id}": NUMBER' for one in option.numbers]
    if option.words:
        parts.append('"word": "WORD"')
    if option.direct:
        parts.append('"to": null')
    if option.says:
        parts.append('"say": "…"')
    return "{" + ", ".join(parts) + "}"


def option_terms(background: GameView, option: ActOption) -> list[str]:
    """What can stand in the places of that object."""
    deal = background.setup
    terms = []
    if option.targets:
        names = ", ".join(render.name_of(deal, seat) for seat in option.targets)
        terms.append(f"NAME is one of: {names}")
    terms += [
        f"{one.id}, a whole number from {one.low} to {one.high}: {one.text}"
        for one in option.numbers
    ]
    if option.words:
        terms.append("WORD is one of: " + ", ".join(option.words))
    if option.direct:
        names = ", ".join(render.name_of(deal, seat) for seat in option.direct)
        terms.append(f'"to" is null, or the one who alone shall hear your words: {names}')
    return terms


class GamePromptWriter:
    """One seat's prompts; lines that were written once are not written again."""

    def __init__(self, background: GameView) -> None:
        deal, seat = background.setup, background.viewer
        assert isinstance(seat, int), "a seat is asked"
        card = deal.cards[seat]
        assert card is not None, "a seat knows its card"
        self._background = background
        self._lines: list[str] = []
        self._standing = Standing(deal, seat)
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
            "players": [
                f"{one.name}: {one.about}" if one.about else one.name for one in deal.players
            ],
        }
        self._system = _templates.block(TEMPLATE, "system", words)
        self._version = _templates.version(TEMPLATE)

    def prompt(self, question: Decide, noticed: Sequence[Notice], turn: int) -> Prompt:
        """The words for one question."""
        del turn
        deal = self._background.setup
        for notice in noticed[len(self._lines) :]:
            self._lines.append(continued(render.line(deal, notice)))
            if isinstance(notice, FactSeen):
                self._standing.take(notice.fact)
        history = "\n".join(self._lines)
        nonce = nonce_from(self._system, history)
        asked: Fields = {
            "history": history,
            "nonce": nonce,
            "standing": self._standing.lines(),
            "round": question.round,
            "phase": question.title,
            "text": question.text,
            "terms": how_heard(question),
            "options": [
                {
                    "text": one.text,
                    "form": option_form(one),
                    "terms": option_terms(self._background, one),
                }
                for one in question.options
            ],
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
        return read_act(question, background, text, label)

    def schema(self, question: Decide, background: GameView) -> Schema:
        """One of the verbs, with what it takes."""
        return act_schema(background, question)


def option_line(background: GameView, option: ActOption) -> str:
    """A verb as people are offered it."""
    deal = background.setup
    parts = [option.text]
    if option.targets:
        parts.append(", ".join(render.name_of(deal, seat) for seat in option.targets))
    parts += [f"{one.text}: {one.low} to {one.high}" for one in option.numbers]
    if option.words:
        parts.append(", ".join(option.words))
    return "; ".join(parts)


def usage(option: ActOption) -> str:
    """How a verb is typed."""
    parts = [option.verb]
    parts += ["NAME"] * bool(option.targets)
    parts += [one.id.upper() for one in option.numbers]
    parts += ["WORD"] * bool(option.words)
    typed = " ".join(parts)
    if option.says:
        typed += ": your words"
    if option.direct:
        typed += f", or {' '.join(parts)} to NAME: words for one alone"
    return typed


class GamePeople(PeoplePrompts[Decide, Action, GameView, Notice]):
    """A verb, whom or what it names, and words behind a colon."""

    def wording(self, question: Decide, background: GameView) -> Wording:
        """What a person is asked, with who learns of it."""
        lead = f"Round {question.round}, {question.title}. What do you do?"
        said = [one for one in question.options if one.says]
        plain = "your words as they are, or " if len(said) == 1 and _is_plain(said[0]) else ""
        return Wording(
            lead=" ".join(part for part in (lead, question.text, how_heard(question)) if part),
            options=tuple([(one.verb, option_line(background, one)) for one in question.options]),
            hint=plain + "; ".join(usage(one) for one in question.options),
        )

    def typed(self, question: Decide, background: GameView, text: str) -> Action:
        """The act. Raises ``ValueError`` where it is none."""
        text = text.strip()
        if text.startswith("{"):
            return self.prompts.read(question, background, text, "person")
        head, colon, said = text.partition(":")
        verb, _, rest = head.strip().partition(" ")
        rest = rest.strip()
        option = next((one for one in question.options if one.verb == verb.casefold()), None)
        says = [one for one in question.options if one.says]
        if len(says) == 1 and _is_plain(says[0]) and _is_speech(option, rest, bool(colon)):
            option, rest, said = says[0], "", text
        if option is None:
            known = ", ".join(one.verb for one in question.options)
            raise ValueError(f"there is no verb {shortened(verb, 60)!r} now; there are {known}")
        if len(said) > MOST_WORDS:
            raise ValueError(f"you say {len(said):,} characters; at most {MOST_WORDS:,} are taken")
        if said.strip() and not option.says:
            raise ValueError(f"{option.verb} takes no words; type {usage(option)}")
        fields: Fields = {"verb": option.verb, "say": said.strip()}
        if option.direct:
            rest, fields["to"] = _addressed(background, option, rest)
        if left := _put_typed(option, fields, rest):
            raise ValueError(f"what is {shortened(left, 60)!r}? Type {usage(option)}")
        return act_of(question, background, fields, text)


def _is_plain(option: ActOption) -> bool:
    """Whether words are all that a verb needs."""
    return option.says and not (option.targets or option.numbers or option.words)


def _is_speech(option: ActOption | None, rest: str, colon: bool) -> bool:
    """Whether a line is what is said, not a verb with what it takes: ``pass the salt``."""
    if option is None:
        return True
    if _is_plain(option):
        return bool(rest) and not colon
    takes = option.targets or option.numbers or option.words
    return not takes and (bool(rest) or colon)


def _addressed(background: GameView, option: ActOption, rest: str) -> tuple[str, str | None]:
    """What stands before ``to NAME``, and the name; None: there is none."""
    before, found, name = f" {rest}".rpartition(" to ")
    if found and seat_named(background, name, option.direct) is not None:
        return before.strip(), name.strip()
    if found and not before.strip():
        names = ", ".join(render.name_of(background.setup, seat) for seat in option.direct)
        raise ValueError(f"there is no {shortened(name, 60)!r} to speak to; there are {names}")
    return rest, None


def _put_typed(option: ActOption, fields: Fields, rest: str) -> str:
    """Put what stands behind a verb into the fields; what is left of it."""
    words = rest.replace("=", " ").split() if option.numbers else rest.split()
    for one in option.numbers:
        for place, word in enumerate(words[:-1]):
            if word.casefold() == one.id and number_in(words[place + 1]) is not None:
                fields[one.id] = words[place + 1]
                del words[place : place + 2]
                break
    for one in option.numbers:
        found = next((word for word in words if number_in(word) is not None), None)
        if found is not None and one.id not in fields:
            fields[one.id] = found
            words.remove(found)
    left = " ".join(words)
    if option.words:
        fields["word"] = left
    elif option.targets:
        fields["target"] = left
    else:
        return left
    return ""


PROMPTS: Final = GamePrompts()
