"""Offline minds for both parts: a non-player character who is open or guarded; players who ask,
pass on and forget, and who show what they mean plainly, in colours, or among small talk."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.tabletop.setup import Move, Played, Recalled, Session
from actors.tabletop.sight import MoveSeen, Notice, TableView, moves
from actors.tabletop.skills import Skill
from events.environments import Action
from events.ids import derived_number
from events.serialization.struct_types import decodable

Temper = str
TEMPERS: Final = ("open", "guarded", "curious", "forgetful", "plain", "coloured", "chatty")
_SOME: Final = 100
"""Chances are in hundredths."""


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said and done, as ``phrases.toml`` has it."""

    ask: list[str]
    pass_on: list[str]
    tell: list[str]
    refuse: list[str]
    small_talk: list[str]
    guess: list[str]
    answer: list[str]
    plain: dict[Skill, list[str]]
    coloured: dict[Skill, list[str]]


@cache
def phrases() -> Phrases:
    """Those of the file beside this module."""
    text = Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), decodable(Phrases))


class _Chance(NamedTuple):
    """The draws of one move."""

    parts: tuple[str, ...]

    def below(self, what: str, most: int) -> int:
        return derived_number(*self.parts, what) % most

    def pick(self, what: str, among: Sequence[str]) -> str:
        return among[self.below(what, len(among))]


class RehearsalMind(NamedTuple):
    """Plays either part by its temper; the same scene, the same answer."""

    temper: Temper
    seed: int | None = None

    async def decide(self, scene: Scene, calls: object) -> Decision:
        """A move, or what was learned."""
        if self.temper and self.temper not in TEMPERS:
            raise UnknownTemper(self.temper, TEMPERS)
        background: TableView = scene.background
        own = str(background.setup.scene.id if self.seed is None else self.seed)
        names = ",".join(one.name for one in background.setup.characters)
        chance = _Chance((own, names, str(scene.turn), str(scene.seat)))
        return Decision(action=self._action(background.setup, scene, chance))

    def _action(self, session: Session, scene: Scene, chance: _Chance) -> Action:
        seen: Sequence[Notice] = scene.seen
        if not isinstance(scene.question, Move):
            return Recalled(text=self._learned(session, seen, chance))
        if scene.seat == session.players:
            return self._as_npc(session, moves(seen), scene.seat, chance)
        return self._as_player(session, moves(seen), scene.seat, chance)

    def _as_npc(
        self, session: Session, seen: Sequence[MoveSeen], seat: int, chance: _Chance
    ) -> Played:
        said = phrases()
        if session.sheet is None:
            return Played(text=chance.pick("talk", said.small_talk))
        own = [one.text for one in seen if one.seat == seat]
        untold = [
            point.text
            for point in session.sheet.points
            if not any(point.text in one for one in own)
        ]
        since = [one for one in seen[-session.players :] if one.seat != seat]
        asked = any(session.topic in one.text for one in since)
        if not untold or not asked:
            return Played(text=chance.pick("answer", said.answer))
        if self.temper == "guarded" and chance.below("guard", _SOME) < 65:
            return Played(text=chance.pick("refuse", said.refuse), deed="looks away")
        point = untold[0]
        return Played(text=chance.pick("tell", said.tell).format(point=point))

    def _as_player(
        self, session: Session, seen: Sequence[MoveSeen], seat: int, chance: _Chance
    ) -> Played:
        said, npc = phrases(), session.characters[-1].name
        intention = session.intentions[seat] if seat < len(session.intentions) else None
        if intention is not None:
            return self._meaning(intention.skill, chance)
        if session.kind == "intention":
            return Played(text=chance.pick("talk", said.small_talk))
        told = [one.text for one in seen if one.seat == session.players and one.text]
        news = bool(told) and told[-1] not in (*said.answer, *said.refuse)
        if news and chance.below("pass", _SOME) < 20 and self.temper != "forgetful":
            return Played(text=chance.pick("how", said.pass_on).format(point=told[-1]))
        idle = 70 if self.temper == "chatty" else 30
        if chance.below("idle", _SOME) < idle:
            return Played(text=chance.pick("talk", said.small_talk))
        return Played(text=chance.pick("ask", said.ask).format(npc=npc, topic=session.topic))

    def _meaning(self, skill: Skill, chance: _Chance) -> Played:
        said = phrases()
        if self.temper == "chatty" and chance.below("idle", _SOME) < 95:
            return Played(text=chance.pick("talk", said.small_talk))
        coloured = self.temper in ("coloured", "chatty") and chance.below("image", _SOME) < 60
        deeds: Mapping[Skill, list[str]] = said.coloured if coloured else said.plain
        talks = chance.below("talks", _SOME) < 30
        text = chance.pick("talk", said.small_talk) if talks else ""
        return Played(text=text, deed=chance.pick("deed", deeds[skill]))

    def _learned(self, session: Session, seen: Sequence[Notice], chance: _Chance) -> str:
        told = [one.text for one in moves(seen) if one.seat == session.players and one.text]
        if not moves(seen):
            return chance.pick("guess", phrases().guess)
        kept = told[:: 3 if self.temper == "forgetful" else 1]
        return " ".join(dict.fromkeys(kept))
