"""Who plays whom in transcripts: a table that people write, and what is found without one."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from rapidfuzz.distance import OSA

from actors.toml_file import BadFile, read_toml
from evaluators.tabletop.calls.call_text import checks_in
from evaluators.tabletop.calls.transcripts import Transcript, Turn, speakers

_SEVERAL: Final = re.compile(r"\s*(?:,|&|/|\+|\s-\s|\band\b)\s*", re.IGNORECASE)
_ALL: Final = frozenset({"all", "everyone", "everybody", "group", "party"})
_SELDOM: Final = 0.2
"""A spelling that stands so much less often than one beside it is taken for its misspelling."""


MASTER: Final = "DM"
"""The speaker of the game master's lines in samples."""
_SHOWN: Final = 5
"""Speakers that an error names."""


class Cast(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is at the table. Names are compared without regard to case."""

    dm: str
    """The game master's name, as most turns have it."""
    players: dict[str, str]
    """By a player's name that of the character."""
    spellings: dict[str, str] = {}
    """By another spelling the name that is meant."""
    others: list[str] = []
    """Names of guests and crew who play nobody."""


def read_cast(path: Path) -> Cast:
    """A cast table in a TOML file. Raises ``BadFile``."""
    cast = read_toml(path, Cast)
    if why := _fault(cast):
        raise BadFile(path, "players", why)
    known = {name.casefold() for name in (cast.dm, *cast.players, *cast.others)}
    for spelt, meant in cast.spellings.items():
        if meant.casefold() not in known:
            raise BadFile(path, f"spellings.{spelt}", f"{meant!r} is neither dm, player nor other")
    return cast


def _fault(cast: Cast) -> str:
    """Why nobody can play like this; empty: they can."""
    played: dict[str, str] = {}
    for player, who in cast.players.items():
        if player.casefold() == cast.dm.casefold():
            return f"{player} is the dm too; whoever leads the game plays nobody"
        if who.casefold() == MASTER.casefold():
            return f"the character of {player} is {MASTER}, which means the game master"
        if not who.strip():
            return f"the character of {player} has no name"
        other = played.setdefault(who.casefold(), player)
        if other != player:
            return f"{other} and {player} both play {who}; each plays a character of their own"
    return ""


def check_dm(cast: Cast, transcripts: Sequence[Transcript], path: Path) -> None:
    """Raises ``BadFile`` where the game master says nothing in any transcript. ``path``: of the
    cast table."""
    names = Names(cast)
    if any(names.resolve(turn.names)[0] for one in transcripts for turn in one.turns):
        return
    spoke = ", ".join(list(speakers(transcripts))[:_SHOWN])
    raise BadFile(path, "dm", f"{cast.dm!r} says nothing in the transcripts; who speaks: {spoke}")


def found_cast(transcripts: Sequence[Transcript]) -> Cast | None:
    """What transcripts say of themselves: the game master is who calls for the most checks, all
    others play a character of their own name. None: nobody calls for one."""
    names = speakers(transcripts)
    calls: Counter[str] = Counter()
    for transcript in transcripts:
        for turn in transcript.turns:
            if len(turn.names) == 1 and checks_in(turn.text):
                calls[turn.names[0]] += 1
    if not calls:
        return None
    dm = calls.most_common(1)[0][0]
    single = [one for name in names for one in split(name) if one.casefold() not in _ALL]
    spellings = _misspelt({one: names.get(one, 1) for one in single})
    players = {one: one.title() for one in single if one != dm and one not in spellings}
    return Cast(dm=dm, players=players, spellings=spellings)


def split(name: str) -> list[str]:
    """The names in one entry of NAMES: ``ALL - MATT`` has two."""
    return [part for part in _SEVERAL.split(name.strip()) if part]


def _misspelt(counts: Mapping[str, int]) -> dict[str, str]:
    """Spellings that differ by a letter, or two that changed places, from one that is far more
    frequent."""
    found = {}
    for spelt, count in counts.items():
        near = [
            name
            for name, often in counts.items()
            if count < _SELDOM * often and len(name) > 3 and OSA.distance(spelt, name) == 1
        ]
        if near:
            found[spelt] = max(near, key=lambda name: counts[name])
    return found


class Names:
    """Resolves the names of a transcript by a cast table; what is in neither is counted."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self._players = {name.casefold(): who for name, who in cast.players.items()}
        self._spellings = {one.casefold(): name.casefold() for one, name in cast.spellings.items()}
        self._dm = cast.dm.casefold()
        self._others = {name.casefold() for name in cast.others} | _ALL
        self.unknown: Counter[str] = Counter()
        """By a name that the table does not have, in how many turns it stands, of those that were
        counted."""
        self._resolved: dict[tuple[str, ...], tuple[bool, tuple[str, ...]]] = {}

    def resolve(self, names: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
        """Whether the game master is among those who spoke, and the characters of the players
        among them."""
        known = self._resolved.get(names)
        if known is None:
            known = self._resolved[names] = self._resolve(names)
        return known

    def count_unknown(self, turns: Iterable[Turn]) -> int:
        """Counts the names in some turns that the table does not have. In how many turns a player
        speaks, or somebody with such a name."""
        spoken = 0
        for turn in turns:
            strangers = self._strangers(turn.names)
            self.unknown.update(strangers)
            spoken += bool(strangers or self.resolve(turn.names)[1])
        return spoken

    def _strangers(self, names: Iterable[str]) -> set[str]:
        known = {self._dm, *self._players, *self._others}
        parts = {part for entry in names for part in split(entry)}
        return {one for one in parts if self._meant(one) not in known}

    def _meant(self, name: str) -> str:
        return self._spellings.get(name.casefold(), name.casefold())

    def _resolve(self, names: Iterable[str]) -> tuple[bool, tuple[str, ...]]:
        dm, found = False, []
        for name in (part for entry in names for part in split(entry)):
            meant = self._meant(name)
            if meant == self._dm:
                dm = True
            elif meant in self._players:
                found.append(self._players[meant])
        return dm, tuple(dict.fromkeys(found))
