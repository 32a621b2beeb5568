"""The address of a model: its own server, or its provider's default."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from actors.models.local.weights import local_problem
from events.minds import ModelSpec
from events.untrusted.redacted_urls import without_secrets

_SERVER = re.compile(r"https?://[^\s/]", re.IGNORECASE)
_PORTS: Final = {"http": 80, "https": 443}

OWN_SERVERS: Final = frozenset(
    (
        *("openai", "custom_openai", "text-completion-openai", "openai_like"),
        *(
            "anthropic",
            "hosted_vllm",
            "vllm",
            "llamafile",
            "lm_studio",
            "xinference",
            "ollama",
            "ollama_chat",
        ),
    )
)
"""Prefixes of models that LiteLLM asks at any address without reading a key, or a token of the
machine, from anywhere but its arguments."""


class Server(NamedTuple):
    """A server by its address."""

    host: str
    port: int
    secure: bool
    """Whether it is spoken to over TLS."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def address_problem(base_url: str) -> str:
    """What is wrong with a server's address, as the rest of a sentence; empty: nothing is."""
    if not base_url:
        return ""
    server = (
        f'must be an http or https address, "http://host:8000/v1", is {without_secrets(base_url)!r}'
    )
    try:
        parts = urlsplit(base_url)
        if not _SERVER.match(base_url) or not parts.hostname or parts.port == 0:
            return server
    except ValueError:
        return server
    if "@" in parts.netloc or parts.query or parts.fragment:
        return (
            "holds a user, a password or parameters, which would be recorded and shown: take them "
            "out, put the key into an environment variable and name that as api_key_env"
        )
    return ""


def server_of(base_url: str) -> Server:
    """The server at an address that has no problem."""
    parts = urlsplit(base_url)
    scheme = parts.scheme.lower()
    return Server((parts.hostname or "").lower(), parts.port or _PORTS[scheme], scheme == "https")


def prefix_of(model: str) -> str:
    """LiteLLM's name of the provider before a model's name; empty where none stands there."""
    before, slash, _ = model.partition("/")
    return before if slash else ""


def model_problem(spec: ModelSpec) -> str:
    """What is wrong with a model's name where it is asked at an address, as the rest of a sentence;
    empty: nothing is."""
    if spec.is_local:
        return local_problem(spec)
    if "://" in spec.name:
        return "a model's name holds no address: that is base_url"
    if spec.adapter == "litellm" and spec.base_url and not spec.api_key_env:
        prefix = prefix_of(spec.name)
        if prefix not in OWN_SERVERS:
            return (
                f'where a server of your own is asked, write "openai/{spec.name}", or '
                'adapter = "direct"; for another provider\'s servers name the key as api_key_env'
            )
    return ""


def destination(spec: ModelSpec) -> str:
    """Where a model is asked, for a person: a host with its port, or whose own servers."""
    if spec.is_local:
        return "this machine"
    if spec.base_url:
        if address_problem(spec.base_url):
            return without_secrets(spec.base_url)
        return str(server_of(spec.base_url))
    prefix = prefix_of(spec.name)
    return f"the servers of {prefix}" if prefix else "its provider's servers"
