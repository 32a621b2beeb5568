"""Contracts of import-linter that hold for every environment named among the entry points."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

PYPROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
PACKAGES: Final = ("actors", "evaluators", "gateway")
"""Where an environment may have a package of its name."""


def environments() -> tuple[str, ...]:
    """The names of ours, by their entry points."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return tuple(project["entry-points"]["troupe.environments"])


def within(module: str, *packages: str) -> bool:
    """Whether a module is one of these packages or in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


class _Direct(Contract):
    """Some imports are not allowed, whichever way they lead on."""

    def offences(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        """Pairs of an importer and what it may not import."""
        raise NotImplementedError

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Kept where there is no such import."""
        found = sorted(self.offences(graph))
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """A line an import."""
        for importer, imported in check.metadata["found"]:
            output.print_error(f"{importer} is not allowed to import {imported}")


class Apart(_Direct):
    """An environment's packages are imported by themselves alone, and know nothing of some."""

    type_name = "apart"
    unknown = fields.SetField(subfield=fields.StringField())
    """Packages of which what plays an environment knows nothing, not even by what it imports."""

    def offences(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        """Imports of an environment from outside of it, and the ends of ways to what is unknown
        to it."""
        for name in environments():
            own = [f"{package}.{name}" for package in PACKAGES]
            for module in graph.modules:
                if within(module, *own):
                    for importer in graph.find_modules_that_directly_import(module):
                        if not within(importer, *own):
                            yield importer, module
            for package in map(str, self.unknown):  # type: ignore[call-overload]
                for chain in graph.find_shortest_chains(f"actors.{name}", package):
                    yield chain[0], chain[-1]


class ForCommands(_Direct):
    """A package that only environments' own commands import."""

    type_name = "for_commands"
    package = fields.StringField()

    def offences(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        """Imports of the package by anything else."""
        package = str(self.package)
        allowed = [package, *(f"gateway.{name}" for name in environments())]
        for module in graph.modules:
            if within(module, package):
                for importer in graph.find_modules_that_directly_import(module):
                    if not within(importer, *allowed):
                        yield importer, module
