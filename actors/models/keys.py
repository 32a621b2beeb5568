"""Keys of model servers: read from the environment, kept out of every text."""

import os
import re

from actors.models.errors import ModelError
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
    """The key in the variable that the specification names; empty where it names none.

    Raises ``ModelError`` where the variable is not set.
    """
    if not spec.api_key_env:
        return ""
    key = os.environ.get(spec.api_key_env, "")
    if not key:
        raise ModelError(
            "no_key",
            f"the environment variable {spec.api_key_env}, which is to hold the key of "
            f"{spec.name}, is not set",
            may_pass=False,
        )
    return key


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
