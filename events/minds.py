"""Which mind sits where, said once for plans, runs and episodes."""

from typing import Literal

from events.base import Value

MindKind = Literal["model", "rehearsal", "recorded", "remote"]


class ModelSpec(Value, frozen=True, kw_only=True):
    """A language model and how it is asked."""

    name: str
    """The provider's name for it, for example ``openai/gpt-4o`` (LiteLLM's spelling)."""
    adapter: Literal["litellm", "direct"] = "litellm"
    """``direct`` speaks to any OpenAI-compatible server without LiteLLM's overhead."""
    base_url: str = ""
    """The server's ``…/v1`` address; required for ``direct``."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; empty: the adapter's default."""
    temperature: float = 0.7
    """0 to 2."""
    max_tokens: int = 500
    """The longest answer, in tokens."""
    timeout_s: float = 60.0
    """Seconds one attempt may take."""
    retries: int = 4
    """Further attempts after a failure that may pass."""
    requests_per_minute: int = 0
    """0: no limit."""
    tokens_per_minute: int = 0
    """0: no limit."""
    max_concurrency: int = 32
    """Requests under way at once, for this model in this process."""
    input_usd_per_million: float | None = None
    """Price of a million prompt tokens; None: LiteLLM's price list, if it knows the model."""
    output_usd_per_million: float | None = None
    """Price of a million answer tokens; None: LiteLLM's price list, if it knows the model."""
    structured_output: bool | None = None
    """Whether the server is sent the JSON Schema of an answer, to hold it to; None: where LiteLLM's
    list says that the model can, and never with ``direct``."""


class MindSpec(Value, frozen=True, kw_only=True):
    """What decides for an agent."""

    name: str
    """How tables and reports call it; unique in a plan."""
    kind: MindKind
    """A language model, rules, what a stored episode's seat did, or a program elsewhere."""
    model: ModelSpec | None = None
    """For ``model``."""
    temper: str = ""
    """For ``rehearsal``: one of the environment's tempers."""
    episode: str = ""
    """For ``recorded``: the episode whose actions are repeated."""
