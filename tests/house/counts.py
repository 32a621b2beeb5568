"""What is counted in the source, module by module, without importing it."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import grimp
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).parents[2]
PACKAGES = ("troupe", "gateway", "evaluators", "actors", "store", "events")
FOLDERS = (*PACKAGES, "scripts", "deploy", "examples")
"""All Python that is not a test's."""
# To read a file's tree takes a hundred times as long as to see that it has none of these.
_CLASS = re.compile(r"^class ", re.MULTILINE)
_INDENTED_IMPORT = re.compile(r"^[ \t]+(?:from|import)\b", re.MULTILINE)
ENVIRONMENTS = ("games", "social", "sandbox", "tabletop", "worldtree")


class Module:
    """One file."""

    def __init__(self, path: Path) -> None:
        self.path = path.relative_to(ROOT)
        self.text = path.read_text(encoding="utf-8")

    @property
    def lines(self) -> int:
        """All of them, blank ones and comments too."""
        return self.text.count("\n")

    @property
    def package(self) -> str:
        """The top-level folder."""
        return self.path.parts[0]

    @cached_property
    def tree(self) -> ast.Module:
        """What it says."""
        return ast.parse(self.text)

    @cached_property
    def any_count(self) -> int:
        """How often ``Any`` stands for a type, its import left out."""
        if "Any" not in self.text:
            return 0
        return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(self.tree))

    @cached_property
    def inner_imports(self) -> int:
        """Imports of our own code inside functions."""
        if not _INDENTED_IMPORT.search(self.text):
            return 0
        functions = (
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        found = {
            id(inner): inner
            for function in functions
            for inner in ast.walk(function)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
        return sum(_is_ours(statement) for statement in found.values())

    @property
    def classes(self) -> list[str]:
        """Public ones, of the module's top level."""
        if not _CLASS.search(self.text):
            return []
        return [
            node.name
            for node in self.tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        ]


def _is_ours(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.ImportFrom):
        names = [statement.module or ""]
    else:
        names = [alias.name for alias in statement.names]
    return any(name.split(".")[0] in PACKAGES for name in names)


def modules() -> list[Module]:
    """All files outside tests."""
    return [
        Module(path)
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "__pycache__" not in path.parts
    ]


def sizes(code: Iterable[Module]) -> dict[str, tuple[int, int]]:
    """Lines and modules by top-level folder, and by environment what only that needs."""
    totals: dict[str, tuple[int, int]] = {}
    for module in code:
        environment = next((one for one in ENVIRONMENTS if one in module.path.parts), None)
        for name in filter(None, (module.package, environment)):
            lines, files = totals.get(name, (0, 0))
            totals[name] = (lines + module.lines, files + 1)
    return totals


def files_in_folders(code: Iterable[Module]) -> Counter[Path]:
    """How many modules lie in each folder itself; its ``__init__`` is none of them."""
    return Counter(one.path.parent for one in code if one.path.name != "__init__.py")


def names_in_ing(code: Iterable[Module]) -> list[str]:
    """Modules and packages named after what somebody does."""
    paths = (one.path.parent if one.path.name == "__init__.py" else one.path for one in code)
    return sorted(str(path) for path in paths if path.stem.endswith("ing"))


def classes_twice(code: Iterable[Module]) -> dict[str, list[str]]:
    """Names that two public classes of one package have, with where they are."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in code:
        for name in one.classes:
            places[one.package, name].append(str(one.path))
    return {f"{package}: {name}": at for (package, name), at in places.items() if len(at) > 1}


def circles() -> list[list[str]]:
    """Modules that import each other, also from inside functions; for types alone does not
    count."""
    graph = grimp.build_graph(
        *PACKAGES, include_external_packages=False, exclude_type_checking_imports=True
    )
    names = sorted(graph.modules)
    number = {name: at for at, name in enumerate(names)}
    pairs = [
        (number[one], number[other])
        for one in names
        for other in graph.find_modules_directly_imported_by(one)
    ]
    rows, columns = np.array(pairs).T
    links = coo_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(names),) * 2)
    _, labels = connected_components(links, connection="strong")
    groups: dict[int, list[str]] = defaultdict(list)
    for name, label in zip(names, labels, strict=True):
        groups[int(label)].append(name)
    return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)


def lock_lines() -> int:
    """Of all files of pinned packages."""
    files: Iterator[Path] = (ROOT / "requirements").glob("*.txt")
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)
