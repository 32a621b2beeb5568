"""Small runs by one model, one a template, carried out by the command as a user would."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from actors.episodes.registry import game_of
from events.episode import EpisodeStarted, TurnOpened
from events.serialization.codec import event_of
from events.wire.subjects import split_stream, stream_name
from gateway.services.calls.find_calls import turn_calls
from gateway.services.calls.model_call import ModelCall
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history
from store.read_only_store import open_to_read
from tests.prompts.figures import Call

SOCIAL: Final = ("act-1", "act-3", "act-4", "act-5", "act-paper-3")
TREES: Final = ("1", "2")
TOWNS: Final = ("say-2", "say-3")

_HEAD: Final = """\
name = "prompts"
environment = "{environment}"
catalog = "{catalog}"
seed = 7
concurrency = 2
give_up_after = 0

[minds.reader]
kind = "model"
{mind}

[tasks]
tags = {tags}
limit = {limit}
seed = 1
"""


def plans(mind: str, episodes: int) -> Iterator[tuple[str, str]]:
    """Names and plan files, one a template or a few that belong together. ``mind``: the model's
    lines, which ask nothing again."""

    def plan(
        name: str, environment: str, catalog: str, section: str, *tags: str
    ) -> tuple[str, str]:
        listed = msgspec.json.encode(tags).decode()
        head = _HEAD.format(
            environment=environment, catalog=catalog, mind=mind, tags=listed, limit=episodes
        )
        return name, f"{head}\n[{environment}]\n{section}"

    for prompt in SOCIAL:
        yield plan(prompt, "social", "starter", f'prompt = "{prompt}"\nturn_cap = 6\n')
    for prompt in TREES:
        for kind in ("walk", "ask"):
            section = f'prompt = "{prompt}"\nshuffles = 1\n'
            yield plan(f"{kind}-{prompt}", "worldtree", "crossroads", section, kind)
    for prompt in TOWNS:
        yield plan(prompt, "sandbox", "ternby", f'prompt = "{prompt}"\nsteps = 60\n')


def play(plan: Path, data: Path) -> str:
    """What the command says at the end. The data folder is made. Raises ``SystemExit`` with it
    where a run cannot be carried out."""
    command = [str(Path(sys.executable).with_name("troupe")), "run", str(plan), "--no-probe"]
    told = subprocess.run(
        command,
        env=os.environ | {"TROUPE_DATA_DIR": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode:
        raise SystemExit(f"{plan.name}: {told.stderr.strip() or told.stdout.strip()}")
    return told.stdout


def calls_in(data: Path) -> Iterator[Call]:
    """Every answer that a model gave in a data folder."""
    store = open_to_read(f"sqlite:///{data / 'troupe.db'}")
    try:
        for envelope in store.read_all(tags=["EpisodeStarted"], limit=10_000):
            started = event_of(envelope)
            assert isinstance(started, EpisodeStarted)
            yield from _of_episode(store, split_stream(envelope.stream)[1], started)
    finally:
        store.close()


def _of_episode(store: EventStore, episode: str, started: EpisodeStarted) -> Iterator[Call]:
    game = game_of(started)
    told = game.words.account(game.sight.view([started], "narrator"))
    goals = {portrait.seat: portrait.goal for portrait in told.portraits}
    for numbered in read_history(store, stream_name("episode", episode).partition("-")[2]):
        if isinstance(numbered.event, TurnOpened):
            for call in turn_calls(store, episode, numbered.event.turn):
                if call.text:
                    yield _read(call, goals.get(call.seat or 0, ""))


def _read(call: ModelCall, goal: str) -> Call:
    understood = msgspec.to_builtins(call.read_as)
    return Call(
        template=call.prompt_version.partition(":")[0],
        turn=call.turn,
        prompt="\n".join(message.content for message in call.prompt),
        texts=tuple(_texts(understood)),
        usable=not call.unusable,
        goal=goal,
        input_tokens=call.input_tokens,
        cached_tokens=call.cached_tokens,
        seconds=call.latency_s,
    )


def _texts(value: Any) -> Iterator[str]:
    """What is prose in an action: texts of several words."""
    if isinstance(value, str):
        if " " in value.strip() or any("\u4e00" <= one <= "\u9fff" for one in value):
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
