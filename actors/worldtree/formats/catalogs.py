"""Catalogs of world trees from folders of published files, and as such folders."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from actors.episodes.formats import PublishedCatalog, WrittenCatalog
from actors.worldtree.catalog_items import Catalog, Sample
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.sample_reader import RIGHT
from actors.worldtree.formats.tree_writer import beat_values, oriented, profile_values, tree_text
from actors.worldtree.trees.defects import GRADES, Defect, graded
from actors.worldtree.trees.tree import Line
from events import environments
from events.untrusted.safe_text import shortened
from store.files.atomic_files import atomic_write_text

SAMPLES: Final = "samples.json"
"""The file of samples that come without a tree."""


class TreesRefused(ValueError):
    """Files that are no catalog, for some of what is in them is no tree. Nothing was kept."""

    def __init__(self, path: Path, defects: Sequence[Defect]) -> None:
        self.rows = tuple(map(str, defects)) or (f"{path.name}: holds no tree and no sample",)
        more = f"; and {len(self.rows) - 1} more" if len(self.rows) > 1 else ""
        super().__init__(self.rows[0] + more)


def read_catalog(folder: Path, name: str) -> PublishedCatalog:
    """All trees and samples of a folder, or none. Raises ``TreesRefused``, ``OSError``."""
    found = read_path(folder)
    fatal = graded(found.defects, "fatal")
    if fatal or not (found.trees or found.samples):
        raise TreesRefused(folder, fatal)
    worst_first = [defect for grade in GRADES for defect in graded(found.defects, grade)]
    return PublishedCatalog(catalog_of(found, name), tuple(map(str, worst_first)))


def catalog_of(found: FoundTrees, name: str) -> Catalog:
    """What was found, as a catalog."""
    return Catalog(name=name, trees=tuple(found.trees), samples=tuple(found.samples))


def write_catalog(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    """Write a file for each tree, and one for all samples without a tree, into a folder that holds
    no other ``.json`` files. Raises ``ValueError``, ``OSError``."""
    if not isinstance(catalog, Catalog):
        raise ValueError(f"catalog {catalog.name!r} is of another environment")  # noqa: TRY004
    texts = {f"{tree.id}.json": tree_text(tree) for tree in catalog.trees}
    if catalog.samples:
        texts[SAMPLES] = samples_text(catalog.samples)
    if others := sorted({path.name for path in folder.glob("*.json")} - texts.keys()):
        # They would come in with the catalog.
        some = f"{others[0]} and {len(others) - 1} more" if len(others) > 1 else others[0]
        raise ValueError(f"{folder} holds {shortened(some)} already; give a folder without")
    for file, text in texts.items():
        atomic_write_text(folder / file, text)
    return WrittenCatalog(tuple(texts))


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
