"""What a rehearsal mind has to say: its part in a scenario, its voice, and the common phrases.

Written material lies in the data files beside this module. A part holds only what its own seat
may know, so a mind that is given one part cannot give away another's.
"""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from actors.social.catalog.starter import starter_catalog
from actors.social.language.utterances import Reading
from actors.toml_file import BadFile
from events.base import Value
from events.serialization.struct_types import decodable

HERE = Path(__file__).parent
T = TypeVar("T")
_HIDDEN = re.compile(r"<p\b[^>]*>.*?</p>", re.DOTALL)
_CUE_WORD = re.compile(r"[\w'€.:]+")


class Cue:
    """Words to listen for: ``"half split + saturday"`` wants half or split, and saturday."""

    __slots__ = ("groups",)

    def __init__(self, text: str) -> None:
        self.groups = tuple(
            frozenset(_CUE_WORD.findall(group.lower())) for group in text.split("+")
        )
        if not all(self.groups):
            raise ValueError(f"a cue needs words on both sides of a '+': {text!r}")

    def heard_in(self, reading: Reading) -> bool:
        """Whether an utterance has a word of every group."""
        return self.met_by(reading.words)

    def met_by(self, words: frozenset[str]) -> bool:
        """Whether these words have one of every group."""
        return all(not group.isdisjoint(words) for group in self.groups)


class Reply(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to something in particular."""

    on: Cue
    say: str


class Worth(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an offer with these words is worth to the seat, from 0 to 1."""

    on: Cue
    worth: float


class Whisper(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something for one other seat only."""

    to: int
    say: str


class Price(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number the seat bargains over."""

    start: float
    """What it asks for first."""
    limit: float
    """The worst it accepts; on which side of ``start`` it lies says which way is better."""
    step: float
    """Offers are multiples of this."""
    form: str = "{n}"
    """How an amount is written; ``clock`` writes 3.5 as 3:30."""
    say: tuple[str, ...] = ()
    """Ways to put an offer, with ``{n}``."""


class ScriptPart(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one seat of one scenario can say and do. ``{n}`` is an amount, ``{,you}`` the name of
    the person spoken to after a comma where it is known."""

    open: tuple[str, ...]
    argue: tuple[str, ...]
    ask: tuple[str, ...] = ()
    tell: tuple[str, ...] = ()
    """True answers about where it stands."""
    bluff: tuple[str, ...] = ()
    """Answers that hide it."""
    reply: tuple[Reply, ...] = ()
    offer: tuple[str, ...] = ()
    """From the least it would give to the most."""
    price: Price | None = None
    hear: tuple[Worth, ...] = ()
    refuse: tuple[str, ...] = ()
    accept: tuple[str | Reply, ...] = ()
    """Agreement; those with a cue only to an offer with these words."""
    part_deal: tuple[str | Reply, ...] = ()
    """Parting words after an agreement, likewise."""
    part_none: tuple[str, ...] = ()
    act: tuple[str, ...] = ()
    """Physical actions."""
    whisper: tuple[Whisper, ...] = ()
    tempts: bool = False
    """Whether the situation pulls at the seat's own secret."""


class Voice(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is one character's own, whatever the scenario."""

    gesture: tuple[str, ...] = ()
    """Non-verbal actions."""
    hint: tuple[str, ...] = ()
    """Near the secret without giving it away."""
    confess: tuple[str, ...] = ()
    """The secret told."""
    deflect: tuple[str, ...] = ()
    """Steering away from it."""


class Tone(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ways to do one thing: for everybody, for the warm, for the cool."""

    any: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    cool: tuple[str, ...] = ()

    def of(self, warm: bool) -> tuple[str, ...]:
        """What somebody of this warmth may say."""
        return self.any + (self.warm if warm else self.cool)


class ScriptFile(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of ``scripts/``: one part a seat."""

    seat: tuple[ScriptPart, ...]


def _hook(kind: type, value: object) -> Cue:
    if kind is Cue and isinstance(value, str):
        return Cue(value)
    raise NotImplementedError(f"cannot read a {kind.__name__}")


def read_material(path: Path, shape: type[T]) -> T:
    """A data file as a ``shape``. Raises ``BadFile``."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=decodable(shape), dec_hook=_hook)
    except msgspec.DecodeError as error:
        raise BadFile(path.name, "", str(error)) from error


@cache
def voices() -> dict[str, Voice]:
    """Voices by character id."""
    return read_material(HERE / "voices.toml", dict[str, Voice])


@cache
def phrases(warm: bool) -> dict[str, tuple[str, ...]]:
    """The common phrases by what they do."""
    tones = read_material(HERE / "phrases.toml", dict[str, Tone])
    return {move: tone.of(warm) for move, tone in tones.items()}


@cache
def familiar(warm: bool) -> dict[str, tuple[str, ...]]:
    """What those say who remember each other, by what it does."""
    tones = read_material(HERE / "familiar.toml", dict[str, Tone])
    return {move: tone.of(warm) for move, tone in tones.items()}


class Improvised(NamedTuple):
    """What is said where nobody has written a part."""

    lines: dict[str, tuple[str, ...]]
    replies: tuple[Reply, ...]


@cache
def improvised() -> Improvised:
    """The lines and the replies for improvised parts."""
    data = read_material(HERE / "improvised.toml", dict[str, Any])
    replies = msgspec.convert(data.pop("reply"), decodable(tuple[Reply, ...]), dec_hook=_hook)
    return Improvised(msgspec.convert(data, dict[str, tuple[str, ...]]), replies)


def improvised_lines() -> dict[str, tuple[str, ...]]:
    """The lines for improvised parts, by what they are for."""
    return improvised().lines


def improvised_replies() -> tuple[Reply, ...]:
    """Answers that fit almost anywhere."""
    return improvised().replies


@cache
def scripts() -> dict[str, tuple[ScriptPart, ...]]:
    """The written parts by scenario id."""
    files = sorted((HERE / "scripts").glob("*.toml"))
    return {path.stem: read_material(path, ScriptFile).seat for path in files}


@cache
def _by_context() -> dict[str, str]:
    """The starter scenarios by what their situation looks like to a seat."""
    return {plain(scenario.context): scenario.id for scenario in starter_catalog().scenarios}


def plain(context: str) -> str:
    """A situation without hidden passages, spaces and case; it stands for the scenario's id, which
    a seat is not told."""
    return " ".join(_HIDDEN.sub(" ", context).lower().split())


@lru_cache(maxsize=4096)
def written_part(context: str, seat: int) -> ScriptPart | None:
    """The part written for a seat in this situation, if there is one."""
    parts = scripts().get(_by_context().get(plain(context), ""), ())
    return parts[seat] if seat < len(parts) else None
