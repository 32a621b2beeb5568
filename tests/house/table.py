"""The table of ``make house``: what is counted, beside its limits in ``house.toml``."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.house.counts import (
    circles,
    classes_twice,
    files_in_folders,
    lock_lines,
    modules,
    names_in_ing,
    sizes,
)

LIMITS = Path(__file__).with_name("house.toml")


class Count(NamedTuple):
    """A row."""

    name: str
    value: int
    limit: int
    detail: str = ""
    """Where it is, in a few words."""

    def __str__(self) -> str:
        verdict = "" if self.value <= self.limit else "  OVER"
        return f"{self.name:44}{self.value:>9,}{self.limit:>9,}{verdict}  {self.detail}".rstrip()


def limits() -> dict[str, Any]:
    """As the file has them."""
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))


def counts() -> Iterator[Count]:
    """All rows, the totals first."""
    code, known = modules(), limits()
    for name, (lines, files) in sizes(code).items():
        most = known["sizes"].get(name, {"lines": 0, "modules": 0})
        yield Count(f"{name}: lines", lines, most["lines"])
        yield Count(f"{name}: modules", files, most["modules"])
    most = known["most"]
    folders = files_in_folders(code)
    fullest, files = folders.most_common(1)[0]
    typed = [one for one in code if one.package in ("actors", "evaluators", "gateway")]
    in_ing, twice, groups = names_in_ing(code), classes_twice(code), circles()
    yield Count("loose files in gateway/", folders[Path("gateway")], most["loose_in_gateway"])
    yield Count("files in the fullest folder", files, most["in_a_folder"], str(fullest))
    yield Count("circles of imports", len(groups), most["circles"], _longest(groups))
    inner = sum(one.inner_imports for one in code)
    yield Count("imports of ours inside functions", inner, most["imports_in_functions"])
    anys = sum(one.any_count for one in typed)
    yield Count("`Any` in actors, evaluators, gateway", anys, most["any"])
    yield Count("names in -ing", len(in_ing), most["names_in_ing"], ", ".join(in_ing[:6]))
    yield Count("class names twice in a package", len(twice), most["classes_twice"])
    yield Count("lines of lock files", lock_lines(), most["lock_lines"])


def _longest(groups: list[list[str]]) -> str:
    return f"the largest of {len(groups[0])}: {groups[0][0]}, …" if groups else ""
