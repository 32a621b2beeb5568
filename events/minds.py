"""Which mind sits where, said once for plans, runs and episodes."""

from typing import Final, Literal

from events.base import Value

MindKind = Literal["model", "generative", "rehearsal", "recorded", "remote", "person"]


LOCAL: Final = "local/"
"""How the name of a model begins that runs on this machine."""


class ModelSpec(Value, frozen=True, kw_only=True, cache_hash=True):
    """A language model and how it is asked."""

    name: str
    """The provider's name for it, for example ``openai/gpt-4o`` (LiteLLM's spelling); of one that
    runs on this machine ``local/smollm2``, or ``local/`` and the path of its weights."""
    adapter: Literal["litellm", "direct"] = "litellm"
    """``direct`` speaks to any OpenAI-compatible server without LiteLLM's overhead."""
    base_url: str = ""
    """The server's ``…/v1`` address; required for ``direct``."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; empty: the adapter's default."""
    temperature: float = 0.7
    """0 to 2."""
    max_tokens: int = 500
    """The longest answer, in tokens. What needs more room has a setting of its own."""
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
    """Whether the server is sent the JSON Schema of an answer, to hold it to; None: as the
    server was found to take it, else where LiteLLM's list says that the model can."""
    reasks: int | None = None
    """How often an answer that cannot be used is asked for again, 0 to 5; None: as the environment
    says, else twice."""
    completes_prefix: bool | None = None
    """Whether the server lets the model go on from where its answer was cut off; None: that is
    tried with a server of one's own, and done where LiteLLM's list says that the model can."""

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine, in a server that Troupe starts."""
        return self.name.startswith(LOCAL)

    @property
    def thoughts(self) -> int:
        """Tokens of an answer that are left to the thoughts before it."""
        return max(0, self.max_completion_tokens - self.max_tokens)


AgentName = Literal["ga", "ga+tdp", "ga-coached", "ga+tdp-coached"]
"""What plans call the agents of generative minds."""
_COACHED: Final = "-coached"


class GenerativeSpec(Value, frozen=True, kw_only=True):
    """How a generative mind thinks (Generative Agents, 2304.03442; STSS, 2404.05337)."""

    agent: Literal["ga", "ga+tdp"] = "ga"
    """``ga+tdp``: target-driven planning before it begins (STSS, section 4), where it has a
    task."""
    words: Literal["coached", "neutral"] = "coached"
    """``neutral``: it is asked for what the published prompts ask for. ``coached``: it is told to
    name day, time and place too, and whom to win; so were all minds that were recorded before there
    was a choice."""
    profile: Literal["lean", "published"] = "lean"
    """How many calls it makes: ``lean`` one for an action, importance in batches, plan and hours in
    one; ``published`` as many as the published code."""
    retrieval: Literal["ga", "published"] = "ga"
    """How memories are ranked: as Generative Agents says, or as its published code does."""
    reflect_at: int = 250
    """Reflects once the importance of what is new exceeds so much."""
    after_talk: bool = True
    """Whether it notes what a talk means for its plans, and a memo of it."""
    plan_tokens: int = 0
    """The longest plan, in tokens; 0: the model's ``max_tokens`` or more, by the kind of plan, as
    for minds that were recorded before there was a choice."""
    reflect_tokens: int = 0
    """The same of a reflection, and of what it makes of a talk."""
    embedder: str = ""
    """The name of an embedding model (LiteLLM's spelling); empty: hashed n-grams, offline."""
    background: ModelSpec | None = None
    """The model for all but a performer's target-driven planning, talk and day plan, and for seats
    without a task; None: the same model."""

    @property
    def named(self) -> AgentName:
        """The agent, as plans call it."""
        return f"{self.agent}{_COACHED}" if self.words == "coached" else self.agent  # type: ignore[return-value]


def agent_named(name: AgentName) -> GenerativeSpec:
    """A specification of the agent that plans call so, with all else by default."""
    return GenerativeSpec(
        agent=name.removesuffix(_COACHED),  # type: ignore[arg-type]
        words="coached" if name.endswith(_COACHED) else "neutral",
    )


Offline = Literal["", "rehearsal", "local"]
"""Why the scores of a mind or judge are no findings; empty: they may be some."""


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
    def offline(self) -> Offline:
        """Whether it is a rehearsal or a local model: what it does checks the machinery."""
        if self.kind == "rehearsal":
            return "rehearsal"
        return "local" if any(model.is_local for model in self.models) else ""

    @property
    def asks(self) -> bool:
        """Whether it asks language models."""
        return self.kind in ("model", "generative")

    @property
    def models(self) -> tuple[ModelSpec, ...]:
        """The models that it asks, its own first."""
        background = self.generative.background if self.generative is not None else None
        return tuple(model for model in (self.model, background) if model is not None)

    @property
    def embedding_model(self) -> ModelSpec | None:
        """The model that it has texts embedded by; None: none. One of its own model's provider is
        asked at the same address with the same key; another one at its provider's."""
        if self.model is None or self.generative is None or not self.generative.embedder:
            return None
        name, same = self.generative.embedder, self.model
        if _provider(name) != _provider(same.name):
            same = ModelSpec(name="")
        return ModelSpec(
            name=name,
            base_url=same.base_url,
            api_key_env=same.api_key_env,
            timeout_s=self.model.timeout_s,
            retries=self.model.retries,
            max_concurrency=self.model.max_concurrency,
            output_usd_per_million=0.0,
        )


def _provider(name: str) -> str:
    provider, slash, _ = name.partition("/")
    return provider if slash else "openai"
