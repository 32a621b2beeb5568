"""What comes with Troupe beside its code: examples, plans and documentation.

In a checkout they are folders at its root; a wheel has them in ``gateway/share``.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from events.base import Value
from gateway.errors import BadArgument, did_you_mean

EXAMPLES: Final = ("examples", "plans")
"""Folders of files to begin with."""
SECTIONS: Final = ("tutorials", "how-to", "reference", "explanation")
"""Folders of pages, in the order in which they are read."""
_FIRST_PAGES: Final = ("README.md", "docs/index.md", "CITATIONS.md")
"""Pages that belong to no section."""


class Example(Value, frozen=True, kw_only=True):
    """A file to begin with."""

    name: str
    """Its folder and name: ``examples/first.toml``."""
    about: str
    """The first sentence of it."""


class DocumentationPage(NamedTuple):
    name: str
    """As ``troupe docs`` calls it: ``plan``."""
    title: str
    path: Path


class Copied(Value, frozen=True, kw_only=True):
    folder: str
    files: tuple[str, ...]
    """All that is there as it comes with Troupe, copied now or before."""
    unchanged: tuple[str, ...] = ()
    """Those of them that were there already."""
    differing: tuple[str, ...] = ()
    """Those that are there and differ: left as they are."""


def place() -> Path:
    """The folder in which all of it is."""
    share = Path(__file__).parents[2] / "share"
    return share if share.is_dir() else Path(__file__).parents[3]


def is_example(name: str) -> bool:
    """Whether a relative path is that of an example."""
    path = Path(name)
    return len(path.parts) == 2 and path.parts[0] in EXAMPLES and (place() / path).is_file()


def examples() -> list[Example]:
    """All of them, in the order of their names."""
    return [
        Example(name=f"{path.parent.name}/{path.name}", about=_about(path)) for path in _files()
    ]


def copy_examples(names: Iterable[str], into: Path) -> Copied:
    """Copy some examples (none named: all) into a folder, each into the folder it comes from, and
    what it names beside it. Files that are there stay as they are.

    Raises ``BadArgument`` of a name that there is not; nothing is copied then.
    """
    files: list[str] = []
    unchanged: list[str] = []
    differing: list[str] = []
    for path, data in {path: path.read_bytes() for path in _chosen(list(names))}.items():
        to = into / path.parent.name / path.name
        if to.exists() and to.read_bytes() != data:
            differing.append(str(to))
            continue
        files.append(str(to))
        if to.exists():
            unchanged.append(str(to))
            continue
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)
    return Copied(
        folder=str(into),
        files=tuple(files),
        unchanged=tuple(unchanged),
        differing=tuple(differing),
    )


def pages() -> list[DocumentationPage]:
    """All pages of the documentation: first those of no section, then section by section."""
    there = [place() / name for name in _FIRST_PAGES]
    for section in SECTIONS:
        there += sorted((place() / "docs" / section).glob("*.md"))
    return [DocumentationPage(path.stem, _title(path), path) for path in there]


def page(given: str) -> DocumentationPage:
    """A page by its name, with or without folder and ending. Raises ``BadArgument``."""
    known = {one.name: one for one in pages()}
    name = Path(given).name.removesuffix(".md")
    if name not in known:
        hint = did_you_mean(name, known) or "; `troupe docs` lists all"
        raise BadArgument("page", given, f"there is none of this name{hint}")
    return known[name]


def _files() -> list[Path]:
    return [
        path
        for folder in EXAMPLES
        for path in sorted((place() / folder).iterdir())
        if path.is_file() and not path.name.startswith(".")
    ]


def _chosen(names: list[str]) -> list[Path]:
    files = _files()
    if not names:
        return files
    chosen: list[Path] = []
    for name in names:
        fits = [path for path in files if _is_called(path, name)]
        if not fits:
            hint = did_you_mean(name, [path.stem for path in files])
            why = f"there is none of this name{hint or '; `troupe examples list` lists all'}"
            raise BadArgument("example", name, why)
        chosen += fits
    for path in chosen:
        text = path.read_text(encoding="utf-8")
        chosen += [
            one
            for one in files
            if one.parent == path.parent and one not in chosen and f'"{one.name}"' in text
        ]
    return chosen


def _is_called(path: Path, name: str) -> bool:
    return name in (path.stem, path.name, f"{path.parent.name}/{path.name}")


def _about(path: Path) -> str:
    """The first sentence of the comment that a file begins with."""
    if path.suffix != ".toml":
        return "A notebook that reads a store's tables."
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            break
        lines.append(line.removeprefix("# "))
    return re.split(r"(?<!\bal\.)(?<=[.:]) ", " ".join(lines))[0].rstrip(":.") + "."


def _title(path: Path) -> str:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ").replace("`", "")
