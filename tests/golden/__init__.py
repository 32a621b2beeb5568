"""Golden prompts: what models are shown, whole, as files that a person can read.

Whoever changes the words of a prompt changes an experiment, so a template that was used is never
changed: what is better gets a new version beside it. ``check`` holds a template to the words it was
published with. A new one is written with ``TROUPE_GOLDEN=write`` and read before it is committed;
a golden prompt that is there is never written over.
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PROMPTS: Final = Path(__file__).parent / "prompts"
WRITE: Final = "TROUPE_GOLDEN"
"""The environment variable that, set to ``write``, has missing golden prompts written."""


def check(name: str, version: str, words: Mapping[str, str], folder: Path = PROMPTS) -> None:
    """Raises ``AssertionError``, with a sentence that says what to do, where a prompt does not say
    what the golden one says.

    ``name``: its file, for example ``agents/act-3-strangers``; ``version``: the template's name and
    fingerprint, as they are recorded; ``words``: what is sent, under ``system``, ``user`` and the
    like.
    """
    path = folder / f"{name}.txt"
    rendered = _written(version, words)
    if not path.exists():
        if os.environ.get(WRITE) != "write":
            raise AssertionError(
                f"there is no golden prompt {path.name} for {version}; run this test once with "
                f"{WRITE}=write, read what it wrote, and commit it"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rendered, encoding="utf-8")
        return
    golden = path.read_text(encoding="utf-8")
    if rendered != golden:
        template = golden.partition("\n")[0]
        changed = difflib.unified_diff(
            golden.splitlines(), rendered.splitlines(), "golden", "now", lineterm="", n=1
        )
        raise AssertionError(
            f"a prompt of {template} does not say any more what it said when it was used "
            f"({path.name}): put the old words back and write the new ones as a new version, "
            "a template beside the old\n" + "\n".join(changed)
        )


def templates_of(place: str, folder: Path = PROMPTS) -> set[str]:
    """Names of the templates, without fingerprints, that ``place`` has golden prompts of."""
    firsts = (path.read_text(encoding="utf-8") for path in (folder / place).glob("*.txt"))
    return {text.partition("\n")[0].partition(":")[0].partition("@")[0] for text in firsts}


def _written(version: str, words: Mapping[str, str]) -> str:
    parts = (f"\n######## {title}\n{text}\n" for title, text in words.items())
    return f"{version}\n{''.join(parts)}"
