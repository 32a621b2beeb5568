"""What a viewer may see, in words of the story's language. Nothing here decides what may be seen:
``actors.worldtree.sight`` did."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import Viewer
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.episodes.rules.failed_actions import NO_ANSWER
from actors.worldtree import sight
from actors.worldtree.setup import ENDINGS, Inquiry, Walk, came_of
from actors.worldtree.trees.tree import Beat, Entrance, Language, Profile
from actors.worldtree.views import Notice, SeenEntrance, SeenLine, SeenVote, View
from events.episode import EpisodeStarted
from events.untrusted.safe_text import shortened

_SHOWN: Final = 40
"""Characters of a line in the report of an answer that was for it: it stands whole beside."""
_WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "enters": "enters",
        "known": "known to everybody",
        "private": "private",
        "goal": "goal",
        "said": '{who} said: "{text}"',
        "vote": "answer {number}",
        "voted": "{who}, {vote}: {what}",
        "nothing": NO_ANSWER,
        "for": 'is for "{text}"',
        "chosen": "chosen, by {votes} of its answers",
        "question": "Question",
        "right_line": "Right line",
        "outcome": "Outcome",
        "characters": "Characters",
        "dot": ". ",
        "achieved": "achieved",
        "partly": "partly achieved",
        "not": "not achieved",
        "unscored": "not scored",
        "undecided": "undecided",
        "right": "right",
        "wrong": "wrong",
    },
    "zh": {
        "enters": "登场",
        "known": "公开信息",
        "private": "私下信息",
        "goal": "目标",
        "said": "{who}：“{text}”",
        "vote": "第{number}次回答",
        "voted": "{who}，{vote}：{what}",
        "nothing": "没有回答",
        "for": "选择“{text}”",
        "chosen": "{votes}次回答选择此句",
        "question": "问题",
        "right_line": "正确的台词",
        "outcome": "结果",
        "characters": "人物",
        "dot": "。",
        "achieved": "达成",
        "partly": "部分达成",
        "not": "未达成",
        "unscored": "不计分",
        "undecided": "未定",
        "right": "正确",
        "wrong": "错误",
    },
}


def ending(reason: str) -> str:
    """Why an episode is over, as half a sentence; empty where it goes on."""
    return (ENDINGS | OTHER_ENDINGS).get(reason, reason)


def outcome(reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
    """What came of an episode, in a few words; why, where nothing did."""
    said = came_of(summary)
    words = _WORDS["en"].get(said, said)
    why = reason.replace("_", " ")
    if said == "unscored" and reason == "ended":
        why = "the tree does not say"
    return f"{words}: {why}" if said == "unscored" else words or why


def entry(notice: Notice, protagonist: str, language: Language) -> Entry:
    """A notice, as an account tells it. ``protagonist``: who is in the seat, by name."""
    words = _WORDS[language]
    match notice:
        case SeenLine(role=role, text=text):
            said = words["said"].format(who=role, text=text) if role else text
            votes = words["chosen"].format(votes=notice.votes) if notice.votes > 1 else ""
            return Entry(
                number=notice.number,
                turn=notice.turn,
                seat=0 if notice.chosen else None,
                who=role,
                kind="choice" if notice.chosen else "line" if role else "narration",
                text=text,
                line=f"{said} [{votes}]" if votes else said,
            )
        case SeenEntrance(profile=profile):
            return Entry(
                number=notice.number,
                turn=notice.turn,
                who=profile.name,
                kind="entrance",
                text=profile.public,
                line=_introduced(profile, language, words["enters"]),
                verb=words["enters"],
            )
        case SeenVote():
            which = words["vote"].format(number=notice.question + 1)
            for_what = words["for"].format(text=shortened(notice.text, _SHOWN))
            what = words["nothing"] if notice.failure else for_what
            line = words["voted"].format(who=protagonist, vote=which, what=what)
            return Entry(
                number=notice.number,
                turn=notice.turn,
                seat=0,
                who=protagonist,
                kind="vote",
                text="" if notice.failure else notice.text,
                line=" ".join(filter(None, (line, notice.why))),
                failed=notice.failure,
                verb=words["nothing"] if notice.failure else which,
            )


def beats(happened: Sequence[Beat], language: Language) -> Sequence[str]:
    """What has happened, a line each."""
    return [_beat(beat, language) for beat in happened]


def _beat(beat: Beat, language: Language) -> str:
    if isinstance(beat, Entrance):
        return _introduced(beat.profile, language, _WORDS[language]["enters"])
    said = _WORDS[language]["said"]
    return said.format(who=beat.role, text=beat.text) if beat.role else beat.text


def _introduced(profile: Profile, language: Language, enters: str = "") -> str:
    who = f"{profile.name} {enters}".rstrip()
    return _WORDS[language]["dot"].join(filter(None, (who, profile.public)))


class ChoiceWords(EpisodeWords[View, Notice]):
    """Words of the story's language."""

    def account(self, view: View) -> Account:
        words, who = _WORDS[view.language], view.protagonist
        before = beats(view.before, view.language)
        notes = (
            (words["characters"], "\n".join(_introduced(one, view.language) for one in view.cast)),
            (words["question"], view.question),
            (words["right_line"], view.right),
            (words["outcome"], words.get(view.outcome, view.outcome)),
        )
        return Account(
            situation="\n".join(filter(None, (view.scenario, *before))),
            portraits=(
                Portrait(
                    seat=0,
                    name=who.name,
                    facts=((words["known"], who.public),) if who.public else (),
                    brief=(who.public,) if who.public else (),
                    goal=who.goal,
                    secret=who.private,
                ),
            ),
            entries=tuple(entry(notice, who.name, view.language) for notice in view.noticed),
            notes=tuple((heading, text) for heading, text in notes if text),
            turn=view.turn,
            ended=view.ended,
            ending=ending(view.ended),
            detail=view.detail,
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        """A line, an entrance or an answer."""
        story = sight.story_of(started)
        name, language = story.protagonist.name, story.language
        return lambda notice: entry(notice, name, language)


class ChoicePresentation(Presentation[Walk | Inquiry]):
    """By what is played."""

    def labels(self, setup: Walk | Inquiry) -> Mapping[str, str]:
        """What is played, in which language, with which orientation."""
        walk = isinstance(setup, Walk)
        story = setup.tree if isinstance(setup, Walk) else setup.sample
        return {
            "kind": "walk" if walk else "ability",
            "language": story.language,
            "orientation": story.orientation,
        }


WORDS: Final = ChoiceWords()
PRESENTATION: Final = ChoicePresentation()
