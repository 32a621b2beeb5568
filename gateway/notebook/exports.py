"""Files of runs, chains and episodes, as ``troupe export`` writes them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from actors.toml_file import BadFile
from actors.toml_values import NotInToml, key_text, value_text
from gateway.errors import BadArgument, GatewayError
from gateway.services.files.export import ExportResult, export_to
from gateway.services.files.run_formats import ExportChoices
from store.log.event_store import EventStore

Filters = str | Path | Mapping[str, object]
"""A file of filters, or what it would say: ``{"goal": 8, "cloning": {"expert": "gpt-4"}}``."""


def export(
    store: EventStore,
    ids: Sequence[str],
    form: str,
    path: str | Path,
    filters: Filters | None,
    exclude: str | Path | Sequence[str | Path],
) -> ExportResult:
    """Write them; what was written. Raises ``GatewayError``, ``UnknownId``, and then writes
    nothing."""
    lists = [exclude] if isinstance(exclude, str | Path) else exclude
    options: list[str] = []
    file: Path | None = None
    if isinstance(filters, Mapping):
        try:
            options = list(_options(filters, ()))
        except NotInToml as error:
            kind = type(error.value).__name__
            raise BadArgument("filters", error.where, f"no filter is a {kind}") from error
    elif filters is not None:
        file = Path(filters).expanduser()
    choices = ExportChoices(file, options, [Path(one).expanduser() for one in lists])
    try:
        return export_to(store, ids, form, Path(path).expanduser(), choices=choices)
    except BadFile as error:
        raise GatewayError(str(error)) from error


def _options(filters: Mapping[str, object], within: tuple[str, ...]) -> Iterator[str]:
    """Filters as ``KEY=VALUE``. Raises ``NotInToml``."""
    for name, value in filters.items():
        where = (*within, str(name))
        if isinstance(value, Mapping):
            yield from _options(value, where)
            continue
        try:
            yield f"{'.'.join(map(key_text, where))}={value_text(value, inline=True)}"
        except TypeError:
            raise NotInToml(".".join(where), value) from None
