"""Tasks made of published templates, for the command."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from actors.sandbox.formats.csv_layers import BadLayers
from actors.sandbox.formats.stss_templates import Instantiated, instantiated
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write

MOST_SEED = 2**31 - 1


def write_tasks(
    files: Sequence[Path], people: Path, seed: int, others: tuple[int, int], target: Path
) -> Instantiated:
    """Write a task of each template as published files hold them. Raises ``BadArgument``,
    ``OSError``."""
    least, most = others
    if not 0 <= seed <= MOST_SEED:
        raise BadArgument("--seed", str(seed), f"must be 0 to {MOST_SEED}")
    if not 1 <= least <= most:
        raise BadArgument("--least", str(least), f"must be 1 to --most, which is {most}")
    if target.exists():
        raise BadArgument("--to", str(target), "is there already; name a new file")
    try:
        found = instantiated(files, people, seed, least, most)
    except BadLayers as error:
        first, *more = error.rows
        rest = f" (and {len(more)} more)" if more else ""
        raise BadArgument("TEMPLATES", str(files[0]), f"cannot be used: {first}{rest}") from None
    text = msgspec.json.format(msgspec.json.encode(found.tasks), indent=2)
    with atomic_write(target) as unfinished:
        unfinished.write_bytes(text + b"\n")
    return found
