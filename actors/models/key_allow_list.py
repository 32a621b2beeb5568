"""Which environment variables hold keys, and to which servers each key may be sent.

This is configured by ``TROUPE_KEYS`` of the process that sends the request, never by a plan, file,
event or job.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from actors.models.litellm.visible_environment import is_own
from actors.models.server_addresses import (
    OWN_SERVERS,
    Server,
    address_problem,
    prefix_of,
    server_of,
)
from events.minds import ModelSpec
from events.untrusted.safe_text import shortened

VARIABLE: Final = "TROUPE_KEYS"
USUAL: Final = "usual"
"""The word for every provider's usual variables; what ``TROUPE_KEYS`` is where it is not set."""


class Provider(NamedTuple):
    """Somebody who sells answers."""

    variables: tuple[str, ...]
    """The usual names of what holds its key."""
    hosts: tuple[str, ...] = ()
    """Its own servers."""
    also: tuple[str, ...] = ()
    """Further names that LiteLLM has for it."""


PROVIDERS: Final[dict[str, Provider]] = {
    "openai": Provider(("OPENAI_API_KEY",), ("api.openai.com",), ("text-completion-openai",)),
    "anthropic": Provider(("ANTHROPIC_API_KEY",), ("api.anthropic.com",), ("anthropic_text",)),
    "gemini": Provider(
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"), ("generativelanguage.googleapis.com",)
    ),
    "mistral": Provider(("MISTRAL_API_KEY",), ("api.mistral.ai",)),
    "codestral": Provider(("CODESTRAL_API_KEY",), ("codestral.mistral.ai",)),
    "azure": Provider(("AZURE_API_KEY",), (), ("azure_text",)),
    "azure_ai": Provider(("AZURE_AI_API_KEY",)),
    "openrouter": Provider(("OPENROUTER_API_KEY", "OR_API_KEY"), ("openrouter.ai",)),
    "groq": Provider(("GROQ_API_KEY",), ("api.groq.com",)),
    "deepseek": Provider(("DEEPSEEK_API_KEY",), ("api.deepseek.com",)),
    "together_ai": Provider(
        ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
        ("api.together.xyz", "api.together.ai"),
    ),
    "fireworks_ai": Provider(("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY"), ("api.fireworks.ai",)),
    "deepinfra": Provider(("DEEPINFRA_API_KEY",), ("api.deepinfra.com",)),
    "perplexity": Provider(("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"), ("api.perplexity.ai",)),
    "xai": Provider(("XAI_API_KEY",), ("api.x.ai",)),
    "cohere": Provider(
        ("COHERE_API_KEY", "CO_API_KEY"), ("api.cohere.com", "api.cohere.ai"), ("cohere_chat",)
    ),
    "cerebras": Provider(("CEREBRAS_API_KEY",), ("api.cerebras.ai",)),
    "sambanova": Provider(("SAMBANOVA_API_KEY",), ("api.sambanova.ai",)),
    "nvidia_nim": Provider(("NVIDIA_NIM_API_KEY",), ("integrate.api.nvidia.com",)),
    "huggingface": Provider(("HF_TOKEN", "HUGGINGFACE_API_KEY"), ("router.huggingface.co",)),
    "replicate": Provider(("REPLICATE_API_KEY",), ("api.replicate.com",)),
    "ai21": Provider(("AI21_API_KEY",), ("api.ai21.com",), ("ai21_chat",)),
    "moonshot": Provider(("MOONSHOT_API_KEY",), ("api.moonshot.ai", "api.moonshot.cn")),
    "dashscope": Provider(
        ("DASHSCOPE_API_KEY",), ("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com")
    ),
}
"""By LiteLLM's name for it."""

_BY_VARIABLE: Final = {
    variable: name for name, one in PROVIDERS.items() for variable in one.variables
}
_BY_HOST: Final = {host: name for name, one in PROVIDERS.items() for host in one.hosts}
_BY_NAME: Final = {called: name for name, one in PROVIDERS.items() for called in (name, *one.also)}

KeyRing = Mapping[str, frozenset[str]]
"""By variable: where its key may go. A provider's name, ``host:port``, or ``host`` at any port."""


class BadKeys(ValueError):
    """A value of ``TROUPE_KEYS`` that cannot be used."""

    def __init__(self, given: str, why: str) -> None:
        super().__init__(f"{VARIABLE} {shortened(why, 1_000)}")
        self.given, self.why = given, why


@lru_cache(maxsize=8)
def read_keys(text: str) -> KeyRing:
    """What a value of ``TROUPE_KEYS`` allows. Raises ``BadKeys``."""
    ring: dict[str, frozenset[str]] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        if entry == USUAL:
            for variable, provider in _BY_VARIABLE.items():
                ring[variable] = ring.get(variable, frozenset()) | {provider}
            continue
        variable, at, place = (part.strip() for part in entry.partition("@"))
        if not variable.isidentifier():
            raise BadKeys(
                text,
                "must be names of environment variables, each with @ and where its key may go "
                f'("usual, MY_KEY@host:8000"); {variable[:40]!r} is no such name',
            )
        if not at and variable not in _BY_VARIABLE:
            raise BadKeys(
                text,
                f"must say where the key in {variable} may go, because it is no provider's usual "
                f"name: {variable}@host:port, or {variable}@openai",
            )
        if at and not _is_place(place):
            raise BadKeys(
                text, f"must name a host, a host and a port, or a provider after {variable}@"
            )
        where = _place(place) if at else _BY_VARIABLE[variable]
        ring[variable] = ring.get(variable, frozenset()) | {where}
    return ring


def keys_here() -> KeyRing:
    """What this process's environment allows. Raises ``BadKeys``."""
    return read_keys(os.environ.get(VARIABLE) or USUAL)


class KeyRefusal(NamedTuple):
    """A key that is not sent."""

    why: str
    """As a sentence."""
    remedy: str
    """What a person can do, as the rest of a sentence."""


def refusal(spec: ModelSpec, provider: str = "") -> KeyRefusal | None:
    """Why this process does not send the key that a specification names where it would have it
    sent; None: it does, or none is named.

    ``provider``: LiteLLM's name for who answers where no address is given; empty: not known yet,
    and not looked at.
    """
    variable = spec.api_key_env
    if not variable:
        return None
    try:
        ring = keys_here()
    except BadKeys as error:
        return KeyRefusal(str(error), f"correct {VARIABLE}")
    places = ring.get(variable, frozenset())
    prefix = prefix_of(spec.name)
    if spec.base_url and spec.adapter == "litellm" and prefix not in {*OWN_SERVERS, *_BY_NAME}:
        # Some providers' parts of LiteLLM send tokens that nobody named to any address.
        why = f"of {prefix or 'that provider'} it is not known which keys LiteLLM sends along"
        return KeyRefusal(why, f'write "openai/{spec.name}", or leave base_url out')
    there = _BY_NAME.get(provider, provider)
    if spec.base_url:
        server = server_of(spec.base_url)
        there, fine = str(server), any(_is_at(place, server) for place in places)
    elif there in PROVIDERS:
        fine = there in places
    elif there and not places - PROVIDERS.keys():
        why = f"it is not known which servers {there} has, so the key in {variable} is not sent"
        return KeyRefusal(why, f"name its server: {_to_set(variable, 'HOST:PORT')}")
    else:
        fine = bool(places)
    if fine:
        return None
    return KeyRefusal(
        f"the key in {variable} may not be sent to {there or 'any server'}",
        f"if it is to go there, {_to_set(variable, there or 'HOST:PORT')}",
    )


def refusal_at(spec: ModelSpec, provider: str, server: Server) -> KeyRefusal | None:
    """Why a server that LiteLLM would ask for a specification is not asked; None: it is.

    ``provider``: LiteLLM's name for who answers where no address is given. For one that is not
    among ``PROVIDERS``, and that no key is named for, LiteLLM knows its servers alone.
    """
    if spec.base_url:
        if server == (meant := server_of(spec.base_url)):
            return None
        why = f"LiteLLM would ask {server} for {spec.name}, and not {meant}"
        return KeyRefusal(why, f'write "openai/{spec.name}" if it speaks as OpenAI\'s servers do')
    name = _BY_NAME.get(provider)
    if spec.api_key_env:
        variable, places = spec.api_key_env, keys_here().get(spec.api_key_env, frozenset())
    elif name:
        variable, places = PROVIDERS[name].variables[0], frozenset((name,))
    else:
        return None
    if any(_is_at(place, server) for place in places):
        return None
    if name in places and server in _of_this_environment(provider):
        return None
    return KeyRefusal(
        f"LiteLLM would ask {server} for {spec.name}, and the key in {variable} may not be sent "
        "there",
        "name the right server as base_url; or, if it is to go there, "
        f"{_to_set(variable, str(server))}",
    )


def _to_set(variable: str, place: str) -> str:
    before = os.environ.get(VARIABLE) or USUAL
    return f'set {VARIABLE}="{before}, {variable}@{place}" wherever models are asked'


def _of_this_environment(provider: str) -> Iterator[Server]:
    """The servers whose addresses stand in a provider's own variables: the person who set its key
    set them, too."""
    for variable, value in os.environ.items():
        if is_own(variable, provider) and not address_problem(value) and value:
            yield server_of(value)


def _is_place(place: str) -> bool:
    host, colon, port = place.rpartition(":")
    if colon and not place.endswith("]"):
        return bool(host) and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536
    return bool(place) and not set(place) & set("/?#@ ")


def _place(place: str) -> str:
    """A provider's own server is the provider; else as it was written, without brackets."""
    place = place.lower().replace("[", "").replace("]", "")
    return _BY_NAME.get(place) or _BY_HOST.get(place.removesuffix(":443"), place)


def _is_at(place: str, server: Server) -> bool:
    if place in PROVIDERS:
        # Not a machine that is called like one: whoever names machines in a network could have one.
        return server.secure and server.port == 443 and _BY_HOST.get(server.host) == place
    return place in (server.host, str(server))
