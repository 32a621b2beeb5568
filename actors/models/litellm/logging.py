"""LiteLLM's own logging object of a call, without the parts that are not used here."""

import functools
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from actors.models.litellm.library import load_litellm
from events.ids import new_event_id


class CallRecord(Protocol):
    """What LiteLLM keeps of a call."""

    sent: object
    """The body of the request as it went to the provider, where LiteLLM tells it."""
    came: object
    """What came back with a success: a mapping where the provider speaks OpenAI's form."""


def logging_of(model: str, messages: Sequence[Mapping[str, object]]) -> CallRecord:
    """The record that ``acompletion`` is to keep of a call; LiteLLM must be loaded.

    Left to itself LiteLLM prices every answer three times and writes a report of it for callbacks
    that are not there: more than a quarter of a call's CPU, most of it in a search for models that
    no list has. What an answer cost is ours to say (``pricing``).
    """
    return _quiet()(
        model=model,
        messages=messages,
        stream=False,
        call_type="acompletion",
        # Naive, as those that LiteLLM subtracts from it.
        start_time=datetime.now(),
        litellm_call_id=new_event_id(),
        function_id="",
    )


@functools.cache
def _quiet() -> Callable[..., CallRecord]:
    load_litellm()
    from litellm.litellm_core_utils.litellm_logging import Logging

    class QuietLogging(Logging):
        """Neither prices nor reports an answer. Failures are LiteLLM's business as ever."""

        sent: object = None
        came: object = None

        def pre_call(
            self,
            input: object,
            api_key: object,
            model: object = None,
            additional_args: dict[str, object] | None = None,
        ) -> None:
            """Keep what is about to be sent."""
            given = additional_args or {}
            self.sent = given.get("complete_input_dict")
            super().pre_call(input, api_key, model=model, additional_args=given)  # type: ignore[no-untyped-call]

        def post_call(self, original_response: object, *args: object, **more: object) -> None:
            """Keep what came."""
            self.came = original_response
            super().post_call(original_response, *args, **more)  # type: ignore[no-untyped-call]

        def response_cost_calculator(self, *_: object, **__: object) -> None:
            """Not known."""

        def claim_async_success_log(self) -> bool:
            """Nothing is to be reported."""
            return False

        def handle_sync_success_callbacks_for_async_calls(self, *_: object, **__: object) -> None:
            """There are no callbacks."""

    return QuietLogging
