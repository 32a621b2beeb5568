"""Skill checks recorded by the bot Avrae, as FIREBALL has them (Zhu et al. 2023).

A file of JSON lines is a session; each line has the commands of one turn, what was said before, and
the state of the game.

Nobody has to guess what is checked or by whom: a player's own command rolled it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from actors.tabletop.skills import FORMS, SKILLS, Skill
from evaluators.tabletop.calls.samples import (
    CONTEXT,
    NOTHING_BEFORE,
    CallSample,
    CallSamples,
    Dropped,
    Label,
    Rule,
    SpokenLine,
)
from evaluators.tabletop.calls.transcripts import MOST_BYTES, BadTranscript
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

_COMMAND: Final = re.compile(
    r"!(?:check|c|(?:i|init|initiative)\s+check)\s+(?P<check>.+)", re.IGNORECASE | re.DOTALL
)
"""A check by whoever sends the command; those of monsters and of others have commands of their
own."""
_OPTION: Final = re.compile(
    r"\s(?:-|(?:adv|dis|ea|eadv|guidance|rr|mc|str|dex|con|int|wis|cha|pro|noprof|half)\b)",
    re.IGNORECASE,
)
"""Where the arguments behind the skill begin."""
_ROLLED: Final = re.compile(
    r"^(?P<who>.+?) rolled an? (?P<skill>.+?) (?:check|contest against .+?) ?(?:and|but) ",
    re.MULTILINE,
)
"""A check within an action, as ``automation_results`` tells it."""
_ABILITIES: Final = frozenset(
    (
        *("str", "dex", "con", "int", "wis", "cha", "initiative"),
        *("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"),
    )
)
"""Checks of no skill, by the names that Avrae takes."""
_SKILL_NAMES: Final = re.compile(rf"\b(?:{'|'.join(FORMS.values())})\b", re.IGNORECASE)


class _Actor(msgspec.Struct):
    """A combatant, as the normalized state has it."""

    name: str
    role: str | None = msgspec.field(name="class", default=None)
    """Its classes with levels; only player characters have some."""


class _Turn(msgspec.Struct):
    """The fields of a line that are read; there are more."""

    commands_norm: Annotated[list[str], msgspec.Meta(min_length=1)]
    caster_after: _Actor
    utterance_history: list[str]
    """The last five utterances, each behind its author's name and a colon."""
    before_utterances: list[str] = []
    """Those of the author of the commands."""
    automation_results: list[str] = []
    combat_state_before: list[_Actor] = []


_DECODER: Final = msgspec.json.Decoder(decodable(_Turn))


def read_fireball(path: Path) -> Sequence[_Turn]:
    """The turns of a session's file. Raises ``BadTranscript``."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadTranscript(path, error.strerror or str(error)) from error
    if len(data) > MOST_BYTES:
        raise BadTranscript(path, f"is larger than {MOST_BYTES // 2**20} MiB; split it by session")
    if data.startswith(b"\x1f\x8b"):
        raise BadTranscript(path, "is compressed; unpack it with gunzip first")
    turns = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            turns.append(_DECODER.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            shape = "with commands_norm, caster_after and utterance_history"
            why = f"line {number} is no turn of FIREBALL, a JSON object {shape}: {error}"
            raise BadTranscript(path, why) from error
    if not turns:
        raise BadTranscript(path, "has no turns; FIREBALL has one JSON object a line")
    return turns


def fireball_samples(paths: Sequence[Path], *, mask: bool = False) -> CallSamples:
    """The checks in some sessions' files, each turn that has some a sample. ``mask``: as in
    ``samples_of``. Raises ``BadTranscript``."""
    found: list[CallSample] = []
    dropped: list[Dropped] = []
    unknown: Counter[str] = Counter()
    count = 0
    for path in paths:
        turns = read_fireball(path)
        count += len(turns)
        session = _Session(path.stem, turns)
        for one in session.checks(mask):
            if isinstance(one, CallSample):
                found.append(one)
            else:
                dropped.append(one)
        unknown.update(session.unknown)
    return CallSamples(tuple(found), tuple(dropped), unknown, count)


class _Session:
    """What was said in one file, and who said it."""

    def __init__(self, name: str, turns: Sequence[_Turn]) -> None:
        self._name, self._turns = name, turns
        self._said: list[tuple[str, str]] = []
        """Author and text, in order."""
        self._before: list[int] = []
        """How many of them there were before each turn's commands."""
        for turn in turns:
            self._add([_parted(one) for one in turn.utterance_history])
            self._before.append(len(self._said))
        self._characters = self._authors()
        players = (one.name for turn in turns for one in turn.combat_state_before if one.role)
        casters = (turn.caster_after.name for turn in turns if turn.caster_after.role)
        self._cast = tuple(dict.fromkeys((*players, *casters)))
        self.unknown = Counter(who for who, _ in self._said if who not in self._characters)

    def checks(self, mask: bool) -> Iterator[CallSample | Dropped]:
        """A sample, or why there is none, for each turn with a check."""
        for number, turn in enumerate(self._turns, 1):
            labels: list[Label] = []
            for who, given in _checks(turn):
                skills = _fitting(given)
                if len(skills) == 1 and who in self._cast:
                    labels.append(Label(who, skills[0]))
                    continue
                why = f"{shortened(who)} is no player's character"
                if not skills:
                    why = f"{shortened(given)!r} is none of the 18 skills"
                elif len(skills) > 1:
                    why = f"{shortened(given)!r} may be {' or '.join(skills)}"
                yield Dropped(self._name, number, why)
            begin = max(0, self._before[number - 1] - CONTEXT)
            lines = tuple(self._lines(begin, self._before[number - 1], mask))
            if labels and not lines:
                yield Dropped(self._name, number, NOTHING_BEFORE)
            elif labels:
                yield CallSample(
                    session=self._name,
                    turn=number,
                    lines=lines,
                    cast=self._cast,
                    labels=tuple(sorted(set(labels))),
                    rule=Rule.recorded,
                )

    def _lines(self, begin: int, end: int, mask: bool) -> Iterator[SpokenLine]:
        for author, text in self._said[begin:end]:
            who = self._characters.get(author, author)
            yield SpokenLine(
                who, _SKILL_NAMES.sub("____", text) if mask and who != _MASTER else text
            )

    def _add(self, latest: list[tuple[str, str]]) -> None:
        """The last utterances at some moment; those that are known already are not added again."""
        known = self._said
        for shared in range(min(len(latest), len(known)), 0, -1):
            if known[-shared:] == latest[:shared]:
                latest = latest[shared:]
                break
        self._said.extend(latest)

    def _authors(self) -> dict[str, str]:
        """By author the character whose commands came after the author's words, the most frequent
        one; who commands monsters is the game master."""
        counts: dict[str, Counter[str]] = {}
        for turn in self._turns:
            caster = turn.caster_after
            said = {text for text in turn.before_utterances if text.strip()}
            for author, text in map(_parted, turn.utterance_history):
                if text in said:
                    who = caster.name if caster.role else _MASTER
                    counts.setdefault(author, Counter())[who] += 1
        return {author: among.most_common(1)[0][0] for author, among in counts.items()}


_MASTER: Final = "DM"


def _parted(utterance: str) -> tuple[str, str]:
    """Author and text of an utterance of the history."""
    author, colon, text = utterance.partition(": ")
    return (author, text) if colon else ("", utterance)


def _checks(turn: _Turn) -> Iterator[tuple[str, str]]:
    """Who checks what in a turn, as it is written: by command, or within an action of their own."""
    caster = turn.caster_after.name
    for command in turn.commands_norm:
        if given := _COMMAND.match(command.strip()):
            yield caster, _OPTION.split(given["check"].strip())[0].strip(" \"'“”")
    for result in turn.automation_results:
        for rolled in _ROLLED.finditer(result):
            # A check that somebody's action makes another roll is no intention of theirs.
            if rolled["who"] == caster:
                yield caster, rolled["skill"]


def _fitting(given: str) -> list[Skill]:
    """The skills of which this is the beginning, as Avrae takes it; none of an ability's name."""
    begun = _letters(given)
    if not begun or begun in _ABILITIES:
        return []
    return [one for one in SKILLS if _letters(one).startswith(begun)]


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()
