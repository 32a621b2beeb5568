"""Which mind sits where, said once for plans, runs and episodes."""

from typing import Literal

from events.base import Value

MindKind = Literal["model", "generative", "rehearsal", "recorded", "remote", "person"]


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
    max_completion_tokens: int = 0
    """For models that reason: the longest answer with the thoughts before it, in tokens. It is sent
    under this name instead of ``max_tokens``; 0: ``max_tokens`` is sent."""
    reasoning_effort: str = ""
    """How much a model that reasons is to think, in the provider's words: ``low``, for example;
    empty: the provider's default."""
    top_p: float | None = None
    """Sampled from the likeliest tokens that have this probability together; None: the provider's
    default."""
    seed: int | None = None
    """For servers that sample repeatably; None: none is sent."""
    stop: tuple[str, ...] = ()
    """Texts before which an answer ends."""
    extra: str = ""
    """Further parameters, passed through as they are: a JSON object; empty: none."""
    cache_marks: bool | None = None
    """Whether the system's message is marked as what the provider shall cache; None: where LiteLLM
    asks and the provider wants such marks (Anthropic's models). Never changes an answer."""
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
    cached_usd_per_million: float | None = None
    """Price of a million prompt tokens that the provider read from its cache; None: LiteLLM's price
    list, if it knows the model, else the price of other prompt tokens."""
    output_usd_per_million: float | None = None
    """Price of a million answer tokens; None: LiteLLM's price list, if it knows the model."""
    structured_output: bool | None = None
    """Whether the server is sent the JSON Schema of an answer, to hold it to; None: where LiteLLM's
    list says that the model can, and never with ``direct``."""

    @property
    def thoughts(self) -> int:
        """Tokens of an answer that are left to the thoughts before it."""
        return max(0, self.max_completion_tokens - self.max_tokens)


class GenerativeSpec(Value, frozen=True, kw_only=True):
    """How a generative mind thinks (Generative Agents, 2304.03442; STSS, 2404.05337)."""

    agent: Literal["ga", "ga+tdp"] = "ga"
    """``ga+tdp``: target-driven planning before it begins (STSS, section 4), where it has a
    task."""
    profile: Literal["lean", "published"] = "lean"
    """How many calls it makes: ``lean`` one for an action, importance in batches, plan and hours in
    one; ``published`` as many as the published code."""
    retrieval: Literal["ga", "published"] = "ga"
    """How memories are ranked: as Generative Agents says, or as its published code does."""
    reflect_at: int = 250
    """Reflects once the importance of what is new exceeds so much."""
    after_talk: bool = True
    """Whether it notes what a talk means for its plans, and a memo of it."""
    embedder: str = ""
    """The name of an embedding model (LiteLLM's spelling); empty: hashed n-grams, offline."""
    background: ModelSpec | None = None
    """The model for all but a performer's target-driven planning, talk and day plan, and for seats
    without a task; None: the same model."""


class MindSpec(Value, frozen=True, kw_only=True):
    """What decides for an agent."""

    name: str
    """How tables and reports call it; unique in a plan."""
    kind: MindKind
    """A language model, one that plans and remembers, rules, what a stored episode's seat did, a
    program elsewhere, or a person, who comes by the gateway."""
    model: ModelSpec | None = None
    """For ``model`` and ``generative``."""
    generative: GenerativeSpec | None = None
    """For ``generative``."""
    temper: str = ""
    """For ``rehearsal``: one of the environment's tempers."""
    seed: int | None = None
    """For ``rehearsal``: where its chance begins; None: with the episode's own seed."""
    episode: str = ""
    """For ``recorded``: the episode whose actions are repeated."""

    @property
    def asks(self) -> bool:
        """Whether it asks language models."""
        return self.kind in ("model", "generative")

    @property
    def models(self) -> tuple[ModelSpec, ...]:
        """The models that it asks, its own first."""
        background = self.generative.background if self.generative is not None else None
        return tuple(model for model in (self.model, background) if model is not None)
