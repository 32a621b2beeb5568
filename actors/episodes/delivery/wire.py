"""The types of the messages between an episode and its seats, by environment."""

from collections.abc import Callable, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from actors.episodes.registry import environment_named
from events.serialization.struct_types import decodable
from events.wire.messages import EpisodeOver, News, Observation


class Wire:
    """Reads the messages of one environment."""

    def __init__(self, environment: str) -> None:
        """Raises ``UnknownEnvironment``."""
        found = environment_named(environment)
        background, notice = found.backgrounds, found.notices
        question = reduce(or_, found.vocabulary.questions)
        actions = reduce(or_, found.vocabulary.actions)
        first = found.vocabulary.actions[0]
        self._untagged = ""
        """The tag of an action that has none; empty: it may not be left out."""
        if actions is not first and all(issubclass(one, first) for one in found.vocabulary.actions):
            self._untagged = str(first.__struct_config__.tag)
        # The types of a union are looked up again for each value, those of a field only once.
        self._holder: Any = decodable(msgspec.defstruct("Holder", [("action", actions)]))
        several = tuple[actions, ...]  # type: ignore[valid-type]
        self._several: Any = decodable(msgspec.defstruct("Several", [("actions", several)]))
        shown = Observation[background, notice, question] | EpisodeOver  # type: ignore[valid-type]
        self.decode_seat_message: Callable[[bytes], Observation | EpisodeOver]
        """What a seat was sent. Raises ``msgspec.MsgspecError``."""
        self.decode_seat_message = msgspec.msgpack.Decoder(decodable(shown)).decode
        self.decode_for_remote: Callable[[bytes], Observation | EpisodeOver | News]
        """What a remote seat was sent, news among it. Raises ``msgspec.MsgspecError``."""
        self.decode_for_remote = msgspec.msgpack.Decoder(
            decodable(shown | News[notice])  # type: ignore[valid-type]
        ).decode

    def action(self, plain: Any) -> Any:
        """An action that came as plain data, or as what it is already. Raises
        ``msgspec.ValidationError``."""
        try:
            return msgspec.convert({"action": self._tagged(plain)}, self._holder).action
        except msgspec.ValidationError as error:
            raise msgspec.ValidationError(str(error).replace("$.action", "$")) from None

    def actions(self, plain: Sequence[Any]) -> Sequence[Any]:
        """Several of them. Raises ``msgspec.ValidationError``."""
        plain = [self._tagged(one) for one in plain]
        try:
            actions: Sequence[Any] = msgspec.convert({"actions": plain}, self._several).actions
        except msgspec.ValidationError as error:
            raise msgspec.ValidationError(str(error).replace("$.actions", "$")) from None
        return actions

    def _tagged(self, plain: object) -> object:
        if self._untagged and isinstance(plain, dict) and "type" not in plain:
            return {"type": self._untagged, **plain}
        return plain


@cache
def wire_of(environment: str) -> Wire:
    """The one for an environment. Raises ``UnknownEnvironment``."""
    return Wire(environment)
