"""Samples for virtual game masters: those of Troupe's own transcripts, and plain ones."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from actors.models.caller import ModelCaller
from actors.tabletop.skills import Skill
from evaluators.tabletop import transcripts
from evaluators.tabletop.calls.cast import read_cast
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine, samples_of
from evaluators.tabletop.calls.transcripts import read_transcript
from events.base import replace

OWN = Path(transcripts.__file__).parent
CAST = ("Ada Reed", "Bo", "Cem")
WORDS: dict[Skill, str] = {
    "Stealth": "I sneak into the shadow, quiet and unseen.",
    "Arcana": "I study the glowing runes of the spell.",
    "Medicine": "I bandage the wound and feel the pulse.",
}


@cache
def own_samples() -> tuple[CallSample, ...]:
    """79 calls of five sessions."""
    read = [read_transcript(path) for path in sorted(OWN.glob("*.json"))]
    return samples_of(read, read_cast(OWN / "cast.toml")).samples


def plain(session: str, who: str, skill: Skill, turn: int = 0) -> CallSample:
    """One says what a skill is used for, others talk."""
    others = [SpokenLine(other, "Nice weather today.") for other in CAST if other != who]
    lines = (SpokenLine("DM", "You stand in a hall."), *others, SpokenLine(who, WORDS[skill]))
    return CallSample(
        session=session, turn=turn, lines=lines, cast=CAST, labels=(Label(who, skill),)
    )


def plain_samples(*skills: Skill, sessions: int = 4) -> list[CallSample]:
    """Of each session one sample for each who and skill."""
    return [
        plain(f"s{session}", who, skill, turn=10 * session + place)
        for session in range(sessions)
        for place, (who, skill) in enumerate(
            (who, skill) for who in CAST for skill in (skills or tuple(WORDS))
        )
    ]


def no_callers() -> ModelCaller:
    """For kinds that ask no model."""
    raise AssertionError("no model is to be asked")


def labelled(sample: CallSample, labels: Sequence[Label]) -> CallSample:
    """The sample with other labels, sorted."""
    return replace(sample, labels=tuple(sorted(set(labels))))
