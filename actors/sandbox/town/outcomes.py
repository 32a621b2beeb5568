"""The outcome of all answers of a turn, taken together in the order of seats, so that it does not
depend on the order of their arrival."""

from operator import itemgetter

from actors.sandbox.clock import clock_of
from actors.sandbox.conversation.meetings import can_talk, hour_allows
from actors.sandbox.conversation.partner_address import CONVERSING, SMALL_TALK, is_persona, persona
from actors.sandbox.map.geometry import tile_at
from actors.sandbox.map.grid import grid_of
from actors.sandbox.perception.perceive import learned, noticed_of_doings
from actors.sandbox.setup import (
    Act,
    ActionStarted,
    AnyFact,
    CarryOn,
    Departed,
    Noticed,
    TalkClosed,
    TalkOpened,
    TalkTo,
)
from actors.sandbox.world import Doing, Talking, World
from events.base import replace
from events.environments import Action

CHARACTERS_A_MINUTE = 240
"""How fast people talk, as published."""
LONGER = 10
"""Minutes that somebody goes on who says so when what they did is done, and that pass where no
answer came."""
AT_A_LOSS = "idle"
"""What somebody does whose mind gave no answer."""


def outcomes(world: World) -> tuple[AnyFact, ...]:
    """What happens now, in the order of seats."""
    return _Instant(world).facts()


class _Instant:
    def __init__(self, world: World) -> None:
        self._world, self._at = world, world.at
        self._clock, self._grid = clock_of(world.town.settings), grid_of(world.town.map)
        self._facts: dict[int, list[AnyFact]] = {}
        self._doings = list(world.doings)
        self._begun: set[int] = set()
        self._learned: dict[int, tuple[str, ...]] = {}

    def facts(self) -> tuple[AnyFact, ...]:
        busy = {seat for talk in self._world.talks for seat in talk.seats}
        for talk in self._world.talks:
            if talk.over:
                self._close(talk)
        answers = sorted(self._world.answers, key=itemgetter(0))
        number = self._world.opened
        for seat, action in answers:
            if isinstance(action, TalkTo) and self._may_open(seat, action.seat, busy):
                seats = (seat, action.seat)
                busy.update(seats)
                self._facts.setdefault(seat, []).append(TalkOpened(talk=number, seats=seats))
                number += 1
        for seat, action in answers:
            if seat not in busy:
                self._answered(seat, action)
        for seat, notice in noticed_of_doings(self._world, self._doings, self._begun).items():
            places = self._learned.pop(seat, ())
            seen = Noticed(seat=seat, seen=notice.seen, learned=places)
            self._facts.setdefault(seat, []).append(seen)
        for seat, places in self._learned.items():
            self._facts.setdefault(seat, []).append(Noticed(seat=seat, learned=places))
        return tuple([fact for seat in sorted(self._facts) for fact in self._facts[seat]])

    def _may_open(self, seat: int, other: int, busy: set[int]) -> bool:
        world = self._world
        return (
            seat not in busy
            and other not in busy
            and hour_allows(world, self._at)
            and can_talk(world, seat, other, self._at)
        )

    def _close(self, talk: Talking) -> None:
        minutes = -(-talk.characters // CHARACTERS_A_MINUTE)
        until = self._at + self._clock.steps(minutes)
        about = talk.about or SMALL_TALK
        closed = TalkClosed(talk=talk.id, seats=talk.seats, about=about, until=until)
        self._facts.setdefault(talk.seats[0], []).append(closed)
        names = [self._world.town.inhabitants[seat].id for seat in talk.seats]
        for seat, partner in zip(talk.seats, reversed(names), strict=True):
            self._halt(seat)
            self._start(
                ActionStarted(
                    seat=seat,
                    text=f"{CONVERSING} {about}",
                    address=persona(partner),
                    emoji="💬",
                    until=until,
                )
            )

    def _answered(self, seat: int, action: Action) -> None:
        world, doing = self._world, self._world.doings[seat]
        knowing = world.knowings[seat]
        if isinstance(action, Act):
            self._act(seat, action)
        elif doing.until > self._at or isinstance(action, TalkTo):
            return  # goes on, or is asked again
        elif not isinstance(action, CarryOn):
            self._stay(seat, AT_A_LOSS, "no_answer", LONGER)
        elif doing.conversing and knowing.broken_off is not None:
            broken = knowing.broken_off
            if knowing.broken_until > self._at or not knowing.broken_until:
                self._act(seat, broken, knowing.broken_until)
            else:
                self._act(seat, replace(broken, minutes=LONGER))
        elif doing.conversing:
            self._stay(seat, AT_A_LOSS, "", LONGER)
        else:
            until = self._at + self._clock.steps(LONGER)
            self._start(
                ActionStarted(
                    seat=seat,
                    text=doing.text,
                    address=doing.address,
                    emoji=doing.emoji,
                    until=until,
                )
            )

    def _act(self, seat: int, act: Act, until: int = 0) -> None:
        world, grid = self._world, self._grid
        tile = tile_at(world.walks[seat], self._at)
        if not act.address:
            self._halt(seat)
            way, address = "", grid.address(tile)
        else:
            known = grid.index.get(act.address)
            if known is None or not world.knowings[seat].known >> known & 1:
                self._stay(seat, act.text, "unknown_place", act.minutes, act.emoji)
                return
            found = grid.way(tile, act.address, seat)
            if found is None:
                self._stay(seat, act.text, "unreachable", act.minutes, act.emoji)
                return
            way, address = found, act.address
        least = self._at + len(way) + 1
        until = max(least, until or self._at + self._clock.steps(act.minutes))
        self._start(
            ActionStarted(seat=seat, text=act.text, address=address, emoji=act.emoji, until=until)
        )
        if way:
            self._depart(seat, way)
        else:
            self._halt(seat)

    def _stay(self, seat: int, text: str, fault: str, minutes: int, emoji: str = "") -> None:
        self._halt(seat)
        tile = tile_at(self._world.walks[seat], self._at)
        until = self._at + self._clock.steps(minutes)
        address = self._grid.address(tile)
        self._start(
            ActionStarted(
                seat=seat, text=text, address=address, emoji=emoji, until=until, fault=fault
            )
        )

    def _start(self, started: ActionStarted) -> None:
        self._facts.setdefault(started.seat, []).append(started)
        self._doings[started.seat] = doing_of(started)
        self._begun.add(started.seat)

    def _halt(self, seat: int) -> None:
        if self._world.walks[seat].arrives > self._at:
            self._depart(seat, "")

    def _depart(self, seat: int, way: str) -> None:
        walk = self._world.walks[seat]
        tile = tile_at(walk, self._at)
        if walk.arrives > self._at and (places := learned(self._world, seat, self._at)):
            self._learned[seat] = places
        self._facts.setdefault(seat, []).append(Departed(seat=seat, tile=tile, way=way))


def doing_of(started: ActionStarted) -> Doing:
    """What somebody does, from what began. A talk's is the only one that is done with somebody."""
    text = started.text.lower()
    asleep, conversing = "sleep" in text, is_persona(started.address)
    return Doing(
        text=started.text,
        address=started.address,
        emoji=started.emoji,
        until=started.until,
        conversing=conversing,
        asleep=asleep,
        free=not (asleep or conversing or text.startswith("waiting")),
    )
