"""Imports LiteLLM at its first use, and silences its output.

The import takes seconds and 150 MiB, so code that does not call LiteLLM must not trigger it.
"""

import functools
import gc
import logging
import os
from collections.abc import Callable
from typing import Any

from actors.models.litellm.transport import bound_httpx
from actors.models.litellm.visible_environment import narrowed


@functools.cache
def load_litellm() -> Any:
    """The library, set up. The first call blocks for seconds: make it in a thread."""
    # Its own list of prices, instead of one fetched over the network at import.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    # Outside this mode the import reads a `.env` file from the working directory.
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        # What matters of its messages comes as an exception; the rest may quote prompts.
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    _follow_no_redirects()
    with narrowed():
        import litellm

    _retry_nothing()

    bound_httpx()
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.callbacks = []
    for kind in ("input", "success", "failure", "_async_success", "_async_failure"):
        setattr(litellm, f"{kind}_callback", [])
    # What the import left is there to stay. Looked through at every full collection it would make
    # each call a sixth dearer.
    gc.collect()
    gc.freeze()
    return litellm


def _follow_no_redirects() -> None:
    """Have no HTTP client that LiteLLM makes, at its import or later, follow a redirect.

    Keys and prompts are for the server that was named. httpx takes the ``Authorization`` header out
    of a request that goes elsewhere, but not the headers in which other providers want their keys;
    and LiteLLM has no setting for it. Nothing else in the process uses httpx.
    """
    import httpx

    _begin_with(httpx.Client, httpx.AsyncClient, follow_redirects=False)


def _retry_nothing() -> None:
    """Have no client of OpenAI's library ask again by itself.

    LiteLLM passes the number of retries on to it for some providers only; for the others it asks
    twice more after each failure, which no limit, budget or record knows of.
    """
    import openai

    _begin_with(openai.OpenAI, openai.AsyncOpenAI, max_retries=0)


def _begin_with(*kinds: type, **settings: object) -> None:
    """Have all objects of some classes made with these settings, whatever else is asked for."""
    for kind in kinds:
        begin = kind.__init__  # type: ignore[misc]

        def begin_so(
            self: object, *given: object, begin: Callable[..., None] = begin, **named: object
        ) -> None:
            begin(self, *given, **{**named, **settings})

        kind.__init__ = begin_so  # type: ignore[misc]


def litellm_is_loaded() -> bool:
    """Whether ``load_litellm`` returns at once."""
    return load_litellm.cache_info().currsize > 0
