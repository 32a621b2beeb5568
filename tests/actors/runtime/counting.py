"""A small persistent actor for the tests: it counts the tokens of recorded answers."""

from collections.abc import Sequence

import msgspec

from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.errors import CommandRefused
from events.agent import ModelAnswered
from events.base import Envelope, Event


class Add(msgspec.Struct, frozen=True):
    """Count some more; 0 is already done, negative is refused."""

    tokens: int
    causation: str = ""


class Counter(PersistentActor[int]):
    """Its state is the sum of all tokens."""

    reacted: list[tuple[int, int]]
    announced: list[int]
    recoveries: int

    def initial(self) -> int:
        return 0

    def evolve(self, state: int, event: Event) -> int:
        assert isinstance(event, ModelAnswered)
        return state + event.input_tokens

    def decide(self, state: int, command: Add) -> Sequence[Event]:
        if command.tokens < 0:
            raise CommandRefused(f"{command.tokens} tokens cannot be counted")
        return [counted(command.tokens)] if command.tokens else []

    def on_start(self) -> None:
        self.reacted, self.announced, self.recoveries = [], [], 0

    def recovered(self) -> None:
        self.recoveries += 1

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        self.announced += [envelope.version for envelope in envelopes]

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        assert [version for version, _ in appended] == self.announced[-len(appended) :]
        self.reacted += [(version, event.input_tokens) for version, event in appended]


def counted(tokens: int) -> ModelAnswered:
    """The fact that some tokens were counted."""
    return ModelAnswered(turn=0, attempt=0, request_hash="", text="", input_tokens=tokens)
