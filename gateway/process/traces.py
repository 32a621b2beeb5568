"""Traces of turns for an OpenTelemetry collector: where one is named, and the extra [otel] is
there (``make otel``). Settings are OpenTelemetry's own ``OTEL_…`` variables."""

import hashlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import structlog

from actors.runtime.spans import Span, TurnKey, tracing
from gateway.errors import GatewayError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

log = structlog.get_logger(__name__)

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Where traces go to, as OpenTelemetry calls it."""


class NoOpenTelemetry(GatewayError):
    """Traces are wanted, and nothing is installed that sends them."""

    def __init__(self, variable: str) -> None:
        super().__init__(
            f"{variable} names a collector, but what sends traces is not installed: `make otel`, "
            "or `pip install 'troupe-server[otel]'`; or unset it"
        )
        self.variable = variable


def set_up_traces(environ: Mapping[str, str] | None = None) -> "TracerProvider | None":
    """Send traces where a variable says so; for ``trace_no_more``, None where none does. Raises
    ``NoOpenTelemetry``."""
    env = os.environ if environ is None else environ
    named = next((name for name in ENDPOINTS if env.get(name)), "")
    if not named or env.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise NoOpenTelemetry(named) from missing
    log.info("traces_sent", to=named)
    return trace_to(BatchSpanProcessor(OTLPSpanExporter()))


def trace_to(processor: "SpanProcessor") -> "TracerProvider":
    """Give every turn's spans to a processor; the provider, which can be shut down."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        SpanKind,
        Status,
        StatusCode,
        TraceFlags,
        set_span_in_context,
    )

    class Ids(RandomIdGenerator):
        """Those of a turn follow from its key: every process that works for it knows them."""

        key: TurnKey | None = None

        def generate_trace_id(self) -> int:
            return _digest(self.key, 16) if self.key else super().generate_trace_id()

        def generate_span_id(self) -> int:
            return _digest(self.key, 8) if self.key else super().generate_span_id()

    ids = Ids()
    resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "troupe")})
    provider = TracerProvider(resource=resource, id_generator=ids)
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("troupe")

    def sink(span: Span) -> None:
        context = None
        ids.key = span.key if span.whole else None
        if not span.whole:
            whole = SpanContext(
                _digest(span.key, 16),
                _digest(span.key, 8),
                is_remote=True,
                trace_flags=TraceFlags(TraceFlags.SAMPLED),
            )
            context = set_span_in_context(NonRecordingSpan(whole))
        told = tracer.start_span(
            span.name,
            context,
            kind=SpanKind.CLIENT
            if "gen_ai.operation.name" in span.attributes
            else SpanKind.INTERNAL,
            start_time=span.began_ns,
            attributes={
                "troupe.episode": span.key.episode,
                "troupe.turn": span.key.turn,
                "troupe.seat": span.key.seat,
                **span.attributes,
            },
        )
        if span.failed:
            told.set_attribute("error.type", span.failed)
            told.set_status(Status(StatusCode.ERROR, span.failed))
        told.end(span.ended_ns)

    tracing.sink = sink
    return provider


def trace_no_more(provider: "TracerProvider | None") -> None:
    """Send what waits, and nothing further; of None, there is nothing to end."""
    tracing.sink = None
    if provider is not None:
        provider.shutdown()


def _digest(key: TurnKey | None, size: int) -> int:
    """An id of so many bytes; never 0, which is none."""
    said = "\0".join(map(str, key or ()))
    return int.from_bytes(hashlib.blake2b(said.encode(), digest_size=size).digest(), "big") or 1
