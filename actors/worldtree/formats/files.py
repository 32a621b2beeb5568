"""Files with world trees and ability samples: which form one has, and all that is in it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from actors.worldtree.catalog_items import Sample
from actors.worldtree.formats.fields import FieldReader, Fields
from actors.worldtree.formats.json_text import (
    Oddities,
    SizeBudget,
    decoded,
    read_text,
)
from actors.worldtree.formats.sample_reader import is_sample, read_sample
from actors.worldtree.formats.tree_names import language_of_name, paired, slug, unique
from actors.worldtree.formats.tree_reader import is_tree, read_tree
from actors.worldtree.trees.defects import Defect, Place, tree_defects
from actors.worldtree.trees.tree import Language, Tree
from events.untrusted.json_values import NotJson, entries, is_list
from events.untrusted.safe_text import shortened
from store.files.regular_files import absence

Form = Literal["tree", "merged", "samples"]
_SIDES: Final[tuple[tuple[str, Language], ...]] = (("cn_data", "zh"), ("en_data", "en"))
"""Both languages of an entry of a list."""
MOST_FILES: Final = 2_000
"""Of a folder."""
MOST_STRANGE: Final = 100
"""Entries of a list that are neither; one with more is no such list."""
MOST_LISTED: Final = 50_000
"""Defects of all trees together."""


class NoTrees(ValueError):
    """A path that leads to no file with trees."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{shortened(str(path))}: {shortened(why, 1_000)}")
        self.path, self.why = path, why


@dataclass(slots=True)
class FoundTrees:
    files: int = 0
    forms: set[Form] = field(default_factory=set)
    trees: list[Tree] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """The trees and samples that a fatal defect kept out, by file, and by place in lists."""

    def add(self, reader: FieldReader) -> None:
        """What is wrong with one tree or sample."""
        room = MOST_LISTED - len(self.defects)
        if room > 0:
            self.defects.extend(reader.finished()[:room])
            if len(self.defects) == MOST_LISTED:
                why = "there are more defects than are listed"
                self.defects[-1] = Defect(kind="more", file=reader.file, text=why)


def read_path(path: Path) -> FoundTrees:
    """All trees and samples of a file, or of the ``.json`` files in a folder. Raises ``NoTrees``,
    ``OSError``."""
    return read_files(files_of(path))


def read_files(paths: Iterable[Path]) -> FoundTrees:
    """All trees and samples of some files. Raises ``OSError``."""
    found, room = FoundTrees(), SizeBudget()
    for path in paths:
        found.files += 1
        _read_file(path, room, found)
    found.trees = paired(unique(found.trees))
    found.samples = unique(found.samples)
    return found


def files_of(path: Path) -> Sequence[Path]:
    """The file itself, or the ``.json`` files in a folder. Raises ``NoTrees``."""
    if not path.exists():
        raise NoTrees(path, absence(path))
    if not path.is_dir():
        return [path]
    paths = sorted(
        one
        for one in path.iterdir()
        if one.suffix == ".json" and not one.name.startswith(".") and one.is_file()
    )
    if not paths:
        raise NoTrees(path, "is a folder without .json files")
    if len(paths) > MOST_FILES:
        raise NoTrees(path, f"holds {len(paths):,} .json files; at most {MOST_FILES:,} are read")
    return paths


def recognizes(start: bytes) -> bool:
    """Whether a file that begins like this may hold trees or samples."""
    return any(
        key in start
        for key in (b'"predefined_profiles"', b'"interactive_plot"', b'"cn_data"', b'"en_data"')
    )


def _read_file(path: Path, room: SizeBudget, found: FoundTrees) -> None:
    oddities = Oddities()
    reader = FieldReader(path.name)
    trees, samples = len(found.trees), len(found.samples)
    try:
        text = read_text(path, room)
        if is_list(text):
            _read_list(path, text, oddities, found)
        else:
            _read_one(path, decoded(text, oddities), found)
    except NotJson as error:
        # A list that breaks off is refused whole, too.
        del found.trees[trees:], found.samples[samples:]
        reader.add(error.kind, (), error.why)
        found.refused.append(path.name)
    for key in dict.fromkeys(oddities.repeated):
        why = f"the key {shortened(key, 60)!r} is given twice in an object; the last one holds"
        reader.add("repeated_key", (), why)
    found.add(reader)


def _read_one(path: Path, value: object, found: FoundTrees) -> None:
    reader = FieldReader(path.name)
    if is_tree(value):
        found.forms.add("tree")
        _take(read_tree(value, reader, path.stem), reader, found, path.name)
        return
    why = (
        "is no tree, which is an object with predefined_profiles and interactive_plot, and no list"
    )
    reader.add("not_a_tree", (), why)
    found.refused.append(path.name)
    found.add(reader)


def _read_list(path: Path, text: str, oddities: Oddities, found: FoundTrees) -> None:
    number, strange = -1, 0
    for number, entry in enumerate(entries(text, oddities.decoder)):
        sides = list(_sides(entry))
        if not sides:
            reader = FieldReader(path.name)
            why = "holds neither cn_data nor en_data, nor is it a tree or a sample itself"
            reader.add("not_a_tree", (number,), why)
            found.add(reader)
            found.refused.append(f"{path.name}[{number}]")
            if (strange := strange + 1) > MOST_STRANGE:
                why = f"more than {MOST_STRANGE} of its entries are neither trees nor samples"
                raise NotJson(why, "not_a_tree")
        for keys, language, value in sides:
            place: Place = (number, *keys)
            reader = FieldReader(path.name, place)
            name = f"{path.name}[{number}]{''.join(f'.{key}' for key in keys)}"
            id_ = _id(entry, number, language)
            if is_sample(value):
                found.forms.add("samples")
                known = language or language_of_name(path.stem)
                _keep(read_sample(value, reader, id_, known), reader, found, name)
            elif is_tree(value):
                found.forms.add("merged")
                _take(read_tree(value, reader, id_, language), reader, found, name)
            else:
                reader.add("not_a_tree", (), "is neither a tree nor a sample")
                found.add(reader)
                found.refused.append(name)
    if number < 0:
        raise NotJson("is an empty list", "not_a_tree")


def _id(entry: Fields, number: int, language: Language | None) -> str:
    """What one side of an entry is called, where it does not say itself."""
    given = entry.get("data_id")
    id_ = (slug(str(given)) if isinstance(given, int | str) else "") or str(number)
    end = f"-{language or ''}"
    return id_ if id_.lower().endswith(end) or not language else id_ + end


def _sides(entry: object) -> Iterator[tuple[tuple[str, ...], Language | None, object]]:
    """What an entry holds, each with its key and language."""
    if is_tree(entry) or is_sample(entry):
        yield (), None, entry
    elif isinstance(entry, dict):
        for key, language in _SIDES:
            if entry.get(key) is not None:
                yield (key,), language, entry[key]


def _take(tree: Tree | None, reader: FieldReader, found: FoundTrees, name: str) -> None:
    if tree is None:
        found.refused.append(name)
    else:
        found.trees.append(tree)
        reader.take(tree_defects(tree))
    found.add(reader)


def _keep(sample: Sample | None, reader: FieldReader, found: FoundTrees, name: str) -> None:
    found.add(reader)
    if sample is not None:
        found.samples.append(sample)
    elif reader.fatal:
        found.refused.append(name)
