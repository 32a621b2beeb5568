"""A turn can be followed through model, store and NATS, where somebody traces."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from actors.runtime.spans import TurnKey, tracing
from events.episode import ActionTaken
from gateway.process.traces import NoOpenTelemetry, set_up_traces, trace_no_more, trace_to
from tests.support.managed_episodes import open_at
from tests.support.runs import carry_out_here, events_of, model_minds, plan, record, settings_of
from tests.support.servers.stub_llm import StubServer


async def traced(folder: Path) -> tuple[list[ReadableSpan], int]:
    """The spans of a run of one episode, and how many actions were taken in it."""
    exporter = InMemorySpanExporter()
    provider = trace_to(SimpleSpanProcessor(exporter))
    store = open_at(folder)
    try:
        async with StubServer() as stub:
            text = plan(model_minds(stub.url), tasks=1, rules="turn_cap = 4")
            run = record(store, folder, text)
            await carry_out_here(settings_of(folder, store, None, "traces"), store, run)
        (row,) = (e for e in store.read_all(0, tags=("EpisodeStarted",), limit=10))
        taken = sum(isinstance(event, ActionTaken) for event in events_of(store, row.stream))
    finally:
        trace_no_more(provider)
        store.close()
    return list(exporter.get_finished_spans()), taken


async def test_a_turn_is_one_trace_of_model_store_and_nats(tmp_path: Path) -> None:
    spans, taken = await traced(tmp_path)
    turns = [span for span in spans if span.name == "turn"]
    assert len(turns) == taken > 0
    for turn in turns:
        inside = [one for one in spans if one.context.trace_id == turn.context.trace_id]
        names = [one.name for one in inside]
        assert {"turn", "append", "deliver Observation", "deliver TakeAction"} <= set(names)
        (call,) = (one for one in inside if one.name.startswith("chat "))
        assert call.attributes is not None
        assert call.attributes["gen_ai.usage.input_tokens"] > 0
        for one in inside:
            if one is not turn:
                assert one.parent is not None
                assert one.parent.span_id == turn.context.span_id


async def test_no_span_has_a_word_that_anybody_said(tmp_path: Path) -> None:
    spans, _ = await traced(tmp_path)
    longest = max(len(str(value)) for span in spans for value in (span.attributes or {}).values())
    assert longest < 80


def test_spans_are_sent_to_the_collector_that_a_variable_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bodies: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    provider = set_up_traces()
    try:
        tracing.ended("turn", TurnKey("e1", 1, 0), 0.5, {"troupe.mind": "m"}, whole=True)
    finally:
        trace_no_more(provider)
        server.shutdown()
    (body,) = bodies
    sent = ExportTraceServiceRequest.FromString(body)
    (span,) = sent.resource_spans[0].scope_spans[0].spans
    assert span.name == "turn"
    assert span.end_time_unix_nano - span.start_time_unix_nano == 500_000_000


def test_without_a_collector_nothing_is_traced() -> None:
    assert set_up_traces({}) is None
    assert tracing.sink is None


def test_a_collector_without_what_sends_to_it_is_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace.export", None)
    with pytest.raises(NoOpenTelemetry, match="make otel"):
        set_up_traces({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
