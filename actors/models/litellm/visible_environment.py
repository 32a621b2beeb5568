"""Restricts which environment variables LiteLLM sees.

LiteLLM, and the providers' clients that it uses, look for a few hundred variables, and send what
they find (OpenAI's client, for example, the headers of ``OPENAI_CUSTOM_HEADERS``) to whatever
address they are given. So a call sees only the variables that are needed to reach a server and, if
no address is given, those of its own provider. Hidden variables look as if they were not set.

The environment is restricted only in the context of a call: for all other code of the process
``os.environ`` is unchanged. LiteLLM does not accept a mapping as a parameter, and a separate
process would cost more than the call.
"""

import functools
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_OF_ALL: Final = re.compile(
    r"""PATH | HOME | LANG | LC_\w+ | TZ | TMPDIR | TEMP | TMP
      | SYSTEMROOT | USERPROFILE | APPDATA | LOCALAPPDATA | PROGRAMDATA
      | (HTTP|HTTPS|ALL|NO)_PROXY
      | SSL_CERT_FILE | SSL_CERT_DIR | SSL_VERIFY | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE
      | (CUSTOM_)?TIKTOKEN_CACHE_DIR
      | LITELLM_LOCAL_MODEL_COST_MAP | LITELLM_MODE
      | TROUPE_KEYS""",
    re.VERBOSE | re.IGNORECASE,
)
"""Names of variables that are seen in each call: none of their values is sent to a server. The last
is what a server is looked up in before it is asked."""

_FORMS: Final = frozenset(("text", "completion", "chat", "custom", "beta", "ai"))
"""Words of LiteLLM's names for providers that say how one is asked, and not who it is."""
_ALSO: Final = {
    "apertis": ("STIMA",),
    "azure": ("IDENTITY", "MSI"),
    "bedrock": ("AWS",),
    "cohere": ("CO_",),
    "gemini": ("GOOGLE",),
    "huggingface": ("HF_",),
    "meta": ("LLAMA",),
    "openrouter": ("OR_",),
    "sagemaker": ("AWS",),
    "sap": ("AICORE",),
    "scaleway": ("SCW_",),
    "vertex": ("GOOGLE", "GCLOUD", "GCE_", "CLOUDSDK"),
    "watsonx": ("WX_",),
}
"""How further variables of a provider begin, by the first word of its name."""


@functools.lru_cache(maxsize=256)
def _beginnings(provider: str) -> tuple[str, ...]:
    words = re.split(r"[-_]", provider)
    while len(words) > 1 and words[0] in _FORMS:
        del words[0]
    while len(words) > 1 and words[-1] in _FORMS:
        del words[-1]
    return ("".join(words).upper(), *_ALSO.get(words[0], ()))


@functools.lru_cache(maxsize=4096)
def is_seen(variable: str, provider: str) -> bool:
    """Whether a variable is seen where a provider, by LiteLLM's name, is asked at its own servers.
    An empty name: a server at an address that was given is asked."""
    return bool(_OF_ALL.fullmatch(variable)) or (bool(provider) and is_own(variable, provider))


def is_own(variable: str, provider: str) -> bool:
    """Whether a variable is by its name a provider's: ``OPENAI_ORG_ID`` is OpenAI's."""
    own = _beginnings(provider)
    # Without what parts its words: NANOGPT_API_KEY is of "nano-gpt".
    return variable.startswith(own) or variable.replace("_", "").startswith(own)


_ASKED: ContextVar[str | None] = ContextVar("provider whose variables are seen", default=None)
"""None: all are."""


class _Environment(os._Environ[str]):
    """The environment as the context sees it. What is set or deleted is so for all."""

    def __getitem__(self, key: str) -> str:
        provider = _ASKED.get()
        if provider is not None and not is_seen(key, provider):
            raise KeyError(key)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[str]:
        provider = _ASKED.get()
        every = super().__iter__()
        return every if provider is None else (key for key in every if is_seen(key, provider))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@contextmanager
def narrowed(provider: str = "") -> Iterator[None]:
    """What is done meanwhile, in this context, sees what ``is_seen``."""
    if type(os.environ) is not _Environment:
        # In its place, since others hold it by another name, too.
        os.environ.__class__ = _Environment
    token = _ASKED.set(provider)
    try:
        yield
    finally:
        _ASKED.reset(token)
