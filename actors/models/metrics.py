"""Prometheus metrics of calls to models.

Names and labels follow OpenTelemetry's conventions for generative AI wherever these define one.
Every label comes from a closed set: a model's label is the name in its specification, and names
beyond the first ``MOST_NAMES`` of a process are counted together as ``other``.
"""

from prometheus_client import Counter, Gauge, Histogram

from actors.models.errors import FailureReason
from actors.models.port import ModelReply
from events.minds import ModelSpec

LATENCY_BUCKETS = tuple(0.01 * 2**power for power in range(17))
"""Seconds: 10 ms, doubling, to 655 s."""
TOKEN_BUCKETS = tuple(float(4**power) for power in range(14))
"""Tokens: powers of four to 67 million."""
MOST_NAMES = 64

_CALL = ("operation", "provider", "request_model")

DURATION = Histogram(
    "gen_ai_client_operation_duration_seconds",
    "How long one attempt to get an answer took.",
    (*_CALL, "error_type"),
    buckets=LATENCY_BUCKETS,
)
TOKENS = Histogram(
    "gen_ai_client_token_usage",
    "Tokens of a question or an answer.",
    (*_CALL, "token_type"),
    buckets=TOKEN_BUCKETS,
)
COST = Counter("troupe_llm_cost_usd_total", "US dollars spent on answers.", ("model", "purpose"))
RETRIES = Counter("troupe_llm_retries_total", "Attempts after the first.", ("model", "reason"))
INFLIGHT = Gauge("troupe_llm_inflight_requests", "Requests under way.", ("model",))
QUEUED = Gauge(
    "troupe_llm_queued_requests", "Requests that wait for a place under a limit.", ("model",)
)
HELD = Gauge(
    "troupe_llm_breaker_open",
    "Models that are not asked, because most of their last attempts failed.",
    ("model",),
)
HELD_CALLS = Gauge(
    "troupe_llm_breaker_waiting_requests", "Requests that wait for such a model.", ("model",)
)
OPENINGS = Counter("troupe_llm_breaker_openings_total", "Times a breaker opened.", ("model",))
PARSE_FAILURES = Counter(
    "troupe_llm_parse_failures_total",
    "Answers that could not be read: as they came (decode), after repair (repair), or after "
    "asking again (reask).",
    ("model", "stage"),
)

_names: set[str] = set()


def label_of(name: str) -> str:
    """A model's name as a label."""
    if name not in _names:
        if len(_names) >= MOST_NAMES:
            return "other"
        _names.add(name)
    return name


def provider_of(spec: ModelSpec) -> str:
    """Who answers, as LiteLLM's spelling of the name says it."""
    if spec.is_local:
        return "local"
    if spec.adapter == "direct":
        return "openai_compatible"
    provider, slash, _ = spec.name.partition("/")
    return label_of(provider) if slash else "unknown"


class CallMetrics:
    """The figures of one model, its labels looked up once."""

    def __init__(self, spec: ModelSpec) -> None:
        self.label = label_of(spec.name)
        self._call = ("chat", provider_of(spec), self.label)
        self.inflight = INFLIGHT.labels(self.label)
        self.queued = QUEUED.labels(self.label)
        self._input = TOKENS.labels(*self._call, "input")
        self._output = TOKENS.labels(*self._call, "output")
        self._answered = DURATION.labels(*self._call, "")

    def answered(self, reply: ModelReply, seconds: float, purpose: str) -> None:
        """An attempt brought an answer."""
        self._answered.observe(seconds)
        self._input.observe(reply.input_tokens)
        self._output.observe(reply.output_tokens)
        if reply.cost_usd is not None:
            COST.labels(self.label, purpose).inc(reply.cost_usd)

    def failed(self, reason: FailureReason, seconds: float) -> None:
        DURATION.labels(*self._call, reason).observe(seconds)

    def retried(self, reason: FailureReason) -> None:
        """Another attempt is made because of ``reason``."""
        RETRIES.labels(self.label, reason).inc()


class BreakerMetrics:
    """The figures of one model's breaker."""

    def __init__(self, spec: ModelSpec) -> None:
        self.label = label_of(spec.name)
        self.waiting = HELD_CALLS.labels(self.label)
        self._open = HELD.labels(self.label)
        self._openings = OPENINGS.labels(self.label)

    def opened(self) -> None:
        """From now on calls wait."""
        self._open.inc()
        self._openings.inc()

    def closed(self) -> None:
        """From now on they do not."""
        self._open.dec()
