"""Whatever stands in a published file, it is read whole or refused with the rows to blame."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog_items import Catalog
from actors.social.formats.catalog_reader import (
    CHARACTERS,
    RELATIONSHIPS,
    SCENARIOS,
    TASKS,
    read_published,
)
from actors.social.formats.episode_log_reader import read_episode_logs
from actors.social.formats.episode_log_writer import episode_log, to_line
from actors.social.formats.faults import FileRefused
from tests.actors.social.formats.test_catalog_reader import Rows, combo, person, related, scene
from tests.actors.social.table import Game, table

T = TypeVar("T")

quick = settings(deadline=None)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
) | st.text("[]()<>/'\"-;,0123456789 nap", max_size=12)


def outcome(read: Callable[[], T]) -> T | FileRefused:
    """What is read, or the refusal; any other error is a failure of the test."""
    try:
        return read()
    except FileRefused as refused:
        return refused


def changed(row: Any, data: st.DataObject) -> Any:
    """The row with something in it, at any depth, replaced by anything."""
    if isinstance(row, dict | list) and row and data.draw(st.integers(0, 3)):
        keys = sorted(row) if isinstance(row, dict) else range(len(row))
        key = data.draw(st.sampled_from(list(keys)))
        copy = row.copy()
        copy[key] = changed(row[key], data)
        return copy
    return data.draw(anything)


@quick
@given(st.data())
def test_a_catalog_with_anything_in_it_is_read_or_refused(data: st.DataObject):
    rows: Rows = {
        CHARACTERS: [person("amy"), person("bea")],
        SCENARIOS: [scene()],
        RELATIONSHIPS: [related("r1", "3")],
        TASKS: [combo()],
    }
    file = data.draw(st.sampled_from(sorted(rows)))
    rows[file][-1] = changed(rows[file][-1], data)
    with TemporaryDirectory() as folder:
        for name, lines in rows.items():
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (Path(folder) / name).write_text(text)
        read = outcome(lambda: read_published(Path(folder)))
    if isinstance(read, FileRefused):
        assert read.rows
        assert all(row.reason for row in read.rows)
    else:
        assert len(read.tasks) == len(rows[TASKS])


@quick
@given(st.data())
def test_an_episode_log_with_anything_in_it_is_read_or_refused(data: st.DataObject):
    game = Game(table())
    game.act()
    game.act("leave")
    first = game.history[0]
    catalog = Catalog(name="c", characters=first.setup.cast, scenarios=(first.setup.scenario,))
    row = changed(json.loads(to_line(episode_log(game.history))), data)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "logs.jsonl"
        path.write_text(json.dumps(row) + "\n")
        read = outcome(lambda: read_episode_logs(path, CatalogIndex(catalog)))
    if isinstance(read, FileRefused):
        assert {bad.line for bad in read.rows} == {1}
    else:
        (episode,) = read
        assert episode_log(episode.events, episode.judged).environment == first.setup.scenario.id


@quick
@given(st.binary(max_size=60))
def test_any_bytes_at_all_are_refused(content: bytes):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "logs.jsonl"
        path.write_bytes(content)
        read = outcome(lambda: read_episode_logs(path, CatalogIndex(Catalog(name="c"))))
    assert isinstance(read, FileRefused) == bool(content.strip())
