"""A script as rehearsal minds write one: each acts in its turn, as if they had met."""

from collections.abc import Callable, Sequence

from actors.episodes.mind import Scene
from actors.episodes.port.rules import Ask
from actors.social.actions import ACT, Action, ScriptLine, WholeScript
from actors.social.rules import RULES
from actors.social.setup import SocialSetup, begin
from actors.social.sight import background, reducer
from actors.social.views import SeenAction
from events.base import replace
from events.episode import ActionTaken, TurnOpened


def rehearsed_script(play: SocialSetup, choose: Sequence[Callable[[Scene], Action]]) -> WholeScript:
    """What happens where each seat chooses its actions in this way. ``choose``: one a seat. At
    least one action; the same choices write the same."""
    setup = replace(play, rules=replace(play.rules, mode="interactive"))
    started = begin(setup, run="", task="", catalog="", minds=())
    seats = range(len(setup.cast))
    scenes = [
        Scene(background=background("", started, seat), seen=[], turn=0, question=ACT, seat=seat,
              seats=len(seats))
        for seat in seats
    ]  # fmt: skip
    eyes = [reducer(started, seat) for seat in seats]
    world, number, lines = RULES.initial(setup), 0, list[ScriptLine]()
    while isinstance(step := RULES.next_step(world), Ask):
        seat = step.asked[0].seat
        opened = TurnOpened(turn=world.turn + 1, asked=step.asked)
        scenes[seat].turn = opened.turn
        world = RULES.evolve(world, opened)
        action = openly(choose[seat](scenes[seat]))
        taken = ActionTaken(turn=opened.turn, seat=seat, action=action)
        world = RULES.evolve(world, taken)
        number += 1
        for other in seats:
            seen: Sequence[SeenAction] = eyes[other].apply(number, taken)
            scenes[other].seen += seen
        lines.append(ScriptLine(seat=seat, kind=action.kind, text=action.text))
    first = lines[0]
    return WholeScript(kind=first.kind, text=first.text, lines=tuple(lines[1:]))


def openly(action: Action) -> Action:
    """An action that everybody notices."""
    return replace(action, to=()) if action.to else action
