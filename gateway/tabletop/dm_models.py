"""Virtual game masters, with what this machine's settings say of models."""

from pathlib import Path

import msgspec

from actors.models.caller import ModelCaller
from actors.models.local.faults import LocalFault
from actors.models.local.weights import found_file
from actors.toml_file import BadFile
from evaluators.tabletop.virtual_dms.dm_file import DMFile, LoraFile, read_dm
from events.minds import LOCAL
from gateway.models.configured_models import models_here
from gateway.settings import read_settings


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
    return ModelCaller(models_here(read_settings()))
