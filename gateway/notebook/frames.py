"""Tables that are read when their rows are asked for."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from events.untrusted.safe_text import shortened
from gateway.errors import GatewayError, did_you_mean
from gateway.notebook.html import cell
from store.parquet.run_tables import FILTERS, Filters
from store.parquet.schemas import SCHEMAS, meaning

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Read = Callable[[str, Filters], Iterator[pa.Table]]
"""Reads the rows of a table that have some values."""


class BadFilter(GatewayError):
    """A table cannot be narrowed in this way."""

    def __init__(self, table: str, given: str) -> None:
        known = FILTERS[table]
        super().__init__(
            f"{shortened(table)} cannot be narrowed by "
            f"{shortened(given)!r}{did_you_mean(given, known)}; it can by {', '.join(known)}"
        )
        self.table, self.given, self.known = table, given, known


class BadChoice(GatewayError):
    """There is nothing of this name to choose."""

    def __init__(self, what: str, given: str, known: Iterable[str]) -> None:
        self.what, self.given, self.known = what, given, tuple(known)
        super().__init__(
            f"{what}: there is no "
            f"{shortened(given)!r}{did_you_mean(given, self.known)}; there are: "
            f"{', '.join(self.known) or 'none'}"
        )


def choose(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise ``BadChoice`` where one of these is not there to be chosen."""
    there = tuple(known)
    for one in given:
        if one not in there:
            raise BadChoice(what, one, there)


class MissingLibrary(GatewayError):
    """A library of the extra ``notebook`` is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{shortened(name)} is not installed; `make notebook` in the checkout installs it, "
            "and elsewhere `pip install 'troupe-server[notebook]'`"
        )
        self.name = name


class Frame:
    """Rows at hand, in the form that is asked for."""

    def to_arrow(self) -> pa.Table:
        """All rows as a ``pyarrow.Table``; each column's metadata says what it is."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """All rows as plain Python values by column."""
        found: list[dict[str, Any]] = self.to_arrow().to_pylist()
        return found

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a pandas data frame. Raises ``MissingLibrary``."""
        _library("pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> "pl.DataFrame":
        """All rows as a polars data frame. Raises ``MissingLibrary``."""
        frame: pl.DataFrame = _library("polars").from_arrow(self.to_arrow())
        return frame


class Table(Frame):
    """One of the store's tables, or a part of it; nothing is read before its rows are asked for.

    ``store.scores(run="r4k", dimension=["goal", "overall"])`` is a part: the rows with these
    values, looked for in the database. Calling a part again narrows it further.
    """

    def __init__(self, name: str, read: Read, filters: Filters | None = None) -> None:
        self.name = name
        self.filters: Filters = filters or {}
        self._read = read

    def __call__(self, **values: object) -> "Table":
        """The rows whose columns have these values: one, or any of several. Of ids and judges the
        beginning does. Raises ``BadFilter``."""
        for given in values:
            if given not in FILTERS[self.name] and given not in _OTHER_NAMES.get(self.name, {}):
                raise BadFilter(self.name, given)
        named = {_OTHER_NAMES.get(self.name, {}).get(name, name): v for name, v in values.items()}
        more = {name: _several(value) for name, value in named.items() if value is not None}
        for name in more.keys() & self.filters.keys():
            more[name] = [value for value in more[name] if value in self.filters[name]]
        return Table(self.name, self._read, {**self.filters, **more})

    @property
    def columns(self) -> dict[str, str]:
        """What each column is."""
        return {field.name: meaning(field) for field in SCHEMAS[self.name]}

    def batches(self) -> Iterator[pa.Table]:
        """The rows in tables of some 20,000, for what does not fit into memory."""
        return self._read(self.name, self.filters)

    def to_arrow(self) -> pa.Table:
        """All rows as a ``pyarrow.Table``; each column's metadata says what it is."""
        found = self.batches()
        first = next(found, SCHEMAS[self.name].empty_table())
        return pa.concat_tables(chain((first,), found), promote_options="default")

    def __repr__(self) -> str:
        return f"{self._title}: {', '.join(self.columns)}"

    def _repr_html_(self) -> str:
        return cell("table.html.j2", title=self._title, columns=self.columns)

    @property
    def _title(self) -> str:
        of = ", ".join(
            f"{name} {' or '.join(map(str, values))}" for name, values in self.filters.items()
        )
        return f"{self.name} ({of})" if of else self.name


_OTHER_NAMES = {"episodes": {"mind": "minds"}, "chains": {"mind": "minds"}}
"""What a column that is a list may be called where one of its words is meant."""


def _several(value: object) -> Sequence[Any]:
    """One value or several, as several; of an object of ours, its id."""
    if not isinstance(value, Iterable) or isinstance(value, str):
        value = [value]
    return [getattr(one, "id", one) for one in value]


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingLibrary(name) from None
