"""The rules of a social episode: whose turn it is, and when it is over.

SOTOPIA (Zhou et al. 2024), sections 2.2 and 4. Everything here is pure. The state does not hold the
transcript; its size does not grow with the turns, but for a script that is not played yet.
"""

import hashlib
from functools import lru_cache
from typing import Final

import msgspec

from actors.episodes.port.rules import Ask, End, Foregone, Happening, Recording, Rules
from actors.social import actions, setup_faults
from actors.social.actions import (
    ACT,
    NOTHING,
    WRITE_SCRIPT,
    WRITE_TURN,
    Act,
    Action,
    ScriptLine,
    WholeScript,
)
from actors.social.narration import Narrated
from actors.social.setup import EpisodeRules, SocialSetup
from events.episode import ActionTaken, Asked, TurnOpened, WorldChanged


class SocialWorld(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A social episode after some event, as far as its rules go."""

    rules: EpisodeRules
    present: tuple[int, ...]
    """Seats that have not left, in seat order."""
    turn: int = 0
    """The last turn opened; 0: none yet."""
    open: int = 0
    """How many still have to act in it."""
    last: int = -1
    """The seat that acted last; -1: none yet."""
    active: bool = False
    """Whether somebody did something in the last turn opened."""
    failed: bool = False
    """Whether in the last turn opened somebody's mind gave no answer."""
    stale: int = 0
    """Turns in a row, up to the last one closed, in which nobody did anything. A turn in which
    nobody did anything, but a mind failed, is none of them and does not end the row: what the
    character would have done nobody knows."""
    plain: int = 0
    """How often prose was taken for speech."""
    script: tuple[ScriptLine, ...] | None = None
    """What is left of the script; None: there is none, or not yet."""


def _end(reason: str, world: SocialWorld) -> End:
    if world.script:
        plain = {"plain": world.plain} if world.plain else {}
        return End(reason=reason, summary={**plain, "unplayed": len(world.script)})
    return End(reason=reason, summary={"plain": world.plain} if world.plain else {})


@lru_cache(maxsize=1024)
def _ask(seats: tuple[int, ...], question: Act = ACT) -> Ask:
    return Ask(asked=tuple(Asked(seat=seat, question=question) for seat in seats))


def _next_line(script: tuple[ScriptLine, ...]) -> Foregone:
    line = script[0]
    # Who goes on from where the turn is open is asked for this turn alone.
    asked = Asked(seat=line.seat, question=WRITE_TURN)
    return Foregone(asked=asked, action=Action(kind=line.kind, text=line.text))


def _left_of_script(world: SocialWorld, action: Action) -> tuple[ScriptLine, ...] | None:
    """What is left of the script after an action, which is the next line or in its place."""
    if isinstance(action, WholeScript):
        return action.lines
    return None if world.script is None else world.script[1:]


def _speakers(world: SocialWorld) -> tuple[int, ...]:
    """Who acts in the turn after ``world.turn``."""
    match world.rules.order:
        case "simultaneous":
            return world.present
        case "random":
            # A function of seed and turn alone: a fork or a replay draws the same seat again.
            word = f"{world.rules.seed}:{world.turn + 1}".encode()
            drawn = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "big")
            return (world.present[drawn % len(world.present)],)
        case "round_robin":
            for seat in world.present:
                if seat > world.last:
                    return (seat,)
            return (world.present[0],)


class SocialRules(Rules[SocialSetup, SocialWorld, Act, Action]):
    """Whose turn it is, and when it is over."""

    setup_fault = staticmethod(setup_faults.setup_fault)
    action_fault = staticmethod(actions.action_fault)

    def initial(self, setup: SocialSetup) -> SocialWorld:
        """Everybody is present."""
        return SocialWorld(rules=setup.rules, present=tuple(range(len(setup.cast))))

    def evolve(self, world: SocialWorld, event: Happening) -> SocialWorld:
        match event:
            case ActionTaken(seat=seat, action=action, failure=failure):
                active = world.active or action.kind != "none"
                failed = world.failed or failure is not None
                stale, still_open = world.stale, world.open - 1
                if not still_open:
                    stale = 0 if active else stale + (not failed)
                present = world.present
                if action.kind == "leave":
                    present = tuple(s for s in present if s != seat)
                return SocialWorld(
                    rules=world.rules,
                    present=present,
                    turn=world.turn,
                    open=still_open,
                    last=seat,
                    active=active,
                    failed=failed,
                    stale=stale,
                    plain=world.plain + action.plain,
                    script=(
                        None
                        if world.rules.mode == "interactive"
                        else _left_of_script(world, action)
                    ),
                )
            case TurnOpened(turn=turn, asked=asked):
                return msgspec.structs.replace(
                    world, turn=turn, open=len(asked), active=False, failed=False
                )
            case WorldChanged(change=Narrated()):
                return world
            case _:
                raise TypeError(f"{type(event).__name__} does not happen in a social episode")

    def next_step(self, world: SocialWorld) -> Ask | Foregone | End:
        """The next turn, or the end.

        A script ends behind its last line, if the rules did not end it before. Where several
        endings fall together, the one that says most is recorded: somebody left, then nobody did
        anything, then the turn cap.
        """
        rules = world.rules
        if len(world.present) < 2:
            return _end("left", world)
        if rules.stale_turns and world.stale >= rules.stale_turns:
            return _end("stale", world)
        if world.turn >= rules.turn_cap:
            return _end("turn_cap", world)
        if rules.mode == "script-turn":
            return _ask(_speakers(world), WRITE_TURN)
        if rules.mode != "script":
            return _ask(_speakers(world))
        if world.script is None:
            # Of one seat, until there is one: so it is given up where it cannot be had.
            return _ask(world.present[:1], WRITE_SCRIPT)
        return _next_line(world.script) if world.script else _end("script_over", world)

    def nothing(self, question: Act) -> Action:
        """The action ``none``."""
        return NOTHING


class SocialRecording(Recording[Act, Action]):
    """Doing nothing is recorded as one thing; a narrator may speak."""

    def canonical(self, question: Act, action: Action) -> Action:
        """Doing nothing has neither words nor witnesses of its own."""
        if action.kind != "none" or isinstance(action, WholeScript):
            return action
        return NOTHING

    def narration(self, text: str, seats: tuple[int, ...]) -> Narrated:
        """Something that no character does."""
        return Narrated(text=text, seats=seats)


RULES: Final = SocialRules()
RECORDING: Final = SocialRecording()
