"""API keys of model servers: read from the environment, and never part of any text."""

import os
import re
from functools import lru_cache

import msgspec

from actors.models.errors import KeyNotBound, ModelError
from actors.models.http.extra_parameters import may_be_extra
from actors.models.key_allow_list import refusal, refusal_at
from actors.models.litellm.provider_abilities import provider_of
from actors.models.server_addresses import Server, address_problem, model_problem
from events.minds import ModelSpec

DETAIL_LENGTH = 300
_LOOKED_AT = 8_000
"""Characters of a server's words that are looked at: many more than are shown."""

_SECRET = re.compile(
    r"""\b(?:Bearer|Basic)\s++\S++        # an authorization header
    |\b(?:sk|pk|gsk|xai|hf|key|AIza)[-_][\w*-]{6,}   # the usual shapes of keys
    |\bAIza[\w-]{10,}
    |(?<=[?&]key=)[^&\s"']+               # a key in an address
    |(?<=://)[^/\s@]+(?=@)                # a password in an address
    """,
    re.VERBOSE | re.IGNORECASE,
)


def key_of(spec: ModelSpec) -> str:
    """The key in the variable that the specification names; empty where it names none. Asked for
    immediately before each request: specifications come from events, too, and events from files.

    Raises ``ModelError`` where the variable is not set or its key is not for that server, and where
    nothing may be sent as the specification says.
    """
    if found := _unsendable(spec):
        raise ModelError("not_found", found, may_pass=False)
    if not spec.api_key_env:
        return ""
    if refused := refusal(spec, _provider_of(spec)):
        raise KeyNotBound(refused.why, refused.remedy)
    key = os.environ.get(spec.api_key_env, "")
    if not key:
        raise ModelError(
            "no_key",
            f"the environment variable {spec.api_key_env}, which is to hold the key of "
            f"{spec.name}, is not set",
            may_pass=False,
        )
    return key


def check_server(spec: ModelSpec, provider: str, server: Server) -> None:
    """Raises ``KeyNotBound`` where LiteLLM would ask a server for a specification that this process
    does not have asked for it. ``provider``: LiteLLM's name for who answers where no address is
    given."""
    if refused := refusal_at(spec, provider, server):
        raise KeyNotBound(refused.why, refused.remedy)


@lru_cache(maxsize=1024)
def _unsendable(spec: ModelSpec) -> str:
    """Why nothing is sent for a specification; empty: it is. What was read from a plan or a judge's
    file has been through the same."""
    if why := address_problem(spec.base_url):
        return f"base_url {why}"
    if why := model_problem(spec):
        return why
    extras = msgspec.json.decode(spec.extra) if spec.extra else {}
    if wrong := [name for name in extras if not may_be_extra(name)]:
        return f"{', '.join(map(repr, wrong))} may not be passed through"
    return ""


def _provider_of(spec: ModelSpec) -> str:
    """LiteLLM's name for who answers where no address is given."""
    if spec.base_url:
        return ""
    # Not above: whoever asks without LiteLLM does without it.

    return provider_of(spec.name)


def scrubbed(text: str, key: str = "") -> str:
    """Text of a server as one short line, without ``key`` or anything that looks like one."""
    if key:
        text = text.replace(key, "***")
    if len(text) > _LOOKED_AT:
        words = text[:_LOOKED_AT].split()
        # Without the last word, which may be half a key, unless it is all there is to show.
        text = " ".join(words[:-1] or (word for word in words if len(word) > DETAIL_LENGTH))
    text = " ".join(_SECRET.sub("***", text).split())
    # Half a surrogate pair has no UTF-8 form.
    text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= DETAIL_LENGTH else text[: DETAIL_LENGTH - 1] + "…"
