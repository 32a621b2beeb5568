"""Ability samples as a list, in the form that the published scripts read."""

import json
from collections.abc import Sequence
from typing import Final

from actors.worldtree.catalog_items import Sample
from actors.worldtree.formats.sample_reader import RIGHT
from actors.worldtree.formats.tree_writer import beat_values, oriented, profile_values
from actors.worldtree.trees.tree import Line

_SIDES: Final = {"zh": "cn_data", "en": "en_data"}


def samples_text(samples: Sequence[Sample]) -> str:
    """Samples as the text of a file."""
    rows = [
        {"data_id": sample.id, _SIDES[sample.language]: written_sample(sample)}
        for sample in samples
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def written_sample(sample: Sample) -> dict[str, object]:
    """A sample as plain values; its id and its scenario stand beside the published keys."""
    first = oriented(sample.protagonist, sample.orientation)
    return {
        "id": sample.id,
        "profile": [profile_values(one) for one in (first, *sample.cast)],
        **({"scenario": sample.scenario} if sample.scenario else {}),
        "content": [beat_values(beat) for beat in sample.before],
        "question": {"text": sample.question, "skills": list(sample.abilities)},
        "choices": [
            _choice(RIGHT, sample.right),
            *(_choice("confusion", line) for line in sample.distractors),
        ],
    }


def _choice(kind: str, line: Line) -> dict[str, object]:
    return {"type": kind, "role": line.role, "content": line.text}
