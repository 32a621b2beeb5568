"""Calls to models in the terminal."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from events.untrusted.safe_text import harmless
from gateway.cli.terminal.output import escape, print_json_line, say

if TYPE_CHECKING:
    from gateway.services.calls.model_call import ModelCall

INDENT: Final = 4
EMBEDDED: Final = 60
"""Characters of an answer in numbers that are shown."""
_TITLES: Final = {"system": "system", "user": "user", "assistant": "assistant, sent along"}


def print_calls(calls: Iterable["ModelCall"], *, as_json: bool) -> None:
    """Each call as soon as it is built."""
    none = True
    for call in calls:
        none = False
        if as_json:
            print_json_line(call)
        else:
            _print_call(call)
    if none and not as_json:
        say("No model was asked.")


def _print_call(call: "ModelCall") -> None:
    number = f", attempt {call.attempt + 1}" if call.attempt else ""
    say(f"\n[bold]{escape(_who(call))}{number}[/]  [dim]{escape(', '.join(_figures(call)))}[/]")
    if call.checked == "same":
        say("[dim]The prompt is as it was sent.[/]", indent=INDENT)
    elif call.checked == "differs":
        say(f"[yellow]The prompt is not as it was sent: {escape(call.unlike)}.[/]", indent=INDENT)
    else:
        say(f"[yellow]The prompt cannot be shown: {escape(call.unlike)}.[/]", indent=INDENT)
    for message in call.prompt:
        _print_part(_TITLES.get(message.role, message.role), message.content)
    if call.json_schema is not None:
        _print_part("schema", json.dumps(call.json_schema, ensure_ascii=False))
    if call.reasoning:
        _print_part("thoughts", call.reasoning)
    if call.failure:
        say(f"[red]No answer: {escape(call.failure)}[/]", indent=INDENT)
        return
    shown = call.text
    if call.purpose == "embed" and len(shown) > EMBEDDED:
        shown = f"{shown[:EMBEDDED]}… ({len(call.text):,} characters of numbers)"
    _print_part("raw answer", shown or "(empty)")
    if call.read_as is not None:
        fields = {name: value for name, value in call.read_as.items() if name != "type"}
        how = "read, after a repair, as" if call.repaired else "read as"
        _print_part(how, json.dumps(fields, ensure_ascii=False))
    elif call.unusable:
        kind = call.fault.replace("_", " ")
        say(f"[red]Not read ({escape(kind)}): {escape(call.unusable)}[/]", indent=INDENT)


def _who(call: "ModelCall") -> str:
    match call.asker:
        case "judge":
            return f"Judge {call.judge}"
        case "memory":
            return f"Memory of seat {(call.seat or 0) + 1}"
        case "interview":
            return f"Interview with seat {(call.seat or 0) + 1}, question {call.turn}"
    purpose = "" if call.purpose == "act" else f", to {call.purpose}"
    return f"Turn {call.turn}, seat {(call.seat or 0) + 1}{purpose}"


def _figures(call: "ModelCall") -> Iterator[str]:
    yield call.model
    cached = f" ({call.cached_tokens:,} cached)" if call.cached_tokens else ""
    thoughts = f" ({call.reasoning_tokens:,} thoughts)" if call.reasoning_tokens else ""
    yield f"{call.input_tokens:,} tokens in{cached}, {call.output_tokens:,} out{thoughts}"
    yield f"{call.latency_s:.2f} s"
    yield "price unknown" if call.cost_usd is None else f"${call.cost_usd:.5f}"
    if call.finish_reason:
        yield f"ended by {call.finish_reason}"
    if call.retries:
        yield f"{call.retries} {'retry' if call.retries == 1 else 'retries'}"
    if call.asked_times > 1:
        yield f"sent {call.asked_times} times"
    yield f"{datetime.fromtimestamp(call.at / 1e6, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _print_part(title: str, text: str) -> None:
    say(f"[dim]{escape(title)}:[/]", indent=INDENT)
    for line in harmless(text).splitlines() or [""]:
        say(escape(line), indent=2 * INDENT)
