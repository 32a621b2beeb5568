"""Virtual game masters, with what this machine's settings say of models."""

from pathlib import Path
from typing import Final

import msgspec

from actors.models.answers.recorded_questions import StoredCalls
from actors.models.caller import ModelCaller
from actors.models.local.faults import LocalFault
from actors.models.local.weights import found_file
from actors.toml_file import BadFile
from evaluators.tabletop.virtual_dms.dm_file import (
    DMFile,
    LanguageModelFile,
    LoraFile,
    read_dm,
)
from events.ids import derived_id
from events.minds import LOCAL
from events.wire.subjects import stream_name
from gateway.models.configured_models import models_here
from gateway.settings import read_settings
from store.log.event_store import EventStore

PATIENCE_S: Final = 30.0
"""How long a model that is away is waited for: somebody sits at the command, and what was answered
is kept."""


def read_dm_here(path: Path) -> DMFile:
    """What a ``DM.toml`` says; weights that ``troupe local fetch`` brings are named by their path.
    Raises ``BadFile``."""
    file = read_dm(path)
    if not isinstance(file, LoraFile) or not file.model.startswith(LOCAL):
        return file
    try:
        weights = found_file(file.model, read_settings().models_dir)
    except LocalFault as fault:
        why = f"{fault.detail}; {fault.remedy}"
        raise BadFile(path, "model", why) from fault
    return msgspec.structs.replace(file, model=str(weights))


def caller_here() -> ModelCaller:
    """What asks models for a virtual game master of kind ``llm``."""
    return ModelCaller(models_here(read_settings()), patience_s=PATIENCE_S)


def answers_kept(store: EventStore, file: LanguageModelFile) -> StoredCalls:
    """Keeps what a model answers as a virtual game master. Blocking."""
    name = derived_id("", file.spec().name, file.spec().base_url)
    return StoredCalls(store, stream_name("find", f"dm.{name}"))
