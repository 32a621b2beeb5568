"""A catalog whose characters and knowledge a language model has written."""

from collections.abc import Awaitable, Sequence
from typing import Final, TypeVar

from actors.models.answers.recorded_questions import NoUsableAnswer, StoredCalls
from actors.models.caller import ModelCaller
from actors.tabletop.catalog_items import Catalog, CharacterSheet, KnowledgeSheet
from actors.tabletop.item_writer import ItemWriter, points_fault
from events.base import Value, replace
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from gateway.models.configured_models import models_here
from gateway.models.probe_models import probe
from gateway.models.writer_models import spec_of
from gateway.services.catalogs.read_catalog import check_name, load
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.model_abilities import ModelAbilities
from store.read_model import queries
from store.read_model.catalogs import save_catalog

T = TypeVar("T")
WRITTEN_BY: Final = "written by "
"""How the source of such a catalog begins."""


class ItemsWritten(Value, frozen=True, kw_only=True):
    catalog: str
    outcome: str
    """``imported`` or ``unchanged``."""
    model: str
    characters: int
    sheets: int
    """How many of the catalog's were written."""
    left_out: tuple[str, ...]
    """Which could not be written, and why, a sentence each."""


async def write(
    store: EventStore,
    model: str,
    *,
    catalog: str,
    source: str,
    characters: int = 0,
    sheets: int = 0,
    points: int = 5,
    seed: int = 0,
    probing: bool = False,
) -> ItemsWritten:
    """Have a model write names and descriptions for the first ``characters`` of a catalog, and
    ``sheets`` sheets of knowledge, and save them as another catalog, with everything else of the
    first. ``model``: a name, or a TOML file with a model's settings. What was answered before
    is not asked for again.

    Raises ``BadArgument``, ``BadFile``, ``UnknownId``, ``WrongCatalog``, ``ModelsUnavailable``, and
    ``ModelUnavailable`` where it is lost on the way.
    """
    given = load(store, source, Catalog)
    _check(store, given, catalog, characters, sheets, points)
    spec = spec_of(model)
    caller = ModelCaller(models_here(read_settings()), abilities=ModelAbilities(store))
    writer = ItemWriter(spec, caller, StoredCalls(store, stream_name("find", f"write.{catalog}")))
    left_out: list[str] = []
    try:
        if probing:
            await probe(caller, [spec])
        cast: list[CharacterSheet] = []
        for number, drawn in enumerate(given.characters[:characters]):
            taken = [one.name for one in cast]
            await _kept(cast, drawn.id, writer.character(number, drawn, taken), left_out)
        known: list[KnowledgeSheet] = []
        for number in range(sheets):
            taken = [one.title for one in known]
            await _kept(
                known, f"w{number + 1}", writer.sheet(number, points, taken, seed), left_out
            )
    finally:
        await caller.close()
    _check_written(given, model, characters, cast, "character", left_out)
    _check_written(given, model, sheets, known, "sheet", left_out)
    whole = replace(
        given,
        name=catalog,
        characters=tuple(cast) if characters else given.characters,
        sheets=tuple(known) if sheets else given.sheets,
    )
    return ItemsWritten(
        catalog=catalog,
        outcome=save_catalog(store, whole, f"{WRITTEN_BY}{spec.name} from {source}"),
        model=spec.name,
        characters=len(cast),
        sheets=len(known),
        left_out=tuple(left_out),
    )


async def _kept(into: list[T], id_: str, one: Awaitable[T], left_out: list[str]) -> None:
    try:
        into.append(await one)
    except NoUsableAnswer as why:
        left_out.append(f"{id_}: {why}")


def _check(
    store: EventStore, given: Catalog, catalog: str, characters: int, sheets: int, points: int
) -> None:
    check_name("--catalog", catalog)
    for known in queries.catalogs(store):
        if known.name == catalog and not known.source.startswith(WRITTEN_BY):
            why = "is the name of a catalog that no model wrote; choose another"
            raise BadArgument("--catalog", catalog, why)
    if not characters and not sheets:
        why = "nothing is to be written; say how many characters or sheets"
        raise BadArgument("--characters", "0", why)
    seats = max((table.players + 1 for table in given.tables), default=1)
    if 0 < characters < seats:
        why = f"a session of catalog {given.name!r} seats {seats}; have as many written at least"
        raise BadArgument("--characters", str(characters), why)
    if characters > len(given.characters):
        why = f"catalog {given.name!r} has {len(given.characters)} to be written about"
        raise BadArgument("--characters", str(characters), why)
    if sheets and (fault := points_fault(points)):
        raise BadArgument("--points", str(points), fault)


def _check_written(
    given: Catalog,
    model: str,
    wanted: int,
    found: Sequence[object],
    kind: str,
    left_out: Sequence[str],
) -> None:
    """Raises ``BadArgument`` where no session can be played with what was written."""
    seats = max((table.players + 1 for table in given.tables), default=1)
    if wanted and len(found) < (seats if kind == "character" else 1):
        why = f"only {len(found)} of {wanted} {kind}s could be used, so nothing is kept"
        raise BadArgument("--model", model, f"{why}: {left_out[0]}")
