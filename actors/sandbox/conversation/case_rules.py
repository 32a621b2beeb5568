"""The rules of a case: one talk, and what its target tells of it afterwards (STSS, section 3.2)."""

from typing import Final

from actors.episodes.port.rules import Ask, End, Happening
from actors.sandbox import setup_faults
from actors.sandbox.rules import SandboxRules
from actors.sandbox.setup import Case, Say, WhatToSay, WhatWasAgreed
from events.base import Value, replace
from events.episode import ActionTaken, Asked


class CaseWorld(Value, frozen=True, kw_only=True):
    """A case after some event."""

    case: Case
    said: int = 0
    """Utterances."""
    over: bool = False
    """Nothing more is said."""
    told: bool = False
    """The target was asked what came of it."""


class CaseRules(SandboxRules[Case, CaseWorld]):
    """The performer speaks first, then they take turns."""

    setup_fault = staticmethod(setup_faults.case_fault)

    def initial(self, case: Case) -> CaseWorld:
        """Before the first word."""
        return CaseWorld(case=case)

    def evolve(self, world: CaseWorld, event: Happening) -> CaseWorld:
        if not isinstance(event, ActionTaken):
            return world
        action = event.action
        if world.over:
            return replace(world, told=True)
        if not isinstance(action, Say):
            return replace(world, over=True)
        said = world.said + bool(action.text)
        over = action.ends or not action.text or said >= 2 * world.case.rounds
        return replace(world, said=said, over=over)

    def next_step(self, world: CaseWorld) -> Ask | End:
        """The performer speaks first, then they take turns."""
        if not world.over:
            speaker, left = world.said % 2, world.case.rounds - world.said // 2
            question = WhatToSay(at=0, talk=0, to=1 - speaker, left=left)
            return Ask(asked=(Asked(seat=speaker, question=question),))
        if not world.told:
            return Ask(asked=(Asked(seat=1, question=WhatWasAgreed()),))
        case = world.case
        return End(
            reason="talked",
            summary={"task": case.task.id, "kind": case.task.kind, "utterances": world.said},
        )


RULES: Final = CaseRules()
