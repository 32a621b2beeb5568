"""An action as people at a keyboard type it: words are said, what begins with a slash is done."""

import re
from typing import Final

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.typed_answers import Wording
from actors.social.actions import Act, Action, ActionKind
from actors.social.answers import ActionAnswer, action_of
from actors.social.views import Background, SeenAction
from events.untrusted.safe_text import shortened

_KINDS: Final[dict[str, ActionKind]] = {
    "say": "speak",
    "do": "physical",
    "show": "non_verbal",
    "leave": "leave",
    "nothing": "none",
}
WHISPER: Final = "whisper"
_COLON = re.compile("[:：]")


class SocialPeople(PeoplePrompts[Act, Action, Background, SeenAction]):
    """Words are said, what begins with a slash is done."""

    def wording(self, question: Act, background: Background) -> Wording:
        ways = ["type what you say", "/do what you do", "/show a look or a gesture"]
        if len(background.others) > 1:
            ways.append("/whisper NAME: what you say")
        ways += ["/leave", "/nothing"]
        return Wording(lead="What do you say or do?", hint="; ".join(ways))

    def typed(self, question: Act, background: Background, text: str) -> Action:
        """The action that a line means. Raises ``ValueError`` with what is wrong with it."""
        line = text
        text = text.strip()
        if not text:
            raise ValueError("type what you say, or /nothing to let your turn pass")
        to: tuple[str, ...] = ()
        kind: ActionKind | None = "speak"
        if text.startswith("/"):
            word, _, text = text[1:].partition(" ")
            text = text.strip()
            if word == WHISPER:
                name, *said = _COLON.split(text, maxsplit=1)
                if not said:
                    raise ValueError("a whisper is typed as /whisper NAME: what you say")
                to, text = (name.strip(),), said[0].strip()
            else:
                kind = _KINDS.get(word)
        if kind is None:
            known = ", ".join(f"/{one}" for one in (*_KINDS, WHISPER))
            raise ValueError(f"/{shortened(word)} means nothing here; there are {known}")
        if not text and kind not in ("leave", "none"):
            raise ValueError("words are missing behind it")
        if kind == "none":
            text = ""  # as "/nothing at all" has it
        return action_of(ActionAnswer(kind=kind, text=text, to=to), background, line)
